// H-M3 with weights: a row a feature, a column a labelling of an edge.
#include "documents.hpp"
#include "maximum_margin.hpp"

namespace telex::TELEX_LEVEL {

namespace {

struct Weights {
  const Window& window;
  int32_t columns;
  Table weights;
  Array<int32_t> moved;

  Weights(const Window& window, int32_t columns) : window(window), columns(columns) {
    weights.widen(columns, nullptr);
    weights.data.resize(window.features * weights.stride);
    weights.rows = window.features;
    moved.resize(columns);
  }
  int64_t width() const { return weights.stride; }
  void load(const float* from) {
    for (int64_t f = 0; f < window.features; ++f) copy(weights.row(f), from + f * columns, columns);
  }
  void save(float* to) const {
    for (int64_t f = 0; f < window.features; ++f) copy(to + f * columns, weights.row(f), columns);
  }
  void sum(int64_t row, float* scores) const { TELEX_LEVEL::sum(weights, document(window, row), scores, nullptr); }
  void add(int64_t row, const float* change) {
    int32_t count = 0;
    for (int32_t q = 0; q < columns; ++q)
      if (change[q] != 0) moved[count++] = q;
    if (count) TELEX_LEVEL::add(weights, document(window, row), change, moved.data, count, nullptr);
  }
  double length(int64_t row) const { return squared_length(document(window, row)); }
  double squared() const {
    double all = 0;
    for (int64_t f = 0; f < weights.rows; ++f)
      for (int32_t q = 0; q < columns; ++q) all += double(weights.row(f)[q]) * double(weights.row(f)[q]);
    return all;
  }
};

}  // namespace

void hm3(const Window& window, const Nodes& nodes, const Margins& margins, Solved& out) {
  Weights form(window, 3 * nodes.count);
  MaximumMargin<Weights>(window, nodes, margins, out, form).fit();
}

}  // namespace telex::TELEX_LEVEL
