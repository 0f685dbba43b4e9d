// Weights in a byte: a whole number of quanta, from -127 to 127. A move is rounded up or down by chance, and on average is what
// it was. The chance is a hash of the seed, the document, the feature and the label that the document has: no order of the work
// changes it, and the pairs of a label with those that were not there yet still move alike.
#pragma once
#include "decoding.hpp"
#include "pairs.hpp"
#include "ties.hpp"

namespace telex::TELEX_LEVEL {

constexpr float quantum = 0x1p-5f;
constexpr int32_t most_quanta = 127;

struct Chances {
  uint64_t salt;
  Chances(uint64_t seed, int64_t number) : salt(mix(mix(seed) ^ uint64_t(number))) {}
  uint32_t of_label(int32_t column) const { return uint32_t(mix(salt ^ uint64_t(column)) >> 32); }
};
// In [0, 1).
inline float chance(uint32_t of_label, int32_t feature) {
  uint32_t h = of_label ^ uint32_t(feature) * 0x9E3779B1u;
  h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
  h = (h ^ (h >> 13)) * 0xC2B2AE35u;
  return float((h ^ (h >> 16)) >> 8) * 0x1p-24f;
}
inline int32_t quanta(float move, float chance) {
  float all = move * (1 / quantum);
  all = (all > -256.0f ? all < 256.0f ? all : 256.0f : -256.0f) + chance;
  int32_t whole = int32_t(all);
  return whole - (all < float(whole));
}
inline int8_t moved(int8_t weight, int32_t by) {
  int32_t w = weight + by;
  return int8_t(w > most_quanta ? most_quanta : w < -most_quanta ? -most_quanta : w);
}
// How many quanta the weights of features move that take a step; `to` has one a feature.
inline void round_moves(const int32_t* features, const float* values, int64_t size, float step, uint32_t of_label, int32_t* to) {
  for (int64_t k = 0; k < size; ++k) to[k] = quanta(step * values[k], chance(of_label, features[k]));
}

inline Vector weights_of(Words shifted) { return __builtin_convertvector(reinterpret_cast<Integers>(shifted), Vector); }

// out = the sums of a tile's columns, as of floats. Four bytes lie in a word of a vector: each in turn is shifted to the word's
// top, where it is the weight times 2^24, and has a sum of its own.
inline void sum_tile(const TileOf<int8_t>& tile, const Rows& rows, float* out) {
  constexpr int all = tile_size / 4 / lanes, part = all < 2 ? all : 2;
  for (int first = 0; first < all; first += part) {
    Vector sum[4 * part] = {};
    for (int64_t k = 0; k < rows.size; ++k) {
      const Words* row = reinterpret_cast<const Words*>(tile.row(rows.places[k])) + first;
      float x = rows.values[k];
#pragma GCC unroll 16
      for (int j = 0; j < part; ++j) {
        Words w = row[j];
        sum[4 * j] += x * weights_of(w << 24);
        sum[4 * j + 1] += x * weights_of(w << 16 & 0xFF000000u);
        sum[4 * j + 2] += x * weights_of(w << 8 & 0xFF000000u);
        sum[4 * j + 3] += x * weights_of(w & 0xFF000000u);
      }
    }
    for (int j = 0; j < part; ++j)
      for (int i = 0; i < lanes; ++i)
        for (int b = 0; b < 4; ++b) out[((first + j) * lanes + i) * 4 + b] = sum[4 * j + b][i] * (quantum * 0x1p-24f);
  }
}

}  // namespace telex::TELEX_LEVEL
