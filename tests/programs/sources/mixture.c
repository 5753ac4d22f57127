/* ADBench's Gaussian mixture model: the log posterior of a mixture with a Wishart prior, in the
   parametrization by logarithms of the diagonal and a strictly lower triangle of the inverse covariance. */
#include <math.h>
#include <stdlib.h>

static double log_sum_exp(int n, const double *x)
{
    double largest = x[0], sum = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > largest)
            largest = x[i];
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - largest);
    return largest + log(sum);
}

static double log_gamma_distribution(double a, int p)
{
    double out = 0.25*p*(p - 1)*log(M_PI);
    for (int j = 1; j <= p; j++)
        out += lgamma(a + 0.5*(1 - j));
    return out;
}

static double log_wishart_prior(int d, int k, double gamma, int m, const double *sums, const double *diagonals,
                                const double *factors)
{
    int n = d + m + 1, size = d*(d + 1)/2;
    double constant = n*d*(log(gamma) - 0.5*log(2.0)) - log_gamma_distribution(0.5*n, d), out = 0;
    for (int c = 0; c < k; c++) {
        double frobenius = 0;
        for (int i = 0; i < d; i++)
            frobenius += diagonals[c*d + i]*diagonals[c*d + i];
        for (int i = d; i < size; i++)
            frobenius += factors[c*size + i]*factors[c*size + i];
        out += 0.5*gamma*gamma*frobenius - m*sums[c];
    }
    return out - k*constant;
}

/* out = L x, L lower triangular: `diagonal`, then the strict lower triangle column by column */
static void multiply_lower(int d, const double *diagonal, const double *lower, const double *x, double *out)
{
    for (int i = 0; i < d; i++)
        out[i] = diagonal[i]*x[i];
    int at = 0;
    for (int j = 0; j < d; j++)
        for (int i = j + 1; i < d; i++)
            out[i] += lower[at++]*x[j];
}

double gmm(int d, int k, int n, const double *alphas, const double *means, const double *factors, const double *x,
           double gamma, int m)
{
    int size = d*(d + 1)/2;
    double *diagonals = malloc(k*d*sizeof *diagonals);
    double *sums = malloc(k*sizeof *sums);
    double *centered = malloc(d*sizeof *centered);
    double *transformed = malloc(d*sizeof *transformed);
    double *terms = malloc(k*sizeof *terms);

    for (int c = 0; c < k; c++) {
        sums[c] = 0;
        for (int i = 0; i < d; i++) {
            double q = factors[c*size + i];
            sums[c] += q;
            diagonals[c*d + i] = exp(q);
        }
    }
    double likelihood = 0;
    for (int p = 0; p < n; p++) {
        for (int c = 0; c < k; c++) {
            for (int i = 0; i < d; i++)
                centered[i] = x[p*d + i] - means[c*d + i];
            multiply_lower(d, &diagonals[c*d], &factors[c*size + d], centered, transformed);
            double square = 0;
            for (int i = 0; i < d; i++)
                square += transformed[i]*transformed[i];
            terms[c] = alphas[c] + sums[c] - 0.5*square;
        }
        likelihood += log_sum_exp(k, terms);
    }
    double result = -n*d*0.5*log(2*M_PI) + likelihood - n*log_sum_exp(k, alphas)
                    + log_wishart_prior(d, k, gamma, m, sums, diagonals, factors);
    free(terms);
    free(transformed);
    free(centered);
    free(sums);
    free(diagonals);
    return result;
}
