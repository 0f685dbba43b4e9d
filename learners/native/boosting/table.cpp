// A level's table of functions.
#include "boosting.hpp"

#define TELEX_PASTE(a, b) a##b
#define TELEX_NAMED(level) TELEX_PASTE(boosting_, level)
#define TELEX_TEXT(level) #level
#define TELEX_STRING(level) TELEX_TEXT(level)

namespace telex {
namespace TELEX_LEVEL {
void multiple_pivots(const Problem&, int64_t, double*, const Room&, const Rounds&);
void one_pivot(const Problem&, const Statistics&, const Rounds&);
void score(const Collapsed&, int64_t, const int64_t*, const int32_t*, const float*, float*, uint8_t*);
}  // namespace TELEX_LEVEL

extern const BoostingKernels TELEX_NAMED(TELEX_LEVEL);
const BoostingKernels TELEX_NAMED(TELEX_LEVEL) = {TELEX_STRING(TELEX_LEVEL), TELEX_LEVEL::multiple_pivots, TELEX_LEVEL::one_pivot,
                                                  TELEX_LEVEL::score};
}  // namespace telex
