// What naive Bayes counts of a document: its weights, the counts of its terms, or the logs of those at the same length.
#pragma once
#include "log.hpp"

namespace telex::TELEX_LEVEL {

constexpr const char* countings[] = {"unit", "terms", "weights", nullptr};
enum Counting { unit, terms, weights };

// One number a feature, in `room` or the batch itself; a batch without counts of terms is counted by its values. `unit` damps
// counts, and gives all documents the same length to learn from; an ask counts as much more as it has features, to the power of
// 1/4: naive Bayes takes features for independent, and the more of them there are, the less they are.
inline const float* counted_of(const Documents& d, int64_t row, Counting counting, bool asked, Array<float>& room) {
  int64_t first = d.indptr[row], size = d.indptr[row + 1] - first;
  const float* given = (counting != weights && d.counts ? d.counts : d.values) + first;
  if (counting != unit) return given;
  int64_t whole = round_up(size, lanes);
  room.resize(whole);
  copy(room.data, given, size);
  clear(room.data + size, whole - size);
  for (int64_t k = 0; k < whole; k += lanes) {
    Vector& x = *reinterpret_cast<Vector*>(room.data + k);
    x = log_of(1.0f + (x > 0 ? x : Vector{}));
  }
  double squares = 0;
  int64_t there = 0;
  for (int64_t k = 0; k < size; ++k) {
    squares += double(room[k]) * double(room[k]);
    there += room[k] > 0;
  }
  if (!there) return room.data;
  double by = (asked ? __builtin_sqrt(__builtin_sqrt(double(there))) : 1) / __builtin_sqrt(squares);
  for (int64_t k = 0; k < size; ++k) room[k] = float(double(room[k]) * by);
  return room.data;
}

}  // namespace telex::TELEX_LEVEL
