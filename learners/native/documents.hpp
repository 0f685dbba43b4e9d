// A batch from Python: its arrays, checked before a kernel gets them.
#pragma once
#include <algorithm>
#include <vector>

#include "binding.hpp"
#include "interface.hpp"

namespace telex {
namespace {

struct Batch {
  In<int64_t> indptr;
  In<int32_t> features;
  In<float> values;
  In<int64_t> label_indptr;
  In<int32_t> labels;
  In<uint8_t> labelled;
  In<int64_t> numbers;
  In<uint64_t> hashes;
  InOut<int32_t> columns;
  In<int32_t> forget_rows, forget_features;  // both invalid where nothing is forgotten
  In<float> counts;                          // invalid where there are none
  In<int32_t> parents;                       // both invalid where there is no tree
  In<uint8_t> inner;
  Forgotten forgotten() const {
    if (!forget_rows.is_valid()) return {nullptr, nullptr, 0};
    return {forget_rows.data(), forget_features.data(), int64_t(forget_rows.shape(0))};
  }
  Documents view() const {
    return {int64_t(indptr.shape(0)) - 1, indptr.data(), features.data(), values.data(), label_indptr.data(),
            labels.data(), labelled.data(), numbers.data(), hashes.data(), columns.data(),
            counts.is_valid() ? counts.data() : nullptr, parents.is_valid() ? parents.data() : nullptr,
            inner.is_valid() ? inner.data() : nullptr};
  }
};

// Kernels trust their arguments: check a batch made by hand first.
void check(const Batch& b) {
  auto fail = [](bool wrong, const char* what) { demand(!wrong, what); };
  std::size_t n = b.labelled.shape(0);
  fail(b.indptr.shape(0) != n + 1 || b.label_indptr.shape(0) != n + 1 || b.numbers.shape(0) != n,
       "the arrays of the batch differ in length; give one offset more than documents, and one number a document");
  fail(b.features.shape(0) != b.values.shape(0), "the batch has not as many values as features; give one a feature");
  fail(b.counts.is_valid() && b.features.shape(0) != b.counts.shape(0),
       "the batch has not as many counts as features; give one a feature, or none at all");
  fail(b.hashes.shape(0) < b.columns.shape(0), "the batch's label table shrank; tables only grow");
  fail(b.parents.is_valid() != b.inner.is_valid() ||
           (b.parents.is_valid() && (b.parents.shape(0) < b.columns.shape(0) || b.inner.shape(0) < b.columns.shape(0))),
       "the tree has fewer labels than the batch's table; give each its parent");
  for (std::size_t i = 0; b.parents.is_valid() && i < b.columns.shape(0); ++i)
    fail(b.parents.data()[i] < -1 || b.parents.data()[i] >= int64_t(b.columns.shape(0)),
         "a parent is not in the batch's label table; use ids of label_names");
  const int64_t *rows = b.indptr.data(), *answers = b.label_indptr.data();
  const int32_t *features = b.features.data(), *labels = b.labels.data();
  fail(rows[0] < 0 || rows[n] > int64_t(b.features.shape(0)) || answers[0] < 0 || answers[n] > int64_t(b.labels.shape(0)),
       "the offsets of the batch point outside its arrays; let them run from 0 to the arrays' length");
  for (std::size_t i = 0; i < n; ++i)
    fail(rows[i] > rows[i + 1] || answers[i] > answers[i + 1], "the offsets of the batch must not descend");
  // Where an id does not ascend a document begins: the places of both are counted, those of all ids in one sweep.
  int64_t from = rows[0], begins = 0, descents = 0;
  bool negative = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (rows[i] == rows[i + 1]) continue;
    negative |= features[rows[i]] < 0;
    begins += rows[i] > from && features[rows[i]] <= features[rows[i] - 1];
  }
  for (int64_t first = from + 1; first < rows[n]; first += 1 << 20) {
    int32_t some = 0;  // as wide as an id, to be many at a time
    for (int64_t k = first, end = std::min(rows[n], first + (1 << 20)); k < end; ++k) some += features[k] <= features[k - 1];
    descents += some;
  }
  fail(negative || descents != begins, "a document's feature ids must ascend; sort them with their values, or use BatchBuilder");
  bool wrong = false;
  for (int64_t k = answers[0]; k < answers[n]; ++k) wrong |= uint32_t(labels[k]) >= b.columns.shape(0);
  fail(wrong, "a label id of the batch is not in its label table; use ids of label_names");
  std::vector<int64_t> last(b.columns.shape(0), -1);  // the document that had the label last
  for (std::size_t i = 0; i < n; ++i)
    for (int64_t k = answers[i]; k < answers[i + 1]; ++k) {
      wrong |= last[std::size_t(labels[k])] == int64_t(i);
      last[std::size_t(labels[k])] = int64_t(i);
    }
  fail(wrong, "a document has a label twice; leave one out");
  fail(b.forget_rows.is_valid() != b.forget_features.is_valid() ||
           (b.forget_rows.is_valid() && b.forget_rows.shape(0) != b.forget_features.shape(0)),
       "the batch forgets not as many features as it names rows for them; give one row a feature");
  Forgotten gone = b.forgotten();
  wrong = false;
  for (int64_t i = 0; i < gone.count; ++i)
    wrong |= gone.features[i] < 0 || gone.rows[i] < (i ? gone.rows[i - 1] : 0) || gone.rows[i] >= int64_t(n);
  fail(wrong, "what the batch forgets must name rows of its own, ascending, and features by ids from 0");
}

}  // namespace
}  // namespace telex
