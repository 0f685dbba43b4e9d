// One linear classifier for each label against the rest, and one for a label that never occurs (column 0): the loop that
// learners share whose step depends on nothing but a label's own score.
#pragma once
#include "kernel.hpp"
#include "labels.hpp"
#include "table.hpp"

namespace telex::TELEX_LEVEL {

// What a rule of updates has: the weights, and the table beside them that it names, if any.
struct Rule {
  Table weights, beside;
  const char* name = nullptr;  // of `beside`
  float bias;  // 0: none

  explicit Rule(Options& options) : bias(float(options.real("bias", 0, 1e6, "a number from 0 to 1e6"))) {}
  template <class Visit>
  void each(const Visit& visit) {
    visit(weights);
    if (name) visit(beside);
  }
  void begin(const Document&, int64_t) {}
  void update(const Document& d, const float* g, const int32_t* moved, int32_t count, Watch* watch) {
    add(weights, d, g, moved, count, watch);
  }
  bool sound() const { return true; }
};

// The scores of a document; and the document as rules see it. With a bias it has one more feature, of the same value everywhere,
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

// A rule has `Vector step(Vector score, Vector y)`: how far a label moves along the document, whose target y is 1 or -1. Where
// it has an `update` of its own, that decides what a step moves.
template <class Rule>
struct Linear : Learner {
  Rule rule;
  Labels labels;
  Sight look;
  Array<float> y;  // the target of each column; -1 between two documents
  Array<float> g;  // the step of each column; zero between two documents
  Array<int32_t> moved;

  explicit Linear(Options& options) : rule(options) { fit(); }
  void fit() {
    int64_t had = y.size;
    y.resize(rule.weights.stride);
    for (int64_t c = had; c < y.size; ++c) y[c] = -1;
    g.resize(rule.weights.stride);
    moved.resize(rule.weights.stride);
  }
  void look_at(const Documents& d, int64_t row, Sight& own) const {
    own.take(document(d, row), rule.bias);
    own.score.resize(rule.weights.stride);
    sum(rule.weights, own.doc, own.score.data, own.watch);
  }
  void ask(const Documents& d, int64_t row, float* __restrict scores, uint8_t* __restrict relevant, Sight& own) const {
    look_at(d, row, own);
    int32_t known = labels.known;
    copy(scores, own.score.data + 1, known);
    for (int32_t c = 0; c < known; ++c) relevant[c] = scores[c] > 0;
  }
  void answer(const Documents& d, int64_t row, bool fresh) {
    if (!fresh) look_at(d, row, look);
    labels.open(d, row);
    meet();
    rule.begin(look.doc, labels.learnt);
    int32_t count = steps(look.score.data);
    if (count) rule.update(look.doc, g.data, moved.data, count, look.watch);
    for (int32_t i = 0; i < count; ++i) g[moved[i]] = 0;
    labels.close();
  }
  // Makes room for the features and the new labels of the document that is being learnt.
  void meet() {
    int32_t old = rule.weights.columns, columns = old + labels.fresh;
    rule.each([&](Table& t) { t.meet(look.doc, look.watch); });
    if (!labels.fresh) return;
    rule.each([&](Table& t) {
      t.widen(columns, look.watch);
      t.copy_first(old, look.watch);
    });
    fit();
    look.score.resize(rule.weights.stride);
    for (int32_t c = old; c < columns; ++c) look.score[c] = look.score[0];
  }
  // Writes the step of each label to g, lists in `moved` those that have one, and counts them.
  int32_t steps(const float* scores) {
    for (int32_t i = 0; i < labels.size; ++i) y[labels.relevant[i] + 1] = 1;
    const Vector *s = reinterpret_cast<const Vector*>(scores), *target = reinterpret_cast<const Vector*>(y.data);
    Vector* step = reinterpret_cast<Vector*>(g.data);
    for (int32_t j = 0; j < rule.weights.stride / lanes; ++j) step[j] = rule.step(s[j], target[j]);
    for (int32_t i = 0; i < labels.size; ++i) y[labels.relevant[i] + 1] = -1;
    int32_t count = 0, columns = rule.weights.columns;
    for (int32_t c = 0; c < columns; ++c) {
      moved[count] = c;
      count += g[c] != 0;
    }
    clear(g.data + columns, rule.weights.stride - columns);
    return count;
  }
  void reasons(const Documents& d, int64_t row, const Reasons& out) const override {
    Document doc = document(d, row);
    double* to = out.contributions;
    for (int64_t k = 0; k < doc.size; ++k) {
      int32_t f = rule.bias > 0 ? Sight::row_of(doc.features[k]) : doc.features[k];
      for (int32_t c = 0; c < labels.known; ++c) *to++ = double(doc.values[k]) * double(rule.weights.weight(f, c + 1));
    }
    for (int32_t c = 0; rule.bias > 0 && c < labels.known; ++c)
      out.base[c] = double(rule.bias) * double(rule.weights.weight(0, c + 1));
  }
  void forget(int32_t f) {
    rule.each([&](Table& t) { t.forget(rule.bias > 0 ? Sight::row_of(f) : f); });
  }
  void progress(const Documents& d, const Events& e, const Out& out, Watch& watch) override { follow(*this, d, e, out, watch); }
  Scratch* scratch() const override { return new Sight; }
  void scores(const Documents& d, const Out& out, Scratch& own) const override { follow_asks<Sight>(*this, d, out, own); }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  bool finite() const override { return rule.weights.finite() && rule.beside.finite(); }
  int64_t bytes() const override { return rule.weights.bytes() + rule.beside.bytes(); }
  void save(Writer& out) const override {
    labels.save(out);
    rule.weights.save(out, "weights");
    if (rule.name) rule.beside.save(out, rule.name);
  }
  void unpack(Reader& in) override {
    labels.load(in);
    rule.weights.load(in, "weights", labels.known + 1);
    if (rule.name) rule.beside.load(in, rule.name, labels.known + 1, rule.weights.rows);
    expect(in, rule.sound(), "it has a weight that no document leads to");
    fit();
  }
};

}  // namespace telex::TELEX_LEVEL
