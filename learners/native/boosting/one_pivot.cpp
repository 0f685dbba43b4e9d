// AdaBoost.MH (Schapire, Singer 2000): one pivot a round for all categories together.
//
// Weights are in rows of all categories, with a scale for each category and sign. The sums of common terms are kept up to
// date, as in multiple_pivots.cpp; the gains of its documents bound the gain of a rare term. Each term that may be the pivot
// by that is summed again.
#include "../team.hpp"
#include "stump.hpp"

namespace telex::TELEX_LEVEL {

namespace {

constexpr int64_t strip = 8;  // categories, summed side by side
constexpr int64_t widest = 128;

struct Together {
  const Problem& p;
  const Statistics& s;
  const Rounds& out;
  const int64_t width;
  // The legend. Each of the 16 pointers below has a number for each category: index it by j, up to `width`. In a pair, the first
  // is of the documents that have the category (_p, positive) and the second of those that do not (_n, negative). They are rows
  // of s.lines, set in the constructor.
  //
  // A stored weight (in s.positive_weights, s.negative_weights, and in every sum of them) lacks a factor, the scale of its
  // category and sign: times up[j] or un[j] it is the weight in AdaBoost's distribution. So what a round does to all documents
  // alike is one multiplication of the scale; only documents on the smaller side of the pivot are touched (`few`).
  //
  // Stay from round to round:
  double *P, *N;            // the stored weights of all documents, summed
  double *up, *un;          // the scales
  double *most_p, *most_n;  // the largest P and N since `sum_anew`: once P is far below, the sums kept up to date are too rough
  // Made by `choose`, for screening:
  double *with_p, *with_n;  // P and N times their scales; `sum` writes over them
  double *gain_p, *gain_n;  // a bound of what one unit of a document's stored weight can take off Z
  // Made by `sum(term)`, for one term; `real` multiplies by the scales:
  //      with_p, with_n       the stored weights of the documents with the term, summed
  double *out_p, *out_n;    // those of the documents without it
  // Made by `one_round`, once the pivot is known, for `change`:
  double *absent, *present;  // the value of the stump for a document without and with the pivot
  double *more_p, *more_n;   // factors of the stored weights on the side that is touched
  Team* team = nullptr;      // the threads, none where one is enough
  int parts, phase = 0;      // of the work: phase 0 screens terms, phase 1 changes weights
  int32_t pivot = 0;
  bool few = true;           // at most half of the documents have the pivot: those are touched, else those without it

  Together(const Problem& p, const Statistics& s, const Rounds& out) : p(p), s(s), out(out), width(s.width), parts(s.threads) {
    double** all[] = {&P, &N, &up, &un, &most_p, &most_n, &with_p, &with_n, &gain_p, &gain_n, &absent, &present, &more_p, &more_n, &out_p, &out_n};
    for (int64_t l = 0; l < lines_needed; ++l) *all[l] = s.lines + l * width;
    for (int64_t j = 0; j < width; ++j) up[j] = un[j] = 1;
    for (int64_t j = 0; j < p.categories; ++j) sum_anew(j, true), sum_anew(j, false);
    if (parts > 1) team = make_team(parts, parts, part, this);
  }
  ~Together() { delete team; }

  int64_t there(int64_t j) const { return p.members[j + 1] - p.members[j]; }

  void sum_anew(int64_t j, bool positive) {
    double total = 0, &scale = positive ? up[j] : un[j];
    for (int64_t t = 0; t < s.common; ++t) s.column[t] = 0;
    auto add = [&](int64_t i, double& weight) {
      weight *= scale;
      total += weight;
      for (int64_t k = p.rows[i]; k < p.rows[i + 1] && p.row_terms[k] < s.common; ++k) s.column[p.row_terms[k]] += weight;
    };
    if (positive)
      for (int64_t k = p.members[j]; k < p.members[j + 1]; ++k) add(p.member_rows[k], s.positive_weights[p.member_places[k]]);
    else
      for (int64_t i = 0; i < p.documents; ++i) add(i, s.negative_weights[i * width + j]);
    double* sums = (positive ? s.positive : s.negative) + j;
    for (int64_t t = 0; t < s.common; ++t) sums[t * width] = s.column[t];
    scale = 1;
    (positive ? P : N)[j] = (positive ? most_p : most_n)[j] = total;
  }

