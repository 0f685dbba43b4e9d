// Predictions compared with the true labels, for Python; learners/losses/judged.py describes the arrays.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "binding.hpp"
#include "interface.hpp"
#include "watch.hpp"

namespace telex {
namespace {

// What was predicted, and the batch that has the answers.
struct Predicted {
  Square<const float> scores;
  Square<const uint8_t> relevant;
  In<int32_t> known, rows, columns;
  In<uint64_t> keys;
  uint64_t seed;
  In<int64_t> numbers, label_indptr;
  In<int32_t> labels;
  In<uint8_t> labelled;

  std::size_t asks() const { return known.shape(0); }
  int64_t truths(std::size_t ask) const { return label_indptr(rows(ask) + 1) - label_indptr(rows(ask)); }

  void check() const {
    bool right = scores.shape(0) >= asks() && relevant.shape(0) >= asks() && relevant.shape(1) == scores.shape(1) &&
                 rows.shape(0) == asks() && numbers.shape(0) == asks() && label_indptr.shape(0) == labelled.shape(0) + 1;
    for (std::size_t k = 0; k < asks() && right; ++k) right = fits(k);
    demand(right, "the predictions are not about this batch: let rows and known have one entry an ask, rows be the batch's, "
                  "and known be no more labels than scores and keys have");
  }
  bool fits(std::size_t ask) const {
    if (known(ask) < 0 || std::size_t(known(ask)) > std::min(scores.shape(1), keys.shape(0))) return false;
    if (rows(ask) < 0 || std::size_t(rows(ask)) >= labelled.shape(0)) return false;
    int64_t first = label_indptr(rows(ask)), last = label_indptr(rows(ask) + 1);
    if (first < 0 || last < first || last > int64_t(labels.shape(0))) return false;
    return std::all_of(labels.data() + first, labels.data() + last, [](int32_t id) { return id >= 0; });
  }
  std::vector<int32_t> label_of_column() const {
    std::vector<int32_t> found(keys.shape(0), -1);
    for (std::size_t id = 0; id < columns.shape(0); ++id)
      if (columns(id) >= 0 && std::size_t(columns(id)) < found.size()) found[std::size_t(columns(id))] = int32_t(id);
    return found;
  }
  // How many labels the answers have together, and how many the predicted sets.
  std::size_t all_truths() const {
    std::size_t all = 0;
    for (std::size_t k = 0; k < asks(); ++k) all += std::size_t(truths(k));
    return all;
  }
  std::size_t most_truths() const {
    int64_t most = 0;
    for (std::size_t k = 0; k < asks(); ++k) most = std::max(most, truths(k));
    return std::size_t(most);
  }
  std::size_t all_chosen() const {
    std::size_t all = 0;
    const uint8_t* flags = relevant.data();
    for (std::size_t k = 0; k < asks(); ++k, flags += relevant.shape(1)) {
      uint32_t own = 0;  // as narrow as will do, to be many at a time
      for (int32_t c = 0, end = known(k); c < end; ++c) own += flags[c];
      all += own;
    }
    return all;
  }
};

// The arrays of a judgement, first with room for every ask, in the end one entry a document that has an answer.
struct Judged {
  std::vector<int32_t> rows, relevant, irrelevant, best, worst, first_irrelevant, tp, fp, fn;
  std::vector<int32_t> not_numbers;  // the rows that have such a score
  std::vector<int64_t> rank_sum;
  std::vector<double> precision_sum;
  std::vector<int32_t> ranks, marks;  // several a document, up to its entry of rank_indptr and mark_indptr
  std::vector<int64_t> rank_indptr, mark_indptr;
  std::vector<int32_t> order, places;  // room to work in
  std::vector<uint8_t> true_columns;
  std::vector<float> scores;

  Judged(std::size_t asks, std::size_t truths, std::size_t chosen, std::size_t longest, std::size_t columns)
      : not_numbers(asks), rank_sum(asks), precision_sum(asks), ranks(truths), marks(truths + chosen), rank_indptr(asks + 1), mark_indptr(asks + 1),
        order(longest), places(longest), true_columns(columns), scores(columns) {
    for (auto* one : by_document()) one->resize(asks);
  }
  std::vector<std::vector<int32_t>*> by_document() {
    return {&rows, &relevant, &irrelevant, &best, &worst, &first_irrelevant, &tp, &fp, &fn};
  }
  Judgement view() {
    return {rows.data(), relevant.data(), irrelevant.data(), best.data(), worst.data(), first_irrelevant.data(),
            tp.data(), fp.data(), fn.data(), ranks.data(), marks.data(), not_numbers.data(),
            rank_sum.data(), rank_indptr.data(), mark_indptr.data(), precision_sum.data(), 0, 0,
            order.data(), places.data(), true_columns.data(), scores.data()};
  }
  void cut(std::size_t documents, std::size_t not_number_rows) {
    not_numbers.resize(not_number_rows);
    for (auto* one : by_document()) one->resize(documents);
    rank_sum.resize(documents);
    precision_sum.resize(documents);
    rank_indptr.resize(documents + 1);
    mark_indptr.resize(documents + 1);
    ranks.resize(std::size_t(rank_indptr.back()));
    marks.resize(std::size_t(mark_indptr.back()));
  }
  nb::dict arrays() && {
    nb::dict all;
    all["rows"] = owned(std::move(rows));
    all["relevant"] = owned(std::move(relevant));
    all["irrelevant"] = owned(std::move(irrelevant));
    all["best"] = owned(std::move(best));
    all["worst"] = owned(std::move(worst));
    all["rank_sum"] = owned(std::move(rank_sum));
    all["first_irrelevant"] = owned(std::move(first_irrelevant));
    all["precision_sum"] = owned(std::move(precision_sum));
    all["tp"] = owned(std::move(tp));
    all["fp"] = owned(std::move(fp));
    all["fn"] = owned(std::move(fn));
    all["ranks"] = owned(std::move(ranks));
    all["rank_indptr"] = owned(std::move(rank_indptr));
    all["marks"] = owned(std::move(marks));
    all["not_numbers"] = owned(std::move(not_numbers));
    all["mark_indptr"] = owned(std::move(mark_indptr));
    return all;
  }
};

nb::dict judged(const Kernels& kernels, const Predicted& p) {
  p.check();
  Judged found(p.asks(), p.all_truths(), p.all_chosen(), p.most_truths(), p.keys.shape(0));
  std::vector<int32_t> label_of_column = p.label_of_column();
  Judgement out = found.view();
  Asked asked{p.scores.data(), p.relevant.data(), p.known.data(), p.rows.data(), int64_t(p.asks()), int64_t(p.scores.shape(1)),
              p.columns.data(), int64_t(p.columns.shape(0)), p.keys.data(), label_of_column.data(), p.seed, p.numbers.data()};
  Documents documents{};
  documents.rows = int64_t(p.labelled.shape(0));
  documents.label_indptr = p.label_indptr.data();
  documents.labels = p.labels.data();
  documents.labelled = p.labelled.data();
  watched([&](Watch& watch) {
    nb::gil_scoped_release release;
    kernels.judge(asked, documents, out, watch);
  });
  found.cut(std::size_t(out.documents), std::size_t(out.not_number_rows));
  return std::move(found).arrays();
}

}  // namespace
}  // namespace telex
