// The natural logarithm of positive normal float32 numbers, out of plain arithmetic: the same bits on every machine, which a
// library's logarithm does not promise. log x = e log 2 + 2 artanh((m - 1) / (m + 1)) for x = 2^e m, m about 1.
#pragma once
#include "level.hpp"

namespace telex::TELEX_LEVEL {

inline Vector log_of(Vector x) {
  Words bits = reinterpret_cast<Words&>(x);  // unsigned: of a number that is none this goes around
  Integers exponent = reinterpret_cast<Integers>(bits - 0x3F3504F3u) >> 23;
  Words rest = bits - (reinterpret_cast<Words>(exponent) << 23);
  Vector m = reinterpret_cast<Vector&>(rest), e = __builtin_convertvector(exponent, Vector);
  Vector s = (m - 1.0f) / (m + 1.0f);
  Vector z = s * s;
  Vector series = z * (0.66666669f + z * (0.4f + z * (0.28571430f + z * (0.22222222f + z * 0.18181819f))));
  return e * 0.69314575f + (e * 1.4286068e-06f + (s + s + s * series));
}
// Of one number, the same bits.
inline float log_of(float x) {
  Vector v{};
  v += x;
  return log_of(v)[0];
}

}  // namespace telex::TELEX_LEVEL
