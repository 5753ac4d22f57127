#include <math.h>
#include <string.h>
typedef struct { double x[3], v[3], m; } body;
static double distance(const body *a, const body *b, double d[3]) {
    double r2 = 1e-9;
    for (int k = 0; k < 3; k++) { d[k] = b->x[k] - a->x[k]; r2 += d[k] * d[k]; }
    return r2;
}
void advance(body *b, int n, double dt) {
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d[3], r2 = distance(&b[i], &b[j], d), f = dt / (r2 * sqrt(r2));
            for (int k = 0; k < 3; k++) { b[i].v[k] += d[k] * b[j].m * f; b[j].v[k] -= d[k] * b[i].m * f; }
        }
    for (int i = 0; i < n; i++) for (int k = 0; k < 3; k++) b[i].x[k] += dt * b[i].v[k];
}
double energy(const body *b, int n) {
    double e = 0, d[3];
    for (int i = 0; i < n; i++) {
        e += 0.5 * b[i].m * (b[i].v[0] * b[i].v[0] + b[i].v[1] * b[i].v[1] + b[i].v[2] * b[i].v[2]);
        for (int j = i + 1; j < n; j++) e -= b[i].m * b[j].m / sqrt(distance(&b[i], &b[j], d));
    }
    return e;
}
void rk4(void (*f)(const double *, double *, int), double *y, int n, double h) {
    double k[4][n], t[n];
    f(y, k[0], n);
    for (int s = 1; s < 4; s++) { for (int i = 0; i < n; i++) t[i] = y[i] + h * (s == 3 ? 1 : 0.5) * k[s - 1][i]; f(t, k[s], n); }
    for (int i = 0; i < n; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}
