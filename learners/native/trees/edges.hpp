// The labellings of a tree's edges, and the best labelling of the tree: sums go up, choices come down (Viterbi).
#pragma once
#include "../level.hpp"
#include "trees.hpp"

namespace telex::TELEX_LEVEL {

enum : int32_t { off = 0, on = 1, absent = 2 };  // the child off under a parent that is on; both on; both off

// Values of the 3 x nodes labellings of edges, a block for each labelling.
struct Edges {
  const Nodes& nodes;
  Array<double> without, with;  // by node: the best of all below it, where it is off and where it is on
  explicit Edges(const Nodes& nodes) : nodes(nodes) {
    without.resize(nodes.count);
    with.resize(nodes.count);
  }

  int32_t column(int32_t labelling, int32_t node) const { return labelling * nodes.count + node; }
  // Which labelling a set has at a node's edge.
  int32_t at(const uint8_t* set, int32_t node) const {
    int32_t parent = nodes.parents[node];
    return parent >= 0 && !set[parent] ? absent : set[node] ? on : off;
  }
  double sum(const double* values, const uint8_t* set) const {
    double all = 0;
    for (int32_t j = 0; j < nodes.count; ++j) all += values[column(at(set, j), j)];
    return all;
  }
  // Sums go up: `with` and `without` of every node.
  void up(const double* values) {
    clear(with.data, nodes.count);
    clear(without.data, nodes.count);
    for (int32_t j = nodes.count; j-- > 0;) {
      int32_t parent = nodes.parents[j];
      if (parent < 0) continue;
      double here = values[column(on, j)] + with[j], not_here = values[column(off, j)] + without[j];
      with[parent] += here > not_here ? here : not_here;
      without[parent] += values[column(absent, j)] + without[j];
    }
  }
  // By how much a node that is on is better than one that is off, its parent being on.
  double advantage(const double* values, int32_t node) const {
    return (values[column(on, node)] + with[node]) - (values[column(off, node)] + without[node]);
  }
  // After `up`: the set of the largest sum; a node that gains nothing is left out.
  void choose(const double* values, uint8_t* set) const {
    for (int32_t j = 0; j < nodes.count; ++j) {
      int32_t parent = nodes.parents[j];
      set[j] = (parent < 0 || set[parent]) && advantage(values, j) > 0;
    }
  }
};

}  // namespace telex::TELEX_LEVEL
