// MP-Boost (Esuli, Fagni, Sebastiani 2006): all rounds of one category, which depend on no other.
//
// A weight is scale * weights[i], a scale a sign: what all documents without the pivot are multiplied by costs nothing, and
// only those with it (or, where they are fewer, those without) change the sums of their terms. Such sums choose the few terms
// that may be the pivot; these are summed again.
#include "stump.hpp"

namespace telex::TELEX_LEVEL {

namespace {

constexpr int64_t block = 64;
constexpr int64_t ahead = 3;  // documents whose terms are on their way

struct Sign {
  double scale = 1, total = 0, largest = 0;
};

// Rows of terms are read from afar, document by document: where 16 bits hold a term they are half as long.
template <class Term>
const Term* terms_of(const Problem& p);
template <>
const int32_t* terms_of(const Problem& p) { return p.row_terms; }
template <>
const uint16_t* terms_of(const Problem& p) { return p.short_terms; }

template <class Term>
struct Category {
  const Problem& p;
  const Term* const row_terms = terms_of<Term>(p);
  const int64_t j;
  double* const w;
  const Room& room;
  const int64_t there;  // documents of the category
  Sign positive, negative;

  Category(const Problem& p, int64_t j, double* w, const Room& room)
      : p(p), j(j), w(w), room(room), there(p.members[j + 1] - p.members[j]) {
    for (int64_t i = 0; i < p.documents; ++i) room.relevant[i] = room.mark[i] = 0;
    for (int64_t k = p.members[j]; k < p.members[j + 1]; ++k) room.relevant[p.member_rows[k]] = 1;
    sum_anew(positive, 1);
    bool even = true;
    for (int64_t i = 0; i < p.documents; ++i) even &= w[i] == w[0];
    if (even) count_negatives();
    else sum_anew(negative, 0);
  }

  // Where all weights are equal, what the documents without the category sum to is counted.
  void count_negatives() {
    for (int64_t i = there; i < p.documents; ++i) negative.total += w[0];
    negative.largest = negative.total;
    for (int64_t t = 0; t < p.terms; ++t)
      room.negative[t] = (double(p.columns[t + 1] - p.columns[t]) - rint(room.positive[t] / w[0])) * w[0];
  }

  void sum_anew(Sign& sign, uint8_t relevant) {
    double* sums = relevant ? room.positive : room.negative;
    for (int64_t t = 0; t < p.terms; ++t) sums[t] = 0;
    sign.total = 0;
    for (int64_t i = 0; i < p.documents; ++i) {
      if (room.relevant[i] != relevant) continue;
      w[i] *= sign.scale;
      sign.total += w[i];
      for (int64_t k = p.rows[i]; k < p.rows[i + 1]; ++k) sums[row_terms[k]] += w[i];
    }
    sign.scale = 1;
    sign.largest = sign.total;
  }

  // ---- the pivot

  int64_t keep(int64_t count, double bar) const {
    int64_t kept = 0;
    for (int64_t c = 0; c < count; ++c)
      if (room.found[c] <= bar) {
        room.candidates[kept] = room.candidates[c];
        room.found[kept++] = room.found[c];
      }
    return kept;
  }

  // Terms whose Z may be the least. Without roots: sqrt(a) + sqrt(b) <= c where a + b <= c^2 and 4ab <= (c^2 - a - b)^2.
  int64_t screened() const {
    const double P = positive.total, N = negative.total, *pos = room.positive, *neg = room.negative;
    double unit = 2 * sqrt(positive.scale * negative.scale);
    double slack = doubt(P * positive.scale, N * negative.scale) / unit;
    double best = 1e300;
    int64_t count = 0;
    for (int64_t from = 0; from < p.terms; from += block) {
      int64_t size = p.terms - from < block ? p.terms - from : block;
      const double *a = pos + from, *b = neg + from;
      double bar = (best + slack) * (best + slack) * (1 + 1e-12);
      int64_t any = 0;
      for (int64_t l = 0; l < size; ++l) {
        double with = a[l] * b[l], without = (P - a[l]) * (N - b[l]), left = bar - with - without;
        any |= int64_t(left >= 0) & int64_t(4 * with * without <= left * left);
      }
      if (!any) continue;
      for (int64_t l = 0; l < size; ++l) {
        double z = sqrt(above_0(a[l]) * above_0(b[l])) + sqrt(above_0(P - a[l]) * above_0(N - b[l]));
        if (!(z <= best + slack)) continue;
        if (z < best) best = z;
        room.candidates[count] = int32_t(from + l);
        room.found[count++] = z;
      }
    }
    return keep(count, best + slack);
  }

