// One perceptron for each label against the rest, and one for a label that never occurs (column 0): BR, and MLPP's virtual
// duels.
#pragma once
#include "labels.hpp"
#include "table.hpp"

namespace telex::TELEX_LEVEL {

struct Relevance {
  Table weights, sums;  // sums: every step times the number of documents learnt before it
  bool averaged;
  Array<float> g;  // the step of each column; zero between two documents
  Array<int32_t> moved;

  explicit Relevance(Options& options) : averaged(options.flag("averaged")) {
    weights.random = begins_random(options);
    weights.alike = true;
    weights.seed = options.seed;
    fit();
  }
  void fit() {
    g.resize(weights.stride);
    moved.resize(weights.stride);
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
    return telex::TELEX_LEVEL::contribution(weights, sums, learnt, f, label + 1, x);
  }
  // Learns a document that was looked at.
  void learn(const Document& d, const Labels& labels, Look& look) {
    int32_t old = weights.columns;
    weights.meet(d, look.watch);
    if (averaged) sums.meet(d, look.watch);
    if (labels.fresh) {
      weights.widen(old + labels.fresh, look.watch);
      if (averaged) sums.widen(old + labels.fresh, look.watch);
      fit();
      weights.copy_first(old, look.watch);
      if (averaged) sums.copy_first(old, look.watch);
      look.score.resize(weights.stride);
      for (int32_t c = old; c < old + labels.fresh; ++c) look.score[c] = look.score[0];
    }
    int32_t count = 0;
    for (int32_t c = 0; c < weights.columns; ++c) {
      float y = c && labels.mark[c - 1] ? 1.0f : -1.0f;
      float step = y - (look.score[c] >= 0 ? 1.0f : -1.0f);
      if (step != 0) moved[count++] = c;
      g[c] = step;
    }
    step(d, count, labels.learnt, look.watch);
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
    if (averaged) sums.save(out, sums_name);
  }
  void load(Reader& in, const char* name, const char* sums_name, int32_t known) {
    weights.load(in, name, known + 1);
    if (averaged) sums.load(in, sums_name, known + 1, weights.rows);
    fit();
  }
};

}  // namespace telex::TELEX_LEVEL
