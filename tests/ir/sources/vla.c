#include <alloca.h>
double window(int n, const double *x) {
    double buffer[n + 1];
    for (int i = 0; i < n; i++) buffer[i] = x[i] * x[n - 1 - i];
    double s = 0;
    for (int i = 0; i < n; i++) { double *t = alloca(sizeof(double) * (unsigned long)(i + 1)); t[i] = buffer[i]; s += t[i]; }
    return s;
}
double grid(int n, int m, double a[n][m]) {
    double s = 0, b[n][m];
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { b[i][j] = a[i][j] * 2; s += b[i][j]; }
    return s + sizeof b;
}
