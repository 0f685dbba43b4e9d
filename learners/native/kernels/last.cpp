// The baseline that repeats the labels of the last document it learnt.
#include "../kernel.hpp"
#include "../labels.hpp"

namespace telex::TELEX_LEVEL {

struct Last final : Learner {
  Labels labels;
  Array<int32_t> columns;
  int64_t size = 0;
  Scratch look;

  void ask(const Documents&, int64_t, float* scores, uint8_t* relevant, Scratch&) const {
    clear(scores, labels.known);
    clear(relevant, labels.known);
    for (int64_t i = 0; i < size; ++i) {
      scores[columns[i]] = 1;
      relevant[columns[i]] = 1;
    }
  }
  void answer(const Documents& d, int64_t row, bool) {
    labels.open(d, row);
    size = labels.size;
    columns.resize(size);
    copy(columns.data, labels.relevant.data, size);
    labels.close();
  }
  void reasons(const Documents&, int64_t, const Reasons& out) const override {
    for (int64_t i = 0; i < size; ++i) out.base[columns[i]] = 1;
  }
  void forget(int32_t) {}
  void progress(const Documents& d, const Events& e, const Out& out, Watch& watch) override { follow(*this, d, e, out, watch); }
  Scratch* scratch() const override { return new Scratch; }
  void scores(const Documents& d, const Out& out, Scratch& own) const override { follow_asks<Scratch>(*this, d, out, own); }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  int64_t bytes() const override { return columns.capacity * 4; }
  void save(Writer& out) const override {
    labels.save(out);
    put(out, "last", columns.data, size);
  }
  void unpack(Reader& in) override {
    labels.load(in);
    Given<int32_t> from = given<int32_t>(in, "last");
    for (int64_t i = 0; i < from.size; ++i)
      expect(in, from[i] < labels.known && from[i] > (i ? from[i - 1] : -1), "the labels of its last document do not ascend");
    size = from.size;
    columns.resize(size);
    copy(columns.data, from.data, size);
  }
};

}  // namespace telex::TELEX_LEVEL

TELEX_KERNEL(last, Last)
