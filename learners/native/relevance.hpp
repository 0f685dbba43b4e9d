// One perceptron for each label against the rest, and one for a label that never occurs (column 0): BR, and MLPP's virtual
// duels.
#pragma once
#include "labels.hpp"
#include "update.hpp"

namespace telex::TELEX_LEVEL {

struct Relevance {
  Table weights, sums;  // sums: every step times the number of documents learnt before it; of AROW how much variance is gone
  bool averaged;
  Update update;
  Array<float> g;  // the step of each column; zero between two documents
  Array<int32_t> moved;
  Array<uint8_t> hit;

  explicit Relevance(Options& options) : averaged(options.flag("averaged")) {
    weights.random = begins_random(options);
    weights.scale = scale_of_beginning(options);
    weights.alike = true;
    weights.seed = options.seed;
    fit();
  }
  bool summed() const { return averaged || update.confident(); }
  void fit() {
    g.resize(weights.stride);
    moved.resize(weights.stride);
    hit.resize(weights.stride);
  }
  void look_at(const Document& d, Look& look) const {
    look.score.resize(weights.stride);
    telex::TELEX_LEVEL::look_at(weights, d, look.score.data, look.watch);
  }
  // What predictions see: the scores, or those of the averaged weights.
  const float* show(const Document& d, int64_t learnt, Look& look) const {
    return averaged && learnt ? look.average(weights, sums, d, learnt) : look.score.data;
  }
  double contribution(int64_t learnt, int64_t f, int32_t label, double x) const {
    return telex::TELEX_LEVEL::contribution(weights, sums, averaged ? learnt : 0, f, label + 1, x);
  }
  // Learns a document that was looked at; returns how many labels' perceptrons moved, which AROW does not count.
  int32_t learn(const Document& d, const Labels& labels, Look& look) {
    int32_t old = weights.columns;
    weights.meet(d, look.watch);
    if (summed()) sums.meet(d, look.watch);
    if (labels.fresh) {
      weights.widen(old + labels.fresh, look.watch);
      if (summed()) sums.widen(old + labels.fresh, look.watch);
      fit();
      weights.copy_first(old, look.watch);
      if (summed()) sums.copy_first(old, look.watch);
      look.score.resize(weights.stride);
      for (int32_t c = old; c < old + labels.fresh; ++c) look.score[c] = look.score[0];
    }
    if (update.confident()) {
      learn_confidently(d, labels, look);
      return 0;
    }
    int32_t count = update.kind == by_error && !update.half ? errors(labels, look) : moves(labels, look, sum_of_squares(d));
    step(d, count, labels.learnt, look.watch);
    return count - (count && !moved[0]);
  }
  static float target(const Labels& labels, int32_t c) { return c && labels.mark[c - 1] ? 1.0f : -1.0f; }
  // Fills `g` and `moved`; returns how many columns move. BR's own, and any other update.
  int32_t errors(const Labels& labels, const Look& look) {
    const float* __restrict s = look.score.data;
    const uint8_t* __restrict mark = labels.mark.data;
    float* __restrict step = g.data;
    auto sign = [](bool positive) { return positive ? 1.0f : -1.0f; };
    step[0] = -1 - sign(s[0] >= 0);
    for (int32_t c = 1; c < weights.columns; ++c) step[c] = sign(mark[c - 1]) - sign(s[c] >= 0);
    return list_moved(step, weights.stride, hit.data, moved.data);
  }
  int32_t moves(const Labels& labels, const Look& look, float squares) {
    int32_t count = 0;
    for (int32_t c = 0; c < weights.columns; ++c) {
      float y = target(labels, c), s = look.score[c];
      if (!update.moves(y, s)) continue;
      g[c] = update.step(y, s, squares);
      moved[count++] = c;
    }
    return count;
  }
  void learn_confidently(const Document& d, const Labels& labels, const Look& look) {
    for (int32_t c = 0; c < weights.columns; ++c) {
      float y = target(labels, c), loss = 1 - y * look.score[c];
      g[c] = loss > 0 ? y * loss : 0;
    }
    move_columns(weights, sums, d, g.data, update.calm, look.watch);
    clear(g.data, weights.columns);
  }
  void step(const Document& d, int32_t count, int64_t learnt, Watch* watch) {
    add(weights, d, g.data, moved.data, count, watch);
    if (averaged) {
      for (int32_t i = 0; i < count; ++i) g[moved[i]] = float(double(g[moved[i]]) * double(learnt));
      add(sums, d, g.data, moved.data, count, watch);
    }
    for (int32_t i = 0; i < count; ++i) g[moved[i]] = 0;
  }
  void forget(int32_t f) {
    weights.forget(f);
    sums.forget(f);
  }
  bool finite() const { return weights.finite() && sums.finite(); }
  int64_t bytes() const { return weights.bytes() + sums.bytes(); }
  void save(Writer& out, const char* name, const char* sums_name) const {
    weights.save(out, name);
    if (summed()) sums.save(out, sums_name);
  }
  void load(Reader& in, const char* name, const char* sums_name, int32_t known) {
    weights.load(in, name, known + 1);
    if (summed()) sums.load(in, sums_name, known + 1, weights.rows);
    fit();
  }
};

}  // namespace telex::TELEX_LEVEL
