#include <math.h>
#include <stdlib.h>
#pragma STDC FP_CONTRACT OFF
double diffe_mlp(int n, int m, const double *w, double *dw, const double *v, double *dv, const double *x, double *dx, double y) {
    double t3 = 0;
    double *tanh_tape = NULL;
    if (m > 0) {
        int k = n > 0;                                   /* line 3 */
        tanh_tape = malloc(m*sizeof(double));            /* line 3 */
        double out = 0.0;
        for (long i = 0; i < m; i++) {                   /* line 3 */
            double sum = 0.0;
            for (long j = 0; j < n; j++)                 /* line 5 */
                sum = fma(w[i*(long)n + j], x[j], sum);  /* line 6 */
            double t = v[i];                             /* line 7 */
            double t2 = tanh(sum);                       /* line 7 */
            tanh_tape[i] = t2;                           /* line 7: kept for the reverse sweep */
            out = fma(t, t2, out);                       /* line 7 */
        }
        t3 = (out - y)*2.0;                              /* line 9: d (x*y) = y dx + x dy */
        for (long i2 = m; i2-- > 0;) {
            double t4 = tanh_tape[i2];                   /* line 7: d (x*y + z) = y dx + x dy + dz */
            double t5 = v[i2];                           /* line 7: d (x*y + z) = y dx + x dy + dz */
            dv[i2] += t3*t4;                             /* line 7: adjoint of the memory += d */
            if (k) {
                double t6 = t3*t5*(1.0 - t4*t4);         /* line 7: d tanh(x) = (1 - tanh(x)^2) dx */
                long k2 = i2*(long)n;                    /* line 3 */
                for (long j2 = n; j2-- > 0;) {
                    double t7 = t6*x[j2];                /* line 6: d (x*y + z) = y dx + x dy + dz */
                    dx[j2] += t6*w[k2 + j2];             /* line 6: adjoint of the memory += d */
                    dw[k2 + j2] += t7;                   /* line 6: adjoint of the memory += d */
                }
            }
        }
    } else {
        t3 = -2.0*y;                                     /* line 9: d (x*y) = y dx + x dy */
        tanh_tape = NULL;
    }
    free(tanh_tape);
    return -t3;                                          /* line 9: d (x - y) = dx - dy */
}
