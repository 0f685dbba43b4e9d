// Weights: one row a feature, one column a label, and column 0 for a weight beside the labels.
#pragma once
#include "state.hpp"
#include "ties.hpp"

namespace telex::TELEX_LEVEL {

// How weights begin: the options `init` and `init_scale`.
constexpr const char* beginnings[] = {"zero", "random", nullptr};
inline bool begins_random(Options& options) { return options.choice("init", beginnings) == 1; }
inline double scale_of_beginning(Options& options) { return options.real("init_scale", 1e-6, 1e6, "a number from 1e-6 to 1e6"); }

struct Table {
  Array<float> data, wider;  // wider: empty but while columns are added
  int64_t rows = 0;
  int32_t columns = 1, stride = line;
  bool random = false;
  bool alike = false;  // all columns of a feature start with column 0's weight
  float start = 0;     // where weights are not random
  uint64_t seed = 0;
  double scale = 1;  // of random weights

  float* row(int64_t f) { return data.data + f * stride; }
  const float* row(int64_t f) const { return data.data + f * stride; }

  uint64_t salt(int64_t f) const { return mix(mix(seed) ^ uint64_t(f)); }
  float drawn(uint64_t salt, int32_t c) const {
    return float((double(mix(salt ^ uint64_t(alike ? 0 : c)) >> 40) * 0x1p-24 - 0.5) * 2 * scale);
  }
  // What a feature has now, met or not.
  float weight(int64_t f, int32_t c) const { return f < rows ? row(f)[c] : random ? drawn(salt(f), c) : start; }
  bool filled() const { return random || start != 0; }
  void fill(int64_t f, int32_t from, int32_t to) {
    if (!filled()) return;
    uint64_t own = salt(f);
    for (int32_t c = from; c < to; ++c) row(f)[c] = random ? drawn(own, c) : start;
  }
  // Rows of features never met are zero (or, where weights start otherwise, made when they are met).
  void meet(const Document& d, Watch* watch) {
    int64_t wanted = d.end();
    if (wanted <= rows) return;
    data.resize(wanted * stride);
    int64_t first = rows;
    rows = wanted;
    for (int64_t f = first; filled() && f < rows; ++f) {
      fill(f, 0, columns);
      pause_within(watch, columns);
    }
  }
  // Resets a feature's row to what it was before the feature was met.
  void forget(int64_t f) {
    if (f >= rows) return;
    clear(row(f), columns);
    fill(f, 0, columns);
  }
  void widen(int32_t wanted, Watch* watch) {
    if (wanted > stride) {
      int32_t broad = int32_t(round_up(wanted < 128 ? wanted : wanted + wanted / 4, line));
      wider.resize(rows * broad);
      for (int64_t f = 0; f < rows; ++f) {
        copy(wider.data + f * broad, row(f), columns);
        pause_within(watch, columns);
      }
      data.swap(wider);
      wider.free();
      stride = broad;
    }
    int32_t first = columns;
    columns = wanted;
    for (int64_t f = 0; filled() && f < rows; ++f) {
      fill(f, first, columns);
      pause_within(watch, columns - first);
    }
  }
  // Sets the columns from `first` on to what column 0 has.
  void copy_first(int32_t first, Watch* watch) {
    for (int64_t f = 0; f < rows; ++f) {
      for (int32_t c = first; c < columns; ++c) row(f)[c] = row(f)[0];
      pause_within(watch, columns - first);
    }
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
    widen(wide, nullptr);
    data.resize(from.rows * stride);
    rows = from.rows;
    for (int64_t f = 0; f < rows; ++f) copy(row(f), from.data + f * columns, columns);
  }
};

// N vectors of columns from `first`: sums stay in registers over all features that the table has, in their order. To look first how
// many these are would be to wait for the last one.
template <int N>
inline void sum_block(const Table& t, const Document& d, int32_t first, float* out) {
  Vector sum[N] = {};
  if (d.bias != 0 && t.rows) {
    const Vector* w = reinterpret_cast<const Vector*>(t.row(0) + first);
#pragma GCC unroll 16
    for (int j = 0; j < N; ++j) sum[j] += d.bias * w[j];
  }
  for (int64_t k = 0; k < d.size && d.row(k) < t.rows; ++k) {
    if (k + 12 < d.reach) {
      const float* ahead = t.row(d.row(k + 12)) + first;
#pragma GCC unroll 16
      for (int j = 0; j < N * lanes; j += line) __builtin_prefetch(ahead + j);
    }
    const Vector* w = reinterpret_cast<const Vector*>(t.row(d.row(k)) + first);
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
inline void sum_rest(const Table& t, const Document& d, int32_t first, float* out, int left) {
  if constexpr (N > 0) {
    if (left == N)
      sum_block<N>(t, d, first, out);
    else
      sum_rest<N - line / lanes>(t, d, first, out, left);
  }
}

// out[c] = sum over the document's features of x_f w_fc; `out` has a whole stride, aligned.
inline void sum(const Table& t, const Document& d, float* out, Watch* watch) {
  int32_t first = 0;
  constexpr int whole = widest / (line / lanes) * (line / lanes);
  for (; first + whole * lanes <= t.stride; first += whole * lanes) {
    sum_block<whole>(t, d, first, out);
    pause(watch, d.size * whole * lanes);
  }
  sum_rest<whole - line / lanes>(t, d, first, out, (t.stride - first) / lanes);
}

// The same, where features never met have random weights: they come last, as ids ascend, and asking leaves no rows behind.
inline void look_at(const Table& t, const Document& d, float* out, Watch* watch) {
  sum(t, d, out, watch);
  if (!t.random) return;
  int64_t k = d.size;
  while (k && d.features[k - 1] >= t.rows) --k;
  for (; k < d.size; ++k) {
    uint64_t salt = t.salt(d.features[k]);
    for (int32_t c = 0; c < t.columns; ++c) out[c] += d.values[k] * t.drawn(salt, c);
    pause(watch, t.columns);
  }
}

// The scores of a document, and those that predictions see where weights are averaged.
struct Look final : Scratch {
  Array<float> score, shown;

  // After `learnt` documents the mean of a weight over all of them is w - sum / learnt: see Relevance.
  const float* average(const Table& weights, const Table& sums, const Document& d, int64_t learnt) {
    shown.resize(weights.stride);
    sum(sums, d, shown.data, watch);
    float t = float(learnt);
    for (int32_t c = 0; c < weights.columns; ++c) shown[c] = score[c] - shown[c] / t;
    return shown.data;
  }
};

// What a feature adds to the score of a column, of averaged weights where there are sums; the products are exact.
inline double contribution(const Table& weights, const Table& sums, int64_t learnt, int64_t f, int32_t c, double x) {
  double now = x * double(weights.weight(f, c));
  return f < sums.rows && learnt ? now - x * double(sums.row(f)[c]) / double(learnt) : now;
}

// Lists the columns whose step is not zero, ascending, and counts them. `g` has a whole stride; `hit` is room for as many.
inline int32_t list_moved(const float* g, int32_t stride, uint8_t* __restrict hit, int32_t* moved) {
  int32_t count = 0;
  for (int32_t c = 0; c < stride; ++c) hit[c] = g[c] != 0;
  each_set(hit, stride, [&](int64_t c) { moved[count++] = int32_t(c); });
  return count;
}

// Copies the scores of labels, and says which of them are above a threshold.
inline void show(float* __restrict scores, uint8_t* __restrict relevant, const float* __restrict from, int32_t known, float threshold) {
  for (int32_t c = 0; c < known; ++c) {
    scores[c] = from[c];
    relevant[c] = from[c] > threshold;
  }
}

// Calls `work` for a number of vectors, from 1 to `few_parts`, that it can keep in registers.
constexpr int few_parts = lanes == 16 ? 8 : 4;
template <int N = 1, class Work>
inline void by_number(int64_t number, const Work& work) {
  if constexpr (N < few_parts) {
    if (number > N) return by_number<N + 1>(number, work);
  }
  work.template operator()<N>();
}

// Adds g_c x_f to every weight. `moved` lists the columns with g != 0; `g` has a whole stride, zero elsewhere. Few columns
// are moved one by one; else the vectors that have one of them are moved whole.
inline void add_part(Table& t, Document d, const float* g, const int32_t* moved, int32_t count) {
  auto along = [&](const auto& move) {
    if (d.bias != 0) move(t.row(0), d.bias);
    for (int64_t k = 0; k < d.size; ++k) move(t.row(d.row(k)), d.values[k]);
  };
  if (count <= 3)
    return along([&](float* w, float x) {
      for (int32_t i = 0; i < count; ++i) w[moved[i]] += g[moved[i]] * x;
    });
  constexpr int32_t most = 32;
  int32_t parts[most], size = 0;
  for (int32_t i = 0; i < count && size < most; ++i) {
    int32_t part = moved[i] / lanes, j = 0;
    while (j < size && parts[j] != part) ++j;
    if (j == size) parts[size++] = part;
  }
  const Vector* step = reinterpret_cast<const Vector*>(g);
  if (size <= few_parts)
    return by_number(size, [&]<int N>() {
      Vector steps[N];
      int32_t at[N];
      for (int j = 0; j < N; ++j) steps[j] = step[at[j] = parts[j]];
      along([&](float* row, float x) {
        Vector* w = reinterpret_cast<Vector*>(row);
#pragma GCC unroll 8
        for (int j = 0; j < N; ++j) w[at[j]] += steps[j] * x;
      });
    });
  bool all = size == most || size * 4 > t.stride / lanes * 3;
  along([&](float* row, float x) {
    Vector* w = reinterpret_cast<Vector*>(row);
    if (all) {
      for (int32_t j = 0; j < t.stride / lanes; ++j) w[j] += step[j] * x;
    } else {
      for (int32_t j = 0; j < size; ++j) w[parts[j]] += step[parts[j]] * x;
    }
  });
}
inline void add(Table& t, const Document& d, const float* g, const int32_t* moved, int32_t count, Watch* watch) {
  constexpr int64_t most = 1024;
  for (int64_t first = 0; first == 0 || first < d.size; first += most) {
    int64_t size = d.size - first < most ? d.size - first : most;
    add_part(t, {d.features + first, d.values + first, size, d.reach - first, first ? 0 : d.bias, d.base}, g, moved, count);
    pause_within(watch, size * (count < t.stride ? count : t.stride));
  }
}

}  // namespace telex::TELEX_LEVEL
