// The closed set nearest to the scores of a document: sums go up, choices come down, as in edges.hpp, with a node's own distance
// from its cut in the place of edges. docs/definitions.md ("Trees") has the definition, tests/oracles/projection.py follows it.
#include "../own_cut.hpp"
#include "trees.hpp"

namespace telex::TELEX_LEVEL {

namespace {

// The labels known at an ask, each at a position after that of its nearest known ancestor.
struct KnownNodes {
  const LabelNodes& labels;
  Array<int32_t> columns, above, positions;  // by position: the column, and the ancestor's position (-1: none); by column: the position
  Array<int32_t> column_of, nearest;         // by node of the tree; -1 for none
  int32_t known = -1, count = 0;

  KnownNodes(const LabelNodes& labels, int64_t width) : labels(labels) {
    columns.resize(width);
    above.resize(width);
    positions.resize(width);
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
      int32_t parent = labels.tree.parents[j], up = parent < 0 ? -1 : nearest[parent], c = column_of[j];
      nearest[j] = c < 0 ? up : count;
      if (c < 0) continue;
      columns[count] = c;
      above[count] = up;
      positions[c] = count++;
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

// The nodes that can be in the best set: the labels of the learner's set and their ancestors. Any other has a sum below 0.
struct Candidates {
  const KnownNodes& nodes;
  Array<int32_t> inside;   // positions of the learner's set
  Array<uint64_t> marked;  // a bit a position, zeros between two documents
  Array<double> sums;
  int32_t count = 0;

  Candidates(const KnownNodes& nodes, int64_t width) : nodes(nodes) {
    inside.resize(width + 1);  // one behind the last is written, and never read
    marked.resize(width / 64 + 1);
    sums.resize(width);
  }
  void take(const uint8_t* set) {
    count = 0;
    int32_t c = 0;
    for (uint64_t eight; c + 8 <= nodes.known; c += 8) {
      memcpy(&eight, set + c, 8);
      if (!eight) continue;
      for (int32_t b = c; b < c + 8; ++b) take(set, b);
    }
    for (; c < nodes.known; ++c) take(set, c);
  }
  void take(const uint8_t* set, int32_t c) {
    inside[count] = nodes.positions[c];
    count += set[c] != 0;
  }
  bool closed(const uint8_t* set) const {
    for (int32_t k = 0; k < count; ++k) {
      int32_t up = nodes.above[inside[k]];
      if (up >= 0 && !set[nodes.columns[up]]) return false;
    }
    return true;
  }
  void mark() {
    for (int32_t k = 0; k < count; ++k)
      for (int32_t i = inside[k]; i >= 0 && !(marked[i / 64] >> i % 64 & 1); i = nodes.above[i]) {
        marked[i / 64] |= uint64_t(1) << i % 64;
        sums[i] = 0;
      }
  }
  // Calls `step` for each marked position, the last first.
  template <class Step>
  void up(const Step& step) const {
    for (int32_t w = nodes.count / 64; w >= 0; --w)
      for (uint64_t left = marked[w]; left;) {
        int32_t bit = 63 - __builtin_clzll(left);
        left ^= uint64_t(1) << bit;
        step(w * 64 + bit);
      }
  }
  // The same from the first on, and leaves none marked.
  template <class Step>
  void down(const Step& step) {
    for (int32_t w = 0; w <= nodes.count / 64; ++w) {
      for (uint64_t left = marked[w]; left; left &= left - 1) step(w * 64 + __builtin_ctzll(left));
      marked[w] = 0;
    }
  }
};

}  // namespace

void project(const Decided& d, const LabelNodes& labels, uint8_t* projected, Watch& watch) {
  KnownNodes nodes(labels, d.width);
  Candidates some(nodes, d.width);
  for (int64_t k = 0; k < d.asks; ++k) {
    int32_t known = d.known[k];
    // No exception may pass: the arrays here would stay behind.
    if (used_up(&watch, 8 * int64_t(known) + (known == nodes.known ? 0 : labels.tree.count)) && watch.ended(true)) return;
    nodes.take(known);
    const float *s = d.scores + k * d.width, *cuts = d.cuts ? d.cuts + k * d.width : nullptr;
    const uint8_t* own = d.relevant + k * d.width;
    uint8_t* set = projected + k * d.width;
    copy(set, own, known);
    some.take(own);
    if (some.closed(own)) continue;
    some.mark();
    float cut = cuts ? 0 : cut_of(s, own, known);
    some.up([&](int32_t i) {
      int32_t c = nodes.columns[i], up = nodes.above[i];
      some.sums[i] += distance(s[c], cuts ? cuts[c] : cut, own[c]);
      if (up >= 0 && some.sums[i] > 0) some.sums[up] += some.sums[i];
    });
    some.down([&](int32_t i) {
      int32_t up = nodes.above[i];
      set[nodes.columns[i]] = some.sums[i] > 0 && (up < 0 || set[nodes.columns[up]]);
    });
  }
}

}  // namespace telex::TELEX_LEVEL
