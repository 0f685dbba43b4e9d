// Scores of a committee that is summed up: the bias, and a row of weights for each pivot of the document, in ascending order of
// ids, in float32.
#include <string.h>

#include "boosting.hpp"

namespace telex::TELEX_LEVEL {

namespace {

constexpr int64_t at_once = 256;  // features looked up before their rows are added

inline void add(float* __restrict__ to, const float* __restrict__ row, int64_t width) {
  for (int64_t j = 0; j < width; j += label_block)
    for (int64_t l = 0; l < label_block; ++l) to[j + l] += row[j + l];
}
inline void add_at(float* to, const int32_t* columns, const float* row, int64_t count) {
  for (int64_t e = 0; e < count; e += 4)
    for (int64_t l = 0; l < 4; ++l) to[columns[e + l]] += row[e + l];
}
inline void decide(uint8_t* __restrict__ on, const float* __restrict__ scores, int64_t width) {
  for (int64_t j = 0; j < width; j += label_block)
    for (int64_t l = 0; l < label_block; ++l) on[j + l] = scores[j + l] > 0;
}

}  // namespace

void score(const Collapsed& c, int64_t documents, const int64_t* indptr, const int32_t* features, const float* values,
           float* scores, uint8_t* relevant) {
  const int64_t width = c.width, reach = c.reach, *starts = c.rows;
  const int32_t* const lookup = c.lookup;
  int32_t rows[at_once];
  for (int64_t i = 0; i < documents; ++i) {
    float* to = scores + i * width;
    memcpy(to, c.bias, size_t(width) * sizeof(float));
    for (int64_t from = indptr[i]; from < indptr[i + 1]; from += at_once) {
      int64_t end = from + at_once < indptr[i + 1] ? from + at_once : indptr[i + 1], count = 0;
      for (int64_t k = from; k < end; ++k) {  // without a branch: which features are pivots is as good as chance
        rows[count] = lookup[features[k] < reach ? features[k] : reach];
        count += int64_t(rows[count] >= 0) & int64_t(values[k] != 0);
      }
      for (int64_t k = 0; k < count; ++k) {
        int64_t at = starts[rows[k]], size = starts[rows[k] + 1] - at;
        if (size == width) add(to, c.weights + at, width);
        else add_at(to, c.columns + at, c.weights + at, size);
      }
    }
    decide(relevant + i * width, to, width);
  }
}

}  // namespace telex::TELEX_LEVEL
