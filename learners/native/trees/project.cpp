// The closed set nearest to the scores of a document: sums go up, choices come down, as in edges.hpp, with a node's own distance
// from its cut in the place of edges. docs/definitions.md ("Trees") has the definition, tests/oracles/projection.py follows it.
#include "../own_cut.hpp"
#include "trees.hpp"

namespace telex::TELEX_LEVEL {

namespace {

// The labels known at an ask, each after its nearest known ancestor.
struct KnownNodes {
  const LabelNodes& labels;
  Array<int32_t> columns, above;      // by position; `above` is the ancestor's position, -1 for none
  Array<int32_t> column_of, nearest;  // by node of the tree; -1 for none
  int32_t known = -1, count = 0;

  KnownNodes(const LabelNodes& labels, int64_t width) : labels(labels) {
    columns.resize(width);
    above.resize(width);
    column_of.resize(labels.tree.count);
    nearest.resize(labels.tree.count);
  }
  void take(int32_t number) {
    if (number == known) return;
    known = number;
    count = 0;
    for (int32_t j = 0; j < labels.tree.count; ++j) column_of[j] = -1;
    for (int32_t c = 0; c < known; ++c) column_of[labels.nodes[c]] = c;
    for (int32_t j = 0; j < labels.tree.count; ++j) {
      int32_t parent = labels.tree.parents[j], up = parent < 0 ? -1 : nearest[parent];
      nearest[j] = column_of[j] < 0 ? up : count;
      if (column_of[j] < 0) continue;
      columns[count] = column_of[j];
      above[count++] = up;
    }
  }
};

// How far a score is above the cut: below 0 outside the set, above 0 inside, so that a closed set stays as it is.
double distance(float score, float cut, bool inside) {
  constexpr double least = 0x1p-149;
  double size = __builtin_fabs(double(score) - double(cut));
  if (!inside) return -size;
  return size > least ? size : least;
}

}  // namespace

void project(const Decided& d, const LabelNodes& labels, uint8_t* projected, Watch& watch) {
  KnownNodes nodes(labels, d.width);
  Array<double> sums;
  sums.resize(d.width);
  for (int64_t k = 0; k < d.asks; ++k) {
    int32_t known = d.known[k];
    // No exception may pass: the arrays here would stay behind.
    if (used_up(&watch, 8 * int64_t(known) + (known == nodes.known ? 0 : labels.tree.count)) && watch.ended(true)) return;
    nodes.take(known);
    const float *s = d.scores + k * d.width, *cuts = d.cuts ? d.cuts + k * d.width : nullptr;
    const uint8_t* own = d.relevant + k * d.width;
    uint8_t* set = projected + k * d.width;
    float cut = cuts ? 0 : cut_of(s, own, known);
    clear(sums.data, nodes.count);
    for (int32_t i = nodes.count; i-- > 0;) {
      int32_t c = nodes.columns[i], up = nodes.above[i];
      sums[i] += distance(s[c], cuts ? cuts[c] : cut, own[c]);
      if (up >= 0 && sums[i] > 0) sums[up] += sums[i];
    }
    for (int32_t i = 0; i < nodes.count; ++i) {
      int32_t up = nodes.above[i];
      set[nodes.columns[i]] = sums[i] > 0 && (up < 0 || set[nodes.columns[up]]);
    }
  }
}

}  // namespace telex::TELEX_LEVEL