  // ---- shared out

  void run(int which) {
    phase = which;
    if (team) team->round();
    else
      for (int i = 0; i < parts; ++i) part(this, i);
  }
  static void part(void* self, int i) {
    Together& me = *static_cast<Together*>(self);
    auto cut = [&](int64_t n, int64_t step) { return n / step * i / me.parts * step; };
    auto end = [&](int64_t n, int64_t step) { return i + 1 == me.parts ? n : n / step * (i + 1) / me.parts * step; };
    if (me.phase == 0) {
      for (int64_t t = cut(me.s.common, 1); t < end(me.s.common, 1); ++t) me.s.screened[t] = me.screen(t);
      if (me.s.common < me.p.terms)
        for (int64_t d = cut(me.p.documents, 1); d < end(me.p.documents, 1); ++d) me.s.gains[d] = me.gain(d);
    } else {
      me.change(cut(me.width, strip), end(me.width, strip));
    }
  }

  // ---- the pivot

  // Z, or less the edge, roughly: roots of 32 bits, within what `doubt` allows.
  double screen(int64_t t) const {
    const double *a = s.positive + t * width, *b = s.negative + t * width;
    if (p.variant == Variant::real) {
      float lanes[16] = {};
      int64_t j = 0;
      for (; j + 16 <= width; j += 16)
        for (int64_t l = 0; l < 16; ++l) lanes[l] += rough(a, b, j + l);
      for (; j < width; ++j) lanes[j & 15] += rough(a, b, j);
      double z = 0;
      for (float lane : lanes) z += double(lane);
      return 2 * z;
    }
    double z = 0;
    for (int64_t j = 0; j < p.categories; ++j) {
      double x = a[j] * up[j], y = b[j] * un[j];
      if (p.variant == Variant::abstaining) z += 2 * sqrt(above_0(x) * above_0(y)) - x - y;
      else z -= fabs(x - y) + fabs(with_p[j] - x - with_n[j] + y);
    }
    return z;
  }
  float rough(const double* a, const double* b, int64_t j) const {
    float x = float(a[j] * up[j]), y = float(b[j] * un[j]);
    float u = float((P[j] - a[j]) * up[j]), v = float((N[j] - b[j]) * un[j]);
    float with = x * y, without = u * v;
    return sqrtf(with > 0 ? with : 0) + sqrtf(without > 0 ? without : 0);
  }
  // What all terms of a document can gain by it: with shares u and v of a category's weights of either sign in the documents
  // of a term, 1 - sqrt((1-u)(1-v)) - sqrt(uv) <= u + v.
  double gain(int64_t d) const {
    const double* w = s.negative_weights + d * width;
    double lanes[strip] = {}, sum = 0;
    for (int64_t j = 0; j < width; j += strip)
      for (int64_t l = 0; l < strip; ++l) lanes[l] += w[j + l] * gain_n[j + l];
    for (double lane : lanes) sum += lane;
    for (int64_t k = p.answers[d]; k < p.answers[d + 1]; ++k) sum += s.positive_weights[k] * gain_p[p.answer_categories[k]];
    return sum;
  }

