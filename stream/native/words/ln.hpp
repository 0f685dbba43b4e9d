// The natural logarithm, the same to the bit on every machine: no library is used, only the four operations of IEEE 754.
#pragma once
#include <cstdint>

namespace telex::words {

// x is positive, finite and normal. x = m 2^e with m in [sqrt(1/2), sqrt(2)), s = (m - 1) / (m + 1), and
// ln m = 2 (s + s^3/3 + s^5/5 + ...). Free of branches, so that loops over it become vectors; static,
// since each CPU level has a copy of its own.
static inline double ln(double x) {
  constexpr uint64_t half_root = 0x3FE6A09E667F3BCDu;  // the bits of 0.7071067811865476
  constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  uint64_t bits = __builtin_bit_cast(uint64_t, x);
  uint64_t k = (bits - half_root + (uint64_t{1023} << 52)) >> 52;
  double e = __builtin_bit_cast(double, k | 0x4330000000000000u) - (0x1p52 + 1023);
  double m = __builtin_bit_cast(double, bits + (uint64_t{1023} << 52) - (k << 52));
  double s = (m - 1) / (m + 1), z = s * s;
  double p = 2.0 / 21;
  p = p * z + 2.0 / 19;
  p = p * z + 2.0 / 17;
  p = p * z + 2.0 / 15;
  p = p * z + 2.0 / 13;
  p = p * z + 2.0 / 11;
  p = p * z + 2.0 / 9;
  p = p * z + 2.0 / 7;
  p = p * z + 2.0 / 5;
  p = p * z + 2.0 / 3;
  p = p * z + 2.0;
  return e * ln2_high + (s * p + e * ln2_low);
}

}  // namespace telex::words
