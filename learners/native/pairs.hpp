// The weights of all pairs of labels, in tiles: 64 pairs of every feature side by side. A tile is small enough to stay in the
// processor's second cache while many documents go through it, and new labels append tiles.
#pragma once
#include "table.hpp"

namespace telex::TELEX_LEVEL {

constexpr int tile_size = 64;

// Which pairs are here: all, or where several processes share them, of every `parts` tiles one. Their columns follow each other.
struct Share {
  int64_t part = 0, parts = 1;
  bool has(int64_t pair) const { return parts == 1 || pair / tile_size % parts == part; }
  int64_t column(int64_t pair) const { return parts == 1 ? pair : pair / tile_size / parts * tile_size + pair % tile_size; }
  int64_t pair(int64_t column) const { return (column / tile_size * parts + part) * tile_size + column % tile_size; }
  // How many of the first pairs.
  int64_t columns(int64_t pairs) const {
    int64_t tiles = pairs / tile_size;
    return (tiles + parts - 1 - part) / parts * tile_size + (tiles % parts == part ? pairs % tile_size : 0);
  }
};

template <class Cell>
struct PairsOf {
  Cell* data = nullptr;
  int64_t held = 0;      // bytes
  int64_t capacity = 0;  // rows a tile has room for
  int64_t tiles = 0, columns = 0;
  bool random = false;
  uint64_t seed = 0;
  double scale = 1;  // of random weights
  Share share;

  PairsOf() = default;
  PairsOf(const PairsOf&) = delete;
  ~PairsOf() { release(data, held); }
  static constexpr int64_t row_bytes = tile_size * int64_t(sizeof(Cell));

  Cell* tile(int64_t t) const { return data + t * capacity * tile_size; }
  Cell* at(int64_t slot, int64_t column) const { return tile(column / tile_size) + slot * tile_size + column % tile_size; }
  // What a feature's weight in a column is before anything is learnt.
  float start(int64_t feature, int64_t column) const {
    if (!random) return 0;
    return float((double(mix(mix(mix(seed) ^ uint64_t(feature)) ^ uint64_t(share.pair(column))) >> 40) * 0x1p-24 - 0.5) * 2 * scale);
  }
  void fill(int64_t slot, int64_t feature, int64_t from, int64_t to) {
    if (!random) return;
    for (int64_t c = from; c < to; ++c) *at(slot, c) = start(feature, c);
  }
  void wipe(int64_t slot) {
    for (int64_t t = 0; t < tiles; ++t) clear(tile(t) + slot * tile_size, tile_size);
  }
  void hold(int64_t bytes) {
    if (bytes <= held) return;
    data = static_cast<Cell*>(regrow(data, held, bytes));
    held = bytes;
  }
  // Tiles move up, the last one first, each leaving zeros for its new rows.
  void heighten(int64_t rows) {
    if (rows <= capacity) return;
    int64_t old = capacity, wanted = round_up(rows > old * 5 / 4 ? rows : old * 5 / 4, 8);
    hold(tiles * wanted * row_bytes);
    for (int64_t t = tiles - 1; t >= 0; --t) {
      Cell* to = data + t * wanted * tile_size;
      if (old) memmove(to, tile(t), size_t(old * row_bytes));
      clear(to + old * tile_size, (wanted - old) * tile_size);
    }
    capacity = wanted;
  }
  void widen(int64_t wanted) {
    int64_t more = (wanted + tile_size - 1) / tile_size;
    if (more > tiles) {
      int64_t bytes = more * capacity * row_bytes;
      hold(bytes > held && bytes < (int64_t(4) << 20) ? bytes * 5 / 4 : bytes);
      tiles = more;
    }
    columns = wanted;
  }
  // Tiles have no gaps but rows that are free, which are zero, and columns beyond the last.
  bool finite() const { return all_finite(data, tiles * capacity * tile_size); }
  int64_t bytes() const { return held; }
};
using Pairs = PairsOf<float>;

// A document's features as rows of a tile: row n of the tile itself, or ~n of the temporary rows of rare features.
struct Rows {
  const int32_t* places;
  const float* values;
  int64_t size;
};
template <class Cell>
struct TileOf {
  Cell *own, *rare;
  Cell* row(int32_t place) const { return place < 0 ? rare + int64_t(~place) * tile_size : own + int64_t(place) * tile_size; }
};
using Tile = TileOf<float>;

// out = the sums of a tile's columns, in the order of the features; they stay in registers.
inline void sum_tile(const Tile& tile, const Rows& rows, float* out) {
  constexpr int all = tile_size / lanes, part = all < 8 ? all : 8;
  for (int first = 0; first < all; first += part) {
    Vector sum[part] = {};
    for (int64_t k = 0; k < rows.size; ++k) {
      const Vector* w = reinterpret_cast<const Vector*>(tile.row(rows.places[k])) + first;
      float x = rows.values[k];
#pragma GCC unroll 16
      for (int j = 0; j < part; ++j) sum[j] += x * w[j];
    }
    Vector* to = reinterpret_cast<Vector*>(out) + first;
#pragma GCC unroll 16
    for (int j = 0; j < part; ++j) to[j] = sum[j];
  }
}

}  // namespace telex::TELEX_LEVEL
