// The natural logarithm of positive normal float32 numbers, out of plain arithmetic: the same bits on every machine, which a
// library's logarithm does not promise. log x = e log 2 + 2 artanh((m - 1) / (m + 1)) for x = 2^e m, m about 1.
#pragma once
#include "level.hpp"

namespace telex::TELEX_LEVEL {

// From e and s = (m - 1) / (m + 1).
inline Vector log_from(Integers exponent, Vector s) {
  Vector e = __builtin_convertvector(exponent, Vector);
  Vector z = s * s;
  Vector series = z * (0.66666669f + z * (0.4f + z * (0.28571430f + z * (0.22222222f + z * 0.18181819f))));
  return e * 0.69314575f + (e * 1.4286068e-06f + (s + s + s * series));
}
inline Vector log_of(Vector x) {
  Words bits = reinterpret_cast<Words&>(x);  // unsigned: of a number that is none this goes around
  Integers exponent = reinterpret_cast<Integers>(bits - 0x3F3504F3u) >> 23;
  Words rest = bits - (reinterpret_cast<Words>(exponent) << 23);
  Vector m = reinterpret_cast<Vector&>(rest);
  return log_from(exponent, (m - 1.0f) / (m + 1.0f));
}
// log p / q with one division: for p = 2^e m q, m about 1, s = (m q - q) / (m q + q).
inline Vector log_of_ratio(Vector p, Vector q) {
  Words bits = reinterpret_cast<Words&>(p), below = reinterpret_cast<Words&>(q);
  Integers exponent = reinterpret_cast<Integers>(bits - below + 0x400000u) >> 23;
  Words rest = bits - (reinterpret_cast<Words>(exponent) << 23);
  Vector mq = reinterpret_cast<Vector&>(rest);
  return log_from(exponent, (mq - q) / (mq + q));
}
// Of one number, the same bits.
inline float log_of(float x) {
  Vector v{};
  v += x;
  return log_of(v)[0];
}

}  // namespace telex::TELEX_LEVEL
