// Sets and probabilities from binned scores, and sets of the best labels: learners/thresholds/score_bins.py has the formulas.
#include "exp.hpp"
#include "kernel.hpp"
#include "order.hpp"
#include "own_cut.hpp"

namespace telex::TELEX_LEVEL {

constexpr int side = score_bins / 2;       // bins on either side of the cut
constexpr int32_t first_octave = -12;      // scores nearer to the cut than 2^-12 share a bin with it, those of 2^20 and more another
constexpr float shared = 20;               // as many documents of the common bins as go into those of each label
constexpr int64_t half_life = 1000, rarest = 64;

static int32_t bin_of(float z) {
  uint32_t bits = __builtin_bit_cast(uint32_t, z) & 0x7FFFFFFFu;
  int32_t size = int32_t(bits >> 22) - ((127 + first_octave) << 1);  // two bins an octave
  size = size < 0 ? 0 : size;
  size = size > side - 1 ? side - 1 : size;
  return z > 0 ? side + size : side - 1 - size;  // NaN is in the lowest
}

// The best F1 that one threshold would have had, of `positives` documents with the label.
struct Best {
  double met = 0, hits = 0, positives, f1 = 0;
  void add(double more_met, double more_hits) {
    met += more_met;
    hits += more_hits;
    double f = 2 * hits / (met + positives);
    f1 = f > f1 ? f : f1;
  }
};

static void refresh(const ScoreBins& bins, int32_t known, bool each_label) {
  Best all{.positives = *bins.all_positives};
  for (int b = score_bins; b-- > 0;) {
    double met = bins.common[2 * b], hits = bins.common[2 * b + 1];
    if (met > 0) all.add(met, hits);
    bins.rates[b] = float((hits + (b < side ? .05 : .55)) / (met + 1));
  }
  if (*bins.all_positives <= 0) return;
  *bins.common_f1 = all.f1;
  if (!each_label) return;
  double share = double(shared) / *bins.all_positives;
  for (int32_t c = 0; c < known; ++c) {
    Best own{.positives = double(bins.positives[c]) + shared};
    const float* counts = bins.counts + int64_t(c) * 2 * score_bins;
    for (int b = score_bins; b-- > 0;)
      if (bins.common[2 * b] > 0)
        own.add(double(counts[2 * b]) + bins.common[2 * b] * share, double(counts[2 * b + 1]) + bins.common[2 * b + 1] * share);
    bins.f1[c] = bins.positives[c] > 0 ? float(own.f1) : 0;
  }
}

static void halve(const ScoreBins& bins, int64_t labels) {
  for (int64_t i = 0; i < labels * 2 * score_bins; ++i) bins.counts[i] *= .5f;
  for (int64_t i = 0; i < labels; ++i) bins.positives[i] *= .5f;
  for (int b = 0; b < 2 * score_bins; ++b) bins.common[b] *= .5;
  *bins.all_positives *= .5;
}

void set_by_bins(const Asked& a, const Documents& d, const int32_t* steps, int64_t count, const ScoreBins& bins, Decision decision,
                 uint8_t* relevant, float* probabilities, float* cuts, int32_t* bin, Watch& watch) {
  for (int64_t i = 0, next = 0; i < count; ++i) {
    int64_t k = steps[i] >= 0 ? next++ : next - 1;
    int32_t known = a.known[k];
    const float* s = a.scores + k * a.width;
    if (steps[i] >= 0) {
      pause(&watch, 8 * int64_t(known));
      const uint8_t* own = a.relevant + k * a.width;
      float* p = probabilities + k * a.width;
      uint8_t* set = relevant + k * a.width;
      float cut = cut_of(s, own, known), all = float(*bins.common_f1);
      for (int32_t c = 0; c < known; ++c) bin[c] = bin_of(s[c] - cut);
      for (int32_t c = 0; c < known; ++c) {
        const float* counts = bins.counts + (int64_t(c) * score_bins + bin[c]) * 2;
        p[c] = (counts[1] + shared * bins.rates[bin[c]]) / (counts[0] + shared);
      }
      auto half = [&](int32_t c) { return (decision == Decision::macro && bins.f1[c] > 0 ? bins.f1[c] : all) * .5f; };
      if (decision == Decision::own) copy(set, own, known);
      else
        for (int32_t c = 0; c < known; ++c) set[c] = p[c] >= half(c);
      if (cuts)
        for (int32_t c = 0; c < known; ++c) cuts[k * a.width + c] = half(c);
      continue;
    }
    int32_t row = ~steps[i], most = known;
    for (int32_t c = 0; c < known; ++c) {
      bins.counts[(int64_t(c) * score_bins + bin[c]) * 2] += 1;
      bins.common[2 * bin[c]] += 1;
    }
    for (int64_t at = d.label_indptr[row]; at < d.label_indptr[row + 1]; ++at) {
      int32_t c = a.columns[d.labels[at]];
      bins.positives[c] += 1;
      *bins.all_positives += 1;
      most = c >= most ? c + 1 : most;
      if (c >= known) continue;  // the learner had no score for it yet
      bins.counts[(int64_t(c) * score_bins + bin[c]) * 2 + 1] += 1;
      bins.common[2 * bin[c] + 1] += 1;
    }
    int64_t answers = ++bins.clock[0];
    if (answers % half_life == 0) halve(bins, most);
    if (answers >= bins.clock[1]) {
      refresh(bins, most, decision == Decision::macro);
      bins.clock[1] = answers + (answers < 16 ? 1 : answers < 16 * rarest ? answers / 16 : rarest);
      pause(&watch, decision == Decision::macro ? int64_t(most) * score_bins : 1);
    }
  }
}

void probabilities_of(const float* log_odds, float* p, int64_t count) {
  Vector some, found;
  for (int64_t i = 0; i < count; i += lanes) {
    size_t bytes = size_t(count - i < lanes ? count - i : lanes) * sizeof(float);
    if (bytes < sizeof some) some = Vector{};
    memcpy(&some, log_odds + i, bytes);
    found = 1.0f / (1.0f + exp_of(-some));
    memcpy(p + i, &found, bytes);
  }
}

void reliability(const Asked& a, const Documents& d, const float* probabilities, int64_t* counts, Watch& watch) {
  int64_t *met = counts, *sums = counts + tenths, *hits = counts + 2 * tenths;
  constexpr int32_t most_small = 1024;  // a tenth of a unit each: an int32_t holds their sum
  uint8_t others[most_small];
  auto tenth = [](float p) {
    int bin = int(p * tenths);
    return bin < tenths ? bin : tenths - 1;
  };
  for (int64_t k = 0; k < a.asks; ++k) {
    int32_t row = a.rows[k], known = a.known[k];
    if (!d.labelled[row]) continue;
    pause(&watch, 2 * int64_t(known));
    const float* p = probabilities + k * a.width;
    for (int32_t first = 0; first < known; first += most_small) {
      const int32_t end = known - first < most_small ? known : first + most_small;
      int32_t sum = 0;  // of those in the lowest tenth, as most are: many at a time
      for (int32_t c = first; c < end; ++c) {
        bool small = p[c] * tenths < 1;
        others[c - first] = !small;
        sum += small ? int32_t(p[c] * float(reliability_unit)) : 0;
      }
      met[0] += end - first;
      sums[0] += sum;
      each_set(others, end - first, [&](int64_t c) {
        int bin = tenth(p[first + c]);
        --met[0];
        ++met[bin];
        sums[bin] += int64_t(double(p[first + c]) * double(reliability_unit));
      });
    }
    for (int64_t at = d.label_indptr[row]; at < d.label_indptr[row + 1]; ++at) {
      int32_t id = d.labels[at], c = id < a.named ? a.columns[id] : -1;
      if (c >= 0 && c < known) ++hits[tenth(p[c])];
    }
  }
}

void set_best(const Asked& a, const int32_t* sizes, uint8_t* relevant, int32_t* best, Watch& watch) {
  for (int64_t k = 0; k < a.asks; ++k) {
    int32_t known = a.known[k], size = sizes[k] < known ? sizes[k] : known, numbers = 0;
    const float* s = a.scores + k * a.width;
    uint8_t* set = relevant + k * a.width;
    clear(set, known);
    pause(&watch, 8 * int64_t(known));
    Ties ties(a.seed, a.numbers[k], a.keys);
    Ranked before{s, ties};
    if (size <= 16) {
      for (int32_t c = 0; c < known; ++c) {
        if (s[c] != s[c]) continue;
        if (numbers == size && (!size || !before(c, best[size - 1]))) continue;
        int32_t at = numbers < size ? numbers++ : size - 1;
        for (; at && before(c, best[at - 1]); --at) best[at] = best[at - 1];
        best[at] = c;
      }
    } else {
      for (int32_t c = 0; c < known; ++c)
        if (s[c] == s[c]) best[numbers++] = c;
      sort(best, numbers, before);
    }
    for (int32_t i = 0; i < size && i < numbers; ++i) set[best[i]] = 1;
  }
}

}  // namespace telex::TELEX_LEVEL
