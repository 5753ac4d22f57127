#include <math.h>
#include <stdlib.h>
#pragma STDC FP_CONTRACT OFF
void diffe_inplace(size_t n, double *a, double *da) {
    double *value_tape = NULL, *a_tape = NULL, *sin_tape = NULL;
    if (n == 0) {
        value_tape = NULL;
        a_tape = NULL;
        sin_tape = NULL;
    } else {
        value_tape = malloc(n*sizeof(double));
        a_tape = malloc(n*sizeof(double));
        sin_tape = malloc(n*sizeof(double));
        double total = 0.0;
        for (long i = 0; i < n; i++) {                      /* line 3 */
            double t2 = a[i];                               /* line 4 */
            a_tape[i] = t2;                                 /* line 4: kept for the reverse sweep */
            total = fma(t2, t2, total);                     /* line 4 */
            value_tape[i] = total;                          /* line 4: kept for the reverse sweep */
            double t3 = sin(t2);                            /* line 5 */
            sin_tape[i] = t3;                               /* line 5: kept for the reverse sweep */
            a[i] = t3*total;                                /* line 5 */
        }
        double t = 1.0;
        for (long i2 = n; i2-- > 0;) {
            double t4 = da[i2];                             /* line 5: adjoint of the value += adjoint of the memory; that becomes 0 */
            t += t4*sin_tape[i2];                           /* line 5: d (x*y) = y dx + x dy */
            double t5 = a_tape[i2];                         /* line 5: d sin(x) = cos(x) dx */
            da[i2] = t5*t*2.0 + t4*value_tape[i2]*cos(t5);  /* line 5: adjoint of the value += adjoint of the memory; that becomes 0 */
        }
    }
    free(value_tape);
    free(a_tape);
    free(sin_tape);
}
