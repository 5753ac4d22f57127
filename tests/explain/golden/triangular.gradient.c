#include <math.h>
#include <stdlib.h>
#pragma STDC FP_CONTRACT OFF
void diffe_triangular(int n, const double *l, double *dl, double *x, double *dx) {
    int *count_tape = NULL;
    if (n > 0) {
        count_tape = malloc(n*sizeof(int));                       /* line 3 */
        for (long i = 0; i < n; i++) {                            /* line 3 */
            int k = 0;
            double t = 0;
            if (i == 0) {
                k = 0;
                t = *x;                                           /* line 6 */
            } else {
                long j = 0;
                t = x[i];
                do {
                    t = fma(-l[(long)(unsigned int)(int)((unsigned int)n*(unsigned int)(int)i) + j], x[j], t);  /* line 5 */
                    j++;                                          /* line 4 */
                } while (j != i);                                 /* line 4 */
                k = (int)((unsigned int)(int)((unsigned int)n + 1u)*(unsigned int)(int)i);  /* line 6 */
            }
            count_tape[i] = k;                                    /* line 6: kept for the reverse sweep */
            x[i] = t/l[k];                                        /* line 6 */
        }
        long i2 = n - 1;                                          /* line 3 */
        double t3 = 0;
        for (;;) {
            double t2 = x[i2];                                    /* line 7: d (x*y + z) = y dx + x dy + dz */
            int k2 = count_tape[i2];                              /* line 6: d (x/y) = 1/y dx - (x/y)/y dy */
            t3 = (t2*2.0 + dx[i2])/l[k2];                         /* line 6: d (x/y) = 1/y dx - (x/y)/y dy */
            dx[i2] = 0.0;                                         /* line 6: adjoint of the value += adjoint of the memory; that becomes 0 */
            dl[k2] -= t3*t2;                                      /* line 6: adjoint of the memory += d */
            if (i2 == 0) break;
            long j2 = i2 - 1;
            do {
                double t4 = x[j2];                                /* line 5: d (x*y + z) = y dx + x dy + dz */
                dx[j2] -= l[(long)(unsigned int)(int)((unsigned int)n*(unsigned int)(int)i2) + j2]*t3;  /* line 5: adjoint of the memory += d */
                dl[(long)(unsigned int)(int)((unsigned int)n*(unsigned int)(int)i2) + j2] -= t4*t3;  /* line 5: adjoint of the memory += d */
            } while (j2-- != 0);
            dx[i2] += t3;                                         /* line 6: adjoint of the value += adjoint of the memory; that becomes 0 */
            i2--;
        }
        *dx += t3;                                                /* line 6: adjoint of the memory += d */
    }
    free(count_tape);
}
