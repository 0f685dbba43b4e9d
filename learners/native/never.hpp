// For each label the perceptron of its duels with a label that never was. All labels that are still to come are like that one:
// their pairs start as its copies, so that a label which comes late has the weights that it would have had from the start.
#pragma once
#include "labels.hpp"
#include "store.hpp"

namespace telex::TELEX_LEVEL {

struct Never {
  Update update;
  bool wanted = false, summed = false, averaged = false, own_mean = false;
  Table weights, sums;  // a column a label
  Array<int64_t> trainings;

  Never() { weights.columns = sums.columns = 0; }

  // Learns a document; `labels` is open.
  void learn(const Document& d, int64_t, const Labels& labels, Watch* watch) {
    if (!wanted) return;
    int32_t all = labels.known + labels.fresh;
    weights.meet(d, watch);
    if (all > weights.columns) weights.widen(all, watch);
    if (summed) sums.meet(d, watch);
    if (summed && all > sums.columns) sums.widen(all, watch);
    if (own_mean) trainings.resize(all);
    float squares = sum_of_squares(d);
    for (int32_t i = 0; i < labels.size; ++i) {
      learn_one(d, labels.relevant[i], squares, labels.learnt);
      pause_within(watch, d.size);
    }
  }
  void learn_one(const Document& d, int32_t c, float squares, int64_t learnt) {
    float s = 0, size = 0;
    for (int64_t k = 0; k < d.size; ++k) s += d.values[k] * weights.row(d.features[k])[c];
    int64_t before = own_mean ? trainings[c]++ : learnt;
    if (!update.moves(1, s)) return;
    if (!update.confident()) {
      float length = update.step(1, s, squares), late = float(double(length) * double(before));
      for (int64_t k = 0; k < d.size; ++k) {
        weights.row(d.features[k])[c] += length * d.values[k];
        if (averaged) sums.row(d.features[k])[c] += late * d.values[k];
      }
      return;
    }
    for (int64_t k = 0; k < d.size; ++k) size += confident_value(sums.row(d.features[k])[c], d.values[k]) * d.values[k];
    float length = update.step(1, s, size), shrink = update.shrink(size);
    for (int64_t k = 0; k < d.size; ++k)
      move_confidently(weights.row(d.features[k])[c], sums.row(d.features[k])[c], d.values[k], length, shrink);
  }

  // Makes the pairs of the labels that a document brings with those known.
  void begin_pairs(const Labels& labels, Store& store, Watch* watch) const {
    if (!wanted || !labels.known) return;
    int32_t old = labels.known, all = old + labels.fresh;
    for (int32_t v = old; own_mean && v < all; ++v)
      for (int32_t u = 0; u < old; ++u)
        if (int64_t pair = pair_of(u, v); store.pairs.share.has(pair))
          store.trainings[store.pairs.share.column(pair)] = trainings[u];
    for (int64_t f = 0; f < weights.rows; ++f) {
      if (store.slot[f] > 0) begin_row(store, store.slot[f] - 1, f, old, all);
      else if (store.slot[f] < 0) begin_list(store.pairs.share, *store.rares[-store.slot[f] - 1], f, old, all);
      pause_within(watch, int64_t(old) * labels.fresh);
    }
  }
  void begin_row(Store& store, int64_t slot, int64_t f, int32_t old, int32_t all) const {
    for (int32_t v = old; v < all; ++v)
      for (int32_t u = 0; u < old; ++u) {
        if (!store.pairs.share.has(pair_of(u, v))) continue;
        int64_t column = store.pairs.share.column(pair_of(u, v));
        *store.pairs.at(slot, column) = weights.row(f)[u];
        if (summed) *store.sums.at(slot, column) = sums.row(f)[u];
      }
  }
  void begin_list(const Share& share, Rare& rare, int64_t f, int32_t old, int32_t all) const {
    int64_t size = 0, at = rare.entries.size;
    for (int32_t u = 0; u < old; ++u) size += moved(f, u);
    rare.entries.resize(at + size * (all - old));
    if (summed) rare.sums.resize(rare.entries.size);
    for (int32_t v = old; size && v < all; ++v)
      for (int32_t u = 0; u < old; ++u) {
        if (!moved(f, u) || !share.has(pair_of(u, v))) continue;
        rare.entries[at] = {int32_t(share.column(pair_of(u, v))), weights.row(f)[u]};
        if (summed) rare.sums[at] = sums.row(f)[u];
        ++at;
      }
    rare.entries.size = at;
    if (summed) rare.sums.size = at;
  }
  bool moved(int64_t f, int32_t u) const { return weights.row(f)[u] != 0 || (summed && sums.row(f)[u] != 0); }

  void forget(int32_t f) {
    weights.forget(f);
    sums.forget(f);
  }
  bool finite() const { return weights.finite() && sums.finite(); }
  int64_t bytes() const { return weights.bytes() + sums.bytes(); }
  const char* sums_name() const { return averaged ? "never_sum" : "never_spent"; }
  void save(Writer& out) const {
    if (!wanted) return;
    weights.save(out, "never");
    if (summed) sums.save(out, sums_name());
    if (own_mean) put(out, "never_trainings", trainings.data, weights.columns);
  }
  void pack(Writer& out) const { save(out); }
  void load(Reader& in, int32_t known, int64_t features) {
    if (!wanted) return;
    weights.load(in, "never", known, features);
    if (summed) sums.load(in, sums_name(), known, features);
    if (!own_mean) return;
    Given<int64_t> counts = given<int64_t>(in, "never_trainings", known);
    trainings.resize(known);
    copy(trainings.data, counts.data, known);
  }
};

}  // namespace telex::TELEX_LEVEL
