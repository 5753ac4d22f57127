/* check() of each program gives 0, or the line of the first expectation that does not hold. */
#include <math.h>
#define EXPECT(got, want) \
    do { double got_ = (got), want_ = (want); if (!(fabs(got_ - want_) <= 1e-12*(1 + fabs(want_)))) return __LINE__; } while (0)
#define EXPECT_FLOAT(got, want) \
    do { double got_ = (got), want_ = (want); if (!(fabs(got_ - want_) <= 1e-6*(1 + fabs(want_)))) return __LINE__; } while (0)
#define NEAR(got, want, tolerance) \
    do { double got_ = (got), want_ = (want); if (!(fabs(got_ - want_) <= (tolerance)*(1 + fabs(want_)))) return __LINE__; } while (0)
