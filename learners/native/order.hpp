// Sorting in place, and ranks among many labels: no longer than n log n, whatever the input.
#pragma once
#include "ties.hpp"

namespace telex::TELEX_LEVEL {

// Sorts so that of two neighbours the first is not behind: `before(a, b)` is a strict order.
template <class Before>
inline void sort(int32_t* items, int64_t size, const Before& before) {
  if (size <= 32) {
    for (int64_t i = 1; i < size; ++i) {
      int32_t value = items[i];
      int64_t at = i;
      for (; at && before(value, items[at - 1]); --at) items[at] = items[at - 1];
      items[at] = value;
    }
    return;
  }
  auto sink = [&](int64_t at, int64_t end) {  // the heap has the last one on top
    int32_t value = items[at];
    for (int64_t child; (child = 2 * at + 1) < end; at = child) {
      child += child + 1 < end && before(items[child], items[child + 1]);
      if (!before(value, items[child])) break;
      items[at] = items[child];
    }
    items[at] = value;
  };
  for (int64_t at = size / 2; at-- > 0;) sink(at, size);
  for (int64_t end = size - 1; end > 0; --end) {
    int32_t last = items[0];
    items[0] = items[end];
    items[end] = last;
    sink(0, end);
  }
}
inline void sort(int32_t* items, int64_t size) {
  sort(items, size, [](int32_t a, int32_t b) { return a < b; });
}

// The order of a ranking: by score, ties by their key. Scores that are no number have no place in it.
struct Ranked {
  const float* scores;
  const Ties& ties;
  bool operator()(int32_t a, int32_t b) const {
    return scores[a] > scores[b] || (scores[a] == scores[b] && a != b && ties.before(a, b));
  }
};

// The first of some sorted items that `behind(item)` holds of, and of all after it.
template <class Behind>
inline int64_t first_behind(const int32_t* items, int64_t size, const Behind& behind) {
  int64_t first = 0;
  for (int64_t end = size; first < end;) {
    int64_t middle = (first + end) / 2;
    if (behind(items[middle])) end = middle;
    else first = middle + 1;
  }
  return first;
}

// From so many labels of a document on, sorting them is faster than to compare each with all labels.
constexpr int32_t worth_sorting = 256;

}  // namespace telex::TELEX_LEVEL
