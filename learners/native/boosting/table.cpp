// A level's table of functions.
#include "../level_table.hpp"
#include "boosting.hpp"

namespace telex {
namespace TELEX_LEVEL {
void multiple_pivots(const Problem&, int64_t, double*, const Room&, const Rounds&);
void one_pivot(const Problem&, const Statistics&, const Rounds&);
void score(const Collapsed&, int64_t, const int64_t*, const int32_t*, const float*, float*, uint8_t*);
}  // namespace TELEX_LEVEL

extern const BoostingKernels TELEX_NAMED(boosting_);
const BoostingKernels TELEX_NAMED(boosting_) = {TELEX_LEVEL_NAME, TELEX_LEVEL::multiple_pivots, TELEX_LEVEL::one_pivot,
                                                  TELEX_LEVEL::score};
}  // namespace telex
