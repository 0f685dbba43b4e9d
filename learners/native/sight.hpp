// A document with its bias as one more feature, for kernels that have its features in more than rows of weights.
#pragma once
#include "table.hpp"

namespace telex::TELEX_LEVEL {

// The scores of a document; and the document as the kernel sees it. With a bias it has one more feature, of the same value everywhere,
// which comes first: the tables have it in row 0, and feature f in row f + 1.
struct Sight final : Scratch {
  Array<float> score;
  Array<int32_t> features;
  Array<float> values;
  Document doc{};

  void take(const Document& d, float bias) {
    doc = d;
    if (bias == 0) return;
    constexpr int64_t ahead = 12;  // what sums prefetch of the next document
    int64_t reach = d.reach < d.size + ahead ? d.reach : d.size + ahead;
    features.resize(reach + 1);
    values.resize(d.size + 1);
    features[0] = 0;
    values[0] = bias;
    for (int64_t k = 0; k < reach; ++k) features[k + 1] = row_of(d.features[k]);
    copy(values.data + 1, d.values, d.size);
    doc = {features.data, values.data, d.size + 1, reach + 1};
  }
  static int32_t row_of(int32_t f) { return f < INT32_MAX ? f + 1 : f; }  // more rows than that fit into no memory
};

}  // namespace telex::TELEX_LEVEL
