/* What a caller knows of its arrays, and the functions it gives them to cannot see. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define APART __attribute__((noinline))

APART static void scaled(int n, double *y, const double *table)
{
    for (int i = 0; i < n; i++)
        y[i] = y[i]*y[i]*table[i];
}

/* y is its own memory, table is only read, and nobody writes it afterwards */
double fresh(int n, const double *x, const double *table)
{
    double *y = (double *)malloc(2*n*sizeof *y), sum = 0;
    memcpy(y, x, n*sizeof *y);
    memcpy(y + n, x, n*sizeof *y);
    scaled(n, y, table);
    scaled(n, y + n, table);
    for (int i = 0; i < n; i++)
        sum += y[i]*y[n + i];
    free(y);
    return sum;
}

/* both arguments lead to one array */
double same(int n, const double *x)
{
    double *y = (double *)malloc((n + 1)*sizeof *y), sum = 0;
    memcpy(y + 1, x, n*sizeof *y);
    y[0] = 1.5;
    scaled(n, y + 1, y);
    for (int i = 0; i <= n; i++)
        sum += y[i];
    free(y);
    return sum;
}

/* the table changes before the reverse sweep wants it */
double changed(int n, const double *x)
{
    double *y = (double *)malloc(2*n*sizeof *y), *table = (double *)malloc(n*sizeof *table), sum = 0;
    for (int i = 0; i < n; i++)
        table[i] = 1 + 0.25*i;
    memcpy(y, x, n*sizeof *y);
    scaled(n, y, table);
    for (int i = 0; i < n; i++)
        table[i] = -2;
    for (int i = 0; i < n; i++)
        sum += y[i]*table[i]*(i + 1);
    free(y);
    free(table);
    return sum;
}

/* in a loop: each call's table is what the one before has left */
double chained(int n, const double *x)
{
    double *y = (double *)malloc(n*sizeof *y), *table = (double *)malloc(n*sizeof *table), sum = 0;
    memcpy(y, x, n*sizeof *y);
    memcpy(table, x, n*sizeof *table);
    for (int k = 0; k < 3; k++) {
        scaled(n, y, table);
        for (int i = 0; i < n; i++)
            table[i] = 0.5*y[i] + x[i];
    }
    for (int i = 0; i < n; i++)
        sum += y[i];
    free(y);
    free(table);
    return sum;
}

/* a pointer in memory leads to the table, too */
typedef struct { double *values; } holder;

APART static void through(int n, double *y, const double *table, holder *other)
{
    for (int i = 0; i < n; i++) {
        other->values[i] = y[i];
        y[i] = y[i]*table[i];
    }
}

double held(int n, const double *x)
{
    double *y = (double *)malloc(n*sizeof *y), *table = (double *)malloc(n*sizeof *table), sum = 0;
    holder other = {table};
    memcpy(y, x, n*sizeof *y);
    for (int i = 0; i < n; i++)
        table[i] = 1;
    through(n, y, table, &other);
    for (int i = 0; i < n; i++)
        sum += y[i]*table[i];
    free(y);
    free(table);
    return sum;
}

static double shared[64];

APART static void from_variable(int n, double *y, const double *table)
{
    for (int i = 0; i < n; i++) {
        shared[i] = 2*y[i];
        y[i] *= table[i];
    }
}

/* the table is a variable that the function writes itself */
double variable(int n, const double *x)
{
    double *y = (double *)malloc(n*sizeof *y), sum = 0;
    memcpy(y, x, n*sizeof *y);
    from_variable(n, y, shared);
    for (int i = 0; i < n; i++)
        sum += y[i];
    free(y);
    return sum;
}

/* halves of one array: at most one is smaller than a proof can tell */
APART static void halves(int n, double *low, double *high, const double *table)
{
    if (n < 1)
        return;
    for (int i = 0; i < n; i++) {
        low[i] += high[i]*high[i]*table[i];
        high[i] *= low[i];
    }
    halves(n/2, low, low + n/2, table);
}

double recursive(int n, const double *x, const double *table)
{
    double *y = (double *)malloc(2*n*sizeof *y), sum = 0;
    memcpy(y, x, n*sizeof *y);
    memcpy(y + n, x, n*sizeof *y);
    halves(n, y, y + n, table);
    for (int i = 0; i < 2*n; i++)
        sum += y[i];
    free(y);
    return sum;
}

/* what the outer function knows of the table is known in the inner one */
APART static void inner(int n, double *y, const double *table)
{
    for (int i = 0; i < n; i++)
        y[i] = sin(y[i])*table[i];
}

APART static void outer(int n, double *y, const double *table)
{
    inner(n, y, table);
    inner(n, y, table);
}

double nested(int n, const double *x, const double *table)
{
    double y[64], sum = 0;
    memcpy(y, x, n*sizeof *y);
    outer(n, y, table);
    for (int i = 0; i < n; i++)
        sum += y[i]*y[i];
    return sum;
}
