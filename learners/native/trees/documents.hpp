// The documents of a window, one by one.
#pragma once
#include "../level.hpp"
#include "trees.hpp"

namespace telex::TELEX_LEVEL {

inline Document document(const Window& w, int64_t row) {
  int64_t first = w.indptr[row];
  return {w.terms + first, w.values + first, w.indptr[row + 1] - first, w.indptr[w.documents] - first};
}
inline double squared_length(const Document& doc) {
  double all = 0;
  for (int64_t k = 0; k < doc.size; ++k) all += double(doc.values[k]) * double(doc.values[k]);
  return all;
}

}  // namespace telex::TELEX_LEVEL
