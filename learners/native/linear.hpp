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

// A rule has `Vector step(Vector score, Vector y)`: how far a label moves along the document, whose target y is 1 or -1. Where
// it has an `update` of its own, that decides what a step moves.
template <class Rule>
struct Linear : Learner {
  Rule rule;
  Labels labels;
  Look look;
  Array<float> y;  // the target of each column; -1 between two documents
  Array<float> g;  // the step of each column; zero between two documents
  Array<int32_t> moved;
  Array<uint8_t> hit;

  explicit Linear(Options& options) : rule(options) { fit(); }
  void fit() {
    int64_t had = y.size;
    y.resize(rule.weights.stride);
    for (int64_t c = had; c < y.size; ++c) y[c] = -1;
    g.resize(rule.weights.stride);
    moved.resize(rule.weights.stride);
    hit.resize(rule.weights.stride);
  }
  // A document as rules see it: with a bias it has one more feature, of the same value everywhere.
  Document seen(const Documents& d, int64_t row) const { return document(d, row, rule.bias); }
  void look_at(const Document& doc, Look& own) const {
    own.score.resize(rule.weights.stride);
    sum(rule.weights, doc, own.score.data, own.watch);
  }
  void ask(const Documents& d, int64_t row, float* scores, uint8_t* relevant, Look& own) const {
    look_at(seen(d, row), own);
    show(scores, relevant, own.score.data + 1, labels.known, 0);
  }
  void answer(const Documents& d, int64_t row, bool fresh) {
    Document doc = seen(d, row);
    if (!fresh) look_at(doc, look);
    labels.open(d, row);
    meet(doc);
    rule.begin(doc, labels.learnt);
    int32_t count = steps(look.score.data);
    if (count) rule.update(doc, g.data, moved.data, count, look.watch);
    for (int32_t i = 0; i < count; ++i) g[moved[i]] = 0;
    labels.close();
  }
  // Makes room for the features and the new labels of the document that is being learnt.
  void meet(const Document& doc) {
    int32_t old = rule.weights.columns, columns = old + labels.fresh;
    rule.each([&](Table& t) { t.meet(doc, look.watch); });
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
    for (int32_t c = rule.weights.columns; c < rule.weights.stride; ++c) g[c] = 0;
    return list_moved(g.data, rule.weights.stride, hit.data, moved.data);
  }
  void reasons(const Documents& d, int64_t row, const Reasons& out) const override {
    Document doc = seen(d, row);
    double* to = out.contributions;
    for (int64_t k = 0; k < doc.size; ++k)
      for (int32_t c = 0; c < labels.known; ++c) *to++ = double(doc.values[k]) * double(rule.weights.weight(doc.row(k), c + 1));
    for (int32_t c = 0; rule.bias > 0 && c < labels.known; ++c)
      out.base[c] = double(rule.bias) * double(rule.weights.weight(0, c + 1));
  }
  void forget(int32_t f) {
    rule.each([&](Table& t) { t.forget(int64_t(f) + (rule.bias != 0)); });
  }
  void progress(const Documents& d, const Events& e, const Out& out, Watch& watch) override { follow(*this, d, e, out, watch); }
  Scratch* scratch() const override { return new Look; }
  void scores(const Documents& d, const Out& out, Scratch& own) const override { follow_asks<Look>(*this, d, out, own); }
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
