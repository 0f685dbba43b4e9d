// The weights of all pairs of labels, in tiles: 256 pairs of every feature side by side. A tile's sums stay in
// registers while the features pass; new labels append tiles and move nothing; tiles are what threads share out.
#pragma once
#include "table.hpp"

namespace telex::TELEX_LEVEL {

constexpr int tile_size = 256;

struct Pairs {
  Array<float*> tiles;
  int64_t capacity = 0;  // features a tile has room for
  int64_t columns = 0;
  bool random = false;
  uint64_t seed = 0;

  Pairs() = default;
  Pairs(const Pairs&) = delete;
  ~Pairs() {
    for (int64_t t = 0; t < tiles.size; ++t) release(tiles[t], capacity * tile_bytes);
  }
  static constexpr int64_t tile_bytes = tile_size * int64_t(sizeof(float));

  float* at(int64_t slot, int64_t column) { return tiles[column / tile_size] + slot * tile_size + column % tile_size; }
  const float* at(int64_t slot, int64_t column) const {
    return tiles[column / tile_size] + slot * tile_size + column % tile_size;
  }
  void fill(int64_t slot, int64_t feature, int64_t from, int64_t to) {
    if (!random) return;
    uint64_t salt = mix(mix(seed) ^ uint64_t(feature));
    for (int64_t c = from; c < to; ++c) *at(slot, c) = float((double(mix(salt ^ uint64_t(c)) >> 40) * 0x1p-24 - 0.5) * 2);
  }
  void heighten(int64_t slots) {
    if (slots <= capacity) return;
    int64_t wanted = slots > capacity * 3 / 2 ? slots : capacity * 3 / 2;
    wanted = round_up(wanted, 64);
    for (int64_t t = 0; t < tiles.size; ++t)
      tiles[t] = static_cast<float*>(regrow(tiles[t], capacity * tile_bytes, wanted * tile_bytes));
    capacity = wanted;
  }
  void widen(int64_t wanted) {
    while (tiles.size * tile_size < wanted) {
      float* tile = capacity ? static_cast<float*>(regrow(nullptr, 0, capacity * tile_bytes)) : nullptr;
      tiles.push(tile);
    }
    columns = wanted;
  }
  int64_t bytes() const { return tiles.size * capacity * tile_bytes; }
};

// Where a document's rows lie within every tile.
struct Rows {
  const int64_t* offsets;
  const float* values;
  int64_t size;
};

template <int N>
inline void sum_columns(const float* tile, const Rows& rows, int first, bool prefetch, float* out) {
  Vector sum[N] = {};
  for (int64_t k = 0; k < rows.size; ++k) {
    if (prefetch && k + 3 < rows.size) {
      const float* ahead = tile + rows.offsets[k + 3];
#pragma GCC unroll 16
      for (int j = 0; j < tile_size; j += line) __builtin_prefetch(ahead + j);
    }
    const Vector* w = reinterpret_cast<const Vector*>(tile + rows.offsets[k] + first);
    float x = rows.values[k];
#pragma GCC unroll 16
    for (int j = 0; j < N; ++j) sum[j] += x * w[j];
  }
  Vector* to = reinterpret_cast<Vector*>(out + first);
#pragma GCC unroll 16
  for (int j = 0; j < N; ++j) to[j] = sum[j];
}

inline void sum_tile(const float* tile, const Rows& rows, float* out) {
  constexpr int N = lanes == 16 ? 16 : 8;
  for (int first = 0; first < tile_size; first += N * lanes) sum_columns<N>(tile, rows, first, first == 0, out);
}

}  // namespace telex::TELEX_LEVEL