  int64_t screened_abstaining() const {
    const double P = positive.total * positive.scale, N = negative.total * negative.scale;
    const double up = positive.scale, un = negative.scale, *pos = room.positive, *neg = room.negative;
    double slack = doubt(P, N), best = 1e300, all = P + N;
    int64_t count = 0;
    for (int64_t from = 0; from < p.terms; from += block) {
      int64_t size = p.terms - from < block ? p.terms - from : block;
      double bar = best + slack * (1 + 1e-12);
      int64_t any = 0;
      for (int64_t l = 0; l < size; ++l) {
        double a = pos[from + l] * up, b = neg[from + l] * un, left = bar - (all - a - b);
        any |= int64_t(left >= 0) & int64_t(4 * a * b <= left * left);
      }
      if (!any) continue;
      for (int64_t l = 0; l < size; ++l) {
        double a = above_0(pos[from + l] * up), b = above_0(neg[from + l] * un), z = all - a - b + 2 * sqrt(a * b);
        if (!(z <= best + slack)) continue;
        if (z < best) best = z;
        room.candidates[count] = int32_t(from + l);
        room.found[count++] = z;
      }
    }
    return keep(count, best + slack);
  }

  // Here no root enlarges an error, and terms that change no decision are equal by the thousand: nothing is summed anew.
  int32_t largest_edge() const {
    const double P = positive.total * positive.scale, N = negative.total * negative.scale;
    const double up = positive.scale, un = negative.scale;
    double best = -1;
    for (int64_t t = 0; t < p.terms; ++t) {
      double a = room.positive[t] * up, b = room.negative[t] * un, r = fabs(a - b) + fabs(P - a - N + b);
      room.found[t] = r;
      best = r > best ? r : best;
    }
    double bar = best - rough_tie * (P + N);
    int32_t pivot = -1;
    for (int64_t t = 0; t < p.terms; ++t)
      if (room.found[t] >= bar && (pivot < 0 || p.rank[t] < p.rank[pivot])) pivot = int32_t(t);
    return pivot;
  }

  // Scaled weights, each summed over its own documents where a difference would be of two that are almost equal.
  Split split_at(int32_t term) const {
    Split s{0, 0, 0, 0};
    int64_t both = 0;
    const int32_t *from = p.column_rows + p.columns[term], *to = p.column_rows + p.columns[term + 1];
    for (const int32_t* i = from; i < to; ++i)
      if (room.relevant[*i]) {
        s.p1 += w[*i];
        ++both;
      } else {
        s.n1 += w[*i];
      }
    s.p0 = both == there ? 0 : positive.total - s.p1;
    s.n0 = to - from - both == p.documents - there ? 0 : negative.total - s.n1;
    bool few_p = both < there && s.p0 < nearly_all * positive.total;
    bool few_n = to - from - both < p.documents - there && s.n0 < nearly_all * negative.total;
    if (!few_p && !few_n) return s;
    for (const int32_t* i = from; i < to; ++i) room.mark[*i] = 1;
    if (few_p) {
      s.p0 = 0;
      for (int64_t k = p.members[j]; k < p.members[j + 1]; ++k)
        if (int32_t i = p.member_rows[k]; !room.mark[i]) s.p0 += w[i];
    }
    if (few_n) {
      s.n0 = 0;
      for (int64_t i = 0; i < p.documents; ++i)
        if (!room.relevant[i] && !room.mark[i]) s.n0 += w[i];
    }
    for (const int32_t* i = from; i < to; ++i) room.mark[*i] = 0;
    return s;
  }
  Split real(const Split& s) const {
    return {s.p0 * positive.scale, s.n0 * negative.scale, s.p1 * positive.scale, s.n1 * negative.scale};
  }

