// Regularised least squares along a tree of labels, document by document (Cesa-Bianchi, Gentile and Zaniboni 2006, H-RLS).
#include "../covariances.hpp"
#include "../kernel.hpp"
#include "../labels.hpp"
#include "../sight.hpp"

namespace telex::TELEX_LEVEL {

constexpr const char* forms[] = {"diagonal", "full", nullptr};
constexpr int64_t most_square = 4097;  // features of the full form, and the bias

// Labels that can have children are inner nodes, numbered as they come; number 0 stands above all roots. The children of an
// inner node learn from the same documents, so they share P = (lambda I + sum of x x')^-1. Each inner node also has the weights
// of a child that never was: a new child begins as their copy. Parents are known before their children.
struct HrlsOnline final : Learner {
  struct Glance final : Scratch {
    Sight sight;            // its score: w.x of each label
    Array<float> squares;   // of the document's values
    Array<float> shrink;    // 1 / (1 + x'Px) of each inner node
  };
  Labels labels;
  Glance look;
  bool full;
  float bias, start;
  Table weights, never, variances;  // a column a label; and an inner node; variances: the diagonal of P
  Covariances covariances;          // all of P
  Array<int32_t> parents;           // by label: its parent's column, -1 for a root
  Array<int32_t> inner;             // by label: its number as an inner node, 0 for a leaf
  Array<int32_t> newest, elder;     // by inner node and by label: a list of the children; the end is -1
  int32_t inner_count = 1;
  // Of the document that is learnt: P x, by the features that it moves, and the steps of the labels.
  Array<double> wide_gains;
  Array<float> gains, g;  // g: zero between two documents
  Array<int32_t> every, moved;

  explicit HrlsOnline(Options& options)
      : full(options.choice("form", forms) == 1),
        bias(float(options.real("bias", 0, 1e6, "a number from 0 to 1e6"))),
        start(float(1 / options.real("strength", 1e-6, 1e6, "a number from 1e-6 to 1e6"))) {
    weights.columns = 0;
    variances.start = start;
    covariances.start = double(start);
    covariances.widen(1);
    newest.push(-1);
    fit();
  }
  void fit() {
    g.resize(weights.stride);
    moved.resize(weights.stride);
  }
  int32_t above(int32_t c) const { return parents[c] < 0 ? 0 : inner[parents[c]]; }

