// Where a learner itself cuts the scores of a document: docs/definitions.md ("Thresholds") has the rule.
#pragma once
#include "level.hpp"

namespace telex::TELEX_LEVEL {

// Ascends with the score.
inline int32_t ordered(float score) {
  int32_t bits = __builtin_bit_cast(int32_t, score);
  return bits ^ ((bits >> 31) & 0x7FFFFFFF);
}
inline float of_ordered(int32_t key) { return __builtin_bit_cast(float, key ^ ((key >> 31) & 0x7FFFFFFF)); }

// The score above which the learner itself predicts: 0 where that may be, else in the middle of the gap.
inline float cut_of(const float* s, const uint8_t* relevant, int32_t known) {
  constexpr int32_t none_above = 0x7F800001, none_below = int32_t(0x807FFFFE);  // next to the infinities
  int32_t above = none_above, below = none_below;
  for (int32_t c = 0; c < known; ++c) {
    int32_t key = ordered(s[c]), up = relevant[c] ? key : none_above, down = relevant[c] ? none_below : key;
    above = up < above ? up : above;
    below = down > below ? down : below;
  }
  if (below <= 0 && above >= 0) return 0;
  if (above >= none_above) above = below;
  if (below <= none_below) below = above;
  float middle = of_ordered(above) * .5f + of_ordered(below) * .5f;
  return not_finite(middle) ? 0 : middle;
}

}  // namespace telex::TELEX_LEVEL
