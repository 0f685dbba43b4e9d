// Compares predictions with the true labels: ranks of the relevant labels, and the predicted set's hits and misses.
#include "kernel.hpp"
#include "order.hpp"

namespace telex::TELEX_LEVEL {

enum { true_positive, false_positive, false_negative };

// How many of some bytes of 0 and 1 are 1.
static int32_t count_set(const uint8_t* flags, int32_t count) {
  int32_t found = 0, i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t eight;
    memcpy(&eight, flags + i, 8);
    found += int32_t(eight * 0x0101010101010101u >> 56);
  }
  for (; i < count; ++i) found += flags[i];
  return found;
}

static bool all_numbers(const float* s, int32_t known) {
  int32_t others = 0;
  for (int32_t c = 0; c < known; ++c) others |= s[c] != s[c];
  return !others;
}

static int32_t rank_of(const float* s, int32_t known, int32_t c, const Ties& ties) {
  float sc = s[c];
  int32_t above = 0, even = 0;
  for (int32_t j = 0; j < known; ++j) {
    above += s[j] > sc;
    even += s[j] == sc;
  }
  if (even > 1)
    for (int32_t j = 0; j < known; ++j) above += j != c && s[j] == sc && ties.before(j, c);
  return above + 1;
}

// Writes the ranks of the columns in `order`, which it sorts.
static void rank_all(const float* s, int32_t known, const Ties& ties, int32_t* order, int32_t size, int32_t* places, int32_t* ranks) {
  Ranked before{s, ties};
  sort(order, size, before);
  clear(places, size);
  for (int32_t c = 0; c < known; ++c) {
    int64_t place = first_behind(order, size, [&](int32_t other) { return before(c, other); });
    if (place < size) ++places[place];
  }
  for (int32_t i = 0, above = 0; i < size; ++i) *ranks++ = (above += places[i]) + 1;
}

void judge(const Asked& a, const Documents& d, Judgement& out, Watch& watch) {
  int64_t n = 0, marks = 0, ranks = 0;
  for (int64_t k = 0; k < a.asks; ++k) {
    int32_t row = a.rows[k], known = a.known[k];
    if (!d.labelled[row]) continue;
    const float* s = a.scores + k * a.width;
    if (!all_numbers(s, known)) {
      for (int32_t c = 0; c < known; ++c) out.scores[c] = s[c] == s[c] ? s[c] : -__builtin_inff();
      s = out.scores;
      out.not_numbers[out.not_number_rows++] = row;
    }
    const uint8_t* predicted = a.relevant + k * a.width;
    Ties ties(a.seed, a.numbers[k], a.keys);
    int64_t first = d.label_indptr[row], last = d.label_indptr[row + 1];
    int32_t size = int32_t(last - first), old = 0, hits = 0;
    int32_t* r = out.ranks + ranks;
    for (int64_t i = first; i < last; ++i) {
      int32_t id = d.labels[i], c = id < a.named ? a.columns[id] : -1;
      bool there = c >= 0 && c < known, hit = there && predicted[c];
      out.order[old] = c;
      old += there;
      hits += hit;
      out.marks[marks++] = id * 4 + (hit ? true_positive : false_negative);
    }
    int32_t chosen = count_set(predicted, known);
    if (chosen > hits) {
      for (int32_t i = 0; i < old; ++i) out.true_columns[out.order[i]] = 1;
      each_set(predicted, known, [&](int64_t c) {
        out.marks[marks] = a.label_of_column[c] * 4 + false_positive;
        marks += !out.true_columns[c];
      });
      for (int32_t i = 0; i < old; ++i) out.true_columns[out.order[i]] = 0;
    }
    if (old < worth_sorting) {
      for (int32_t i = 0; i < old; ++i) r[i] = rank_of(s, known, out.order[i], ties);
      pause(&watch, (old + 1) * int64_t(known));
    } else {
      rank_all(s, known, ties, out.order, old, out.places, r);
      pause(&watch, 64 * int64_t(known));
    }
    int32_t fresh = size - old;
    for (int32_t i = 0; i < fresh; ++i) r[old + i] = known + i + 1;
    sort(r, size);
    int64_t sum = 0;
    double precision = 0;
    int32_t right = 0;  // labels before the first that is not relevant
    for (int32_t i = 0; i < size; ++i) {
      sum += r[i];
      precision += double(i + 1) / double(r[i]);
      right += r[i] == i + 1;
    }
    out.rows[n] = row;
    out.relevant[n] = size;
    out.irrelevant[n] = known - (size - fresh);
    out.best[n] = size ? r[0] : 0;
    out.worst[n] = size ? r[size - 1] : 0;
    out.rank_sum[n] = sum;
    out.first_irrelevant[n] = right + 1;
    out.precision_sum[n] = precision;
    out.tp[n] = hits;
    out.fp[n] = chosen - hits;
    out.fn[n] = size - hits;
    ranks += size;
    ++n;
    out.rank_indptr[n] = ranks;
    out.mark_indptr[n] = marks;
  }
  out.documents = n;
}

}  // namespace telex::TELEX_LEVEL
