// The order of equal scores; telex.learners.base.tie_order is the definition.
#pragma once
#include "level.hpp"

namespace telex::TELEX_LEVEL {

inline uint64_t mix(uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// The keys of one document: labels are ordered by key, then by column.
struct Ties {
  uint64_t salt;
  const uint64_t* hashes;  // by column
  Ties(uint64_t seed, int64_t number, const uint64_t* hashes)
      : salt(mix(mix(seed) ^ uint64_t(number))), hashes(hashes) {}
  uint64_t of_hash(uint64_t hash) const { return mix(salt ^ hash); }
  uint64_t key(int32_t column) const { return of_hash(hashes[column]); }
  bool before(int32_t a, int32_t b) const {
    uint64_t ka = key(a), kb = key(b);
    return ka < kb || (ka == kb && a < b);
  }
};

// A random number of a pair, in (0, 1].
inline double of_pair(uint64_t a, uint64_t b) { return double((mix(a ^ mix(b)) >> 11) + 1) * 0x1p-53; }

}  // namespace telex::TELEX_LEVEL
