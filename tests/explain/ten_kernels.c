#include <math.h>
#include <stddef.h>
double relu3(double x) {
    double result;
    if (x > 0)
        result = x*x*x;
    else
        result = 0;
    return result;
}
double dot(size_t n, const double x[n], const double y[n]) {
    double s = 0;
    for (size_t i = 0; i < n; i++) s += x[i]*y[i];
    return s;
}
double norm(int n, const double *x) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i]*x[i];
    return sqrt(s);
}
void heat(int n, int steps, double alpha, double *u, double *next) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = u[i] + alpha*(u[i-1] - 2*u[i] + u[i+1])*(1 + u[i]*u[i]);
        for (int i = 1; i < n - 1; i++) u[i] = next[i];
    }
}
double vdp(double mu, double x0, double v0, int n, double h) {
    double x = x0, v = v0, e = 0;
    for (int i = 0; i < n; i++) {
        double a = mu * (1 - x*x) * v - x;
        x += h * v;
        v += h * a;
        e += sin(x) * h;
    }
    return e;
}
static void fft_step(int n, double *re, double *im, double *tr, double *ti) {
    if (n == 1) return;
    int h = n/2;
    for (int i = 0; i < h; i++) {
        tr[i] = re[2*i]; ti[i] = im[2*i];
        tr[i+h] = re[2*i+1]; ti[i+h] = im[2*i+1];
    }
    for (int i = 0; i < n; i++) { re[i] = tr[i]; im[i] = ti[i]; }
    fft_step(h, re, im, tr, ti);
    fft_step(h, re + h, im + h, tr, ti);
    for (int k = 0; k < h; k++) {
        double w = -2*3.14159265358979*k/n;
        double c = cos(w), s = sin(w);
        double xr = c*re[k+h] - s*im[k+h], xi = s*re[k+h] + c*im[k+h];
        tr[k] = re[k] + xr; ti[k] = im[k] + xi;
        tr[k+h] = re[k] - xr; ti[k+h] = im[k] - xi;
    }
    for (int i = 0; i < n; i++) { re[i] = tr[i]; im[i] = ti[i]; }
}
double fft(int n, double *re, double *im, double *tr, double *ti) {
    fft_step(n, re, im, tr, ti);
    double p = 0;
    for (int i = 0; i < n; i++) p += re[i]*re[i]*re[i] + im[i]*im[i];
    return p;
}
double logsumexp(int k, const double *v) {
    double m = v[0];
    for (int i = 1; i < k; i++) if (v[i] > m) m = v[i];
    double s = 0;
    for (int i = 0; i < k; i++) s += exp(v[i] - m);
    return m + log(s);
}
double gmm(int n, int d, int k, const double *alpha, const double *mu, const double *logsig, const double *x) {
    double total = 0;
    double t[k];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < k; j++) {
            double q = 0;
            for (int l = 0; l < d; l++) {
                double z = (x[i*d + l] - mu[j*d + l]) * exp(-logsig[j*d + l]);
                q += z*z + 2*logsig[j*d + l];
            }
            t[j] = alpha[j] - 0.5*q;
        }
        total += logsumexp(k, t);
    }
    return total - n*logsumexp(k, alpha);
}
static double sigmoid(double x) { return 1/(1 + exp(-x)); }
double lstm(int n, int steps, const double *w, const double *b, const double *x, double *h, double *c) {
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++) {
            double z = x[t*n + i] + h[i];
            double f = sigmoid(w[4*i]*z + b[4*i]);
            double g = sigmoid(w[4*i+1]*z + b[4*i+1]);
            double o = sigmoid(w[4*i+2]*z + b[4*i+2]);
            double u = tanh(w[4*i+3]*z + b[4*i+3]);
            c[i] = f*c[i] + g*u;
            h[i] = o*tanh(c[i]);
        }
    double loss = 0;
    for (int i = 0; i < n; i++) loss += h[i]*h[i];
    return loss;
}
double bisect(double target, double low, double high) {
    while (high - low > 1e-9) {
        double mid = 0.5*(low + high);
        if (mid*mid*mid + mid > target) high = mid;
        else low = mid;
    }
    double root = 0.5*(low + high);
    return root - (root*root*root + root - target)/(3*root*root + 1);
}
double sorted(int n, double *a, const double *w) {
    for (int i = 1; i < n; i++) {
        double v = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > v) { a[j+1] = a[j]; j--; }
        a[j+1] = v;
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += w[i]*a[i]*a[i];
    return s;
}
