// telex.learners._boosting: the binding, and how it prepares documents for the kernels.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <vector>

#include "../binding.hpp"
#include "../team.hpp"
#include "../watch.hpp"
#include "boosting.hpp"

using namespace nanobind::literals;

namespace telex {
namespace {

const BoostingKernels& chosen() {
  static const BoostingKernels& kernels = chosen_of<BoostingKernels>(TELEX_TABLES(boosting));
  return kernels;
}

// Kernels trust their arguments, so check them. `most` is one above the largest id allowed.
void check_rows(const In<int64_t>& indptr, const In<int32_t>& ids, int64_t most) {
  demand(indptr.shape(0) > 0, "the offsets of the batch are empty; give one more than documents");
  std::size_t n = indptr.shape(0) - 1;
  demand(indptr(0) >= 0 && indptr(n) <= int64_t(ids.shape(0)), "the offsets of the batch point outside its arrays");
  for (std::size_t i = 0; i < n; ++i) demand(indptr(i) <= indptr(i + 1), "the offsets of the batch must not descend");
  for (std::size_t i = 0; i < n; ++i) {
    bool wrong = false;
    for (int64_t k = indptr(i); k < indptr(i + 1); ++k)
      wrong |= ids(k) < 0 || ids(k) >= most || (k > indptr(i) && ids(k) <= ids(k - 1));
    demand(!wrong, "a document's feature ids and label columns must ascend, each once; sort them, or use BatchBuilder");
  }
}

// Rows turned into columns: where each column starts, and the rows in it, ascending.
struct Turned {
  std::vector<int64_t> starts, places;
  std::vector<int32_t> rows;
  Turned(int64_t columns, const std::vector<int64_t>& indptr, const std::vector<int32_t>& ids)
      : starts(std::size_t(columns) + 1), places(ids.size()), rows(ids.size()) {
    for (int32_t id : ids) ++starts[std::size_t(id) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<int64_t> next(starts.begin(), starts.end() - 1);
    for (std::size_t i = 0; i + 1 < indptr.size(); ++i)
      for (int64_t k = indptr[i]; k < indptr[i + 1]; ++k) {
        int64_t to = next[std::size_t(ids[std::size_t(k)])]++;
        rows[std::size_t(to)] = int32_t(i);
        places[std::size_t(to)] = k;
      }
  }
};

struct Rows {
  std::vector<int64_t> indptr;
  std::vector<int32_t> ids;
  Rows(const In<int64_t>& starts, const In<int32_t>& all) : indptr(starts.data(), starts.data() + starts.shape(0)) {
    ids.assign(all.data() + indptr.front(), all.data() + indptr.back());
    for (int64_t& at : indptr) at -= starts(0);
  }
};

// Terms numbered anew, the most common first, and `given`, the number that each had.
struct Common {
  std::vector<int32_t> given, rank;
  Common(Rows& rows, const In<int32_t>& order) : given(order.shape(0)), rank(order.shape(0)) {
    std::vector<int64_t> documents(given.size());
    for (int32_t t : rows.ids) ++documents[std::size_t(t)];
    std::iota(given.begin(), given.end(), 0);
    std::stable_sort(given.begin(), given.end(),
                     [&](int32_t a, int32_t b) { return documents[std::size_t(a)] > documents[std::size_t(b)]; });
    std::vector<int32_t> now(given.size());
    for (std::size_t t = 0; t < given.size(); ++t) {
      now[std::size_t(given[t])] = int32_t(t);
      rank[t] = order(std::size_t(given[t]));
    }
    for (int32_t& t : rows.ids) t = now[std::size_t(t)];
    for (std::size_t i = 0; i + 1 < rows.indptr.size(); ++i)
      std::sort(rows.ids.begin() + rows.indptr[i], rows.ids.begin() + rows.indptr[i + 1]);
  }
};

struct All {
  const BoostingKernels& kernels;
  const Problem& problem;
  const Rounds& rounds;
  double* weights;
  std::vector<std::vector<double>> reals;
  std::vector<std::vector<int32_t>> numbers;
  std::vector<std::vector<uint8_t>> flags;
  std::atomic<int64_t> next{0};
  All(const BoostingKernels& kernels, const Problem& problem, const Rounds& rounds, double* weights, std::size_t parts)
      : kernels(kernels), problem(problem), rounds(rounds), weights(weights),
        reals(parts, std::vector<double>(3 * std::size_t(problem.terms))),
        numbers(parts, std::vector<int32_t>(std::size_t(problem.terms))),
        flags(parts, std::vector<uint8_t>(2 * std::size_t(problem.documents))) {}
  static void part(void* self, int i) {
    All& me = *static_cast<All*>(self);
    double* reals = me.reals[std::size_t(i)].data();
    uint8_t* flags = me.flags[std::size_t(i)].data();
    int64_t terms = me.problem.terms, documents = me.problem.documents;
    Room room{reals, reals + terms, me.numbers[std::size_t(i)].data(), reals + 2 * terms, flags, flags + documents};
    for (int64_t j; (j = me.next.fetch_add(1)) < me.problem.categories;)
      me.kernels.multiple_pivots(me.problem, j, me.weights + j * documents, room, me.rounds);
  }
};

void fit_multiple(const Problem& p, const Rounds& rounds, double* weights, int threads) {
  int parts = int(std::min<int64_t>(threads, p.categories));
  All all(chosen(), p, rounds, weights, std::size_t(parts));
  if (parts == 1) return All::part(&all, 0);
  std::unique_ptr<Team> team(make_team(parts, parts, All::part, &all));
  team->round();
}

std::size_t positions(int64_t n) { return static_cast<std::size_t>(n); }

void fit_one(const Problem& p, const Rounds& rounds, double* weights, int threads, int64_t rare) {
  int64_t width = (p.categories + 7) / 8 * 8, common = p.terms;
  // Only the real one has the bound that spares rare terms their sums; a first term there is always.
  if (p.variant == Variant::real)
    while (common > 1 && p.columns[common] - p.columns[common - 1] <= rare) --common;
  auto room = [](int64_t n) { return std::vector<double>(std::size_t(n)); };
  std::vector<double> negative_weights = room(p.documents * width), positive_weights = room(p.answers[p.documents]),
                      positive = room(common * width), negative = room(common * width), column = room(common),
                      screened = room(p.terms), gains = room(p.documents), lines = room(lines_needed * width);
  std::vector<int32_t> candidates(positions(p.terms)), counts(positions(width));
  std::vector<uint8_t> mark(positions(p.documents));
  auto each = [&](auto use) {
    for (int64_t i = 0; i < p.documents; ++i) {
      int64_t k = p.answers[i];
      for (int64_t j = 0; j < p.categories; ++j) {
        bool on = k < p.answers[i + 1] && p.answer_categories[k] == j;
        use(on ? positive_weights[std::size_t(k)] : negative_weights[std::size_t(i * width + j)], weights[j * p.documents + i]);
        k += on;
      }
    }
  };
  each([](double& here, double& given) { here = given; });
  int parts = int(std::min<int64_t>(threads, width / 8));
  Statistics s{width, common, negative_weights.data(), positive_weights.data(), positive.data(), negative.data(), column.data(),
               screened.data(), gains.data(), lines.data(), candidates.data(), counts.data(), mark.data(), parts};
  chosen().one_pivot(p, s, rounds);
  each([](double& here, double& given) { given = here; });
}

void fit(bool multiple, int variant, In<int64_t> indptr, In<int32_t> terms, In<int32_t> order, In<int64_t> label_indptr,
         In<int32_t> labels, double eps, Square<double> weights, Square<int32_t> pivots, Square<double> absent,
         Square<double> present, int threads, int64_t rare) {
  std::size_t n = weights.shape(1), m = weights.shape(0), rounds = pivots.shape(0);
  demand(indptr.shape(0) == n + 1 && label_indptr.shape(0) == n + 1 && n > 0 && m > 0 && order.shape(0) > 0 &&
             pivots.shape(1) == (multiple ? m : 1) && absent.shape(0) == rounds && present.shape(0) == rounds &&
             absent.shape(1) == m && present.shape(1) == m && threads > 0 && variant >= 0 && variant < 3,
         "the arrays to be boosted do not fit together; fit a Batch with AdaBoostMH or MPBoost");
  check_rows(indptr, terms, int64_t(order.shape(0)));
  check_rows(label_indptr, labels, int64_t(m));
  SignalWatch watch;
  {
    nb::gil_scoped_release release;
    Rows rows(indptr, terms), answers(label_indptr, labels);
    Common common(rows, order);
    Turned columns(int64_t(order.shape(0)), rows.indptr, rows.ids), members(int64_t(m), answers.indptr, answers.ids);
    std::vector<uint16_t> narrow;
    if (order.shape(0) <= 1 << 16) narrow.assign(rows.ids.begin(), rows.ids.end());
    Problem p{int64_t(n), int64_t(order.shape(0)), int64_t(m), int64_t(rounds), Variant(variant), eps,
              rows.indptr.data(), rows.ids.data(), order.shape(0) <= 1 << 16 ? narrow.data() : nullptr, columns.starts.data(), columns.rows.data(), common.rank.data(),
              answers.indptr.data(), answers.ids.data(), members.starts.data(), members.rows.data(), members.places.data(),
              &watch};
    Rounds out{pivots.data(), absent.data(), present.data()};
    if (multiple) fit_multiple(p, out, weights.data(), threads);
    else fit_one(p, out, weights.data(), threads, rare);
    for (std::size_t k = 0; k < rounds * pivots.shape(1); ++k)
      if (pivots.data()[k] >= 0) pivots.data()[k] = common.given[std::size_t(pivots.data()[k])];  // -1: broken off before
  }
  watch.settle();
}

constexpr std::size_t worth_a_thread = 2048;  // documents

struct Shared {
  const Collapsed& committee;
  int64_t documents;
  int parts;
  const int64_t* indptr;
  const int32_t* features;
  const float* values;
  float* scores;
  uint8_t* relevant;
  static void part(void* self, int i) {
    const Shared& me = *static_cast<Shared*>(self);
    int64_t from = me.documents * i / me.parts, to = me.documents * (i + 1) / me.parts, width = me.committee.width;
    chosen().score(me.committee, to - from, me.indptr + from, me.features, me.values, me.scores + from * width,
                   me.relevant + from * width);
  }
};

void score(In<int64_t> indptr, In<int32_t> features, In<float> values, In<int32_t> lookup, In<int64_t> rows, In<int32_t> columns,
           In<float> weights, In<float> bias, Square<float> scores, Square<uint8_t> relevant, int threads) {
  std::size_t n = scores.shape(0), width = bias.shape(0), entries = weights.shape(0);
  bool right = indptr.shape(0) == n + 1 && scores.shape(1) == width && relevant.shape(0) == n && relevant.shape(1) == width &&
               width % std::size_t(label_block) == 0 && features.shape(0) == values.shape(0) && rows.shape(0) > 0 &&
               columns.shape(0) == entries && lookup.shape(0) > 0 && lookup(lookup.shape(0) - 1) == -1;
  for (std::size_t k = 0; right && k < lookup.shape(0); ++k) right = lookup(k) < int64_t(rows.shape(0)) - 1;
  for (std::size_t r = 0; right && r + 1 < rows.shape(0); ++r)
    right = rows(r) >= 0 && rows(r) <= rows(r + 1) && rows(r + 1) <= int64_t(entries) && (rows(r + 1) - rows(r)) % 4 == 0;
  for (std::size_t k = 0; right && k < entries; ++k) right = columns(k) >= 0 && std::size_t(columns(k)) < width;
  demand(right, "the arrays to be scored do not fit together; take scores of AdaBoostMH or MPBoost");
  right = indptr(0) >= 0 && indptr(n) <= int64_t(features.shape(0));
  for (std::size_t i = 0; right && i < n; ++i) right = indptr(i) <= indptr(i + 1);
  int32_t least = 0;
  for (int64_t k = right ? indptr(0) : 0; right && k < indptr(n); ++k) least = std::min(least, features(std::size_t(k)));
  demand(right && least >= 0, "the offsets or feature ids of the batch are wrong; use BatchBuilder");
  if (n == 0 || width == 0) return;
  Collapsed c{int64_t(width), int64_t(lookup.shape(0)) - 1, lookup.data(), rows.data(), columns.data(), weights.data(), bias.data()};
  nb::gil_scoped_release release;
  int parts = n < worth_a_thread ? 1 : std::max(1, threads);
  Shared shared{c, int64_t(n), parts, indptr.data(), features.data(), values.data(), scores.data(), relevant.data()};
  if (parts == 1) return Shared::part(&shared, 0);
  std::unique_ptr<Team> team(make_team(parts, parts, Shared::part, &shared));
  team->round();
}

}  // namespace

NB_MODULE(_boosting, m) {
  m.attr("level") = chosen().name;
  m.def("processors", &processors);
  m.def("fit", &fit, "multiple"_a, "variant"_a, "indptr"_a, "terms"_a, "order"_a, "label_indptr"_a, "labels"_a, "eps"_a,
        "weights"_a, "pivots"_a, "absent"_a, "present"_a, "threads"_a, "rare"_a);
  m.def("score", &score, "indptr"_a, "features"_a, "values"_a, "lookup"_a, "rows"_a, "columns"_a, "weights"_a,
        "bias"_a, "scores"_a, "relevant"_a, "threads"_a);
}

}  // namespace telex
