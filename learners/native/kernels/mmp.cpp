// The multiclass multilabel perceptron (Crammer and Singer 2003; Loza Mencía and Fürnkranz 2008, Fig. 1), and the
// threshold prototype w_0 that cuts its ranking into a set.
#include "../kernel.hpp"
#include "../labels.hpp"
#include "../margins.hpp"
#include "../table.hpp"

namespace telex::TELEX_LEVEL {

enum { iserr, errsetsize, margin, avgp };
enum { uniform, proportional, random_pair, worst_pair };
constexpr const char* loss_names[] = {"iserr", "errsetsize", "margin", "avgp", nullptr};
constexpr const char* penalty_names[] = {"uniform", "proportional", "random", "worst", nullptr};
constexpr const char* ranking_update_names[] = {"perceptron", "arow", nullptr};
constexpr const char *only_perceptron[] = {"perceptron", nullptr}, *only_iserr[] = {"iserr", nullptr}, *only_uniform[] = {"uniform", nullptr},
                     *only_zero[] = {"zero", nullptr};

struct Mmp final : Learner {
  int loss, penalty;
  bool averaged;
  uint64_t seed;
  Labels labels;
  Table weights, sums;  // sums: with margins, how much variance is gone
  Margins margins;

  // The document in hand. Y are its relevant labels, N the others, E the pairs of both that are ranked wrongly. By column of
  // the table, that is 0 for the threshold w_0 and label + 1 for the labels:
  Look look;             // the scores: with the weights as they are, and with their mean, where that predicts
  Array<double> tau;     // its share of the update (Fig. 1), before it is scaled
  Array<float> g;        // the step that its prototype takes along the document; zero between two documents
  Array<int32_t> moved;  // the columns whose step is not zero; before they are known, room to sort in
  Array<uint8_t> hit;
  // By label:
  Array<float> rest;     // the scores of N; NaN for Y, which compares false with any score
  Array<int32_t> below;  // of N: how many labels of Y it wrongly ranks above
  // By position in Y:
  Array<int32_t> above;  // how many labels of N wrongly rank above it

  explicit Mmp(Options& options)
      : loss(options.choice("loss", loss_names)),
        penalty(options.choice("penalty", penalty_names)),
        averaged(options.flag("averaged")),
        seed(options.seed) {
    weights.random = begins_random(options);
    weights.scale = scale_of_beginning(options);
    weights.seed = seed;
    margins.wanted = options.choice("update", averaged ? only_perceptron : ranking_update_names) == 1 && !averaged;
    margins.calm = float(options.real("r", 1e-6, 1e6, "a number from 1e-6 to 1e6"));
    if (margins.wanted) {
      options.choice("loss", only_iserr);  // what means something for the perceptron alone is refused
      options.choice("penalty", only_uniform);
      options.choice("init", only_zero);
      weights.widen(2, nullptr);
      sums.widen(2, nullptr);
    }
    fit();
  }
  bool summed() const { return averaged || margins.wanted; }
  const char* sums_name() const { return averaged ? "weights_sum" : "weights_spent"; }
  void fit() {
    g.resize(weights.stride);
    rest.resize(weights.stride);
    below.resize(weights.stride);
    moved.resize(weights.stride);
    hit.resize(weights.stride);
    tau.resize(weights.stride);
  }
  void look_at(const Document& doc, Look& own) const {
    own.score.resize(weights.stride);
    telex::TELEX_LEVEL::look_at(weights, doc, own.score.data, own.watch);
  }

  void ask(const Documents& d, int64_t row, float* __restrict scores, uint8_t* __restrict relevant, Look& own) const {
    Document doc = document(d, row);
    look_at(doc, own);
    const float* s = averaged && labels.learnt ? own.average(weights, sums, doc, labels.learnt) : own.score.data;
    show(scores, relevant, s + 1, labels.known, s[0]);
    tally(own.watch, labels.known, 0, 0);
  }

