double initial();
struct counter { int n; counter() : n(1) {} ~counter() { n = 0; } };
static counter global;
inline double shared = 3.5;
double lazy(double x) { static double first = initial(); static counter c; return first * x + c.n + global.n + shared; }
constexpr double table[] = {1, 2.5, 1e-3};
double pick(int i) { return table[i]; }
thread_local double mine = initial();
double read() { return mine; }
