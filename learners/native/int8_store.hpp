// Where the weights of a feature are, in bytes: nowhere, in a row of the tiles, or, while few of them have moved, in a list.
#pragma once
#include "int8_lists.hpp"
#include "store.hpp"

namespace telex::TELEX_LEVEL {

struct Int8Store {
  using Cell = int8_t;
  using Used = uint64_t;  // a bit a weight
  static constexpr bool rounded = true, averaged = false, summed = false, own_mean = false;
  Update update;
  bool listed = true;  // rare features have lists
  uint64_t seed = 0;
  PairsOf<int8_t> pairs;
  Pairs sums;                // stays empty, as there are no sums
  Array<int64_t> trainings;  // and this
  Array<int32_t> slot;  // by feature: 0 nowhere, n > 0 row n - 1 of the tiles, n < 0 rares[-n - 1]
  int64_t whole = 0;    // rows of the tiles that have been in use
  Array<Int8List*> rares;
  Array<int32_t> free_rares, free_rows;

  Int8Store() = default;
  Int8Store(const Int8Store&) = delete;
  ~Int8Store() {
    for (int64_t i = 0; i < rares.size; ++i) delete rares[i];
  }

  // ---- as Hand and Mlpp use it; Store has the same

  struct Source {
    const uint8_t *next, *end;
  };
  uint64_t spread(int32_t, Source& from, int64_t tile, int8_t* row, float*) const {
    if (from.next == from.end || Segment(from.next).tile != tile) return 0;
    uint64_t moved;
    from.next = read_segment(from.next, row, &moved);
    return moved;
  }
  int64_t list_bytes(int32_t rare) const { return rares[rare]->segments.size; }
  static constexpr int64_t entry_bytes() { return 9; }  // at most, of a list and its log
  bool begins_listed() const { return listed; }
  bool crowded(int32_t rare) const { return rares[rare]->segments.size * 2 > pairs.columns; }

  void take_row(int32_t f) {
    if (free_rows.size) {
      slot[f] = free_rows[--free_rows.size] + 1;
    } else {
      pairs.heighten(whole + 1);
      slot[f] = int32_t(++whole);
    }
  }
  void drop_row(int32_t at) {
    pairs.wipe(at);
    free_rows.push(at);
  }
  void take_rare(int32_t f) {
    int32_t at;
    if (free_rares.size) {
      at = free_rares[--free_rares.size];
    } else {
      at = int32_t(rares.size);
      rares.push(nullptr);
    }
    rares[at] = new Int8List;
    slot[f] = -at - 1;
  }
  void drop_rare(int32_t at) {
    free_rares.push(at);
    delete rares[at];
    rares[at] = nullptr;
  }
  void promote(int32_t f) {
    int32_t at = -slot[f] - 1;
    take_row(f);
    const Array<uint8_t>& all = rares[at]->segments;
    for (const uint8_t *from = all.data, *end = from + all.size; from < end;)
      from = read_segment(from, pairs.at(slot[f] - 1, Segment(from).tile * tile_size), nullptr);
    drop_rare(at);
  }
  void widen(int64_t known, Watch*) {
    int64_t columns = known * (known - 1) / 2;
    if (columns > pairs.columns) pairs.widen(columns);
  }
  bool finite() const { return true; }
  int64_t bytes() const {
    int64_t scattered = 0;
    for (int64_t i = 0; i < rares.size; ++i)
      if (rares[i]) scattered += rares[i]->bytes();
    return pairs.bytes() + scattered;
  }
  void say(int32_t f, const Saying& saying, int32_t known) const {
    Array<int8_t> row;
    row.resize(pairs.tiles * tile_size);
    if (f < slot.size) read(f, row.data);
    for (int64_t v = 1, column = 0; v < known; ++v)
      for (int64_t u = 0; u < v; ++u, ++column) saying.add(u, v, float(row[column]) * quantum, nullptr);
  }
  // Writes a feature's weights into a row of zeros that has whole tiles.
  void read(int64_t f, int8_t* row) const {
    if (slot[f] > 0) {
      for (int64_t t = 0; t < pairs.tiles; ++t) copy(row + t * tile_size, pairs.at(slot[f] - 1, t * tile_size), tile_size);
    } else if (slot[f] < 0) {
      const Array<uint8_t>& all = rares[-slot[f] - 1]->segments;
      for (const uint8_t *from = all.data, *end = from + all.size; from < end;)
        from = read_segment(from, row + Segment(from).tile * tile_size, nullptr);
    }
  }

  // ---- as a table of floats, and as it is

