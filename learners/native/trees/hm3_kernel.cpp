// H-M3 with a kernel: in place of weights, for each document the truth less its marginals; scores are their sums by similarity.
#include "maximum_margin.hpp"
#include "similar.hpp"

namespace telex::TELEX_LEVEL {

namespace {

struct Differences {
  const Window& window;
  int32_t columns;
  int64_t stride;
  Array<float> gram, similar;  // gram: a row a document; similar: of those that differ
  Table differences;
  Array<int32_t> differing;  // the documents whose marginals differ from the truth, ascending
  Array<uint8_t> differs;

  Differences(const Window& window, const Similar& kernel, int32_t columns, Watch* watch)
      : window(window), columns(columns), stride(kernel.room()) {
    int64_t n = window.documents;
    check_memory_left(n * stride * int64_t(sizeof(float)));
    gram.resize(n * stride);
    for (int64_t row = 0; row < n && !(row % 64 == 0 && watch->ended(false)); ++row)
      kernel.of(document(window, row), gram.data + row * stride);
    differences.widen(columns, nullptr);
    differences.data.resize(n * differences.stride);
    differences.rows = n;
    similar.resize(n);
    differs.resize(n);
  }
  int64_t width() const { return differences.stride; }
  void load(const float* from) {
    for (int64_t row = 0; row < window.documents; ++row) {
      copy(differences.row(row), from + row * columns, columns);
      note(row);
    }
  }
  void save(float* to) const {
    for (int64_t row = 0; row < window.documents; ++row) copy(to + row * columns, differences.row(row), columns);
  }
  void note(int64_t row) {
    bool any = false;
    for (int32_t q = 0; q < columns; ++q) any |= differences.row(row)[q] != 0;
    if (!any || differs[row]) return;
    differs[row] = 1;
    differing.push(int32_t(row));
    for (int64_t i = differing.size - 1; i && differing[i - 1] > row; --i) {
      differing[i] = differing[i - 1];
      differing[i - 1] = int32_t(row);
    }
  }
  void sum(int64_t row, float* scores) {
    const float* all = gram.data + row * stride;
    for (int64_t i = 0; i < differing.size; ++i) similar[i] = all[differing[i]];
    TELEX_LEVEL::sum(differences, {differing.data, similar.data, differing.size, differing.size}, scores, nullptr);
  }
  void add(int64_t row, const float* change) {
    for (int32_t q = 0; q < columns; ++q) differences.row(row)[q] += change[q];
    note(row);
  }
  double length(int64_t row) const { return double(gram[row * stride + row]); }
  double squared() {
    Array<float> scores;
    scores.resize(differences.stride);
    double all = 0;
    for (int64_t i = 0; i < differing.size; ++i) {
      sum(differing[i], scores.data);
      for (int32_t q = 0; q < columns; ++q) all += double(differences.row(differing[i])[q]) * double(scores[q]);
    }
    return all;
  }
};

}  // namespace

void hm3_kernel(const Window& window, const Others& others, const Similarity& kernel, const Nodes& nodes, const Margins& margins,
                Solved& out) {
  Similar similar(others, kernel);
  Differences form(window, similar, 3 * nodes.count, margins.watch);
  MaximumMargin<Differences>(window, nodes, margins, out, form).fit();
}

}  // namespace telex::TELEX_LEVEL
