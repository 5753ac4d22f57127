double strict(double a, double b) {
#pragma STDC FENV_ACCESS ON
    return a / b + a * b - (a < b);
}
#pragma clang fp reassociate(on) contract(fast)
double dot(const double *a, const double *b, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
float fast_select(float a, float b) {
#pragma float_control(precise, off)
    return a > b ? -a : a * b + 1.0f / b;
}
