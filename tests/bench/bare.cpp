// The yardsticks of MMP, BR and the learners with margins: bare loops that score documents and learn them, in the layout and with
// the arithmetic of the learners. Nothing else: labels are known, tables have all their rows, ties are left as they come, no
// prediction is written or judged, and nobody may interrupt.
//
//   bare LEARNER STARTS TERMS VALUES LABEL_STARTS LABELS ROWS PASSES      -> documents of the second half, seconds for them, share of
//                                                                               documents that it is wrong about
//
// Each stretch of 1,024 documents counts with its fastest pass: then a busy machine spoils little. STARTS and LABEL_STARTS hold int64, TERMS and LABELS int32, VALUES float. Not part of the product.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

constexpr int columns = 104, stride = 112, lanes = 16, vectors = stride / lanes;  // of 103 labels and one beside them
constexpr size_t stretch = 1024;
typedef float Vector __attribute__((vector_size(64), may_alias));
typedef int32_t Integers __attribute__((vector_size(64), may_alias));

template <class T>
static std::vector<T> read(const char* path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  std::vector<T> data(in.tellg() / sizeof(T));
  in.seekg(0).read(reinterpret_cast<char*>(data.data()), data.size() * sizeof(T));
  return data;
}

struct Document {
  const int32_t* terms;
  const float* values;
  int64_t size, reach;
  const int32_t *labels, *labels_end;
};

struct Table {
  Vector* data;
  Table(int64_t rows, float start) {
    const size_t huge = size_t(2) << 20, bytes = (size_t(rows) * stride * 4 + huge - 1) / huge * huge;
    data = static_cast<Vector*>(aligned_alloc(huge, bytes));
    if (!data) abort();
    madvise(data, bytes, MADV_HUGEPAGE);
    std::fill_n(reinterpret_cast<float*>(data), bytes / 4, start);
  }
  ~Table() { free(data); }
  Vector* row(int64_t f) const { return data + f * vectors; }
};

static void sum(const Table& table, const Document& d, Vector* out) {
  Vector sums[vectors] = {};
  for (int64_t k = 0; k < d.size; ++k) {
    if (k + 12 < d.reach)
      for (int j = 0; j < vectors; ++j) __builtin_prefetch(table.row(d.terms[k + 12]) + j);
    for (int j = 0; j < vectors; ++j) sums[j] += d.values[k] * table.row(d.terms[k])[j];
  }
  for (int j = 0; j < vectors; ++j) out[j] = sums[j];
}

// Calls `work` for a number of vectors that it can keep in registers.
template <int N = 1, class Work>
static void by_number(int number, const Work& work) {
  if constexpr (N < vectors) {
    if (number > N) return by_number<N + 1>(number, work);
  }
  work.template operator()<N>();
}

// Adds the steps `g` of the columns in `moved`.
static void add(const Table& table, const Document d, const float* g, const int32_t* moved, int count) {
  if (count <= 3) {
    for (int64_t k = 0; k < d.size; ++k)
      for (int i = 0; i < count; ++i) reinterpret_cast<float*>(table.row(d.terms[k]))[moved[i]] += g[moved[i]] * d.values[k];
    return;
  }
  int parts[vectors], size = 0;
  for (int i = 0; i < count; ++i)
    if (!size || std::find(parts, parts + size, moved[i] / lanes) == parts + size) parts[size++] = moved[i] / lanes;
  by_number(size, [&]<int N>() {
    Vector step[N];
    int at[N];
    for (int j = 0; j < N; ++j) step[j] = reinterpret_cast<const Vector*>(g)[at[j] = parts[j]];
    for (int64_t k = 0; k < d.size; ++k)
#pragma GCC unroll 8
      for (int j = 0; j < N; ++j) table.row(d.terms[k])[at[j]] += step[j] * d.values[k];
  });
}

// The multiclass multilabel perceptron: column 0 is the threshold.
struct Mmp {
  static constexpr float bias = 0;
  static constexpr bool beside = false;
  alignas(64) float s[stride], rest[stride], g[stride] = {};
  alignas(64) int32_t below[stride];
  int32_t moved[stride];
  int64_t wrong = 0;

