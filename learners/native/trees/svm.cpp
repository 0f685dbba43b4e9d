// Linear support vector machines, one a node: dual coordinate descent (Hsieh, Chang, Lin, Keerthi, Sundararajan 2008), hinge loss.
#include "../level.hpp"
#include "../ties.hpp"
#include "trees.hpp"

namespace telex::TELEX_LEVEL {

namespace {

struct Svm {
  const Window& window;
  const Nodes& nodes;
  const Machines& machines;
  Array<double> weights, alpha, length;
  Array<int64_t> rows;  // the documents of a node

  Svm(const Window& window, const Nodes& nodes, const Machines& machines) : window(window), nodes(nodes), machines(machines) {
    weights.resize(window.features);
    alpha.resize(window.documents);
    length.resize(window.documents);
    rows.resize(window.documents);
    for (int64_t row = 0; row < window.documents; ++row)
      for (int64_t k = window.indptr[row]; k < window.indptr[row + 1]; ++k)
        length[row] += double(window.values[k]) * double(window.values[k]);
  }
  bool has(int64_t row, int32_t node) const { return window.relevant[row * nodes.count + node]; }

  // One pass over the documents of a node; returns by how much the optimality conditions are violated at most.
  double pass(int32_t node, int64_t count, uint64_t salt) {
    double most = -1e300, least = 1e300;
    for (int64_t i = count; i-- > 1;) {
      int64_t other = int64_t(mix(salt ^ uint64_t(i)) % uint64_t(i + 1)), row = rows[i];
      rows[i] = rows[other];
      rows[other] = row;
    }
    for (int64_t i = 0; i < count; ++i) {
      int64_t row = rows[i];
      double y = has(row, node) ? 1 : -1, score = 0;
      int64_t first = window.indptr[row], last = window.indptr[row + 1];
      for (int64_t k = first; k < last; ++k) score += weights[window.terms[k]] * double(window.values[k]);
      double gradient = y * score - 1, down = gradient, old = alpha[row];
      if (old <= 0 && gradient > 0) down = 0;
      if (old >= machines.strength && gradient < 0) down = 0;
      if (down > most) most = down;
      if (down < least) least = down;
      if (down == 0 || !(length[row] > 0)) continue;
      double now = old - gradient / length[row];
      now = now < 0 ? 0 : now > machines.strength ? machines.strength : now;
      alpha[row] = now;
      double step = (now - old) * y;
      for (int64_t k = first; k < last; ++k) weights[window.terms[k]] += step * double(window.values[k]);
    }
    return count ? most - least : 0;
  }
  bool fit(int32_t node, float* to) {
    int64_t count = 0;
    int32_t parent = nodes.parents[node];
    clear(alpha.data, window.documents);
    clear(weights.data, window.features);
    for (int64_t row = 0; row < window.documents; ++row)
      if (!machines.of_parent || parent < 0 || has(row, parent)) rows[count++] = row;
    for (int64_t p = 0; p < machines.passes; ++p) {
      if (machines.watch->ended(false)) return false;
      if (pass(node, count, mix(mix(machines.seed ^ uint64_t(node)) ^ uint64_t(p))) <= machines.tolerance) break;
    }
    for (int64_t f = 0; f < window.features; ++f) to[f * nodes.count + node] = float(weights[f]);
    return true;
  }
};

}  // namespace

void svm(const Window& window, const Nodes& nodes, const Machines& machines, float* weights) {
  Svm one(window, nodes, machines);
  for (int32_t node = 0; node < nodes.count; ++node)
    if (!one.fit(node, weights)) return;
}

}  // namespace telex::TELEX_LEVEL
