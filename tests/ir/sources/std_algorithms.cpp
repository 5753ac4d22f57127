#include <algorithm>
#include <array>
#include <numeric>
double work(std::array<double, 8> a) { std::sort(a.begin(), a.end()); return std::accumulate(a.begin(), a.end(), 0.0) + *std::max_element(a.begin(), a.end()); }
