// Never with weights in bytes: the perceptrons of each label's duels with a label that never was.
#pragma once
#include "int8_store.hpp"
#include "labels.hpp"

namespace telex::TELEX_LEVEL {

struct Int8Never {
  Update update;
  bool wanted = false;
  uint64_t seed = 0;
  Array<int8_t> weights, wider;  // wider: empty but while columns are added
  int64_t rows = 0;
  int32_t columns = 0, stride = 0;
  Array<int32_t> by;

  int8_t* row(int64_t f) { return weights.data + f * stride; }
  const int8_t* row(int64_t f) const { return weights.data + f * stride; }

  // Learns a document; `labels` is open.
  void learn(const Document& d, int64_t number, const Labels& labels, Watch* watch) {
    if (!wanted) return;
    int64_t high = d.size ? int64_t(d.features[d.size - 1]) + 1 : 0;
    grow(high > rows ? high : rows, labels.known + labels.fresh, watch);
    float squares = sum_of_squares(d);
    by.resize(d.size);
    for (int32_t i = 0; i < labels.size; ++i) {
      int32_t c = labels.relevant[i];
      float s = 0;
      for (int64_t k = 0; k < d.size; ++k) s += d.values[k] * float(row(d.features[k])[c]);
      s *= quantum;
      if (!update.moves(1, s)) continue;
      round_moves(d.features, d.values, d.size, update.step(1, s, squares), Chances(seed, number).of_label(c), by.data);
      for (int64_t k = 0; k < d.size; ++k) {
        int8_t& w = row(d.features[k])[c];
        w = moved(w, by[k]);
      }
      pause_within(watch, d.size);
    }
  }
  void grow(int64_t high, int32_t wide, Watch* watch) {
    if (wide > stride) {
      int32_t broad = int32_t(round_up(wide + wide / 4, line));
      wider.resize(high * broad);
      for (int64_t f = 0; f < rows; ++f) {
        copy(wider.data + f * broad, row(f), columns);
        pause_within(watch, columns);
      }
      weights.swap(wider);
      wider.free();
      stride = broad;
    }
    weights.resize(high * stride);
    rows = high;
    columns = wide;
  }

  // Makes the pairs of the labels that a document brings with those known.
  void begin_pairs(const Labels& labels, Int8Store& store, Watch* watch) const {
    if (!wanted || !labels.known) return;
    int32_t old = labels.known, all = old + labels.fresh;
    Array<uint8_t> room;
    for (int64_t f = 0; f < rows; ++f) {
      bool any = false;
      for (int32_t u = 0; u < old; ++u) any |= row(f)[u] != 0;
      if (any && store.slot[f] > 0) {
        for (int32_t v = old; v < all; ++v)
          for (int32_t u = 0; u < old; ++u) *store.pairs.at(store.slot[f] - 1, pair_of(u, v)) = row(f)[u];
      } else if (any && store.slot[f] < 0) {
        begin_list(*store.rares[-store.slot[f] - 1], f, old, all, room);
      }
      pause_within(watch, int64_t(old) * labels.fresh);
    }
  }
  void begin_list(Int8List& list, int64_t f, int32_t old, int32_t all, Array<uint8_t>& room) const {
    int64_t first = pair_of(0, old) / tile_size, last = pair_of(0, all) / tile_size;
    const uint8_t* from = list.find(first);
    int64_t kept = from - list.segments.data;
    room.resize(kept + (last - first + 1) * longest_segment);
    copy(room.data, list.segments.data, kept);
    uint8_t* to = room.data + kept;
    int8_t tile[tile_size] = {};
    if (kept < list.segments.size) read_segment(from, tile, nullptr);  // the tile in which the new pairs begin
    for (int64_t t = first, v = old, u = 0; t <= last; ++t) {
      for (; v < all && pair_of(u, v) < (t + 1) * tile_size; ++u) {
        tile[pair_of(u, v) - t * tile_size] = u < old ? row(f)[u] : int8_t(0);
        if (u + 1 == v) ++v, u = -1;
      }
      if (uint64_t moved = moved_among(tile, ~uint64_t(0))) to = write_segment(to, t, tile, moved);
      clear(tile, tile_size);
    }
    list.replace(room.data, to - room.data);
  }

  void forget(int32_t f) {
    if (f < rows) clear(row(f), stride);
  }
  bool finite() const { return true; }
  int64_t bytes() const { return weights.capacity; }
  void save(Writer& out) const {
    if (!wanted) return;
    float* to = room_for_table(out, "never", rows, columns);
    for (int64_t f = 0; f < rows; ++f)
      for (int32_t c = 0; c < columns; ++c) *to++ = float(row(f)[c]) * quantum;
  }
  void pack(Writer& out) const {
    if (!wanted) return;
    uint8_t* to = room<uint8_t>(out, "never_int8", rows * columns);
    for (int64_t f = 0; f < rows; ++f) copy(to + f * columns, row(f), columns);
  }
  void load(Reader& in, int32_t known, int64_t features) {
    if (!wanted) return;
    Given<uint8_t> from = given<uint8_t>(in, "never_int8", features * known);
    grow(features, known, nullptr);
    for (int64_t f = 0; f < rows; ++f) copy(row(f), from.data + f * columns, columns);
  }
};

}  // namespace telex::TELEX_LEVEL
