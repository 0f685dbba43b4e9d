// The pairs' weights of a feature that is still rare: only those that have moved. Half of all words of news occur a few times
// and would cost a whole row each.
#pragma once
#include "decoding.hpp"
#include "pairs.hpp"
#include "update.hpp"

namespace telex::TELEX_LEVEL {

// A perceptron that is trained: its target, 1 or -1; or once it is known to move, how far along the document. `late` is what
// its sums move by, of AROW how much variance goes.
struct Step {
  int32_t column;
  float length, late;
};

struct Rare {
  struct Entry {
    int32_t column;
    float weight;
  };
  Array<Entry> entries;  // columns ascend
  Array<float> sums;     // by entry, where weights are averaged; with AROW, how much variance is gone

  // Moves the weights and the sums of the columns in `steps`, which ascend, for a feature of value x.
  void move(const Step* steps, int64_t count, float x, bool summed, bool confident) {
    int64_t old = entries.size, fresh = 0;
    for (int64_t n = 0, i = 0; n < count; ++n) {
      while (i < old && entries[i].column < steps[n].column) ++i;
      fresh += i == old || entries[i].column != steps[n].column;
    }
    entries.resize(old + fresh);
    if (summed) sums.resize(old + fresh);
    Entry* e = entries.data;
    float* u = summed ? sums.data : nullptr;
    int64_t i = old - 1, to = old + fresh - 1;
    for (int64_t n = count - 1; n >= 0; --n) {
      for (; i >= 0 && e[i].column > steps[n].column; --i, --to) {
        e[to] = e[i];
        if (u) u[to] = u[i];
      }
      bool known = i >= 0 && e[i].column == steps[n].column;
      float w = known ? e[i].weight : 0.0f, sum = known && u ? u[i] : 0.0f;
      if (confident) {
        move_confidently(w, sum, x, steps[n].length, steps[n].late);
      } else {
        w += steps[n].length * x;
        if (u) sum += steps[n].late * x;
      }
      e[to] = {steps[n].column, w};
      if (u) u[to] = sum;
      --to;
      i -= known;
    }
  }
  // The first entry at or behind a column.
  int64_t find(int64_t column) const {
    int64_t i = 0, end = entries.size;
    while (i < end) {
      int64_t middle = (i + end) / 2;
      if (entries[middle].column < column) i = middle + 1;
      else end = middle;
    }
    return i;
  }
  int64_t bytes() const { return entries.capacity * int64_t(sizeof(Entry)) + sums.capacity * 4; }
};

// Over how many documents a perceptron's weights are averaged: those that it was trained on, or all that were learnt.
struct Mean {
  bool wanted;
  const int64_t* trainings;  // by column; null: all
  int64_t learnt;
  int64_t documents(int64_t column) const { return trainings ? trainings[column] : learnt; }
};

// What a feature of value x adds in all duels of labels: for the one and as much against the other, in ascending column.
struct Saying {
  double x;
  Mean mean;
  double* to;      // by label

  void add(int64_t u, int64_t v, float weight, const float* late) const {
    double part = x * double(weight);
    int64_t n = late ? mean.documents(pair_of(u, v)) : 0;
    if (n) part -= x * double(*late) / double(n);
    to[u] += part;
    to[v] -= part;
  }
  void add(const Rare& rare) const {
    for (int64_t i = 0, v = 1; i < rare.entries.size; ++i) {
      int64_t column = rare.entries[i].column;
      while (pair_of(0, v + 1) <= column) ++v;
      add(column - pair_of(0, v), v, rare.entries[i].weight, mean.wanted ? &rare.sums[i] : nullptr);
    }
  }
  // Of a feature that has a row, or where `slot` is negative, of one that was never met.
  void add(const Pairs& pairs, const Pairs& sums, int64_t slot, int64_t feature, int32_t known) const {
    for (int64_t v = 1, column = 0; v < known; ++v)
      for (int64_t u = 0; u < v; ++u, ++column)
        add(u, v, slot < 0 ? pairs.start(feature, column) : *pairs.at(slot, column),
            mean.wanted && slot >= 0 ? sums.at(slot, column) : nullptr);
  }
};

}  // namespace telex::TELEX_LEVEL
