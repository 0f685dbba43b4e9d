// The baseline that knows only how frequent labels are.
#include "../kernel.hpp"
#include "../labels.hpp"

namespace telex::TELEX_LEVEL {

constexpr int64_t most_total = int64_t(1) << 60, few = 64;

// Room to sort the labels in, where many are predicted.
struct Order final : Scratch {
  Array<int32_t> order;
};

struct Prior final : Learner {
  uint64_t seed;
  Labels labels;
  Array<int64_t> documents;  // by column
  int64_t total = 0;
  Order look;
  explicit Prior(Options& options) : seed(options.seed) {}

  void ask(const Documents& d, int64_t row, float* scores, uint8_t* relevant, Order& own) const {
    int32_t known = labels.known;
    double m = double(labels.learnt);
    for (int32_t c = 0; c < known; ++c) scores[c] = float(double(documents[c]) / m);
    clear(relevant, known);
    Ties ties(seed, d.numbers[row], labels.hashes.data);
    Ranked before{scores, ties};
    int64_t wanted = labels.learnt ? (2 * total + labels.learnt) / (2 * labels.learnt) : 0;
    if (wanted > few) {
      own.order.resize(known);
      for (int32_t c = 0; c < known; ++c) own.order[c] = c;
      sort(own.order.data, known, before);
      for (int64_t n = 0; n < wanted && n < known; ++n) relevant[own.order[n]] = 1;
      pause(own.watch, 64 * int64_t(known));
      return;
    }
    for (int64_t n = 0; n < wanted && n < known; ++n) {
      int32_t best = -1;
      for (int32_t c = 0; c < known; ++c)
        if (!relevant[c] && (best < 0 || before(c, best))) best = c;
      relevant[best] = 1;
    }
    pause(own.watch, wanted * known);
  }
  void answer(const Documents& d, int64_t row, bool) {
    labels.open(d, row);
    documents.resize(labels.known + labels.fresh);
    for (int32_t i = 0; i < labels.size; ++i) ++documents[labels.relevant[i]];
    total += labels.size;
    labels.close();
  }
  void reasons(const Documents&, int64_t, const Reasons& out) const override {
    for (int32_t c = 0; c < labels.known; ++c) out.base[c] = double(documents[c]) / double(labels.learnt);
  }
  void forget(int32_t) {}
  void progress(const Documents& d, const Events& e, const Out& out, Watch& watch) override { follow(*this, d, e, out, watch); }
  Scratch* scratch() const override { return new Order; }
  void scores(const Documents& d, const Out& out, Scratch& own) const override { follow_asks<Order>(*this, d, out, own); }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  int64_t bytes() const override { return documents.capacity * 8; }
  void save(Writer& out) const override {
    labels.save(out);
    put(out, "label_documents", documents.data, labels.known);
    put(out, "total", &total, 1);
  }
  void unpack(Reader& in) override {
    labels.load(in);
    Given<int64_t> from = given<int64_t>(in, "label_documents", labels.known);
    total = given<int64_t>(in, "total", 1)[0];
    int64_t left = total <= most_total ? total : -1;
    for (int64_t c = 0; c < from.size && left >= 0; ++c) left = from[c] >= 0 && from[c] <= labels.learnt ? left - from[c] : -1;
    expect(in, left == 0, "its counts of labels do not add up");
    documents.resize(from.size);
    copy(documents.data, from.data, from.size);
  }
};

}  // namespace telex::TELEX_LEVEL

TELEX_KERNEL(prior, Prior)
