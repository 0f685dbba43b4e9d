// Sets and probabilities from scores, for Python; learners/thresholds/score_bins.py describes the arrays.
#pragma once
#include <algorithm>

#include "judging.hpp"

namespace telex {
namespace {

struct BinArrays {
  InOut<float> counts, positives, f1, rates;
  InOut<double> common, totals;
  InOut<int64_t> clock;

  // `labels`: how many columns there are to be.
  void check(std::size_t labels) const {
    demand(counts.shape(0) >= labels * 2 * score_bins && positives.shape(0) >= labels && f1.shape(0) >= labels &&
               rates.shape(0) == score_bins && common.shape(0) == 2 * score_bins && totals.shape(0) == 2 && clock.shape(0) == 2,
           "the arrays of binned scores are too small for these labels; let them grow first");
  }
  ScoreBins view() const {
    return {counts.data(), positives.data(), f1.data(), rates.data(), common.data(), totals.data(), totals.data() + 1, clock.data()};
  }
};

void check_steps(const Predicted& p, In<int32_t> steps) {
  std::size_t asks = 0;
  for (std::size_t i = 0; i < steps.shape(0); ++i) {
    int32_t step = steps(i), row = step >= 0 ? step : ~step;
    bool right = std::size_t(row) < p.labelled.shape(0);
    if (step >= 0) ++asks;
    else right = right && i && steps(i - 1) == row;
    if (right && step < 0)
      for (int64_t at = p.label_indptr(row); at < p.label_indptr(row + 1); ++at)
        right = right && std::size_t(p.labels(at)) < p.columns.shape(0) && p.columns(p.labels(at)) >= 0 &&
                std::size_t(p.columns(p.labels(at))) < p.keys.shape(0);
    demand(right, "an answer does not follow the ask of its row, or has a label without a column; ask before each answer");
  }
  demand(asks == p.asks(), "the steps do not ask as often as there are predictions; give the steps that the learner had");
}

Asked asked_of(const Predicted& p) {
  return {p.scores.data(), p.relevant.data(), p.known.data(), p.rows.data(), int64_t(p.asks()), int64_t(p.scores.shape(1)),
          p.columns.data(), int64_t(p.columns.shape(0)), p.keys.data(), nullptr, p.seed, p.numbers.data()};
}

void set_by_bins(const Kernels& kernels, const Predicted& p, In<int32_t> steps, const BinArrays& bins, int decision,
                 Square<uint8_t> relevant, Square<float> probabilities, Square<float> cuts) {
  p.check();
  check_steps(p, steps);
  bins.check(p.keys.shape(0));
  demand(relevant.shape(0) == p.asks() && relevant.shape(1) == p.scores.shape(1) && probabilities.shape(0) == p.asks() &&
             probabilities.shape(1) == p.scores.shape(1) && decision >= 0 && decision <= 2 &&
             (!cuts.size() || (cuts.shape(0) == p.asks() && cuts.shape(1) == p.scores.shape(1))),
         "sets and probabilities have another shape than the scores; give each score a place");
  Documents documents{};
  documents.rows = int64_t(p.labelled.shape(0));
  documents.label_indptr = p.label_indptr.data();
  documents.labels = p.labels.data();
  std::vector<int32_t> room(p.scores.shape(1));
  watched([&](Watch& watch) {
    nb::gil_scoped_release release;
    kernels.set_by_bins(asked_of(p), documents, steps.data(), int64_t(steps.shape(0)), bins.view(), Decision(decision),
                        relevant.data(), probabilities.data(), cuts.size() ? cuts.data() : nullptr, room.data(), watch);
  });
}

nb::object reliability(const Kernels& kernels, const Predicted& p, Square<const float> probabilities) {
  p.check();
  demand(probabilities.shape(0) == p.scores.shape(0) && probabilities.shape(1) == p.scores.shape(1),
         "probabilities have another shape than the scores; give each score a place");
  int32_t wrong = 0;  // as wide as a probability, to be many at a time
  for (std::size_t k = 0; k < p.asks(); ++k) {
    const float* of = probabilities.data() + k * probabilities.shape(1);
    for (int32_t c = 0, end = p.known(k); c < end; ++c) wrong |= !(of[c] >= 0) | !(of[c] <= 1);
  }
  demand(!wrong, "a probability is not within 0 and 1; let the learner give probabilities, or None");
  std::vector<int64_t> counts(3 * tenths);
  Documents documents{};
  documents.rows = int64_t(p.labelled.shape(0));
  documents.label_indptr = p.label_indptr.data();
  documents.labels = p.labels.data();
  documents.labelled = p.labelled.data();
  watched([&](Watch& watch) {
    nb::gil_scoped_release release;
    kernels.reliability(asked_of(p), documents, probabilities.data(), counts.data(), watch);
  });
  return owned(std::move(counts));
}

void set_best(const Kernels& kernels, const Predicted& p, In<int32_t> sizes, Square<uint8_t> relevant) {
  p.check();
  demand(sizes.shape(0) == p.asks() && relevant.shape(0) == p.asks() && relevant.shape(1) == p.scores.shape(1),
         "sets have another shape than the scores; give each score a place, and each ask a size");
  std::vector<int32_t> room(p.scores.shape(1));
  watched([&](Watch& watch) {
    nb::gil_scoped_release release;
    kernels.set_best(asked_of(p), sizes.data(), relevant.data(), room.data(), watch);
  });
}

}  // namespace
}  // namespace telex
