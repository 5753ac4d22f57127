/* Code in the manner of C++: matrices that own their memory, one small function for each operation, temporaries everywhere.
   Σ of the entries of ((A B + A) ∘ B) B. */
#include "kernel.h"

typedef struct { int rows, columns; double *data; } matrix;

static matrix made(int rows, int columns)
{
    matrix m = {rows, columns, (double *)malloc((size_t)rows*columns*sizeof(double))};
    return m;
}

static double *entry(matrix *m, int i, int j) { return &m->data[i*m->columns + j]; }
static double value(const matrix *m, int i, int j) { return m->data[i*m->columns + j]; }
static void dropped(matrix *m) { free(m->data); }

static matrix copied(int n, const double *from)
{
    matrix m = made(n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            *entry(&m, i, j) = from[i*n + j];
    return m;
}

static matrix times(const matrix *a, const matrix *b)
{
    matrix c = made(a->rows, b->columns);
    for (int i = 0; i < c.rows; i++)
        for (int j = 0; j < c.columns; j++) {
            *entry(&c, i, j) = 0;
            for (int k = 0; k < a->columns; k++)
                *entry(&c, i, j) += value(a, i, k)*value(b, k, j);
        }
    return c;
}

static matrix plus(const matrix *a, const matrix *b)
{
    matrix c = made(a->rows, a->columns);
    for (int i = 0; i < c.rows; i++)
        for (int j = 0; j < c.columns; j++)
            *entry(&c, i, j) = value(a, i, j) + value(b, i, j);
    return c;
}

static matrix each(const matrix *a, const matrix *b)
{
    matrix c = made(a->rows, a->columns);
    for (int i = 0; i < c.rows; i++)
        for (int j = 0; j < c.columns; j++)
            *entry(&c, i, j) = value(a, i, j)*value(b, i, j);
    return c;
}

static double total(const matrix *m)
{
    double sum = 0;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->columns; j++)
            sum += value(m, i, j);
    return sum;
}

double objects(int n, const double *first, const double *second)
{
    matrix a = copied(n, first), b = copied(n, second);
    matrix product = times(&a, &b), sum = plus(&product, &a), scaled = each(&sum, &b), last = times(&scaled, &b);
    double result = total(&last);
    dropped(&a);
    dropped(&b);
    dropped(&product);
    dropped(&sum);
    dropped(&scaled);
    dropped(&last);
    return result;
}

#ifndef __cplusplus
void objects_by_hand(int n, const double *restrict a, const double *restrict b, double *restrict d_a, double *restrict d_b)
{
    size_t size = (size_t)n*n;
    double *restrict sum = (double *)kept((2*size + 3*(size_t)n)*sizeof *sum), *restrict g = sum + size;
    double *restrict rows = g + size, *restrict columns = rows + n;
    memcpy(sum, a, size*sizeof *sum);
    for (int k = 0; k < n; k++)
        columns[k] = rows[k] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                sum[i*n + j] += a[i*n + k]*b[k*n + j];
    /* result = Σ_k columns[k] rows[k]: sums of the columns of (sum ∘ b), and of the rows of b */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            columns[j] += sum[i*n + j]*b[i*n + j];
            rows[i] += b[i*n + j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            g[i*n + j] = rows[j]*b[i*n + j];
            d_b[i*n + j] += rows[j]*sum[i*n + j] + columns[i];
            d_a[i*n + j] += g[i*n + j];
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double lanes[8] = {0}, x = a[i*n + k];
            int j = 0;
            for (; j + 8 <= n; j += 8)
                for (int l = 0; l < 8; l++) {
                    lanes[l] += g[i*n + j + l]*b[k*n + j + l];
                    d_b[k*n + j + l] += x*g[i*n + j + l];
                }
            for (; j < n; j++) {
                lanes[0] += g[i*n + j]*b[k*n + j];
                d_b[k*n + j] += x*g[i*n + j];
            }
            for (int l = 1; l < 8; l++)
                lanes[0] += lanes[l];
            d_a[i*n + k] += lanes[0];
        }
}
#endif

#ifdef ENZYME
void objects_enzyme(int n, const double *first, const double *second, double *d_first, double *d_second)
{
    __enzyme_autodiff((void *)objects, enzyme_const, n, enzyme_dup, first, d_first, enzyme_dup, second, d_second);
}
#endif
