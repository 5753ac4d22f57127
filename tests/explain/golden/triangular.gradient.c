#include <math.h>
#include <stdlib.h>
#pragma STDC FP_CONTRACT OFF
void diffe_triangular(int n, const double *l, double *dl, double *x, double *dx) {
    double *div_tape = NULL;
    int *add14_tape = NULL;
    signed char *count_tape = NULL;
    double *total_tape = NULL;
    if (n > 0) {
        div_tape = malloc(n*sizeof(double));                      /* line 3 */
        add14_tape = malloc(n*sizeof(int));                       /* line 3 */
        count_tape = malloc(n);                                   /* line 3 */
        long k = 0, total_capacity = 0;
        for (long i = 0; i < n; i++) {                            /* line 3 */
            int k2 = i != 0;                                      /* line 4 */
            int k5 = 0;
            double t = 0;
            if (k2) {
                t = x[i];
                long k3 = i + k;
                if (k3 > total_capacity) {
                    total_capacity = (long)((unsigned long)k3 << (total_capacity != 0));
                    total_tape = realloc(total_tape, total_capacity*sizeof(double));
                }
                long j = 0, k4 = 0;
                do {
                    double t2 = l[(long)(unsigned int)(int)((unsigned int)n*(unsigned int)(int)i) + j];  /* line 5 */
                    double t3 = x[j];                             /* line 5 */
                    k4 = j + k;
                    total_tape[k4] = t3;                          /* line 5: kept for the reverse sweep */
                    t = fma(-t2, t3, t);                          /* line 5 */
                    x[i] = t;                                     /* line 5 */
                    j++;                                          /* line 4 */
                } while (j != i);                                 /* line 4 */
                k = k4 + 1;
                k5 = (int)((unsigned int)(int)((unsigned int)n + 1u)*(unsigned int)(int)i);  /* line 6 */
            } else {
                t = *x;                                           /* line 6 */
            }
            count_tape[i] = k2;                                   /* line 6: kept for the reverse sweep */
            add14_tape[i] = k5;                                   /* line 6: kept for the reverse sweep */
            double t4 = t/l[k5];                                  /* line 6 */
            div_tape[i] = t4;                                     /* line 6: kept for the reverse sweep */
            x[i] = t4;                                            /* line 6 */
        }
        for (long i2 = n; i2-- > 0;) {
            double t5 = div_tape[i2];                             /* line 7: d (x*y + z) = y dx + x dy + dz */
            double t6 = t5*2.0 + dx[i2];                          /* line 6: d = adjoint of the memory; adjoint of the memory = 0; adjoint of the value += d */
            dx[i2] = 0.0;                                         /* line 6: d = adjoint of the memory; adjoint of the memory = 0; adjoint of the value += d */
            int k6 = add14_tape[i2];                              /* line 6: d (x/y) = 1/y dx - (x/y)/y dy */
            double t7 = t6/l[k6];                                 /* line 6: d (x/y) = 1/y dx - (x/y)/y dy */
            dl[k6] -= t7*t5;                                      /* line 6: adjoint of the memory += d */
            signed char k7 = count_tape[i2];
            if (k7 & 1) {
                k = k - i2;
                long j2 = i2 - 1;
                do {
                    t7 += dx[i2];                                 /* line 5: d = adjoint of the memory; adjoint of the memory = 0; adjoint of the value += d */
                    dx[i2] = 0.0;                                 /* line 5: d = adjoint of the memory; adjoint of the memory = 0; adjoint of the value += d */
                    double t8 = total_tape[k + j2];               /* line 5: d (x*y + z) = y dx + x dy + dz */
                    dx[j2] -= l[(long)(unsigned int)(int)((unsigned int)n*(unsigned int)(int)i2) + j2]*t7;  /* line 5: adjoint of the memory += d */
                    dl[(long)(unsigned int)(int)((unsigned int)n*(unsigned int)(int)i2) + j2] -= t8*t7;  /* line 5: adjoint of the memory += d */
                } while (j2-- != 0);
                dx[i2] += t7;                                     /* line 6: d = adjoint of the memory; adjoint of the memory = 0; adjoint of the value += d */
            } else {
                *dx += t7;                                        /* line 6: adjoint of the memory += d */
            }
        }
    }
    free(div_tape);
    free(add14_tape);
    free(count_tape);
    free(total_tape);
}
