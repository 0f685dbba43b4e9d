// The pairs' weights of a feature that is still rare: only those that have moved. Half of all words of news occur a few times
// and would cost a whole row each.
#pragma once
#include "pairs.hpp"

namespace telex::TELEX_LEVEL {

// A perceptron that is trained, and the sign it should have had.
struct Step {
  int32_t column;
  float sign;
};

struct Rare {
  Array<int32_t> columns;  // ascending
  Array<float> weights, sums;

  // Adds up * sign * x to the weights of the columns in `steps`, which ascend; and to `sums`, where it is given, late * sign * x.
  void move(const Step* steps, int64_t count, float x, float up, bool averaged, float late) {
    int64_t old = columns.size, fresh = 0;
    for (int64_t n = 0, i = 0; n < count; ++n) {
      while (i < old && columns[i] < steps[n].column) ++i;
      fresh += i == old || columns[i] != steps[n].column;
    }
    columns.resize(old + fresh);
    weights.resize(old + fresh);
    if (averaged) sums.resize(old + fresh);
    int64_t i = old - 1, to = old + fresh - 1;
    for (int64_t n = count - 1; n >= 0; --n) {
      while (i >= 0 && columns[i] > steps[n].column) carry(i--, to--, averaged);
      bool known = i >= 0 && columns[i] == steps[n].column;
      weights[to] = (known ? weights[i] : 0.0f) + steps[n].sign * up * x;
      if (averaged) sums[to] = (known ? sums[i] : 0.0f) + steps[n].sign * late * x;
      columns[to--] = steps[n].column;
      i -= known;
    }
  }
  void carry(int64_t from, int64_t to, bool averaged) {
    columns[to] = columns[from];
    weights[to] = weights[from];
    if (averaged) sums[to] = sums[from];
  }

  // sums[c - base] += x w_c for the columns of [from, to).
  void add(const float* w, float x, int64_t from, int64_t to, int64_t base, float* out) const {
    int64_t i = 0, end = columns.size;
    while (i < end) {
      int64_t middle = (i + end) / 2;
      if (columns[middle] < from) i = middle + 1;
      else end = middle;
    }
    for (; i < columns.size && columns[i] < to; ++i) out[columns[i] - base] += x * w[i];
  }
  int64_t bytes() const { return columns.capacity * 4 + weights.capacity * 4 + sums.capacity * 4; }
};

}  // namespace telex::TELEX_LEVEL
