// What the kernels of boosting share: documents as sets of terms, the room they work in, the table of a level's functions.
#pragma once
#include <cstdint>

#include "../interface.hpp"

namespace telex {

struct Team;

enum class Variant { real, abstaining, discrete };

// Terms are numbered by how many documents they are in, the most common first, so that what is touched often lies close
// together; `rank` is a term's place in the order that decides ties.
struct Problem {
  int64_t documents, terms, categories, rounds;
  Variant variant;
  double eps;
  const int64_t* rows;       // a document's terms, ascending
  const int32_t* row_terms;
  const uint16_t* short_terms;  // the same, none where there are more than they can number
  const int64_t* columns;    // a term's documents, ascending
  const int32_t* column_rows;
  const int32_t* rank;
  const int64_t* answers;    // a document's categories, ascending
  const int32_t* answer_categories;
  const int64_t* members;    // a category's documents, ascending
  const int32_t* member_rows;
  const int64_t* member_places;  // where each member is in `answer_categories`
  Watch* watch;  // asked between two rounds: once it has ended, the caller drops the result
};

// Of each round: the pivot (a term's number) and the two values. MP-Boost has a pivot a category, AdaBoost.MH one for all.
struct Rounds {
  int32_t* pivots;
  double *absent, *present;  // a row of `categories` a round
};

// Where one category is worked on.
struct Room {
  double *positive, *negative;  // a term's summed weights, by sign
  int32_t* candidates;
  double* found;
  uint8_t *relevant, *mark;  // by document
};

struct Statistics {
  int64_t width;              // categories, rounded up to whole vectors
  int64_t common;             // the first terms, whose sums are kept up to date; the others are bounded
  double* negative_weights;   // documents x width, 0 where the category is right
  double* positive_weights;   // beside answer_categories
  double *positive, *negative;  // common x width
  double* column;             // a number a term
  double* screened;           // a number a term
  double* gains;              // a number a document
  double* lines;              // some rows of `width`
  int32_t *candidates, *counts;
  uint8_t* mark;
  int threads;
};
constexpr int64_t lines_needed = 16;

// The committee summed up: a row of weights for each pivot. Labels are filled up to blocks, whose rest stays 0.
constexpr int64_t label_block = 16;
struct Collapsed {
  int64_t width, reach;   // ids below `reach` have an entry in `lookup`: a row, or -1; one more entry, -1, is for all others
  const int32_t* lookup;
  const int64_t* rows;    // where a row's entries are: `width` of them, one a label, or fewer, in fours
  const int32_t* columns;
  const float *weights, *bias;
};

struct BoostingKernels {
  const char* name;
  void (*multiple_pivots)(const Problem&, int64_t category, double* weights, const Room&, const Rounds&);
  void (*one_pivot)(const Problem&, const Statistics&, const Rounds&);
  void (*score)(const Collapsed&, int64_t documents, const int64_t* indptr, const int32_t* features, const float* values,
                float* scores, uint8_t* relevant);
};
extern const BoostingKernels boosting_base, boosting_v3, boosting_v4;

}  // namespace telex
