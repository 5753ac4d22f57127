#include <vector>
double sum(const std::vector<double> &v) { double s = 0; for (double x : v) s += x * x; return s; }
double build(int n) { std::vector<double> v; for (int i = 0; i < n; i++) v.push_back(0.5 * i); return sum(v); }
