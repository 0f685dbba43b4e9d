// How similar a document is to each of others: their kernel, from inner products by way of the documents that have a feature.
#pragma once
#include "../exp.hpp"
#include "documents.hpp"

namespace telex::TELEX_LEVEL {

struct Similar {
  const Others& others;
  const Similarity& kernel;
  Array<float> lengths;  // squared, of the others

  Similar(const Others& others, const Similarity& kernel) : others(others), kernel(kernel) {
    lengths.resize(room());
    for (int64_t p = 0; p < others.starts[others.features]; ++p)
      lengths[others.rows[p]] += others.values[p] * others.values[p];
  }
  int64_t room() const { return round_up(others.documents, line); }

  // Writes a value for each of the others to `to`, which has `room()`.
  void of(const Document& doc, float* to) const {
    clear(to, room());
    float length = 0;
    for (int64_t k = 0; k < doc.size; ++k) {
      float x = doc.values[k];
      length += x * x;
      int32_t f = doc.features[k];
      if (f >= others.features) continue;
      for (int64_t p = others.starts[f]; p < others.starts[f + 1]; ++p) to[others.rows[p]] += x * others.values[p];
    }
    Vector* all = reinterpret_cast<Vector*>(to);
    const Vector* squares = reinterpret_cast<const Vector*>(lengths.data);
    for (int64_t j = 0; kernel.kind != Similarity::linear && j < room() / lanes; ++j)
      all[j] = kernel.kind == Similarity::poly ? power(all[j]) : bell((length + squares[j]) - 2.0f * all[j]);
  }

 private:
  Vector power(Vector product) const {
    Vector base = kernel.gamma * product + kernel.coef0, all = Vector{} + 1.0f;
    for (int32_t i = 0; i < kernel.degree; ++i) all *= base;
    return all;
  }
  Vector bell(Vector distance) const {
    distance = distance > 0.0f ? distance : Vector{};
    return exp_of(-kernel.gamma * distance);
  }
};

}  // namespace telex::TELEX_LEVEL
