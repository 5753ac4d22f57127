template <class F> double integrate(F f, double a, double b, int n) { double h = (b - a) / n, s = 0; for (int i = 0; i < n; i++) s += f(a + (i + 0.5) * h); return s * h; }
double area(double k, double c) {
    auto f = [k, &c](double x) { return k * x * x + c; };
    auto g = [&](auto x) mutable { c += 0.1; return f(x) * x; };
    double (*plain)(double) = [](double x) { return x + 1; };
    return integrate(f, 0, 1, 10) + integrate(g, 0, 2, 20) + plain(k);
}