  void look_at(const Documents& d, int64_t row, Glance& own) const {
    own.sight.take(document(d, row), bias);
    own.sight.score.resize(weights.stride);
    sum(weights, own.sight.doc, own.sight.score.data, own.watch);
  }
  // How far a score shrinks because the document itself counts as one that was learnt.
  void measure(Glance& own) const {
    const Document& doc = own.sight.doc;
    own.shrink.resize(never.stride);
    if (full) {
      for (int32_t n = 0; n < inner_count; ++n) {
        double doubt = covariances.doubt(n, doc);
        own.shrink[n] = doubt > 0 ? float(1 / (1 + doubt)) : 1;
        pause(own.watch, doc.size * doc.size);
      }
      return;
    }
    own.squares.resize(doc.size);
    for (int64_t k = 0; k < doc.size; ++k) own.squares[k] = doc.values[k] * doc.values[k];
    sum(variances, {doc.features, own.squares.data, doc.size, doc.reach}, own.shrink.data, own.watch);
    int64_t k = doc.size;
    while (k && doc.features[k - 1] >= variances.rows) --k;
    for (; k < doc.size; ++k)  // features never met
      for (int32_t n = 0; n < inner_count; ++n) own.shrink[n] += own.squares[k] * start;
    for (int32_t n = 0; n < inner_count; ++n) own.shrink[n] = 1 / (1 + own.shrink[n]);
  }
  void ask(const Documents& d, int64_t row, float* __restrict scores, uint8_t* __restrict relevant, Glance& own) const {
    look_at(d, row, own);
    measure(own);
    for (int32_t c = 0; c < labels.known; ++c) {
      float s = own.sight.score[c] * own.shrink[above(c)];
      scores[c] = parents[c] >= 0 && scores[parents[c]] < s ? scores[parents[c]] : s;
      relevant[c] = scores[c] > 0;
    }
  }
  void answer(const Documents& d, int64_t row, bool fresh) {
    if (!fresh) look_at(d, row, look);
    labels.open(d, row);
    meet(d, row);
    learn(0);
    for (int32_t i = 0; i < labels.size; ++i)
      if (int32_t n = inner[labels.relevant[i]]) learn(n);
    labels.close();
  }
  // Makes room for the features and the new labels of the document that is being learnt.
  void meet(const Documents& d, int64_t row) {
    const Document& doc = look.sight.doc;
    Table* all[] = {&weights, &never, &variances};
    for (Table* t : all)
      if (t != &variances || !full) t->meet(doc, look.watch);
    if (full) covariances.meet(weights.rows, look.watch);
    if (!labels.fresh) return;
    int32_t old = labels.known, known = old + labels.fresh;
    parents.resize(known);
    inner.resize(known);
    elder.resize(known);
    for (int64_t i = d.label_indptr[row]; i < d.label_indptr[row + 1]; ++i) {
      int32_t id = d.labels[i], c = d.columns[id];
      if (c >= old) add_node(c, d.parents && d.parents[id] >= 0 ? d.columns[d.parents[id]] : -1, d.inner && d.inner[id]);
    }
    never.widen(inner_count, look.watch);
    if (full) covariances.widen(inner_count);
    else variances.widen(inner_count, look.watch);
    weights.widen(known, look.watch);
    fit();
    look.sight.score.resize(weights.stride);
    for (int32_t c = old; c < known; ++c) {
      int32_t n = above(c);
      for (int64_t f = 0; f < weights.rows; ++f) weights.row(f)[c] = never.row(f)[n];
      look.sight.score[c] = score_of_never(n);
      pause_within(look.watch, weights.rows);
    }
  }
  void add_node(int32_t c, int32_t parent, bool has_children) {
    parents[c] = parent >= 0 && parent < c && inner[parent] ? parent : -1;
    inner[c] = has_children ? inner_count++ : 0;
    if (has_children) newest.push(-1);
    elder[c] = newest[above(c)];
    newest[above(c)] = c;
  }
  float score_of_never(int32_t n) const {
    const Document& doc = look.sight.doc;
    float s = 0;
    for (int64_t k = 0; k < doc.size; ++k) s += doc.values[k] * never.row(doc.features[k])[n];
    return s;
  }
  // Moves the children of an inner node that the document has: w += P x (y - w.x) / (1 + x'Px), P -= P x x'P / (1 + x'Px).
  void learn(int32_t n) {
    Document along = look.sight.doc;
    float rate = full ? full_gains(n, along) : diagonal_gains(n, along), s = score_of_never(n);
    for (int64_t k = 0; k < along.size; ++k) never.row(along.features[k])[n] += (-1 - s) * rate * along.values[k];
    int32_t count = 0;
    for (int32_t c = newest[n]; c >= 0; c = elder[c]) {
      g[c] = ((labels.mark[c] ? 1.0f : -1.0f) - look.sight.score[c]) * rate;
      moved[count++] = c;
    }
    add(weights, along, g.data, moved.data, count, look.watch);
    for (int32_t i = 0; i < count; ++i) g[moved[i]] = 0;
    if (full) return covariances.shrink(n, wide_gains.data, double(rate), look.watch);
    for (int64_t k = 0; k < along.size; ++k) {
      float& v = variances.row(along.features[k])[n];
      float left = v - rate * along.values[k] * along.values[k];
      v = left < 0 ? 0 : left;  // rounding may take it below
    }
  }
  // Put P x in the place of x, and return 1 / (1 + x'Px).
  float diagonal_gains(int32_t n, Document& doc) {
    gains.resize(doc.size);
    float doubt = 0;
    for (int64_t k = 0; k < doc.size; ++k) {
      float x = doc.values[k], v = variances.row(doc.features[k])[n];
      gains[k] = x * v;
      doubt += x * x * v;
    }
    doc.values = gains.data;
    return 1 / (1 + doubt);
  }
  float full_gains(int32_t n, Document& doc) {
    int64_t rows = weights.rows;
    wide_gains.resize(rows);
    gains.resize(rows);
    for (int64_t f = every.size; f < rows; ++f) every.push(int32_t(f));
    covariances.gains(n, doc, wide_gains.data);
    pause_within(look.watch, doc.size * rows);
    double doubt = covariances.doubt(n, doc);
    if (doubt < 0) clear(wide_gains.data, rows);  // nothing is left to learn along this document
    for (int64_t f = 0; f < rows; ++f) gains[f] = float(wide_gains[f]);
    doc = {every.data, gains.data, rows, rows};
    return doubt > 0 ? float(1 / (1 + doubt)) : 1;
  }
  // What speaks for a label is what speaks for the label on its path that decides.
  void reasons(const Documents& d, int64_t row, const Reasons& out) const override {
    Glance own;
    Array<float> scores;
    Array<uint8_t> predicted;
    Array<int32_t> decides;
    scores.resize(labels.known);
    predicted.resize(labels.known);
    decides.resize(labels.known);
    ask(d, row, scores.data, predicted.data, own);
    Document doc = document(d, row);
    for (int32_t c = 0; c < labels.known; ++c) {
      bool by_parent = parents[c] >= 0 && scores[parents[c]] < own.sight.score[c] * own.shrink[above(c)];
      int32_t one = decides[c] = by_parent ? decides[parents[c]] : c;
      double shrink = own.shrink[above(one)];
      for (int64_t k = 0; k < doc.size; ++k)
        out.contributions[k * labels.known + c] = double(doc.values[k]) * double(weights.weight(row_of(doc.features[k]), one)) * shrink;
      if (bias > 0) out.base[c] = double(bias) * double(weights.weight(0, one)) * shrink;
    }
  }
  int32_t row_of(int32_t f) const { return bias > 0 ? Sight::row_of(f) : f; }
  void forget(int32_t f) {
    weights.forget(row_of(f));
    never.forget(row_of(f));
    variances.forget(row_of(f));
    covariances.forget(row_of(f));
  }
  void progress(const Documents& d, const Events& e, const Out& out, Watch& watch) override { follow(*this, d, e, out, watch); }
  Scratch* scratch() const override { return new Glance; }
  void scores(const Documents& d, const Out& out, Scratch& own) const override { follow_asks<Glance>(*this, d, out, own); }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  bool finite() const override { return weights.finite() && never.finite() && variances.finite() && covariances.finite(); }
  int64_t bytes() const override { return weights.bytes() + never.bytes() + variances.bytes() + covariances.bytes(); }
  void save(Writer& out) const override {
    labels.save(out);
    put(out, "parents", parents.data, labels.known);
    uint8_t* to = room<uint8_t>(out, "inner", labels.known);
    for (int32_t c = 0; c < labels.known; ++c) to[c] = inner[c] > 0;
    weights.save(out, "weights");
    never.save(out, "never");
    if (full) covariances.save(out, "covariances");
    else variances.save(out, "variances");
  }
  void unpack(Reader& in) override {
    labels.load(in);
    int32_t known = labels.known;
    Given<int32_t> above_each = given<int32_t>(in, "parents", known);
    Given<uint8_t> with_children = given<uint8_t>(in, "inner", known);
    parents.resize(known);
    inner.resize(known);
    elder.resize(known);
    for (int32_t c = 0; c < known; ++c) {
      int32_t parent = above_each[c];
      expect(in, parent >= -1 && parent < c && (parent < 0 || inner[parent]), "a label is below one that is no parent");
      expect(in, with_children[c] <= 1, "a label neither has children nor has none");
      add_node(c, parent, with_children[c]);
    }
    weights.load(in, "weights", known);
    never.load(in, "never", inner_count, weights.rows);
    if (full) {
      expect(in, weights.rows <= most_square, "it has more features than the full form takes");
      covariances.load(in, "covariances", inner_count, weights.rows);
    } else {
      variances.load(in, "variances", inner_count, weights.rows);
      bool right = true;
      for (int64_t f = 0; f < variances.rows; ++f)
        for (int32_t n = 0; n < inner_count; ++n) right &= !(variances.row(f)[n] < 0 || variances.row(f)[n] > start);
      expect(in, right, "it has a weight that no document leads to");
    }
    fit();
  }
};

}  // namespace telex::TELEX_LEVEL

TELEX_KERNEL(hrls_online, HrlsOnline)
