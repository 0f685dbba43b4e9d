// A chain of classifiers (Read, Pfahringer, Holmes and Frank 2011): each label sees the labels before it as features. True ones
// when it learns, predicted ones when it is asked.
#include "../arow.hpp"

namespace telex::TELEX_LEVEL {

constexpr const char* models[] = {"arow", nullptr};
constexpr const char* orders[] = {"frequency", "appearance", nullptr};
constexpr int32_t most_linked = 4096;  // labels: each may see each other

// Row c of `links` has what label c, as a feature, adds to each column: nothing to those before it in the chain, whose variance
// is 0, so that they stay at 0. Column 0, the label that never was, is behind all others, as every new label is at first.
struct Chain final : Linear<Arow> {
  Table links, link_variances;
  float link;
  bool by_frequency;
  Array<int32_t> chain, place;  // columns in order, and where each is
  Array<int64_t> counts;        // documents of each label
  Array<float> values, score;   // of the labels as features; with them, when a document is learnt

  explicit Chain(Options& options) : Linear<Arow>(options), link(float(options.real("link", 1e-6, 1e6, "a number from 1e-6 to 1e6"))) {
    options.choice("model", models);
    by_frequency = options.choice("order", orders) == 0;
    link_variances.start = 1;
  }
  void ask(const Documents& d, int64_t row, float* __restrict scores, uint8_t* __restrict relevant, Look& own) const {
    look_at(seen(d, row), own);
    copy(scores, own.score.data + 1, labels.known);
    decide(scores, relevant, own.watch);
  }
  // Goes along the chain: a label that is predicted adds its links to those behind it.
  void decide(float* __restrict scores, uint8_t* __restrict relevant, Watch* watch) const {
    int32_t known = labels.known;
    for (int32_t i = 0; i < known; ++i) {
      int32_t c = chain[i];
      relevant[c] = scores[c] > 0;
      if (!relevant[c]) continue;
      const float* from = links.row(c) + 1;
      for (int32_t k = 0; k < known; ++k) scores[k] += link * from[k];
      pause(watch, known);
    }
  }
  void answer(const Documents& d, int64_t row, bool fresh) {
    Document doc = seen(d, row);
    if (!fresh) look_at(doc, look);
    labels.open(d, row);
    meet(doc);
    Document before = truth();
    score.resize(links.stride);
    sum(links, before, score.data, nullptr);
    for (int32_t c = 0; c < links.columns; ++c) score[c] += look.score[c];
    int32_t count = steps(score.data);
    if (count) {
      rule.choose(moved.data, count);
      rule.measure(rule.variances, doc, look.watch);
      rule.measure(link_variances, before, look.watch);
      rule.aim(g.data);
      rule.move(rule.weights, rule.variances, doc, look.watch);
      rule.move(links, link_variances, before, look.watch);
    }
    for (int32_t i = 0; i < count; ++i) g[moved[i]] = 0;
    for (int32_t i = 0; i < labels.size; ++i) ++counts[labels.relevant[i]];
    labels.close();
    if (by_frequency && !(labels.learnt & (labels.learnt - 1))) reorder();
  }
  // The true labels as features; makes room for new ones, which come last.
  Document truth() {
    values.resize(labels.size);
    for (int32_t i = 0; i < labels.size; ++i) values[i] = link;
    Document found{labels.relevant.data, values.data, labels.size, labels.size};
    if (!labels.fresh) return found;
    int32_t old = labels.known, known = old + labels.fresh;
    Table* both[] = {&links, &link_variances};
    for (Table* t : both) {
      t->widen(known + 1, look.watch);
      t->copy_first(old + 1, look.watch);
      t->meet(found, look.watch);
    }
    counts.resize(known);
    place.resize(known);
    for (int32_t c = old; c < known; ++c) {
      place[c] = int32_t(chain.size);
      chain.push(c);
      clear(link_variances.row(c) + 1, c + 1);
    }
    return found;
  }
  // Puts the labels in order of frequency. Links of pairs that have changed places begin anew.
  void reorder() {
    int32_t known = labels.known;
    sort(chain.data, known, [&](int32_t a, int32_t b) { return counts[a] > counts[b] || (counts[a] == counts[b] && a < b); });
    Array<int32_t> now;
    now.resize(known);
    for (int32_t i = 0; i < known; ++i) now[chain[i]] = i;
    for (int32_t c = 0; c < known; ++c) {
      float *to = links.row(c) + 1, *variance = link_variances.row(c) + 1;
      for (int32_t k = 0; k < known; ++k) {
        bool then = place[c] < place[k], behind = now[c] < now[k];
        if (behind == then) continue;
        to[k] = 0;
        variance[k] = behind;
      }
      pause_within(look.watch, known);
    }
    place.swap(now);
  }
  void reasons(const Documents& d, int64_t row, const Reasons& out) const override {
    Linear<Arow>::reasons(d, row, out);
    Look own;
    Array<float> scores;
    Array<uint8_t> predicted;
    scores.resize(labels.known);
    predicted.resize(labels.known);
    ask(d, row, scores.data, predicted.data, own);
    for (int32_t i = 0; i < labels.known; ++i)
      for (int32_t c = chain[i], k = 0; predicted[c] && k < labels.known; ++k)
        out.base[k] += double(link) * double(links.row(c)[k + 1]);
  }
  void progress(const Documents& d, const Events& e, const Out& out, Watch& watch) override { follow(*this, d, e, out, watch); }
  void scores(const Documents& d, const Out& out, Scratch& own) const override { follow_asks<Look>(*this, d, out, own); }
  bool finite() const override { return Linear<Arow>::finite() && links.finite() && link_variances.finite(); }
  int64_t bytes() const override { return Linear<Arow>::bytes() + links.bytes() + link_variances.bytes(); }
  void save(Writer& out) const override {
    Linear<Arow>::save(out);
    links.save(out, "links");
    link_variances.save(out, "link_variances");
    put(out, "chain", chain.data, labels.known);
    put(out, "counts", counts.data, labels.known);
  }
  void unpack(Reader& in) override {
    Linear<Arow>::unpack(in);
    int32_t known = labels.known;
    expect(in, known <= most_linked, "it has more labels than a chain takes");
    links.load(in, "links", known + 1, known);
    link_variances.load(in, "link_variances", known + 1, known);
    Given<int32_t> order = given<int32_t>(in, "chain", known);
    Given<int64_t> documents = given<int64_t>(in, "counts", known);
    chain.resize(known);
    counts.resize(known);
    place.resize(known);
    for (int32_t c = 0; c < known; ++c) place[c] = -1;
    for (int32_t i = 0; i < known; ++i) {
      expect(in, order[i] >= 0 && order[i] < known && place[order[i]] < 0, "its chain has a label twice, or one that is not there");
      expect(in, documents[i] > 0 && documents[i] <= labels.learnt, "it counts the documents of a label wrongly");
      place[chain[i] = order[i]] = i;
      counts[i] = documents[i];
    }
    expect(in, Arow::bound(link_variances) && one_way(), "it has a link that no document leads to");
  }
  // Whether there are links to labels further down the chain alone.
  bool one_way() const {
    bool right = true;
    for (int32_t c = 0; c < labels.known; ++c)
      for (int32_t k = 0; k < labels.known; ++k)
        right &= place[c] < place[k] || (links.row(c)[k + 1] == 0 && link_variances.row(c)[k + 1] == 0);
    return right;
  }
};

}  // namespace telex::TELEX_LEVEL

TELEX_KERNEL(chain, Chain)
