// Regularised least squares, one a node, on the documents of its parent: the children of a node are solved together, by conjugate
// gradients (Hestenes, Stiefel 1952) on (strength I + X'X) w = X'y.
#include "documents.hpp"

namespace telex::TELEX_LEVEL {

namespace {

constexpr int32_t together = 16;  // children; sums of one never meet those of another
typedef double Sums[together];

struct Squares {
  const Window& window;
  const Nodes& nodes;
  const Ridge& ridge;
  Array<int64_t> rows;      // the documents of the parent
  Array<int32_t> children;  // those that are solved now
  Array<double> weights, rest, direction, image;  // features x together
  Sums length, goal;        // of the rest of each child, squared
  int64_t cells;

  Squares(const Window& window, const Nodes& nodes, const Ridge& ridge) : window(window), nodes(nodes), ridge(ridge) {
    cells = window.features * together;
    Array<double>* all[] = {&weights, &rest, &direction, &image};
    for (Array<double>* one : all) one->resize(cells);
    rows.resize(window.documents);
    children.resize(together);
  }
  bool has(int64_t row, int32_t node) const { return window.relevant[row * nodes.count + node]; }
  double* at(Array<double>& array, int32_t f) { return array.data + int64_t(f) * together; }

  void add(Array<double>& to, int64_t row, const double* sums) {
    Document doc = document(window, row);
    for (int64_t k = 0; k < doc.size; ++k) {
      double x = double(doc.values[k]), *cell = at(to, doc.features[k]);
      for (int32_t c = 0; c < together; ++c) cell[c] += x * sums[c];
    }
  }
  // image = (strength I + X'X) direction
  void apply(int64_t count) {
    for (int64_t i = 0; i < cells; ++i) image[i] = ridge.strength * direction[i];
    for (int64_t i = 0; i < count; ++i) {
      Document doc = document(window, rows[i]);
      Sums sums = {};
      for (int64_t k = 0; k < doc.size; ++k) {
        double x = double(doc.values[k]), *cell = at(direction, doc.features[k]);
        for (int32_t c = 0; c < together; ++c) sums[c] += x * cell[c];
      }
      add(image, rows[i], sums);
    }
  }
  void product(const Array<double>& one, const Array<double>& other, double* sums) const {
    clear(sums, together);
    for (int64_t i = 0; i < cells; i += together)
      for (int32_t c = 0; c < together; ++c) sums[c] += one[i + c] * other[i + c];
  }
  // One step of each child that is not at its end; false where all are.
  bool step(int64_t count) {
    apply(count);
    Sums curved, far, ratio, now;
    product(direction, image, curved);
    for (int32_t c = 0; c < together; ++c) far[c] = length[c] > goal[c] && curved[c] > 0 ? length[c] / curved[c] : 0;
    for (int64_t i = 0; i < cells; i += together)
      for (int32_t c = 0; c < together; ++c) {
        weights[i + c] += far[c] * direction[i + c];
        rest[i + c] -= far[c] * image[i + c];
      }
    product(rest, rest, now);
    bool more = false;
    for (int32_t c = 0; c < together; ++c) {
      ratio[c] = length[c] > 0 ? now[c] / length[c] : 0;
      length[c] = now[c];
      more |= far[c] > 0 && length[c] > goal[c];
    }
    for (int64_t i = 0; i < cells; i += together)
      for (int32_t c = 0; c < together; ++c) direction[i + c] = rest[i + c] + ratio[c] * direction[i + c];
    return more;
  }
  // The children in hand, on the first `count` of the rows; false where a signal ends it.
  bool solve(int64_t count, int32_t size, float* to) {
    clear(weights.data, cells);
    clear(rest.data, cells);
    for (int64_t i = 0; i < count; ++i) {
      Sums y = {};
      for (int32_t c = 0; c < size; ++c) y[c] = has(rows[i], children[c]) ? 1 : -1;
      add(rest, rows[i], y);
    }
    copy(direction.data, rest.data, cells);
    product(rest, rest, length);
    for (int32_t c = 0; c < together; ++c) goal[c] = length[c] * ridge.tolerance * ridge.tolerance;
    for (int64_t p = 0; p < ridge.steps && step(count); ++p)
      if (ridge.watch->ended(false)) return false;
    for (int64_t f = 0; f < window.features; ++f)
      for (int32_t c = 0; c < size; ++c) to[f * nodes.count + children[c]] = float(weights[f * together + c]);
    return true;
  }
  bool fit(int32_t parent, float* to) {
    int64_t count = 0;
    for (int64_t row = 0; row < window.documents; ++row)
      if (parent < 0 || has(row, parent)) rows[count++] = row;
    int32_t size = 0;
    for (int32_t node = parent + 1; node < nodes.count; ++node) {
      if (nodes.parents[node] == parent) children[size++] = node;
      if (size < together && (node + 1 < nodes.count || !size)) continue;
      if (!solve(count, size, to)) return false;
      size = 0;
    }
    return true;
  }
};

}  // namespace

void rls(const Window& window, const Nodes& nodes, const Ridge& ridge, float* weights) {
  Squares one(window, nodes, ridge);
  for (int32_t parent = -1; parent < nodes.count; ++parent)
    if (!one.fit(parent, weights)) return;
}

}  // namespace telex::TELEX_LEVEL
