// A tree whose leaves are labels. All leaves are at the same depth, and an inner node has as many places for children as the
// arity says: a label takes an empty place. When all are taken, the root becomes the first child of a new one.
#pragma once
#include "state.hpp"

namespace telex::TELEX_LEVEL {

// A family is the children of one node. Family 0 has the root alone, in its first place; family 1 is what the family of the next
// root will have been: the root in its first place, and nothing in the others. A node is its family times the arity, and its place.
struct LabelTree {
  static constexpr int32_t top = 0, spare = 1;
  int64_t arity;
  int32_t height = 0, root = -1, families = 2;  // root: its children's family
  int64_t room = 0;                             // places for labels
  Array<int32_t> child;                         // by node: a label's column and 1, or its children's family; 0: empty
  Array<int32_t> below;                         // by node: labels
  Array<int64_t> above;                         // by family: the node whose children it has
  Array<int32_t> heights;                       // by family, 1: of labels
  Array<int64_t> leaves;                        // by column: the node
  Array<int32_t> homes;                         // by column: its family

  explicit LabelTree(int64_t arity) : arity(arity) {}
  int32_t labels() const { return int32_t(leaves.size); }
  int64_t room_below(int32_t family) const {  // of each child
    int64_t all = 1;
    for (int32_t h = heights[family]; h > 1; --h) all *= arity;
    return all;
  }
  int64_t bytes() const {
    return 4 * (child.capacity + below.capacity + heights.capacity + homes.capacity) + 8 * (above.capacity + leaves.capacity);
  }

  int32_t open(int64_t node, int32_t high) {
    int32_t family = families++;
    child.resize(families * arity);
    below.resize(families * arity);
    above.resize(families);
    heights.resize(families);
    above[family] = node;
    heights[family] = high;
    return family;
  }
  bool full() const { return labels() == room; }
  // Puts a new root above the old one.
  void grow() {
    int32_t old = root;
    root = open(0, ++height);
    room = old < 0 ? arity : room * arity;
    if (old < 0) return;
    child[root * arity] = old;
    below[root * arity] = labels();
    above[old] = root * arity;
  }
  // Gives the next label the place to which `choose(family)` leads, and says whether it was empty.
  template <class Choose>
  bool add(const Choose& choose) {
    int32_t family = root;
    for (int32_t high = height; high > 1; --high) {
      int64_t node = family * arity + choose(family);
      if (!child[node]) {
        int32_t opened = open(node, high - 1);
        child[node] = opened;
      }
      ++below[node];
      family = child[node];
    }
    int64_t node = family * arity + choose(family);
    if (child[node]) return false;
    child[node] = labels() + 1;
    below[node] = 1;
    leaves.push(node);
    homes.push(family);
    return true;
  }
  // Calls `see(family, place)` for the nodes from a label up to the root.
  template <class See>
  void up(int32_t column, const See& see) const {
    int64_t node = leaves[column];
    for (;;) {
      int32_t family = int32_t(node / arity);
      see(family, int32_t(node % arity));
      if (family == top) return;
      node = above[family];
    }
  }
  // A label's place among all, as a number whose digits are the places on its path.
  int64_t place(int32_t column) const {
    int64_t number = 0, unit = 1;
    up(column, [&](int32_t family, int32_t at) {
      if (family != top) number += at * unit;
      unit *= arity;
    });
    return number;
  }
  // Gives the next label a place by its number, if that is there and empty.
  bool add_at(int64_t number) {
    if (full()) grow();
    if (number < 0 || number >= room) return false;
    return add([&](int32_t family) {
      int64_t unit = room_below(family);
      return int32_t(number / unit % arity);
    });
  }
};

}  // namespace telex::TELEX_LEVEL