  // Fills `above` and `below`: the wrongly ordered pairs E, counted from both sides. Returns |E|.
  int64_t wrong_pairs(const Ties& ties) {
    int32_t known = labels.known, old = labels.size - labels.fresh;
    const float* s = look.score.data + 1;
    float* q = rest.data;
    int32_t* under = below.data;
    int32_t padded = int32_t(round_up(known, line));
    for (int32_t c = 0; c < known; ++c) q[c] = s[c];
    for (int32_t c = known; c < padded; ++c) q[c] = __builtin_nanf("");
    for (int32_t i = 0; i < old; ++i) q[labels.relevant[i]] = __builtin_nanf("");
    clear(under, padded);
    above.resize(labels.size);
    int64_t errors = old < worth_sorting ? 0 : wrong_pairs_sorted(ties, old);
    for (int32_t i = 0; i < old && old < worth_sorting; ++i) {
      int32_t c = labels.relevant[i];
      float sc = s[c];
      int32_t over = 0, even = 0;
      for (int32_t j = 0; j < padded; ++j) {
        int32_t higher = q[j] > sc;
        under[j] += higher;
        over += higher;
        even += q[j] == sc;
      }
      if (even) {
        for (int32_t j = 0; j < known; ++j) {
          if (q[j] == sc && ties.before(j, c)) {
            ++under[j];
            ++over;
          }
        }
      }
      above[i] = over;
      errors += over;
    }
    int32_t irrelevant = known - old;
    for (int32_t i = old; i < labels.size; ++i) {
      above[i] = irrelevant;
      errors += irrelevant;
    }
    if (labels.fresh)
      for (int32_t j = 0; j < known; ++j)
        if (q[j] == q[j]) under[j] += labels.fresh;
    return errors;
  }

  // Does the same for the `old` labels that are not new, where they are many.
  int64_t wrong_pairs_sorted(const Ties& ties, int32_t old) {
    Ranked before{look.score.data + 1, ties};
    const int32_t* column = labels.relevant.data;
    int32_t *order = moved.data, size = 0;
    for (int32_t i = 0; i < old; ++i) {
      above[i] = 0;
      if (before.scores[column[i]] == before.scores[column[i]]) order[size++] = i;
    }
    sort(order, size, [&](int32_t a, int32_t b) { return before(column[a], column[b]); });
    for (int32_t j = 0; j < labels.known; ++j) {
      if (rest[j] != rest[j]) continue;
      int64_t place = first_behind(order, size, [&](int32_t i) { return before(j, column[i]); });
      below[j] = int32_t(size - place);
      if (place < size) ++above[order[place]];
      pause_within(look.watch, 16);
    }
    int64_t errors = 0;
    for (int32_t i = 0, over = 0; i < size; ++i) {
      over += above[order[i]];
      above[order[i]] = over;
      errors += over;
    }
    return errors;
  }

  double delta(int64_t errors) const {
    int32_t size = labels.size;
    if (loss == iserr) return 1;
    if (loss == errsetsize) return double(errors);
    if (loss == margin) {
      int32_t most = 0, clean = 0;
      for (int32_t i = 0; i < size; ++i) {
        if (above[i] > most) most = above[i];
        clean += above[i] == 0;
      }
      return double(most + size - 1 - clean);
    }
    int32_t* sorted = moved.data;  // |Y| <= K: room enough
    copy(sorted, above.data, size);
    sort(sorted, size);
    double sum = 0;
    for (int32_t i = 0; i < size; ++i) sum += double(i + 1) / double(sorted[i] + i + 1);
    return 1 - sum / size;
  }

  bool stands_above(const Ties& ties, int32_t j, int32_t i) const {  // irrelevant column j, position i in Y
    int32_t c = labels.relevant[i];
    if (rest[j] != rest[j]) return false;
    if (i >= labels.size - labels.fresh) return true;
    float sc = look.score[c + 1];
    return rest[j] > sc || (rest[j] == sc && ties.before(j, c));
  }

