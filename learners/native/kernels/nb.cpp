// Naive Bayes, each label against the rest: what a document counts, four ways to weigh a feature, and the same prior odds.
#include "../counted.hpp"
#include "../kernel.hpp"
#include "../labels.hpp"
#include "../log.hpp"
#include "../table.hpp"

namespace telex::TELEX_LEVEL {

struct Nb final : Learner {
  enum Variant { dirichlet, multinomial, complement, normalised };
  static constexpr const char* variants[] = {"dirichlet", "multinomial", "complement", "normalised", nullptr};

  const Variant variant;
  const double alpha;
  const Counting counting;
  Labels labels;
  Table counts;                // column 0: over all documents
  Array<uint8_t> seen;         // by feature
  int64_t features = 0;        // seen
  Array<double> totals;        // by column of `counts`: sums of its column
  Array<int64_t> documents;    // likewise
  // Of `normalised`, likewise: the sum over features of the log ratios, column 0 that of the logs of what all documents count.
  Array<double> logs;
  struct Seen final : Scratch {
    Array<float> score, counted;
  } look;

  explicit Nb(Options& options)
      : variant(Variant(options.choice("variant", variants))),
        alpha(options.real("alpha", 1e-6, 1e6, "a number from 0.000001 to 1000000")),
        counting(Counting(options.choice("counts", countings))) {
    fit();
  }
  void fit() {
    totals.resize(counts.stride);
    documents.resize(counts.stride);
    logs.resize(counts.stride);
  }

  double smoothing() const { return alpha * double(features); }
  // What is added to a feature's count: `dirichlet` shares the same sum out as all documents share theirs.
  float addend() const { return variant == dirichlet ? float(smoothing() / totals[0]) : float(alpha); }
  // Of `dirichlet`: whether a feature that counts so much over all documents says anything about a label.
  bool speaks(float all) const { return all > 0 && totals[0] > 0; }
  static float added(Variant variant, float addend, float all) {
    constexpr float least = 1e-30f;
    return variant != dirichlet ? addend : addend * all > least ? addend * all : least;
  }
  // The log ratio of a feature's counts, smoothed, in documents with a label (or, of the complement, in all) and in the rest.
  template <Variant V>
  static Vector log_counts(Vector n, float all, float a) {
    if constexpr (V == multinomial) return log_of((n + a) / (all - n + a));
    else if constexpr (V == dirichlet) return log_of_ratio(n + a, all - n + a);
    else return log_of_ratio(Vector{} + (all + a), all - n + a);
  }
  float log_count(float n, float all, float a) const {
    Vector v = Vector{} + n;
    return (variant == multinomial ? log_counts<multinomial>(v, all, a) :
            variant == dirichlet ? log_counts<dirichlet>(v, all, a) : log_counts<complement>(v, all, a))[0];
  }
  bool complements() const { return variant == complement || variant == normalised; }
  // The ratio of their sums.
  float share(int32_t c) const {
    double t = totals[0], own = complements() ? t : totals[c];
    return features > 0 ? float((own + smoothing()) / (t - totals[c] + smoothing())) : 1.0f;
  }
  float odds(int32_t c) const { return float((double(documents[c]) + 1) / (double(documents[0]) - double(documents[c]) + 1)); }
  // What the weights of a label must be multiplied by, for all labels to have the same sum of weights; `all`: that sum.
  double all_weights() const { return double(features) * log_of(float(totals[0] + smoothing())) - logs[0]; }
  double equaliser(int32_t c, double all, float log_share) const {
    return features < 2 ? 1 : all / (all + logs[c] - double(features) * double(log_share));
  }

  template <Variant V>
  double add_logs(const Document& doc, const float* counted, Vector* s, Watch* watch) const {
    double mass = 0;
    float each = addend();
    int32_t vectors = counts.stride / lanes;
    for (int64_t k = 0; k < doc.size; ++k) {
      float x = counted[k];
      if (!(x > 0)) continue;
      int32_t f = doc.features[k];
      bool met = f < counts.rows;
      if (V == dirichlet && !(met && speaks(counts.row(f)[0]))) continue;
      mass += x;
      if (!met) continue;
      const Vector* n = reinterpret_cast<const Vector*>(counts.row(f));
      float all = counts.row(f)[0], a = added(V, each, all);
      for (int32_t j = 0; j < vectors; ++j) s[j] += x * log_counts<V>(n[j], all, a);
      if (k % 64 == 63) pause(watch, 256 * int64_t(counts.stride));
    }
    return mass;
  }
  // Of `normalised`: the logs of the shares that a document's features have among all.
  double log_shares(const Document& doc, const float* counted, double mass) const {
    double sum = 0;
    for (int64_t k = 0; k < doc.size; ++k)
      if (counted[k] > 0) sum += double(counted[k]) * double(log_of(count_of(doc.features[k]) + float(alpha)));
    return sum - mass * double(log_of(float(totals[0] + smoothing())));
  }
  float count_of(int32_t f) const { return f < counts.rows ? counts.row(f)[0] : 0; }

