/* Grids. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* diffusion with two buffers that change places */
double heat(int n, int steps, const double *initial, double k)
{
    double *now = malloc(n*sizeof *now), *next = malloc(n*sizeof *next);
    memcpy(now, initial, n*sizeof *now);
    memcpy(next, initial, n*sizeof *next);
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = now[i] + k*(now[i - 1] - 2*now[i] + now[i + 1])*(1 + 0.1*now[i]);
        double *swap = now;
        now = next;
        next = swap;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += now[i]*now[i];
    free(now);
    free(next);
    return sum;
}

/* in place: each point uses the new left and the old right neighbour */
double relax(int n, int steps, double *x, double omega)
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            x[i] = (1 - omega)*x[i] + omega*0.5*(x[i - 1] + x[i + 1]) + 0.01*x[i]*x[i];
    double sum = 0;
    for (int i = 1; i < n; i++)
        sum += (x[i] - x[i - 1])*(x[i] - x[i - 1]);
    return sum;
}

/* the wave equation: three time levels that rotate, speeds that differ */
double waves(int n, int steps, const double *start, const double *speed)
{
    double levels[3][n], *before = levels[0], *now = levels[1], *after = levels[2];
    for (int i = 0; i < n; i++)
        before[i] = now[i] = start[i];
    for (int t = 0; t < steps; t++) {
        after[0] = after[n - 1] = 0;
        for (int i = 1; i < n - 1; i++)
            after[i] = 2*now[i] - before[i] + speed[i]*speed[i]*(now[i - 1] - 2*now[i] + now[i + 1]);
        double *oldest = before;
        before = now;
        now = after;
        after = oldest;
    }
    double energy = 0;
    for (int i = 0; i < n; i++)
        energy += now[i]*now[i] + (now[i] - before[i])*(now[i] - before[i]);
    return energy;
}

/* Jacobi sweeps on a square until the change is small */
#define N 6
double plate(const double border[4], double tolerance)
{
    static double a[N][N], b[N][N];
    double change, sum = 0;
    memset(a, 0, sizeof a);
    for (int i = 0; i < N; i++) {
        a[0][i] = border[0];
        a[N - 1][i] = border[1];
    }
    for (int i = 1; i < N - 1; i++) {
        a[i][0] = border[2];
        a[i][N - 1] = border[3];
    }
    memcpy(b, a, sizeof b);
    do {
        change = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25*(a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                change = fmax(change, fabs(b[i][j] - a[i][j]));
            }
        memcpy(a, b, sizeof a);
    } while (change > tolerance);
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            sum += a[i][j]*a[i][j];
    return sum;
}

/* triangular dynamic programming with a smooth minimum */
double alignment(int n, int m, const double *a, const double *b, double sharpness)
{
    double (*cost)[m + 1] = malloc((n + 1)*sizeof *cost);
    cost[0][0] = 0;
    for (int i = 1; i <= n; i++)
        cost[i][0] = 1e3;
    for (int j = 1; j <= m; j++)
        cost[0][j] = 1e3;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            double d = a[i - 1] - b[j - 1], p = cost[i - 1][j], q = cost[i][j - 1], r = cost[i - 1][j - 1];
            double least = fmin(p, fmin(q, r));
            double soft = exp(-sharpness*(p - least)) + exp(-sharpness*(q - least)) + exp(-sharpness*(r - least));
            cost[i][j] = d*d + least - log(soft)/sharpness;
        }
    double result = cost[n][m];
    free(cost);
    return result;
}
