// Where the weights of a feature are: nowhere, in a row of the tiles, or, while few of them have moved, in a list of its own.
#pragma once
#include "rare.hpp"

namespace telex::TELEX_LEVEL {

constexpr int64_t dense = 12;  // a feature gets a row once one in `dense` of its weights has moved
constexpr int32_t most_rivals = 65535;  // labels whose pairs an int32_t still counts

struct Store {
  using Cell = float;
  using Used = uint8_t;
  static constexpr bool rounded = false;
  Update update;
  bool averaged = false, summed = false;  // summed: averaged, or AROW's
  bool own_mean = false;                  // the mean is over the documents that a perceptron was trained on
  Pairs pairs, sums;
  Array<int64_t> trainings;  // by pair, for own_mean: how many documents trained it
  Array<int32_t> slot;  // by feature: 0 nowhere, n > 0 row n - 1 of the tiles, n < 0 rares[-n - 1]
  int64_t whole = 0;    // rows of the tiles that have been in use
  Array<Rare*> rares;
  Array<int32_t> free_rares, free_rows;

  Store() = default;
  Store(const Store&) = delete;
  ~Store() {
    for (int64_t i = 0; i < rares.size; ++i) delete rares[i];
  }

  // A list on its way through the tiles: its entries at or behind the next one.
  struct Source {
    const Rare::Entry *next, *end;
  };
  Source source(int32_t rare, int64_t tile) const {
    const Array<Rare::Entry>& all = rares[rare]->entries;
    return {all.data + rares[rare]->find(tile * tile_size), all.data + all.size};
  }
  // Writes a list's weights of one tile into rows of zeros, and says whether there are any.
  bool spread(int32_t rare, Source& from, int64_t tile, float* row, float* late_row) const {
    const Rare::Entry* e = from.next;
    for (; e < from.end && e->column < tile * tile_size + tile_size; ++e) {
      row[e->column - tile * tile_size] = e->weight;
      if (late_row) late_row[e->column - tile * tile_size] = rares[rare]->sums[e - rares[rare]->entries.data];
    }
    bool any = e > from.next;
    from.next = e;
    return any;
  }
  bool begins_listed() const { return !pairs.random; }
  bool crowded(int32_t rare) const { return rares[rare]->entries.size * dense > pairs.columns; }
  int64_t entry_bytes() const { return int64_t(sizeof(Rare::Entry)) + (summed ? 4 : 0); }

  void take_row(int32_t f) {
    if (free_rows.size) {
      slot[f] = free_rows[--free_rows.size] + 1;
    } else {
      pairs.heighten(whole + 1);
      if (summed) sums.heighten(whole + 1);
      slot[f] = int32_t(++whole);
    }
    pairs.fill(slot[f] - 1, f, 0, pairs.columns);
  }
  void drop_row(int32_t at) {
    if (!pairs.random) pairs.wipe(at);
    sums.wipe(at);
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
    rares[at] = new Rare;
    slot[f] = -at - 1;
  }
  void drop_rare(int32_t at) {
    free_rares.push(at);
    delete rares[at];
    rares[at] = nullptr;
  }
  // A feature that has become frequent gets a row.
  void promote(int32_t f) {
    int32_t at = -slot[f] - 1;
    take_row(f);
    const Rare& old = *rares[at];
    for (int64_t i = 0; i < old.entries.size; ++i) {
      *pairs.at(slot[f] - 1, old.entries[i].column) = old.entries[i].weight;
      if (summed) *sums.at(slot[f] - 1, old.entries[i].column) = old.sums[i];
    }
    drop_rare(at);
  }
  void widen(int64_t known, Watch* watch) {
    int64_t old = pairs.columns, columns = pairs.share.columns(known * (known - 1) / 2);
    if (columns <= old) return;
    pairs.widen(columns);
    if (pairs.random)
      for (int64_t f = 0; f < slot.size; ++f)
        if (slot[f] > 0) {
          pairs.fill(slot[f] - 1, f, old, columns);
          pause_within(watch, columns - old);
        }
    if (summed) sums.widen(columns);
    if (own_mean) trainings.resize(pairs.tiles * tile_size);
  }
  bool finite() const {
    bool right = pairs.finite() && sums.finite();
    uint32_t wrong = 0;
    for (int64_t i = 0; i < rares.size; ++i) {
      if (i + 16 < rares.size) __builtin_prefetch(rares[i + 16]);
      if (i + 8 < rares.size && rares[i + 8]) __builtin_prefetch(rares[i + 8]->entries.data);
      if (!rares[i]) continue;
      const Array<Rare::Entry>& entries = rares[i]->entries;
      for (int64_t k = 0; k < entries.size; ++k) wrong |= not_finite(entries[k].weight);
      right &= all_finite(rares[i]->sums.data, rares[i]->sums.size);
    }
    return right && !wrong;
  }
  int64_t bytes() const {
    int64_t scattered = 0;
    for (int64_t i = 0; i < rares.size; ++i)
      if (rares[i]) scattered += rares[i]->bytes();
    return pairs.bytes() + sums.bytes() + scattered;
  }

