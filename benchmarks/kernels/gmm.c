/* ADBench's Gaussian mixture model, without the Wishart prior (it costs nothing). */
#include "kernel.h"

double gmm(int d, int k, int n, const double *alphas, const double *means, const double *factors, const double *x)
{
    int size = d*(d + 1)/2;
    double centered[d], out[d], terms[k], diagonals[k*d], sums[k], total = 0;
    for (int c = 0; c < k; c++) {
        sums[c] = 0;
        for (int i = 0; i < d; i++) {
            sums[c] += factors[c*size + i];
            diagonals[c*d + i] = exp(factors[c*size + i]);
        }
    }
    for (int p = 0; p < n; p++) {
        for (int c = 0; c < k; c++) {
            const double *lower = factors + c*size + d;
            for (int i = 0; i < d; i++) {
                centered[i] = x[p*d + i] - means[c*d + i];
                out[i] = diagonals[c*d + i]*centered[i];
            }
            for (int j = 0; j < d; j++)
                for (int i = j + 1; i < d; i++)
                    out[i] += *lower++*centered[j];
            double square = 0;
            for (int i = 0; i < d; i++)
                square += out[i]*out[i];
            terms[c] = alphas[c] + sums[c] - 0.5*square;
        }
        double largest = terms[0], sum = 0;
        for (int c = 1; c < k; c++)
            largest = terms[c] > largest ? terms[c] : largest;
        for (int c = 0; c < k; c++)
            sum += exp(terms[c] - largest);
        total += largest + log(sum);
    }
    return total;
}

#ifndef __cplusplus
void gmm_by_hand(int d, int k, int n, const double *restrict alphas, const double *restrict means, const double *restrict factors,
                 const double *restrict x, double *restrict d_alphas, double *restrict d_means, double *restrict d_factors)
{
    int size = d*(d + 1)/2;
    double centered[k*d], out[k*d], terms[k], diagonals[k*d], sums[k], back[d];
    for (int c = 0; c < k; c++) {
        sums[c] = 0;
        for (int i = 0; i < d; i++) {
            sums[c] += factors[c*size + i];
            diagonals[c*d + i] = exp(factors[c*size + i]);
        }
    }
    for (int p = 0; p < n; p++) {
        for (int c = 0; c < k; c++) {
            const double *lower = factors + c*size + d;
            double *ce = centered + c*d, *o = out + c*d;
            for (int i = 0; i < d; i++) {
                ce[i] = x[p*d + i] - means[c*d + i];
                o[i] = diagonals[c*d + i]*ce[i];
            }
            for (int j = 0; j < d; j++)
                for (int i = j + 1; i < d; i++)
                    o[i] += *lower++*ce[j];
            double square = 0;
            for (int i = 0; i < d; i++)
                square += o[i]*o[i];
            terms[c] = alphas[c] + sums[c] - 0.5*square;
        }
        double largest = terms[0], sum = 0;
        for (int c = 1; c < k; c++)
            largest = terms[c] > largest ? terms[c] : largest;
        for (int c = 0; c < k; c++) {
            terms[c] = exp(terms[c] - largest);
            sum += terms[c];
        }
        double share = 1/sum;
        for (int c = 0; c < k; c++) {
            const double *lower = factors + c*size + d, *ce = centered + c*d, *o = out + c*d;
            double *d_lower = d_factors + c*size + d, weight = terms[c]*share;
            d_alphas[c] += weight;
            for (int i = 0; i < d; i++) {
                double g = -weight*o[i];
                back[i] = g*diagonals[c*d + i];
                d_factors[c*size + i] += weight + g*ce[i]*diagonals[c*d + i];
            }
            for (int j = 0; j < d; j++) {
                double s = 0;
                for (int i = j + 1; i < d; i++, lower++, d_lower++) {
                    double g = -weight*o[i];
                    *d_lower += g*ce[j];
                    s += g**lower;
                }
                back[j] += s;
            }
            for (int i = 0; i < d; i++)
                d_means[c*d + i] -= back[i];
        }
    }
}
#endif

#ifdef ENZYME
void gmm_enzyme(int d, int k, int n, const double *alphas, const double *means, const double *factors, const double *x,
                double *d_alphas, double *d_means, double *d_factors)
{
    __enzyme_autodiff((void *)gmm, enzyme_const, d, enzyme_const, k, enzyme_const, n, enzyme_dup, alphas, d_alphas, enzyme_dup,
                      means, d_means, enzyme_dup, factors, d_factors, enzyme_const, x);
}
#endif