  void learn(const Table& weights, const Table&, const Document& d) {
    sum(weights, d, reinterpret_cast<Vector*>(s));
    memcpy(rest, s, sizeof rest);
    rest[0] = -INFINITY;
    std::fill(rest + columns, rest + stride, -INFINITY);
    for (const int32_t* c = d.labels; c != d.labels_end; ++c) rest[*c + 1] = -INFINITY;
    const Vector* q = reinterpret_cast<const Vector*>(rest);
    Integers* under = reinterpret_cast<Integers*>(below);
    std::fill_n(below, stride, 0);
    int64_t errors = 0, over[columns], low = 0, high = 0;
    for (const int32_t* c = d.labels; c != d.labels_end; ++c) {
      Integers sums = {};
      for (int j = 0; j < vectors; ++j) {
        Integers higher = q[j] >= s[*c + 1];  // so that it begins to move at all
        under[j] -= higher;
        sums -= higher;
      }
      over[c - d.labels] = 0;
      for (int i = 0; i < lanes; ++i) over[c - d.labels] += sums[i];
      errors += over[c - d.labels];
      low += !(s[*c + 1] > s[0]);
    }
    for (int i = 0; i < stride; ++i) high += rest[i] > s[0];
    wrong += errors > 0;
    int count = 0;
    if (low + high) {
      g[0] = float(double(low + high) / (columns - 1) * (double(high - low) / double(high + low)));
      if (g[0] != 0) moved[count++] = 0;
    }
    for (int c = 1; errors && c < columns; ++c) {
      if (!below[c]) continue;
      g[c] = float(-double(below[c]) / double(errors));
      moved[count++] = c;
    }
    for (const int32_t* c = d.labels; c != d.labels_end; ++c) {
      if (!over[c - d.labels]) continue;
      g[*c + 1] = float(double(over[c - d.labels]) / double(errors));
      moved[count++] = *c + 1;
    }
    add(weights, d, g, moved, count);
    for (int i = 0; i < count; ++i) g[moved[i]] = 0;
  }
};

// Learners whose step depends on nothing but a label's own score and target.
template <class Rule>
struct Linear : Rule {
  alignas(64) float s[stride], y[stride], g[stride];
  int32_t moved[stride];
  int64_t wrong = 0;

  Linear() { std::fill_n(y, stride, -1.0f); }
  void learn(const Table& weights, const Table& beside, const Document& d) {
    sum(weights, d, reinterpret_cast<Vector*>(s));
    this->begin(d);
    for (const int32_t* c = d.labels; c != d.labels_end; ++c) y[*c + 1] = 1;
    for (int j = 0; j < vectors; ++j)
      reinterpret_cast<Vector*>(g)[j] = this->step(reinterpret_cast<Vector*>(s)[j], reinterpret_cast<Vector*>(y)[j]);
    for (const int32_t* c = d.labels; c != d.labels_end; ++c) y[*c + 1] = -1;
    int count = 0;
    for (int c = 0; c < columns; ++c) {
      moved[count] = c;
      count += g[c] != 0;
    }
    wrong += count > 0;
    std::fill(g + columns, g + stride, 0.0f);
    if (count) this->update(weights, beside, d, g, moved, count);
  }
};

struct Rule {
  static constexpr float bias = 0.1f;
  static constexpr bool beside = false;
  void begin(const Document&) {}
  void update(const Table& weights, const Table&, const Document& d, const float* g, const int32_t* moved, int count) {
    add(weights, d, g, moved, count);
  }
};
struct Br : Rule {
  static constexpr float bias = 0;
  static Vector step(Vector s, Vector y) { return y - (s >= 0.0f ? Vector{} + 1.0f : Vector{} - 1.0f); }
};
struct Uneven : Rule {
  static Vector step(Vector s, Vector y) { return y * s <= (y > 0.0f ? Vector{} + 1.0f : Vector{} + 0.3f) ? y : Vector{}; }
};
struct Pa : Rule {
  float size;
  void begin(const Document& d) {
    size = 0;
    for (int64_t k = 0; k < d.size; ++k) size += d.values[k] * d.values[k];
    size += 1 / 6.0f;
  }
  Vector step(Vector s, Vector y) const {
    Vector margin = y * s, far = (1.0f - margin) / size;
    return margin < 1.0f ? y * (far < INFINITY ? far : Vector{} + INFINITY) : Vector{};
  }
};
struct Arow : Rule {
  static constexpr bool beside = true;
  static Vector step(Vector s, Vector y) { return y * s < 1.0f ? y * (1.0f - y * s) : Vector{}; }
  void update(const Table& weights, const Table& variances, const Document& d, const float* g, const int32_t* moved, int count) {
    int parts[vectors], size = 0;
    for (int i = 0; i < count; ++i)
      if (!size || parts[size - 1] != moved[i] / lanes) parts[size++] = moved[i] / lanes;
    by_number(size, [&]<int N>() { move<N>(weights, variances, d, g, parts); });
  }
  template <int N>
  static void move(const Table& weights, const Table& variances, const Document d, const float* g, const int* parts) {
    Vector pull[N] = {}, rate[N];
    int at[N];
    for (int i = 0; i < N; ++i) at[i] = parts[i];
    for (int64_t k = 0; k < d.size; ++k) {
      for (int i = 0; k + 8 < d.size && i < N; ++i) __builtin_prefetch(variances.row(d.terms[k + 8]) + at[i]);
#pragma GCC unroll 8
      for (int i = 0; i < N; ++i) pull[i] += d.values[k] * d.values[k] * variances.row(d.terms[k])[at[i]];
    }
    for (int i = 0; i < N; ++i) {
      Vector own = reinterpret_cast<const Vector*>(g)[at[i]];
      pull[i] = own != 0.0f ? 1.0f / (pull[i] + 0.1f) : Vector{};
      rate[i] = own * pull[i];
    }
    for (int64_t k = 0; k < d.size; ++k)
#pragma GCC unroll 8
      for (int i = 0; i < N; ++i) {
        Vector &w = weights.row(d.terms[k])[at[i]], &v = variances.row(d.terms[k])[at[i]], t = d.values[k] * v;
        w += rate[i] * t;
        v -= (pull[i] * t) * t;
      }
  }
};
struct Logistic : Rule {
  static constexpr bool beside = true;
  static Vector exp_of(Vector x) {
    x = x > -87.0f ? x : Vector{} - 87.0f;
    x = x < 88.0f ? x : Vector{} + 88.0f;
    Vector n = (x * 1.44269504f + 12582912.0f) - 12582912.0f, r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
    Vector series = 0.166666654f + r * (0.0416657959f + r * (0.00833345191f + r * (0.00139819995f + r * 0.000198756915f)));
    Vector power = (r * r) * (0.5f + r * series) + r + 1.0f;
    Integers exponent = (__builtin_convertvector(n, Integers) + 127) << 23;
    return power * reinterpret_cast<Vector&>(exponent);
  }
  static Vector step(Vector s, Vector y) { return y / (1.0f + exp_of(y * s)); }
  void update(const Table& weights, const Table& squares, const Document& d, const float* g, const int32_t*, int) {
    for (int64_t k = 0; k < d.size; ++k) {
      float *__restrict w = reinterpret_cast<float*>(weights.row(d.terms[k])), *__restrict u = reinterpret_cast<float*>(squares.row(d.terms[k]));
      for (int c = 0; c < stride; ++c) {
        float along = g[c] * d.values[k];
        u[c] += along * along;
        w[c] += 10.0f * along / (sqrtf(u[c]) + 1.0f);
      }
    }
  }
};