  // What a feature says in the duels of labels; one that was never met has random weights, or none.
  void say(int32_t f, const Saying& saying, int32_t known) const {
    int32_t where = f < slot.size ? slot[f] : 0;
    if (where < 0) saying.add(*rares[-where - 1]);
    else if (where > 0 || pairs.random) saying.add(pairs, sums, where - 1, f, known);
  }

  // ---- as a table: a row a feature, a column a pair

  void save(Writer& out) const {
    save_table(out, pairs, false, "pairs");
    if (summed) save_table(out, sums, true, averaged ? "pairs_sum" : "pairs_spent");
    if (own_mean) put(out, "trainings", trainings.data, pairs.columns);
  }
  void save_table(Writer& out, const Pairs& from, bool late, const char* name) const {
    float* row = room_for_table(out, name, slot.size, from.columns);
    for (int64_t f = 0; f < slot.size; ++f, row += from.columns) {
      if (slot[f] > 0) {
        for (int64_t c = 0; c < from.columns; ++c) row[c] = *from.at(slot[f] - 1, c);
        continue;
      }
      for (int64_t c = 0; c < from.columns; ++c) row[c] = from.start(f, c);
      if (slot[f] == 0) continue;
      const Rare& r = *rares[-slot[f] - 1];
      for (int64_t i = 0; i < r.entries.size; ++i) row[r.entries[i].column] = late ? r.sums[i] : r.entries[i].weight;
    }
  }

  // ---- as it is: tile by tile the rows that are in use, and all lists behind each other

