struct failure { int code; double value; };
struct guard { double *p; ~guard() { *p += 1; } };
double may_throw(double x);
double risky(double x) { if (x < 0) throw failure{3, x}; if (x > 10) throw 1.5; return x * x; }
double handled(double x, double *log) {
    guard g{log};
    try {
        guard h{log};
        return risky(x) + may_throw(x);
    } catch (const failure &f) {
        return f.value * f.code;
    } catch (double d) {
        if (d > 2) throw;
        return d;
    } catch (...) {
        return -1;
    }
}
double never(double x) noexcept { return may_throw(x); }