  // Fills tau by column (0 is the threshold's, not written here); returns sigma.
  double penalties(const Ties& ties, int64_t errors) {
    int32_t known = labels.known, size = labels.size;
    double* t = tau.data + 1;
    for (int32_t j = 0; j < known + labels.fresh; ++j) t[j] = 0;
    double sigma = 0;
    if (penalty == worst_pair) {
      int32_t low = 0, high = -1;
      for (int32_t i = 1; i < size; ++i) {
        bool fresh = i >= size - labels.fresh;
        float a = look.score[labels.relevant[i] + 1], b = look.score[labels.relevant[low] + 1];
        if (fresh || a < b || (a == b && ties.before(labels.relevant[low], labels.relevant[i]))) low = i;
      }
      for (int32_t j = 0; j < known; ++j)
        if (rest[j] == rest[j] && (high < 0 || rest[j] > rest[high] || (rest[j] == rest[high] && ties.before(j, high)))) high = j;
      t[labels.relevant[low]] = 1;
      t[high] = -1;
      return 1;
    }
    if (penalty != uniform) {
      for (int32_t i = 0; i < size; ++i) {
        int32_t c = labels.relevant[i];
        bool fresh = i >= size - labels.fresh;
        double own = 0, sc = fresh ? 0.0 : double(look.score[c + 1]);
        uint64_t key = ties.key(c);
        for (int32_t j = 0; j < known; ++j) {
          if (!stands_above(ties, j, i)) continue;
          double p = penalty == random_pair ? of_pair(key, ties.key(j)) : double(rest[j]) - sc;
          if (!(p > 0)) continue;
          own += p;
          t[j] -= p;
        }
        pause_within(look.watch, 4 * int64_t(known));
        t[c] = own;
        sigma += own;
      }
      if (sigma > 0) return sigma;
    }
    for (int32_t j = 0; j < known; ++j) t[j] = -double(below[j]);
    for (int32_t i = 0; i < size; ++i) t[labels.relevant[i]] = double(above[i]);
    return double(errors);
  }

  // The threshold's own step: the same update over the pairs that have it on one side.
  float threshold_step(const Ties& ties) const {
    int32_t size = labels.size, known = labels.known;
    double s0 = look.score[0], up = 0, total = 0, largest = -1, side = 0;
    int64_t wrong = 0, balance = 0;
    if (penalty == uniform) {
      int32_t high = 0, low = labels.fresh;
      for (int32_t j = 0; j < known; ++j) high += rest[j] > look.score[0];
      for (int32_t i = 0; i < size - labels.fresh; ++i) low += !(look.score[labels.relevant[i] + 1] > look.score[0]);
      return high + low ? step_of(high + low, double(high - low) / double(high + low)) : 0;
    }
    uint64_t empty = ties.of_hash(0xCBF29CE484222325u);
    auto pair = [&](double difference, double sign, uint64_t a, uint64_t b) {
      ++wrong;
      balance += sign > 0 ? 1 : -1;
      double p = penalty == random_pair ? of_pair(a, b) : difference;
      if (penalty == worst_pair) {
        if (difference > largest) {
          largest = difference;
          side = sign;
        }
        return;
      }
      up += sign * p;
      total += p;
    };
    for (int32_t i = 0; i < size; ++i) {
      int32_t c = labels.relevant[i];
      bool fresh = i >= size - labels.fresh;
      if (!fresh && look.score[c + 1] > look.score[0]) continue;
      double difference = fresh ? (s0 > 0 ? s0 : 0.0) : s0 - double(look.score[c + 1]);
      pair(difference, -1, penalty == random_pair ? ties.key(c) : 0, empty);
    }
    for (int32_t j = 0; j < known; ++j)
      if (rest[j] > look.score[0]) pair(double(rest[j]) - s0, 1, empty, penalty == random_pair ? ties.key(j) : 0);
    if (!wrong) return 0;
    if (penalty == worst_pair) return step_of(wrong, side);
    return step_of(wrong, total > 0 ? up / total : double(balance) / double(wrong));
  }
  // The loss is weighed by the share of wrong pairs: with the full loss, fewer than one document in five is cut well.
  float step_of(int64_t wrong, double push) const {
    double step = double(wrong) / double(labels.known + labels.fresh);
    if (loss == errsetsize || loss == margin) step *= double(wrong);
    return float(step * push);
  }

