// Scores of a committee that is summed up: the bias, and a row of weights for each pivot of the document, in ascending order of
// ids, in float32.
#include "boosting.hpp"

namespace telex::TELEX_LEVEL {

namespace {

inline void add(float* to, const float* row, int64_t count) {
  for (int64_t j = 0; j < count; ++j) to[j] += row[j];
}

}  // namespace

void score(const Collapsed& c, int64_t documents, const int64_t* indptr, const int32_t* features, const float* values,
           float* scores, uint8_t* relevant) {
  for (int64_t i = 0; i < documents; ++i) {
    float* to = scores + i * c.labels;
    uint8_t* on = relevant + i * c.labels;
    for (int64_t j = 0; j < c.labels; ++j) to[j] = c.bias[j];
    for (int64_t k = indptr[i]; k < indptr[i + 1]; ++k) {
      int64_t row = features[k] < c.reach ? c.lookup[features[k]] : -1;
      if (row < 0 || values[k] == 0) continue;
      const float* weights = c.weights + c.rows[row];
      if (c.dense[row]) {
        add(to, weights, c.labels);
      } else {
        int64_t size = c.rows[row + 1] - c.rows[row];
        const int32_t* columns = c.columns + c.rows[row];
        for (int64_t e = 0; e < size; ++e) to[columns[e]] += weights[e];
      }
    }
    for (int64_t j = 0; j < c.labels; ++j) on[j] = to[j] > 0;
  }
}

}  // namespace telex::TELEX_LEVEL
