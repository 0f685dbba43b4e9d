// Multinomial naive Bayes, each label against the rest, tf-idf weights taken as counts, Laplace smoothing.
#include "../kernel.hpp"
#include "../labels.hpp"
#include "../log.hpp"
#include "../table.hpp"

namespace telex::TELEX_LEVEL {

struct Nb final : Learner {
  Labels labels;
  Table counts;                // column 0: over all documents
  Array<uint8_t> seen;         // by feature
  int64_t features = 0;        // seen
  Array<double> totals;        // by column of `counts`: sums of its column
  Array<int64_t> documents;    // likewise
  Look look;

  Nb() { fit(); }
  void fit() {
    totals.resize(counts.stride);
    documents.resize(counts.stride);
  }

  void ask(const Documents& d, int64_t row, float* __restrict scores, uint8_t* __restrict relevant, Look& own) const {
    Document doc = document(d, row);
    own.score.resize(counts.stride);
    double mass = 0;
    Vector* s = reinterpret_cast<Vector*>(own.score.data);
    int32_t vectors = counts.stride / lanes;
    for (int32_t j = 0; j < vectors; ++j) s[j] = Vector{};
    for (int64_t k = 0; k < doc.size; ++k) {
      float x = doc.values[k];
      if (!(x > 0)) continue;
      mass += x;
      int32_t f = doc.features[k];
      if (f >= counts.rows) continue;
      const Vector* n = reinterpret_cast<const Vector*>(counts.row(f));
      float all = counts.row(f)[0];
      for (int32_t j = 0; j < vectors; ++j) s[j] += x * log_of((n[j] + 1.0f) / (all - n[j] + 1.0f));
      if (k % 64 == 63) pause(own.watch, 256 * int64_t(counts.stride));
    }
    double m = double(documents[0]), t = totals[0], size = double(features);
    for (int32_t j = 0; j < vectors; ++j) {
      Vector odds, share;
      for (int32_t i = 0; i < lanes; ++i) {
        int32_t c = j * lanes + i;
        bool label = c > 0 && c < counts.columns;
        odds[i] = label ? float((double(documents[c]) + 1) / (m - double(documents[c]) + 1)) : 1.0f;
        share[i] = label && size > 0 ? float((totals[c] + size) / (t - totals[c] + size)) : 1.0f;
      }
      s[j] = (s[j] + log_of(odds)) - float(mass) * log_of(share);
    }
    int32_t known = labels.known;
    copy(scores, own.score.data + 1, known);
    for (int32_t c = 0; c < known; ++c) relevant[c] = scores[c] > 0;
  }

  void answer(const Documents& d, int64_t row, bool) {
    Document doc = document(d, row);
    labels.open(d, row);
    int32_t all = labels.known + labels.fresh;
    if (all + 1 > counts.columns) {
      counts.widen(all + 1, look.watch);
      fit();
    }
    counts.meet(doc, look.watch);
    seen.resize(counts.rows);
    double mass = 0;
    for (int64_t k = 0; k < doc.size; ++k) {
      int32_t f = doc.features[k];
      features += !seen[f];
      seen[f] = 1;
      float x = doc.values[k];
      if (!(x > 0)) continue;
      mass += x;
      float* n = counts.row(f);
      n[0] += x;
      for (int32_t i = 0; i < labels.size; ++i) n[labels.relevant[i] + 1] += x;
      if (k % 64 == 63) pause_within(look.watch, 64 * int64_t(labels.size));
    }
    totals[0] += mass;
    ++documents[0];
    for (int32_t i = 0; i < labels.size; ++i) {
      totals[labels.relevant[i] + 1] += mass;
      ++documents[labels.relevant[i] + 1];
    }
    labels.close();
  }

  // A feature's part is the log ratio of its two smoothed shares; the odds of the labels come from no feature.
  void reasons(const Documents& d, int64_t row, const Reasons& out) const override {
    Document doc = document(d, row);
    int32_t known = labels.known;
    double m = double(documents[0]), t = totals[0], size = double(features);
    for (int32_t c = 0; c < known; ++c) {
      double own = double(documents[c + 1]), mass = totals[c + 1];
      out.base[c] = log_of(float((own + 1) / (m - own + 1)));
      double share = size > 0 ? log_of(float((mass + size) / (t - mass + size))) : 0;
      for (int64_t k = 0; k < doc.size; ++k) {
        if (!(doc.values[k] > 0)) continue;
        double count = 0;
        if (doc.features[k] < counts.rows) {
          const float* n = counts.row(doc.features[k]);
          count = log_of((n[c + 1] + 1.0f) / (n[0] - n[c + 1] + 1.0f));
        }
        out.contributions[k * known + c] = double(doc.values[k]) * (count - share);
      }
    }
  }
  void forget(int32_t f) {
    if (f >= counts.rows || !seen[f]) return;
    for (int32_t c = 0; c < counts.columns; ++c) totals[c] -= double(counts.row(f)[c]);
    counts.forget(f);
    seen[f] = 0;
    --features;
  }
  void progress(const Documents& d, const Events& e, const Out& out, Watch& watch) override { follow(*this, d, e, out, watch); }
  Scratch* scratch() const override { return new Look; }
  void scores(const Documents& d, const Out& out, Scratch& own) const override { follow_asks<Look>(*this, d, out, own); }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  bool finite() const override { return counts.finite(); }
  int64_t bytes() const override { return counts.bytes() + seen.capacity; }
  void save(Writer& out) const override {
    labels.save(out);
    counts.save(out, "counts");
    put(out, "seen", seen.data, counts.rows);
    put(out, "label_totals", totals.data, counts.columns);
    put(out, "label_documents", documents.data, counts.columns);
  }
  void unpack(Reader& in) override {
    labels.load(in);
    counts.load(in, "counts", labels.known + 1);
    fit();
    Given<uint8_t> flags = given<uint8_t>(in, "seen", counts.rows);
    Given<double> sums = given<double>(in, "label_totals", counts.columns);
    Given<int64_t> learnt = given<int64_t>(in, "label_documents", counts.columns);
    expect(in, learnt[0] == labels.learnt, "it counts documents wrongly");
    for (int32_t c = 0; c < counts.columns; ++c)
      expect(in, learnt[c] >= 0 && learnt[c] <= learnt[0], "a label has more documents than there were");
    seen.resize(counts.rows);
    for (int64_t f = 0; f < counts.rows; ++f) {
      const float* n = counts.row(f);
      expect(in, flags[f] <= 1 && (flags[f] || n[0] == 0), "it has counts of features that it never met");
      for (int32_t c = 0; c < counts.columns; ++c) expect(in, n[c] >= 0 && n[c] <= n[0], "a label has more of a feature than there was");
      seen[f] = flags[f];
      features += flags[f];
    }
    copy(totals.data, sums.data, counts.columns);
    copy(documents.data, learnt.data, counts.columns);
  }
};

}  // namespace telex::TELEX_LEVEL

TELEX_KERNEL(nb, Nb)
