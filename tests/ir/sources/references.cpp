#include <cmath>
namespace physics {
inline namespace v1 { struct state { double x = 1, v{2}; state() = default; state(state &&o) noexcept : x(o.x), v(o.v) { o.x = 0; } state &operator=(const state &) = default; }; }
static double helper(const state &s) { return std::sqrt(s.x * s.x + s.v * s.v); }
}
double step(physics::state &s, double &&dt) { double &x = s.x; x += s.v * dt; physics::state t(static_cast<physics::state &&>(s)); s = t; return physics::helper(s) + std::fabs(x) + std::pow(x, 2); }
enum class mode : unsigned char { fast, slow = 7 };
double by(mode m, double x) { return m == mode::fast ? x : x / static_cast<int>(m); }
