template <class T> T square(T x) { return x * x; }
template <class T, int N> struct vec { T v[N]; T dot(const vec &o) const { T s = 0; for (int i = 0; i < N; i++) s += v[i] * o.v[i]; return s; } };
template <int N> double power(double x) { if constexpr (N == 0) return 1; else return x * power<N - 1>(x); }
template <class... T> double sum(T... x) { return (0.0 + ... + x); }
template <class F> double twice(F f, double x) { return f(f(x)); }
template struct vec<float, 3>;
double use(double x, float f) { vec<double, 4> a{{x, x, x, 1}}; return a.dot(a) + square(x) + square(f) + power<5>(x) + sum(x, f, 1, 2.5) + twice(square<double>, x); }
