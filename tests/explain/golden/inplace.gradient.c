#include <math.h>
#include <stdlib.h>
#pragma STDC FP_CONTRACT OFF
void diffe_inplace(size_t n, double *a, double *da) {
    double *total_tape = NULL, *total_tape2 = NULL, *total_tape3 = NULL;
    if (n == 0) {
        total_tape = NULL;
        total_tape2 = NULL;
        total_tape3 = NULL;
    } else {
        total_tape = malloc(n*sizeof(double));
        total_tape2 = malloc(n*sizeof(double));
        total_tape3 = malloc(n*sizeof(double));
        double total = 0.0;
        for (long i = 0; i < n; i++) {                      /* line 3 */
            double t2 = a[i];                               /* line 4 */
            total_tape2[i] = t2;                            /* line 4: kept for the reverse sweep */
            total = fma(t2, t2, total);                     /* line 4 */
            total_tape[i] = total;                          /* line 4: kept for the reverse sweep */
            double t3 = sin(t2);                            /* line 5 */
            total_tape3[i] = t3;                            /* line 5: kept for the reverse sweep */
            a[i] = t3*total;                                /* line 5 */
        }
        double t = 1.0;
        for (long i2 = n; i2-- > 0;) {
            double t4 = da[i2];                             /* line 5: d = adjoint of the memory; adjoint of the memory = 0; adjoint of the value += d */
            t += t4*total_tape3[i2];                        /* line 5: d (x*y) = y dx + x dy */
            double t5 = total_tape2[i2];                    /* line 5: d sin(x) = cos(x) dx */
            da[i2] = t5*t*2.0 + t4*total_tape[i2]*cos(t5);  /* line 5: d = adjoint of the memory; adjoint of the memory = 0; adjoint of the value += d */
        }
    }
    free(total_tape);
    free(total_tape2);
    free(total_tape3);
}
