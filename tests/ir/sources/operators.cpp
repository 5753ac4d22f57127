struct dual { double v, d; };
constexpr dual operator+(dual a, dual b) { return {a.v + b.v, a.d + b.d}; }
constexpr dual operator*(dual a, dual b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
dual &operator+=(dual &a, const dual &b) { return a = a + b; }
bool operator<(const dual &a, const dual &b) { return a.v < b.v; }
dual operator""_d(long double x) { return {static_cast<double>(x), 1}; }
dual poly(dual x) { dual s = {0, 0}; for (int i = 0; i < 5; i++) { s += s * x + dual{i * 1.0, 0}; if (s < x) s = x; } return s + 2.5_d; }
