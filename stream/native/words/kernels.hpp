// Kernels compiled once per CPU level and called through a table: plain arithmetic over arrays. All levels give the same
// bits.
#pragma once
#include <cstddef>
#include <cstdint>

namespace telex::words {

struct Kernels {
  const char* name;
  // Writes the places of the edges, where a bit differs from the one before it, in the words `first` to `end` of a row of
  // bits. `carry` is the bit before the first. Returns the end of the edges; up to 16 more may be written behind it.
  uint32_t* (*edges)(const uint64_t* bits, size_t first, size_t end, uint64_t* carry, uint32_t* out);
  // Each count becomes ln(all / count); a count of 0 counts as `one`. Their number is a multiple of `wide`.
  void (*logs)(double* counts, size_t size, double all, double one);
};
inline constexpr size_t wide = 8;

extern const Kernels kernels_base, kernels_v3, kernels_v4;
// The table of the level in use.
const Kernels& kernels();

}  // namespace telex::words