  void ask(const Documents& d, int64_t row, float* __restrict scores, uint8_t* __restrict relevant, Seen& own) const {
    Document doc = document(d, row);
    const float* counted = counted_of(d, row, counting, true, own.counted);
    own.score.resize(counts.stride);
    Vector* s = reinterpret_cast<Vector*>(own.score.data);
    int32_t vectors = counts.stride / lanes;
    for (int32_t j = 0; j < vectors; ++j) s[j] = Vector{};
    double mass = variant == dirichlet     ? add_logs<dirichlet>(doc, counted, s, own.watch)
                  : variant == multinomial ? add_logs<multinomial>(doc, counted, s, own.watch)
                                           : add_logs<complement>(doc, counted, s, own.watch);
    bool equal = variant == normalised && features > 0;
    double all = equal ? all_weights() : 0, base = equal ? log_shares(doc, counted, mass) : 0;
    for (int32_t j = 0; j < vectors; ++j) {
      Vector prior, shared;
      for (int32_t i = 0; i < lanes; ++i) {
        int32_t c = j * lanes + i;
        bool label = c > 0 && c < counts.columns;
        prior[i] = label ? odds(c) : 1.0f;
        shared[i] = label ? share(c) : 1.0f;
      }
      Vector log_share = log_of(shared);
      if (!equal) {
        s[j] = (s[j] + log_of(prior)) - float(mass) * log_share;
        continue;
      }
      prior = log_of(prior);
      for (int32_t i = 0; i < lanes; ++i) {
        int32_t c = j * lanes + i;
        if (c < 1 || c >= counts.columns) continue;
        double r = equaliser(c, all, log_share[i]);
        s[j][i] = float(base * (1 - r) + (double(s[j][i]) - mass * double(log_share[i])) * r + double(prior[i]));
      }
    }
    int32_t known = labels.known;
    copy(scores, own.score.data + 1, known);
    for (int32_t c = 0; c < known; ++c) relevant[c] = scores[c] > 0;
  }

  // Adds a feature's part to `logs`, or takes it away.
  void count_logs(int32_t f, double sign) {
    const float* row = counts.row(f);
    const Vector* n = reinterpret_cast<const Vector*>(row);
    for (int32_t j = 0; j < counts.stride / lanes; ++j) {
      Vector log = log_counts<complement>(n[j], row[0], float(alpha));
      for (int32_t i = 0; i < lanes; ++i)
        if (j + i) logs[j * lanes + i] += sign * double(log[i]);
    }
    logs[0] += sign * double(log_of(row[0] + float(alpha)));
  }

  void answer(const Documents& d, int64_t row, bool) {
    Document doc = document(d, row);
    const float* counted = counted_of(d, row, counting, false, look.counted);
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
      bool logged = variant == normalised;
      if (logged && seen[f]) count_logs(f, -1);
      features += !seen[f];
      seen[f] = 1;
      float x = counted[k];
      if (x > 0) {
        mass += x;
        float* n = counts.row(f);
        n[0] += x;
        for (int32_t i = 0; i < labels.size; ++i) n[labels.relevant[i] + 1] += x;
      }
      if (logged) count_logs(f, 1);
      if (k % 64 == 63) pause_within(look.watch, 64 * int64_t(logged ? 8 * counts.stride : labels.size));
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
    Array<float> room;
    const float* counted = counted_of(d, row, counting, true, room);
    int32_t known = labels.known;
    bool equal = variant == normalised && features > 0;
    double all = equal ? all_weights() : 0;
    for (int32_t c = 0; c < known; ++c) {
      out.base[c] = log_of(odds(c + 1));
      float log_share = log_of(share(c + 1));
      double r = equal ? equaliser(c + 1, all, log_share) : 1;
      for (int64_t k = 0; k < doc.size; ++k) {
        if (!(counted[k] > 0)) continue;
        int32_t f = doc.features[k];
        float sum = count_of(f);
        if (variant == dirichlet && !speaks(sum)) continue;
        double count = 0;
        if (f < counts.rows) count = log_count(counts.row(f)[c + 1], sum, added(variant, addend(), sum));
        double part = (count - double(log_share)) * r;
        if (equal) part += (1 - r) * (double(log_of(sum + float(alpha))) - double(log_of(float(totals[0] + smoothing()))));
        out.contributions[k * known + c] = double(counted[k]) * part;
      }
    }
  }
  void forget(int32_t f) {
    if (f >= counts.rows || !seen[f]) return;
    if (variant == normalised) count_logs(f, -1);
    for (int32_t c = 0; c < counts.columns; ++c) totals[c] -= double(counts.row(f)[c]);
    counts.forget(f);
    seen[f] = 0;
    --features;
    bound_totals();
  }
  // Totals grow in float64 and counts in float32: what is left of a total without most features may be less than nothing, or more
  // than that of all documents.
  void bound_totals() {
    for (int32_t c = 0; c < counts.columns; ++c) {
      double most = features ? totals[0] : 0;
      totals[c] = !(totals[c] > 0) ? 0 : totals[c] < most ? totals[c] : most;
    }
  }
  void progress(const Documents& d, const Events& e, const Out& out, Watch& watch) override { follow(*this, d, e, out, watch); }
  Scratch* scratch() const override { return new Seen; }
  void scores(const Documents& d, const Out& out, Scratch& own) const override { follow_asks<Seen>(*this, d, out, own); }
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
    if (variant == normalised) put(out, "label_logs", logs.data, counts.columns);
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
    bound_totals();
    copy(documents.data, learnt.data, counts.columns);
    if (variant == normalised) copy(logs.data, given<double>(in, "label_logs", counts.columns).data, counts.columns);
  }
};

}  // namespace telex::TELEX_LEVEL

TELEX_KERNEL(nb, Nb)
