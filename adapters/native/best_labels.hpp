// The best labels of a document, and the labels predicted for it, in the orders in which predictions show them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../../learners/native/ties.hpp"

namespace telex::messages {

using TELEX_LEVEL::Ties;

struct Candidate {
  double score;  // NaN counts as the lowest
  int32_t column;
};

// Finds the best labels of documents one after the other: the best score first, ties by key, then by column.
class BestLabels {
 public:
  explicit BestLabels(size_t top) : top_(top) {}

  template <class Score>
  const std::vector<Candidate>& of(const Score* scores, int32_t known, const Ties& ties) {
    auto before = [&](const Candidate& a, const Candidate& b) {
      return a.score != b.score ? a.score > b.score : ties.before(a.column, b.column);
    };
    found_.clear();
    if (!top_) return found_;
    // The worst of those found so far is at the front of the heap.
    for (int32_t column = 0; column < known; ++column) {
      double score = double(scores[column]);
      Candidate one{std::isnan(score) ? -std::numeric_limits<double>::infinity() : score, column};
      if (found_.size() < top_) {
        found_.push_back(one);
        std::push_heap(found_.begin(), found_.end(), before);
      } else if (one.score >= found_.front().score && before(one, found_.front())) {
        std::pop_heap(found_.begin(), found_.end(), before);
        found_.back() = one;
        std::push_heap(found_.begin(), found_.end(), before);
      }
    }
    std::sort_heap(found_.begin(), found_.end(), before);
    return found_;
  }

 private:
  const size_t top_;
  std::vector<Candidate> found_;
};

// The columns that are predicted, in the order of `ranks`.
inline void predicted(const bool* relevant, int32_t known, const int32_t* ranks, std::vector<int32_t>& found) {
  found.clear();
  for (int32_t column = 0; column < known; ++column)
    if (relevant[column]) found.push_back(column);
  std::sort(found.begin(), found.end(), [&](int32_t a, int32_t b) { return ranks[a] < ranks[b]; });
}

}  // namespace telex::messages
