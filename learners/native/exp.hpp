// The exponential of float32 numbers, out of plain arithmetic, as log.hpp has the logarithm: the same bits on every machine.
// exp x = 2^n exp r with n = x / log 2, rounded, and the polynomial of Cephes' expf for the rest r. x is cut off at -87 and 88.
#pragma once
#include "level.hpp"

namespace telex::TELEX_LEVEL {

inline Vector exp_of(Vector x) {
  x = x > -87.0f ? x : Vector{} - 87.0f;
  x = x < 88.0f ? x : Vector{} + 88.0f;
  Vector n = (x * 1.44269504f + 12582912.0f) - 12582912.0f;  // 1.5 * 2^23 leaves no room for a fraction
  Vector r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  Vector series = 0.166666654f + r * (0.0416657959f + r * (0.00833345191f + r * (0.00139819995f + r * 0.000198756915f)));
  Vector power = (r * r) * (0.5f + r * series) + r + 1.0f;
  Integers exponent = (__builtin_convertvector(n, Integers) + 127) << 23;
  return power * reinterpret_cast<Vector&>(exponent);
}

}  // namespace telex::TELEX_LEVEL