  void save(Writer& out) const {
    float* to = room_for_table(out, "pairs", slot.size, pairs.columns);
    Array<int8_t> row;
    row.resize(pairs.tiles * tile_size);
    for (int64_t f = 0; f < slot.size; ++f, to += pairs.columns) {
      clear(row.data, row.size);
      read(f, row.data);
      for (int64_t c = 0; c < pairs.columns; ++c) to[c] = float(row[c]) * quantum;
    }
  }
  void pack(Writer& out) const {
    int64_t rows = whole - free_rows.size, lists = 0, bytes = 0;
    for (int64_t i = 0; i < rares.size; ++i) {
      if (!rares[i]) continue;
      ++lists;
      bytes += rares[i]->segments.size;
    }
    int32_t* row_features = room<int32_t>(out, "row_features", rows);
    uint8_t* tiles = room<uint8_t>(out, "rows_int8", pairs.tiles * rows * tile_size);
    int32_t* list_features = room<int32_t>(out, "list_features", lists);
    int64_t* ends = room<int64_t>(out, "list_ends", lists);
    uint8_t* segments = room<uint8_t>(out, "list_int8", bytes);
    Array<int32_t> owner;  // by row: its feature and one, 0 where it is free
    owner.resize(whole);
    int64_t end = 0;
    for (int64_t f = 0; f < slot.size; ++f) {
      if (slot[f] > 0) owner[slot[f] - 1] = int32_t(f) + 1;
      if (slot[f] >= 0) continue;
      const Array<uint8_t>& all = rares[-slot[f] - 1]->segments;
      copy(segments + end, all.data, all.size);
      *list_features++ = int32_t(f);
      *ends++ = end += all.size;
    }
    for (int64_t r = 0; r < whole; ++r)
      if (owner[r]) *row_features++ = owner[r] - 1;
    for (int64_t t = 0; t < pairs.tiles; ++t)
      for (int64_t r = 0; r < whole; ++r) {
        if (!owner[r]) continue;
        copy(tiles, pairs.tile(t) + r * tile_size, tile_size);
        tiles += tile_size;
      }
  }
  void unpack(Reader& in, int32_t known, int64_t features) {
    expect(in, pair_of(0, int64_t(known) + 1) <= most_tiles * tile_size, "it has more labels than segments can number pairs of");
    widen(known, nullptr);
    slot.resize(features);
    Given<int32_t> owners = given<int32_t>(in, "row_features");
    Given<uint8_t> rows = given<uint8_t>(in, "rows_int8", pairs.tiles * owners.size * tile_size);
    whole = owners.size;
    for (int64_t r = 0; r < whole; ++r) {
      claim(in, owners[r]);
      slot[owners[r]] = int32_t(r) + 1;
    }
    pairs.heighten(whole);
    for (int64_t t = 0; t < pairs.tiles; ++t) copy(pairs.tile(t), rows.data + t * whole * tile_size, whole * tile_size);
    take_lists(in);
  }
  void take_lists(Reader& in) {
    Given<int32_t> owners = given<int32_t>(in, "list_features");
    Given<int64_t> ends = given<int64_t>(in, "list_ends", owners.size);
    Given<uint8_t> segments = given<uint8_t>(in, "list_int8");
    expect(in, listed || !owners.size, "it has lists of weights, where all features have rows");
    expect(in, segments.size == (owners.size ? ends[owners.size - 1] : 0), "its lists of weights do not end where their bytes do");
    for (int64_t n = 0, at = 0; n < owners.size; at = ends[n++]) {
      expect(in, ends[n] >= at && ends[n] <= segments.size, "the ends of its lists of weights do not ascend");
      expect(in, !n || owners[n] > owners[n - 1], "the features of its lists of weights do not ascend");
      claim(in, owners[n]);
      check_list(in, segments.data + at, ends[n] - at);
      take_rare(owners[n]);
      rares[-slot[owners[n]] - 1]->replace(segments.data + at, ends[n] - at);
    }
  }
  void check_list(Reader& in, const uint8_t* at, int64_t left) const {
    for (int64_t last = -1; left;) {
      expect(in, left >= 3 && Segment(at).bytes() <= left, "a list of weights ends within a segment");
      Segment one(at);
      expect(in, one.tile > last && one.tile < pairs.tiles, "the tiles of a list of weights do not ascend among its pairs");
      last = one.tile;
      int64_t end = last * tile_size + tile_size, most = end > pairs.columns ? pairs.columns - last * tile_size : tile_size;
      uint64_t places = 0;
      if (one.listed()) {
        for (int i = 0; i < one.count; ++i) {
          expect(in, at[3 + i] < most && (!i || at[3 + i] > at[2 + i]), "the columns of a list of weights do not ascend among its pairs");
        }
      } else {
        memcpy(&places, at + 3, 8);
        expect(in, __builtin_popcountll(places) == one.count && (most == tile_size || !(places >> most)),
               "a segment of a list of weights counts them wrongly");
      }
      at += one.bytes();
      left -= one.bytes();
    }
  }
  void claim(Reader& in, int32_t f) const {
    expect(in, f >= 0 && f < slot.size && !slot[f], "it has weights of a feature twice, or of one that is not there");
  }
};

}  // namespace telex::TELEX_LEVEL