  int32_t choose() {
    double slack = 0, none = 0;
    for (int64_t j = 0; j < width; ++j) {
      double x = with_p[j] = P[j] * up[j], y = with_n[j] = N[j] * un[j];
      if (j >= p.categories) x = y = 0;
      none += 2 * sqrt(x * y);
      slack += doubt(x, y);
      gain_p[j] = x > 0 ? 2 * up[j] * sqrt(y / x) : 0;
      gain_n[j] = y > 0 ? 2 * un[j] * sqrt(x / y) : 0;
    }
    run(0);
    double best = 1e300;
    for (int64_t t = 0; t < s.common; ++t) best = s.screened[t] < best ? s.screened[t] : best;
    if (p.variant == Variant::discrete) return first(p.terms, nullptr, best + rough_tie);
    int64_t count = 0;
    for (int64_t t = 0; t < s.common; ++t)
      if (s.screened[t] <= best + slack) s.candidates[count++] = int32_t(t);
    // The best of the common terms, summed anew, sets the bar for all others.
    double least = 1e300;
    auto measure = [&](int64_t from) {
      for (int64_t c = from; c < count; ++c) {
        double z = s.screened[c] = exact(s.candidates[c]);
        least = z < least ? z : least;
      }
    };
    measure(0);
    int64_t measured = count;
    for (int64_t t = s.common; t < p.terms; ++t) {
      double gained = 0;
      for (int64_t k = p.columns[t]; k < p.columns[t + 1]; ++k) gained += s.gains[p.column_rows[k]];
      if (count && none - gained * (1 + 1e-9) > least + slack) continue;
      s.candidates[count++] = int32_t(t);
      measure(measured);
      measured = count;
    }
    return first(count, s.candidates, least + tie);
  }
  int32_t first(int64_t count, const int32_t* terms, double bar) const {
    int32_t found = -1;
    for (int64_t c = 0; c < count; ++c) {
      int32_t t = terms ? terms[c] : int32_t(c);
      if (s.screened[c] <= bar && (found < 0 || p.rank[t] < p.rank[found])) found = t;
    }
    return found;
  }

  double exact(int32_t term) {
    sum(term);
    double z = 0;
    for (int64_t j = 0; j < p.categories; ++j) z += normaliser(p.variant, real(j));
    return z;
  }

  // The weights of each category with the term in with_p and with_n, without it in out_p and out_n; `real` scales them.
  void sum(int32_t term) {
    for (int64_t j = 0; j < width; ++j) with_p[j] = with_n[j] = 0, s.counts[j] = 0;
    const int32_t *from = p.column_rows + p.columns[term], *to = p.column_rows + p.columns[term + 1];
    for (const int32_t* i = from; i < to; ++i) {
      const double* w = s.negative_weights + *i * width;
      for (int64_t j = 0; j < width; ++j) with_n[j] += w[j];
      for (int64_t k = p.answers[*i]; k < p.answers[*i + 1]; ++k) {
        with_p[p.answer_categories[k]] += s.positive_weights[k];
        ++s.counts[p.answer_categories[k]];
      }
    }
    bool marked = false;
    for (int64_t j = 0; j < p.categories; ++j) {
      bool all_p = s.counts[j] == there(j), all_n = to - from - s.counts[j] == p.documents - there(j);
      out_p[j] = all_p ? 0 : P[j] - with_p[j];
      out_n[j] = all_n ? 0 : N[j] - with_n[j];
      bool few_p = !all_p && out_p[j] < nearly_all * P[j], few_n = !all_n && out_n[j] < nearly_all * N[j];
      if (!few_p && !few_n) continue;
      if (!marked)
        for (const int32_t* i = from; i < to; ++i) s.mark[*i] = 1;
      marked = true;
      if (few_p) {
        out_p[j] = 0;
        for (int64_t k = p.members[j]; k < p.members[j + 1]; ++k)
          if (!s.mark[p.member_rows[k]]) out_p[j] += s.positive_weights[p.member_places[k]];
      }
      if (few_n) {
        out_n[j] = 0;
        for (int64_t i = 0; i < p.documents; ++i)
          if (!s.mark[i]) out_n[j] += s.negative_weights[i * width + j];
      }
    }
    if (marked)
      for (const int32_t* i = from; i < to; ++i) s.mark[*i] = 0;
  }
  Split real(int64_t j) const { return {out_p[j] * up[j], out_n[j] * un[j], with_p[j] * up[j], with_n[j] * un[j]}; }

  // ---- the weights

