#include <math.h>
static double mag(const double *in, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += in[i] * in[i];
    return sqrt(sum);
}
void norm(double *restrict out, const double *restrict in, int n) {
    for (int i = 0; i < n; i++) out[i] = in[i] / mag(in, n);
}