struct Stream {
  std::vector<int64_t> starts, label_starts;
  std::vector<int32_t> terms, labels;
  std::vector<float> values;
  Document operator[](size_t i) const {
    return {&terms[starts[i]], &values[starts[i]], starts[i + 1] - starts[i], starts.back() - starts[i],
            labels.data() + label_starts[i], labels.data() + label_starts[i + 1]};
  }
  size_t size() const { return starts.size() - 1; }
  // The same with one more feature that each document has: row 0.
  Stream with(float bias) const {
    Stream all{{0}, label_starts, {}, labels, {}};
    for (size_t i = 0; i < size(); ++i) {
      all.terms.push_back(0);
      all.values.push_back(bias);
      for (int64_t k = starts[i]; k < starts[i + 1]; ++k) {
        all.terms.push_back(terms[k] + 1);
        all.values.push_back(values[k]);
      }
      all.starts.push_back(int64_t(all.terms.size()));
    }
    return all;
  }
};

template <class Learner>
static void measure(const Stream& given, int64_t rows, int passes) {
  const Stream stream = Learner::bias > 0 ? given.with(Learner::bias) : given;
  std::vector<double> best(stream.size() / stretch, 1e9);
  int64_t wrong = 0;
  for (int pass = 0; pass < passes; ++pass) {
    Learner learner;
    Table weights(rows + 1, 0), beside(Learner::beside ? rows + 1 : 0, std::is_same_v<Learner, Linear<Arow>> ? 1 : 0);
    size_t i = 0;
    for (double& seconds : best) {
      const auto begin = std::chrono::steady_clock::now();
      for (size_t end = i + stretch; i < end; ++i) learner.learn(weights, beside, stream[i]);
      seconds = std::min(seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    wrong = learner.wrong;
  }
  const size_t half = best.size() / 2;
  double all = 0;
  for (size_t i = half; i < best.size(); ++i) all += best[i];
  printf("%zu %.9f %.6f\n", (best.size() - half) * stretch, all, double(wrong) / double(best.size() * stretch));
}

int main(int, char** argv) {
  const Stream stream{read<int64_t>(argv[2]), read<int64_t>(argv[5]), read<int32_t>(argv[3]), read<int32_t>(argv[6]), read<float>(argv[4])};
  const int64_t rows = atoll(argv[7]);
  const int passes = atoi(argv[8]);
  const std::string name = argv[1];
  if (name == "mmp") measure<Mmp>(stream, rows, passes);
  else if (name == "br") measure<Linear<Br>>(stream, rows, passes);
  else if (name == "pa") measure<Linear<Pa>>(stream, rows, passes);
  else if (name == "uneven") measure<Linear<Uneven>>(stream, rows, passes);
  else if (name == "arow") measure<Linear<Arow>>(stream, rows, passes);
  else if (name == "logistic") measure<Linear<Logistic>>(stream, rows, passes);
  else return 2;
}
