// The baseline that knows only how frequent labels are.
#include "make.hpp"
#include "labels.hpp"

namespace telex::TELEX_LEVEL {

struct Prior final : Learner {
  uint64_t seed;
  Labels labels;
  Array<int64_t> documents;  // by column
  int64_t total = 0;
  explicit Prior(const Options& o) : seed(o.seed) {}

  void ask(const Documents& d, int64_t row, float* scores, uint8_t* relevant) {
    int32_t known = labels.known;
    double m = double(labels.learnt);
    for (int32_t c = 0; c < known; ++c) scores[c] = float(double(documents[c]) / m);
    clear(relevant, known);
    Ties ties(seed, d.numbers[row], labels.hashes.data);
    int64_t wanted = labels.learnt ? (2 * total + labels.learnt) / (2 * labels.learnt) : 0;
    for (int64_t n = 0; n < wanted && n < known; ++n) {
      int32_t best = -1;
      for (int32_t c = 0; c < known; ++c) {
        if (relevant[c]) continue;
        if (best < 0 || scores[c] > scores[best] || (scores[c] == scores[best] && ties.before(c, best))) best = c;
      }
      relevant[best] = 1;
    }
  }
  void answer(const Documents& d, int64_t row, bool) {
    labels.open(d, row);
    documents.resize(labels.known + labels.fresh);
    for (int32_t i = 0; i < labels.size; ++i) ++documents[labels.relevant[i]];
    total += labels.size;
    labels.close();
  }
  void forget(int32_t) {}
  void progress(const Documents& d, const Events& e, const Out& out) override { follow(*this, d, e, out); }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  int64_t bytes() const override { return documents.capacity * 8; }
  void save(Writer& out) const override {
    labels.save(out);
    out.put("label_documents", documents.data, 'i', 1, labels.known);
    out.put("total", &total, 'i', 1, 1);
  }
  void load(Reader& in) override {
    labels.load(in);
    int64_t n, k;
    const void* from = in.get("label_documents", 'i', &n, &k);
    documents.resize(k);
    copy(documents.data, from, k);
    total = *static_cast<const int64_t*>(in.get("total", 'i', &n, &k));
  }
};

Learner* make_prior(const Options& options) { return new Prior(options); }

}  // namespace telex::TELEX_LEVEL
