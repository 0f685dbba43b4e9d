// The weights of all pairs of labels, in tiles: 2,048 pairs of every feature side by side. New labels append tiles and
// move nothing, and a row is still long enough to be read at the memory's full pace.
#pragma once
#include "table.hpp"

namespace telex::TELEX_LEVEL {

constexpr int tile_size = 2048;

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
  // What a feature's weight in a column is before anything is learnt.
  float start(int64_t feature, int64_t column) const {
    return random ? float((double(mix(mix(mix(seed) ^ uint64_t(feature)) ^ uint64_t(column)) >> 40) * 0x1p-24 - 0.5) * 2) : 0;
  }
  void fill(int64_t slot, int64_t feature, int64_t from, int64_t to) {
    if (!random) return;
    for (int64_t c = from; c < to; ++c) *at(slot, c) = start(feature, c);
  }
  void heighten(int64_t slots) {
    if (slots <= capacity) return;
    int64_t wanted = slots > capacity * 3 / 2 ? slots : capacity * 3 / 2;
    wanted = round_up(wanted, 8);
    for (int64_t t = 0; t < tiles.size; ++t)
      tiles[t] = static_cast<float*>(regrow(tiles[t], capacity * tile_bytes, wanted * tile_bytes));
    capacity = wanted;
  }
  void wipe(int64_t slot) {
    for (int64_t t = 0; t < tiles.size; ++t) clear(tiles[t] + slot * tile_size, tile_size);
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

// Adds G rows to the sums of `count` columns in one pass: G streams that the processor fetches ahead by itself, and the
// sums are loaded and stored once for all of them. A column's additions keep the order of the features.
template <int G>
inline void add_rows(const float* tile, const Rows& rows, int64_t k, int64_t from, int64_t count, float* sums) {
  const float* row[G];
  float x[G];
  for (int i = 0; i < G; ++i) {
    row[i] = tile + rows.offsets[k + i] + from;
    x[i] = rows.values[k + i];
  }
  for (int64_t c = 0; c < count; c += lanes) {
    Vector* to = reinterpret_cast<Vector*>(sums + c);
    Vector sum = *to;
#pragma GCC unroll 16
    for (int i = 0; i < G; ++i) sum += x[i] * *reinterpret_cast<const Vector*>(row[i] + c);
    *to = sum;
  }
}

// Adds the rows `k` to `stop`.
inline void add_all(const float* tile, const Rows& rows, int64_t k, int64_t stop, int64_t from, int64_t count, float* sums) {
  for (; k + 16 <= stop; k += 16) add_rows<16>(tile, rows, k, from, count, sums);
  if (k + 8 <= stop) {
    add_rows<8>(tile, rows, k, from, count, sums);
    k += 8;
  }
  if (k + 4 <= stop) {
    add_rows<4>(tile, rows, k, from, count, sums);
    k += 4;
  }
  for (; k < stop; ++k) add_rows<1>(tile, rows, k, from, count, sums);
}

}  // namespace telex::TELEX_LEVEL