  void pack(Writer& out) const {
    int64_t rows = whole - free_rows.size, lists = 0, entries = 0;
    for (int64_t i = 0; i < rares.size; ++i) {
      if (i + 16 < rares.size) __builtin_prefetch(rares[i + 16]);
      if (!rares[i]) continue;
      ++lists;
      entries += rares[i]->entries.size;
    }
    int32_t* row_features = room<int32_t>(out, "row_features", rows);
    float* tiles = room_for_table(out, "rows", pairs.tiles, rows * tile_size);
    float* late_tiles = summed ? room_for_table(out, "rows_sum", pairs.tiles, rows * tile_size) : nullptr;
    int32_t* list_features = room<int32_t>(out, "list_features", lists);
    int64_t* ends = room<int64_t>(out, "list_ends", lists);
    int32_t* columns = room<int32_t>(out, "list_columns", entries);
    float* weights = room<float>(out, "list_weights", entries);
    float* late = summed ? room<float>(out, "list_sums", entries) : nullptr;

    Array<int32_t> owner;  // by row: its feature and one, 0 where it is free
    owner.resize(whole);
    int64_t end = 0;
    for (int64_t f = 0; f < slot.size; ++f) {
      if (f + 8 < slot.size && slot[f + 8] < 0) __builtin_prefetch(rares[-slot[f + 8] - 1]->entries.data);
      if (slot[f] > 0) owner[slot[f] - 1] = int32_t(f) + 1;
      if (slot[f] >= 0) continue;
      const Rare& rare = *rares[-slot[f] - 1];
      for (int64_t i = 0; i < rare.entries.size; ++i) {
        *columns++ = rare.entries[i].column;
        *weights++ = rare.entries[i].weight;
      }
      if (late) copy(late + end, rare.sums.data, rare.entries.size);
      *list_features++ = int32_t(f);
      *ends++ = end += rare.entries.size;
    }
    for (int64_t r = 0; r < whole; ++r)
      if (owner[r]) *row_features++ = owner[r] - 1;
    pack_rows(pairs, owner, tiles);
    if (summed) pack_rows(sums, owner, late_tiles);
    if (own_mean) put(out, "trainings", trainings.data, pairs.columns);
  }
  void pack_rows(const Pairs& from, const Array<int32_t>& owner, float* to) const {
    for (int64_t t = 0; t < from.tiles; ++t)
      for (int64_t r = 0, end; r < whole; r = end) {  // rows in use, as many at a time as lie together
        for (end = r + 1; end < whole && !owner[end] == !owner[r]; ++end) {}
        if (!owner[r]) continue;
        copy(to, from.tile(t) + r * tile_size, (end - r) * tile_size);
        to += (end - r) * tile_size;
      }
  }
  // Makes room for this many labels and features; the store must be empty.
  void unpack(Reader& in, int32_t known, int64_t features) {
    expect(in, known <= most_rivals, "it has more labels than pairs can be counted of");
    widen(known, nullptr);
    slot.resize(features);
    take_rows(in);
    take_lists(in);
    if (!own_mean) return;
    Given<int64_t> counts = given<int64_t>(in, "trainings", pairs.columns);
    copy(trainings.data, counts.data, counts.size);
  }
  void take_rows(Reader& in) {
    Given<int32_t> owners = given<int32_t>(in, "row_features");
    Given<float> rows = given_table(in, "rows", pairs.tiles, owners.size * tile_size);
    Given<float> late = summed ? given_table(in, "rows_sum", pairs.tiles, owners.size * tile_size) : rows;
    expect(in, owners.size <= slot.size, "it has more rows than features");
    whole = owners.size;
    for (int64_t r = 0; r < whole; ++r) {
      claim(in, owners[r]);
      slot[owners[r]] = int32_t(r) + 1;
    }
    take_tiles(pairs, rows);
    if (summed) take_tiles(sums, late);
  }
  void take_tiles(Pairs& to, const Given<float>& from) const {
    to.heighten(whole);
    for (int64_t t = 0; t < to.tiles; ++t) copy(to.tile(t), from.data + t * whole * tile_size, whole * tile_size);
  }
  void take_lists(Reader& in) {
    Given<int32_t> owners = given<int32_t>(in, "list_features"), columns = given<int32_t>(in, "list_columns");
    Given<int64_t> ends = given<int64_t>(in, "list_ends", owners.size);
    Given<float> weights = given<float>(in, "list_weights", columns.size);
    Given<float> late = summed ? given<float>(in, "list_sums", columns.size) : weights;
    expect(in, !owners.size || !pairs.random, "it has lists of weights, where random weights have rows");
    expect(in, columns.size == (owners.size ? ends[owners.size - 1] : 0), "its lists of weights do not end where their columns do");
    for (int64_t n = 0, at = 0; n < owners.size; ++n) {
      expect(in, ends[n] >= at && ends[n] <= columns.size, "the ends of its lists of weights do not ascend");
      expect(in, !n || owners[n] > owners[n - 1], "the features of its lists of weights do not ascend");
      claim(in, owners[n]);
      take_rare(owners[n]);
      Rare& rare = *rares[-slot[owners[n]] - 1];
      rare.entries.resize(ends[n] - at);
      if (summed) rare.sums.resize(ends[n] - at);
      for (int64_t i = 0; at < ends[n]; ++i, ++at) {
        bool right = columns[at] < pairs.columns && columns[at] > (i ? columns[at - 1] : -1);
        expect(in, right, "the columns of a list of weights do not ascend among its pairs");
        rare.entries[i] = {columns[at], weights[at]};
        if (summed) rare.sums[i] = late[at];
      }
    }
  }
  void claim(Reader& in, int32_t f) const {
    expect(in, f >= 0 && f < slot.size && !slot[f], "it has weights of a feature twice, or of one that is not there");
  }
};

}  // namespace telex::TELEX_LEVEL
