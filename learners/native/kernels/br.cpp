// Binary relevance: K independent perceptrons (Loza Mencía and Fürnkranz 2008, II-B).
#include "../kernel.hpp"
#include "../relevance.hpp"

namespace telex::TELEX_LEVEL {

struct Br final : Learner {
  Labels labels;
  Relevance relevance;
  Look look;

  explicit Br(Options& options) : relevance(options) {}

  void ask(const Documents& d, int64_t row, float* __restrict scores, uint8_t* __restrict relevant, Look& own) const {
    Document doc = document(d, row);
    relevance.look_at(doc, own);
    const float* __restrict s = relevance.show(doc, labels.learnt, own) + 1;
    for (int32_t c = 0; c < labels.known; ++c) {
      scores[c] = s[c];
      relevant[c] = s[c] >= 0;
    }
    tally(own.watch, labels.known, 0, 0);
  }
  void answer(const Documents& d, int64_t row, bool fresh) {
    Document doc = document(d, row);
    if (!fresh) relevance.look_at(doc, look);
    labels.open(d, row);
    int32_t moved = relevance.learn(doc, labels, look);
    tally(look.watch, 0, labels.known + labels.fresh, moved);
    labels.close();
  }
  void reasons(const Documents& d, int64_t row, const Reasons& out) const override {
    Document doc = document(d, row);
    double* to = out.contributions;
    for (int64_t k = 0; k < doc.size; ++k)
      for (int32_t c = 0; c < labels.known; ++c)
        *to++ = relevance.contribution(labels.learnt, doc.features[k], c, double(doc.values[k]));
  }
  void forget(int32_t f) { relevance.forget(f); }
  void progress(const Documents& d, const Events& e, const Out& out, Watch& watch) override { follow(*this, d, e, out, watch); }
  Scratch* scratch() const override { return new Look; }
  void scores(const Documents& d, const Out& out, Scratch& own) const override { follow_asks<Look>(*this, d, out, own); }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  bool finite() const override { return relevance.finite(); }
  int64_t bytes() const override { return relevance.bytes(); }
  void save(Writer& out) const override {
    labels.save(out);
    relevance.save(out, "weights", "weights_sum");
  }
  void unpack(Reader& in) override {
    labels.load(in);
    relevance.load(in, "weights", "weights_sum", labels.known);
  }
};

}  // namespace telex::TELEX_LEVEL

TELEX_KERNEL(br, Br)