  int32_t first_of(int64_t count) const {
    double least = 1e300;
    for (int64_t c = 0; c < count; ++c) {
      double z = room.found[c] = normaliser(p.variant, real(split_at(room.candidates[c])));
      least = z < least ? z : least;
    }
    double bar = least + tie * (positive.total * positive.scale + negative.total * negative.scale);
    int32_t pivot = -1;
    for (int64_t c = 0; c < count; ++c)
      if (room.found[c] <= bar && (pivot < 0 || p.rank[room.candidates[c]] < p.rank[pivot])) pivot = room.candidates[c];
    return pivot;
  }
  int32_t first_of_all() const {
    int32_t pivot = 0;
    for (int64_t t = 1; t < p.terms; ++t)
      if (p.rank[t] < p.rank[pivot]) pivot = int32_t(t);
    return pivot;
  }
  int32_t pivot() const {
    if (p.variant == Variant::discrete) return largest_edge();
    if (p.variant == Variant::abstaining) return first_of(screened_abstaining());
    if (there == 0 || there == p.documents) return first_of_all();  // whatever divides them, Z is 0
    return first_of(screened());
  }

  // ---- the weights

  void change(int64_t i, double positive_factor, double negative_factor) const {
    double old = w[i], now = old * (room.relevant[i] ? positive_factor : negative_factor), step = now - old;
    w[i] = now;
    if (step == 0) return;
    double* sums = room.relevant[i] ? room.positive : room.negative;
    const Term *t = row_terms + p.rows[i], *last = row_terms + p.rows[i + 1];
    for (; t + 4 <= last; t += 4) {  // distinct terms: no sum waits for another
      double a = sums[t[0]] + step, b = sums[t[1]] + step, c = sums[t[2]] + step, d = sums[t[3]] + step;
      sums[t[0]] = a;
      sums[t[1]] = b;
      sums[t[2]] = c;
      sums[t[3]] = d;
    }
    for (; t < last; ++t) sums[*t] += step;
  }
  void fetch(int64_t i) const {
    const char *at = reinterpret_cast<const char*>(row_terms + p.rows[i]), *end = reinterpret_cast<const char*>(row_terms + p.rows[i + 1]);
    for (; at < end; at += 64) __builtin_prefetch(at);
  }

  void learn(int32_t term, const Split& s, const Values& v, double z) {
    const int32_t *from = p.column_rows + p.columns[term], *to = p.column_rows + p.columns[term + 1];
    double up = exp(v.absent - v.present), down = exp(v.present - v.absent);
    if (2 * (to - from) <= p.documents) {
      for (const int32_t* i = from; i < to; ++i) {
        if (i + ahead < to) fetch(i[ahead]);
        change(*i, up, down);
      }
      settle(positive, 1, exp(-v.absent) / z, s.p0 + s.p1 * up);
      settle(negative, 0, exp(v.absent) / z, s.n0 + s.n1 * down);
    } else {
      int64_t i = 0;
      for (const int32_t* next = from; i < p.documents; ++i)
        if (next < to && *next == i) ++next;
        else change(i, down, up);
      settle(positive, 1, exp(-v.present) / z, s.p1 + s.p0 * down);
      settle(negative, 0, exp(v.present) / z, s.n1 + s.n0 * up);
    }
  }
  void settle(Sign& sign, uint8_t relevant, double factor, double total) {
    sign.scale *= factor;
    sign.total = total;
    sign.largest = total > sign.largest ? total : sign.largest;
    if (total * most_shrunk < sign.largest || total > most_grown) sum_anew(sign, relevant);
  }
  void finish() const {
    for (int64_t i = 0; i < p.documents; ++i) w[i] *= room.relevant[i] ? positive.scale : negative.scale;
  }
};

template <class Term>
void all_rounds(const Problem& p, int64_t category, double* weights, const Room& room, const Rounds& out) {
  Category<Term> c(p, category, weights, room);
  for (int64_t round = 0; round < p.rounds && !p.watch->ended(true); ++round) {
    int32_t pivot = c.pivot();
    Split scaled = c.split_at(pivot), s = c.real(scaled);
    Values v = values(p.variant, s, p.eps, half_log(right(s), wrong(s), p.eps));
    int64_t at = round * p.categories + category;
    out.pivots[at] = pivot;
    out.absent[at] = v.absent;
    out.present[at] = v.present;
    c.learn(pivot, scaled, v, summed(s, v));
  }
  c.finish();
}

}  // namespace

void multiple_pivots(const Problem& p, int64_t category, double* weights, const Room& room, const Rounds& out) {
  (p.short_terms ? all_rounds<uint16_t> : all_rounds<int32_t>)(p, category, weights, room, out);
}

}  // namespace telex::TELEX_LEVEL
