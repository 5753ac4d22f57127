#include <complex>
std::complex<double> rotate(std::complex<double> z, double t) { return z * std::polar(1.0, t) / std::complex<double>(1, 2); }
double length(std::complex<double> z) { return std::abs(z) + std::norm(z); }
