// Weights: one row a feature, one column a label, and column 0 for a weight beside the labels.
#pragma once
#include "state.hpp"
#include "ties.hpp"

namespace telex::TELEX_LEVEL {

// How weights begin: the option `init`.
constexpr const char* beginnings[] = {"zero", "random", nullptr};
inline bool begins_random(Options& options) { return options.choice("init", beginnings) == 1; }

struct Table {
  Array<float> data;
  int64_t rows = 0;
  int32_t columns = 1, stride = line;
  bool random = false;
  bool alike = false;  // all columns of a feature start with column 0's weight
  uint64_t seed = 0;

  float* row(int64_t f) { return data.data + f * stride; }
  const float* row(int64_t f) const { return data.data + f * stride; }

  uint64_t salt(int64_t f) const { return mix(mix(seed) ^ uint64_t(f)); }
  float drawn(uint64_t salt, int32_t c) const {
    return float((double(mix(salt ^ uint64_t(alike ? 0 : c)) >> 40) * 0x1p-24 - 0.5) * 2);
  }
  // What a feature has now, met or not.
  float weight(int64_t f, int32_t c) const { return f < rows ? row(f)[c] : random ? drawn(salt(f), c) : 0; }
  void fill(int64_t f, int32_t from, int32_t to) {
    if (!random) return;
    uint64_t own = salt(f);
    for (int32_t c = from; c < to; ++c) row(f)[c] = drawn(own, c);
  }
  // Rows of features never met are zero (or, with random weights, made when they are met).
  void meet(const Document& d) {
    int64_t wanted = d.size ? int64_t(d.features[d.size - 1]) + 1 : 0;
    if (wanted <= rows) return;
    data.resize(wanted * stride);
    int64_t first = rows;
    rows = wanted;
    for (int64_t f = first; f < rows; ++f) fill(f, 0, columns);
  }
  // Resets a feature's row to what it was before the feature was met.
  void forget(int64_t f) {
    if (f >= rows) return;
    clear(row(f), columns);
    fill(f, 0, columns);
  }
  void widen(int32_t wanted) {
    if (wanted > stride) {
      int32_t wider = int32_t(round_up(wanted < 128 ? wanted : wanted + wanted / 4, line));
      Array<float> moved;
      moved.resize(rows * wider);
      for (int64_t f = 0; f < rows; ++f)
        copy(moved.data + f * wider, row(f), columns);
      data.swap(moved);
      stride = wider;
    }
    int32_t first = columns;
    columns = wanted;
    for (int64_t f = 0; f < rows; ++f) fill(f, first, columns);
  }
  void copy_column(int32_t from, int32_t to) {
    for (int64_t f = 0; f < rows; ++f) row(f)[to] = row(f)[from];
  }
  bool finite() const { return all_finite(data.data, rows * stride); }
  int64_t bytes() const { return data.capacity * int64_t(sizeof(float)); }

  void save(Writer& out, const char* name) const {
    float* to = room_for_table(out, name, rows, columns);
    for (int64_t f = 0; f < rows; ++f) copy(to + f * columns, row(f), columns);
  }
  // A table of this many columns and, if known, rows.
  void load(Reader& in, const char* name, int32_t wide, int64_t high = any) {
    Given<float> from = given_table(in, name, high, wide);
    widen(wide);
    data.resize(from.rows * stride);
    rows = from.rows;
    for (int64_t f = 0; f < rows; ++f) copy(row(f), from.data + f * columns, columns);
  }
};

// N vectors of columns from `first`: sums stay in registers over all features, in the order of the features.
template <int N>
inline void sum_block(const Table& t, const Document& d, int64_t size, int32_t first, float* out) {
  Vector sum[N] = {};
  for (int64_t k = 0; k < size; ++k) {
    if (k + 12 < d.reach) {
      const float* ahead = t.row(d.features[k + 12]) + first;
#pragma GCC unroll 16
      for (int j = 0; j < N * lanes; j += line) __builtin_prefetch(ahead + j);
    }
    const Vector* w = reinterpret_cast<const Vector*>(t.row(d.features[k]) + first);
    float x = d.values[k];
#pragma GCC unroll 16
    for (int j = 0; j < N; ++j) sum[j] += x * w[j];
  }
  Vector* to = reinterpret_cast<Vector*>(out + first);
#pragma GCC unroll 16
  for (int j = 0; j < N; ++j) to[j] = sum[j];
}

constexpr int widest = lanes == 16 ? 14 : lanes == 8 ? 14 : 12;  // vectors of sums that the registers hold

template <int N>
inline void sum_rest(const Table& t, const Document& d, int64_t size, int32_t first, float* out, int left) {
  if constexpr (N > 0) {
    if (left == N)
      sum_block<N>(t, d, size, first, out);
    else
      sum_rest<N - line / lanes>(t, d, size, first, out, left);
  }
}

// out[c] = sum over the document's features of x_f w_fc; `out` has a whole stride, aligned.
inline void sum(const Table& t, const Document& d, float* out) {
  int64_t size = d.size;
  while (size && d.features[size - 1] >= t.rows) --size;
  int32_t first = 0;
  constexpr int whole = widest / (line / lanes) * (line / lanes);
  for (; first + whole * lanes <= t.stride; first += whole * lanes) sum_block<whole>(t, d, size, first, out);
  sum_rest<whole - line / lanes>(t, d, size, first, out, (t.stride - first) / lanes);
}

// The same, where features never met have random weights: asking makes their rows and leaves none behind.
inline void look_at(Table& t, const Document& d, float* out) {
  int64_t met = t.rows;
  if (t.random) t.meet(d);
  sum(t, d, out);
  t.rows = met;
}

// What a feature adds to the score of a column, of averaged weights where there are sums; the products are exact.
inline double contribution(const Table& weights, const Table& sums, int64_t learnt, int64_t f, int32_t c, double x) {
  double now = x * double(weights.weight(f, c));
  return f < sums.rows && learnt ? now - x * double(sums.row(f)[c]) / double(learnt) : now;
}

// Adds g_c x_f to every weight. `moved` lists the columns with g != 0; `g` has a whole stride, zero elsewhere. Few columns
// are moved one by one; else the vectors that have one of them are moved whole.
inline void add(Table& t, const Document& d, const float* g, const int32_t* moved, int32_t count) {
  if (count <= 3) {
    for (int64_t k = 0; k < d.size; ++k) {
      float* w = t.row(d.features[k]);
      float x = d.values[k];
      for (int32_t i = 0; i < count; ++i) w[moved[i]] += g[moved[i]] * x;
    }
    return;
  }
  constexpr int32_t most = 32;
  int32_t parts[most], size = 0;
  for (int32_t i = 0; i < count && size < most; ++i) {
    int32_t part = moved[i] / lanes, j = 0;
    while (j < size && parts[j] != part) ++j;
    if (j == size) parts[size++] = part;
  }
  const Vector* step = reinterpret_cast<const Vector*>(g);
  bool all = size == most || size * 4 > t.stride / lanes * 3;
  for (int64_t k = 0; k < d.size; ++k) {
    Vector* w = reinterpret_cast<Vector*>(t.row(d.features[k]));
    float x = d.values[k];
    if (all) {
      for (int32_t j = 0; j < t.stride / lanes; ++j) w[j] += step[j] * x;
    } else {
      for (int32_t j = 0; j < size; ++j) w[parts[j]] += step[parts[j]] * x;
    }
  }
}

}  // namespace telex::TELEX_LEVEL