  void answer(const Documents& d, int64_t row, bool fresh) {
    Document doc = document(d, row);
    if (!fresh) look_at(doc, look);
    labels.open(d, row);
    if (margins.wanted) {
      margins.learn(weights, sums, doc, labels, look);
      if (look.watch && look.watch->operations) tally(look.watch, 0, labels.known + labels.fresh, margins.pulled(labels));
      if (labels.fresh) fit();
      labels.close();
      return;
    }
    Ties ties(seed, d.numbers[row], labels.hashes.data);
    int32_t all = labels.known + labels.fresh;
    if (all + 1 > weights.columns) {
      weights.widen(all + 1, look.watch);
      if (averaged) sums.widen(all + 1, look.watch);
      fit();
      look.score.resize(weights.stride);
    }
    int64_t errors = wrong_pairs(ties);
    double step = errors ? delta(errors) : 0;  // before `moved` is filled: delta sorts there
    int32_t count = 0;
    g[0] = threshold_step(ties);
    if (g[0] != 0) moved[count++] = 0;
    if (errors && penalty == uniform && loss == iserr) count = even_steps(errors);
    else if (errors) count = steps(step, penalties(ties, errors), count);
    tally(look.watch, 0, all, count - (g[0] != 0));  // the threshold is none of the paper's prototypes
    if (count) move(doc, count);
    labels.close();
  }
  // Appends the steps of the labels, tau times `step` over sigma; returns how many columns move.
  int32_t steps(double step, double sigma, int32_t count) {
    for (int32_t j = 0; j < labels.known + labels.fresh; ++j) {
      float v = float(step * tau[j + 1] / sigma);
      if (v == 0) continue;
      g[j + 1] = v;
      moved[count++] = j + 1;
    }
    return count;
  }
  // The same where the loss is 1 and all wrong pairs weigh alike, as they mostly do: without tau, many labels at a time. Numbers
  // below 2^24 have the same quotient in float32 as one that is rounded to float32 after float64.
  int32_t even_steps(int64_t errors) {  // leaves no negative zero: that would show where weights move by whole vectors
    float* __restrict step = g.data + 1;
    const int32_t* __restrict under = below.data;
    auto share = [&](auto sigma) {
      for (int32_t j = 0; j < labels.known; ++j) step[j] = float(decltype(sigma)(-under[j]) / sigma);
      for (int32_t i = 0; i < labels.size; ++i) step[labels.relevant[i]] = float(decltype(sigma)(above[i]) / sigma);
    };
    if (errors < 1 << 24) share(float(errors));
    else share(double(errors));
    return list_moved(g.data, weights.stride, hit.data, moved.data);
  }
  // Adds the steps to the weights, times the documents learnt before to the sums, and leaves `g` zero.
  void move(const Document& doc, int32_t count) {
    weights.meet(doc, look.watch);
    add(weights, doc, g.data, moved.data, count, look.watch);
    if (averaged) {
      sums.meet(doc, look.watch);
      for (int32_t i = 0; i < count; ++i) g[moved[i]] = float(double(g[moved[i]]) * double(labels.learnt));
      add(sums, doc, g.data, moved.data, count, look.watch);
    }
    for (int32_t i = 0; i < count; ++i) g[moved[i]] = 0;
  }

  // What speaks for and against a rank above the threshold.
  void reasons(const Documents& d, int64_t row, const Reasons& out) const override {
    Document doc = document(d, row);
    double* to = out.contributions;
    for (int64_t k = 0; k < doc.size; ++k) {
      auto of = [&](int32_t c) { return contribution(weights, sums, averaged ? labels.learnt : 0, doc.features[k], c, double(doc.values[k])); };
      double threshold = of(0);
      for (int32_t c = 0; c < labels.known; ++c) *to++ = of(c + 1) - threshold;
    }
  }
  void forget(int32_t f) {
    weights.forget(f);
    sums.forget(f);
  }
  void progress(const Documents& d, const Events& e, const Out& out, Watch& watch) override { follow(*this, d, e, out, watch); }
  Scratch* scratch() const override { return new Look; }
  void scores(const Documents& d, const Out& out, Scratch& own) const override { follow_asks<Look>(*this, d, out, own); }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  bool finite() const override { return weights.finite() && sums.finite(); }
  int64_t bytes() const override { return weights.bytes() + sums.bytes(); }
  void save(Writer& out) const override {
    labels.save(out);
    weights.save(out, "weights");
    if (summed()) sums.save(out, sums_name());
  }
  void unpack(Reader& in) override {
    labels.load(in);
    int32_t columns = labels.known + 1 + margins.wanted;
    weights.load(in, "weights", columns);
    if (summed()) sums.load(in, sums_name(), columns, weights.rows);
    fit();
  }
};

}  // namespace telex::TELEX_LEVEL

TELEX_KERNEL(mmp, Mmp)