  void one_round(int64_t round) {
    pivot = choose();
    sum(pivot);
    double rights = 0, wrongs = 0, z = 0;
    for (int64_t j = 0; j < p.categories; ++j) {
      rights += right(real(j));
      wrongs += wrong(real(j));
    }
    double alpha = half_log(rights, wrongs, p.eps);
    for (int64_t j = 0; j < p.categories; ++j) {
      Values v = values(p.variant, real(j), p.eps, alpha);
      absent[j] = v.absent;
      present[j] = v.present;
      z += summed(real(j), v);
      out.absent[round * p.categories + j] = v.absent;
      out.present[round * p.categories + j] = v.present;
    }
    out.pivots[round] = pivot;
    few = 2 * (p.columns[pivot + 1] - p.columns[pivot]) <= p.documents;
    for (int64_t j = 0; j < p.categories; ++j) {
      double with = exp(absent[j] - present[j]), without = exp(present[j] - absent[j]);
      more_p[j] = few ? with : without;
      more_n[j] = few ? without : with;
    }
    run(1);
    for (int64_t j = 0; j < p.categories; ++j) {
      double a = few ? absent[j] : present[j];
      up[j] *= exp(-a) / z;
      un[j] *= exp(a) / z;
      P[j] = few ? out_p[j] + with_p[j] * more_p[j] : with_p[j] + out_p[j] * more_p[j];
      N[j] = few ? out_n[j] + with_n[j] * more_n[j] : with_n[j] + out_n[j] * more_n[j];
      most_p[j] = P[j] > most_p[j] ? P[j] : most_p[j];
      most_n[j] = N[j] > most_n[j] ? N[j] : most_n[j];
      if (P[j] * most_shrunk < most_p[j] || P[j] > most_grown) sum_anew(j, true);
      if (N[j] * most_shrunk < most_n[j] || N[j] > most_grown) sum_anew(j, false);
    }
  }

  // Of the categories from..to: any split of them gives the same sums.
  void change(int64_t from, int64_t to) {
    const int32_t *next = p.column_rows + p.columns[pivot], *end = p.column_rows + p.columns[pivot + 1];
    if (few)
      for (; next < end; ++next) change(*next, from, to);
    else
      for (int64_t i = 0; i < p.documents; ++i)
        if (next < end && *next == i) ++next;
        else change(i, from, to);
  }
  void change(int64_t i, int64_t from, int64_t to) {
    double* w = s.negative_weights + i * width;
    const int32_t *terms = p.row_terms + p.rows[i], *last = p.row_terms + p.rows[i + 1];
    for (int64_t start = from; start < to; start += widest) {
      int64_t size = to - start < widest ? to - start : widest;
      double step[widest];
      for (int64_t l = 0; l < size; ++l) {
        double old = w[start + l];
        w[start + l] = old * more_n[start + l];
        step[l] = w[start + l] - old;
      }
      for (const int32_t* t = terms; t < last && *t < s.common; ++t) {
        double* sums = s.negative + *t * width + start;
        for (int64_t l = 0; l < size; ++l) sums[l] += step[l];
      }
    }
    for (int64_t k = p.answers[i]; k < p.answers[i + 1]; ++k) {
      int64_t j = p.answer_categories[k];
      if (j < from || j >= to) continue;
      double old = s.positive_weights[k], now = old * more_p[j];
      s.positive_weights[k] = now;
      for (const int32_t* t = terms; t < last && *t < s.common; ++t) s.positive[*t * width + j] += now - old;
    }
  }

  void finish() const {
    for (int64_t i = 0; i < p.documents; ++i) {
      for (int64_t j = 0; j < p.categories; ++j) s.negative_weights[i * width + j] *= un[j];
      for (int64_t k = p.answers[i]; k < p.answers[i + 1]; ++k) s.positive_weights[k] *= up[p.answer_categories[k]];
    }
  }
};

}  // namespace

void one_pivot(const Problem& p, const Statistics& s, const Rounds& out) {
  Together together(p, s, out);
  for (int64_t round = 0; round < p.rounds && !p.watch->ended(true); ++round) together.one_round(round);
  together.finish();
}

}  // namespace telex::TELEX_LEVEL
