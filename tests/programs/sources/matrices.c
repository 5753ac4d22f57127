/* Dense linear algebra. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

double cholesky_logdet(int n, const double *a)
{
    double *l = calloc(n*n, sizeof *l), sum = 0;
    for (int j = 0; j < n; j++) {
        double d = a[j*n + j];
        for (int k = 0; k < j; k++)
            d -= l[j*n + k]*l[j*n + k];
        l[j*n + j] = sqrt(d);
        for (int i = j + 1; i < n; i++) {
            double s = a[i*n + j];
            for (int k = 0; k < j; k++)
                s -= l[i*n + k]*l[j*n + k];
            l[i*n + j] = s/l[j*n + j];
        }
    }
    for (int i = 0; i < n; i++)
        sum += 2*log(l[i*n + i]);
    free(l);
    return sum;
}

/* c·x with A x = b; overwrites A and b */
double gauss(int n, double A[n][n], double *b, const double *c)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[pivot][k]))
                pivot = i;
        if (pivot != k) {
            for (int j = 0; j < n; j++) {
                double t = A[k][j];
                A[k][j] = A[pivot][j];
                A[pivot][j] = t;
            }
            double t = b[k];
            b[k] = b[pivot];
            b[pivot] = t;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = A[i][k]/A[k][k];
            for (int j = k; j < n; j++)
                A[i][j] -= factor*A[k][j];
            b[i] -= factor*b[k];
        }
    }
    double sum = 0;
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= A[i][j]*b[j];
        b[i] /= A[i][i];
        sum += c[i]*b[i];
    }
    return sum;
}

/* determinant with a permutation of row numbers; rows made and freed here */
double determinant(int n, const double *a)
{
    double **rows = malloc(n*sizeof *rows), result = 1;
    for (int i = 0; i < n; i++) {
        rows[i] = malloc(n*sizeof **rows);
        memcpy(rows[i], a + i*n, n*sizeof **rows);
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(rows[i][k]) > fabs(rows[pivot][k]))
                pivot = i;
        if (pivot != k) {
            double *row = rows[k];
            rows[k] = rows[pivot];
            rows[pivot] = row;
            result = -result;
        }
        result *= rows[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = n - 1; j >= k; j--)
                rows[i][j] -= rows[i][k]/rows[k][k]*rows[k][j];
    }
    for (int i = 0; i < n; i++)
        free(rows[i]);
    free(rows);
    return result;
}

/* |A B|² with an accumulator in memory */
double product_norm(int n, int m, int k, const double A[n][k], const double B[k][m])
{
    double C[n][m], sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            C[i][j] = 0;
            for (int l = 0; l < k; l++)
                C[i][j] += A[i][l]*B[l][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += C[i][j]*C[i][j];
    return sum;
}

/* Householder QR in place; the sum of log|R_ii| */
double qr_logdet(int n, double *a)
{
    double result = 0;
    for (int k = 0; k < n; k++) {
        double norm = 0;
        for (int i = k; i < n; i++)
            norm += a[i*n + k]*a[i*n + k];
        norm = sqrt(norm);
        double alpha = a[k*n + k] > 0 ? -norm : norm;
        if (k < n - 1) {
            double v0 = a[k*n + k] - alpha, beta = 1/(alpha*v0);
            a[k*n + k] = v0;
            for (int j = k + 1; j < n; j++) {
                double s = 0;
                for (int i = k; i < n; i++)
                    s += a[i*n + k]*a[i*n + j];
                s *= beta;
                for (int i = k; i < n; i++)
                    a[i*n + j] += s*a[i*n + k];
            }
        } else {
            alpha = a[k*n + k];
        }
        result += log(fabs(alpha));
    }
    return result;
}

/* largest eigenvalue of a symmetric matrix by the power method; the count depends on the data */
double power_method(int n, const double *a, const double *start)
{
    double x[n], y[n], value = 0, before;
    memcpy(x, start, n*sizeof(double));
    do {
        before = value;
        double norm = 0;
        for (int i = 0; i < n; i++) {
            y[i] = 0;
            for (int j = 0; j < n; j++)
                y[i] += a[i*n + j]*x[j];
            norm += y[i]*y[i];
        }
        value = sqrt(norm);
        for (int i = 0; i < n; i++)
            x[i] = y[i]/value;
    } while (fabs(value - before) > 1e-13*value);
    return value;
}

/* x' T x for a tridiagonal T solved by the Thomas algorithm, static work space */
#define MOST 32
static double upper[MOST], right[MOST];

double thomas(int n, const double *lower, const double *diagonal, const double *above, const double *b)
{
    upper[0] = above[0]/diagonal[0];
    right[0] = b[0]/diagonal[0];
    for (int i = 1; i < n; i++) {
        double m = 1/(diagonal[i] - lower[i]*upper[i - 1]);
        upper[i] = i < n - 1 ? above[i]*m : 0;
        right[i] = (b[i] - lower[i]*right[i - 1])*m;
    }
    for (int i = n - 2; i >= 0; i--)
        right[i] -= upper[i]*right[i + 1];
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += right[i]*right[i];
    return sum;
}
