// The baseline that repeats the labels of the last document it learnt.
#include "make.hpp"
#include "labels.hpp"

namespace telex::TELEX_LEVEL {

struct Last final : Learner {
  Labels labels;
  Array<int32_t> columns;
  int64_t size = 0;

  void ask(const Documents&, int64_t, float* scores, uint8_t* relevant) {
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
  void forget(int32_t) {}
  void progress(const Documents& d, const Events& e, const Out& out) override { follow(*this, d, e, out); }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  int64_t bytes() const override { return columns.capacity * 4; }
  void save(Writer& out) const override {
    labels.save(out);
    out.put("last", columns.data, 'c', 1, size);
  }
  void load(Reader& in) override {
    labels.load(in);
    int64_t n;
    const void* from = in.get("last", 'c', &n, &size);
    columns.resize(size);
    copy(columns.data, from, size);
  }
};

Learner* make_last(const Options&) { return new Last; }

}  // namespace telex::TELEX_LEVEL
