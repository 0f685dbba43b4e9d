// telex.learners._trees: the binding of what is fitted on trees of labels.
#include <algorithm>
#include <cmath>

#include "../binding.hpp"
#include "../memory.hpp"
#include "../watch.hpp"
#include "trees.hpp"

using namespace nanobind::literals;

namespace telex {
namespace {

const TreeKernels& chosen() {
  static const TreeKernels& kernels = chosen_of<TreeKernels>(TELEX_TABLES(trees));
  return kernels;
}

// Kernels trust their arguments, so check them.
void check_rows(const In<int64_t>& indptr, const In<int32_t>& terms, const In<float>& values, int64_t most) {
  demand(indptr.shape(0) > 0 && terms.shape(0) == values.shape(0), "the arrays of the batch do not fit together; use BatchBuilder");
  std::size_t n = indptr.shape(0) - 1;
  demand(indptr(0) >= 0 && indptr(n) <= int64_t(terms.shape(0)), "the offsets of the batch point outside its arrays");
  for (std::size_t i = 0; i < n; ++i) demand(indptr(i) <= indptr(i + 1), "the offsets of the batch must not descend");
  bool wrong = false;
  for (std::size_t i = 0; i < n; ++i)
    for (int64_t k = indptr(i); k < indptr(i + 1); ++k)
      wrong |= terms(std::size_t(k)) < (k > indptr(i) ? terms(std::size_t(k - 1)) + 1 : 0) || terms(std::size_t(k)) >= most;
  demand(!wrong, "a document's feature ids must ascend; sort them with their values, or use BatchBuilder");
}
void check_tree(const In<int32_t>& parents) {
  for (std::size_t j = 0; j < parents.shape(0); ++j)
    demand(parents(j) >= -1 && parents(j) < int64_t(j), "the parents of the tree are wrong; make it by Tree.of");
}

Others others_of(const In<int64_t>& starts, const In<int32_t>& rows, const In<float>& values, std::size_t documents) {
  demand(starts.shape(0) > 0 && rows.shape(0) == values.shape(0) && starts(0) == 0 &&
             starts(starts.shape(0) - 1) == int64_t(rows.shape(0)),
         "the arrays of documents by feature do not fit together; fit a Batch with HM3");
  for (std::size_t f = 0; f + 1 < starts.shape(0); ++f)
    demand(starts(f) <= starts(f + 1), "the offsets of features must not descend; fit a Batch with HM3");
  bool wrong = false;
  for (std::size_t i = 0; i < rows.shape(0); ++i) wrong |= rows(i) < 0 || std::size_t(rows(i)) >= documents;
  demand(!wrong, "a feature has a document that is not there; fit a Batch with HM3");
  return {int64_t(documents), int64_t(starts.shape(0)) - 1, starts.data(), rows.data(), values.data()};
}
Similarity similarity_of(int kind, int32_t degree, float gamma, float coef0) {
  demand(kind >= Similarity::linear && kind <= Similarity::rbf && degree > 0, "there is no such kernel; take linear, poly or rbf");
  return {Similarity::Kind(kind), degree, gamma, coef0};
}

struct Fit {
  Square<float> state, marginals;
  InOut<double> dual, gaps, primal;
  int64_t first, stop;
};

// Checks what both forms of H-M3 share, and has `solve` fit it.
template <class Solve>
nb::tuple fit(In<int64_t> indptr, In<int32_t> terms, In<float> values, Square<const uint8_t> relevant, In<int32_t> parents,
              In<double> costs, bool below_right, double strength, int64_t steps, double gap, uint64_t seed, Fit& fit,
              int64_t features, const Solve& solve) {
  std::size_t n = relevant.shape(0), nodes = parents.shape(0), passes = fit.dual.shape(0);
  demand(indptr.shape(0) == n + 1 && relevant.shape(1) == nodes && costs.shape(0) == nodes && fit.state.shape(1) == 3 * nodes &&
             fit.marginals.shape(0) == n && fit.marginals.shape(1) == 3 * nodes && fit.gaps.shape(0) == passes &&
             fit.primal.shape(0) == passes && fit.first >= 0 && fit.first < fit.stop && fit.stop <= int64_t(passes) &&
             strength > 0 && steps > 0,
         "the arrays to be fitted do not fit together; fit a Batch with HM3");
  check_rows(indptr, terms, values, features);
  check_tree(parents);
  SignalWatch watch;
  Window window{int64_t(n), features, indptr.data(), terms.data(), values.data(), relevant.data()};
  Nodes tree{int32_t(nodes), parents.data()};
  Margins margins{costs.data(), below_right, strength, int64_t(passes), steps, gap, seed, &watch};
  Solved solved{fit.state.data(), fit.marginals.data(), fit.dual.data(), fit.gaps.data(), fit.primal.data(),
                fit.first, fit.stop, fit.first, false};
  {
    nb::gil_scoped_release release;
    solve(window, tree, margins, solved);
  }
  watch.settle();
  return nb::make_tuple(solved.passes, solved.solved);
}

nb::tuple hm3(In<int64_t> indptr, In<int32_t> terms, In<float> values, Square<const uint8_t> relevant, In<int32_t> parents,
              In<double> costs, bool below_right, double strength, int64_t steps, double gap, uint64_t seed, Square<float> weights,
              Square<float> marginals, InOut<double> dual, InOut<double> gaps, InOut<double> primal, int64_t first, int64_t stop) {
  Fit what{weights, marginals, dual, gaps, primal, first, stop};
  return fit(indptr, terms, values, relevant, parents, costs, below_right, strength, steps, gap, seed, what,
             int64_t(weights.shape(0)), chosen().hm3);
}

nb::tuple hm3_kernel(In<int64_t> indptr, In<int32_t> terms, In<float> values, Square<const uint8_t> relevant, In<int32_t> parents,
                     In<double> costs, bool below_right, double strength, int64_t steps, double gap, uint64_t seed,
                     Square<float> differences, Square<float> marginals, InOut<double> dual, InOut<double> gaps,
                     InOut<double> primal, int64_t first, int64_t stop, In<int64_t> starts, In<int32_t> rows,
                     In<float> row_values, int kind, int32_t degree, float gamma, float coef0) {
  std::size_t n = relevant.shape(0);
  demand(differences.shape(0) == n, "the arrays to be fitted do not fit together; fit a Batch with HM3");
  Others others = others_of(starts, rows, row_values, n);
  Similarity kernel = similarity_of(kind, degree, gamma, coef0);
  Fit what{differences, marginals, dual, gaps, primal, first, stop};
  return fit(indptr, terms, values, relevant, parents, costs, below_right, strength, steps, gap, seed, what, others.features,
             [&](const Window& window, const Nodes& tree, const Margins& margins, Solved& solved) {
               chosen().hm3_kernel(window, others, kernel, tree, margins, solved);
             });
}

void svm(In<int64_t> indptr, In<int32_t> terms, In<float> values, Square<const uint8_t> relevant, In<int32_t> parents,
         bool of_parent, double strength, int64_t passes, double tolerance, uint64_t seed, Square<float> weights) {
  std::size_t n = relevant.shape(0), nodes = parents.shape(0);
  demand(indptr.shape(0) == n + 1 && relevant.shape(1) == nodes && weights.shape(1) == nodes && strength > 0,
         "the arrays to be fitted do not fit together; fit a Batch with SVM or HSVM");
  check_rows(indptr, terms, values, int64_t(weights.shape(0)));
  check_tree(parents);
  SignalWatch watch;
  {
    nb::gil_scoped_release release;
    Window window{int64_t(n), int64_t(weights.shape(0)), indptr.data(), terms.data(), values.data(), relevant.data()};
    chosen().svm(window, {int32_t(nodes), parents.data()}, {of_parent, strength, passes, tolerance, seed, &watch}, weights.data());
  }
  watch.settle();
}

void rls(In<int64_t> indptr, In<int32_t> terms, In<float> values, Square<const uint8_t> relevant, In<int32_t> parents,
         double strength, int64_t steps, double tolerance, Square<float> weights) {
  std::size_t n = relevant.shape(0), nodes = parents.shape(0);
  demand(indptr.shape(0) == n + 1 && relevant.shape(1) == nodes && weights.shape(1) == nodes && strength > 0,
         "the arrays to be fitted do not fit together; fit a Batch with HRLS");
  check_rows(indptr, terms, values, int64_t(weights.shape(0)));
  check_tree(parents);
  SignalWatch watch;
  {
    nb::gil_scoped_release release;
    Window window{int64_t(n), int64_t(weights.shape(0)), indptr.data(), terms.data(), values.data(), relevant.data()};
    chosen().rls(window, {int32_t(nodes), parents.data()}, {strength, steps, tolerance, &watch}, weights.data());
  }
  watch.settle();
}

void check_scores(const In<int64_t>& indptr, const In<int32_t>& parents, const Square<const float>& state,
                  const Square<float>& scores, const Square<uint8_t>& relevant) {
  std::size_t n = scores.shape(0), nodes = parents.shape(0);
  demand(indptr.shape(0) == n + 1 && scores.shape(1) == nodes && relevant.shape(0) == n && relevant.shape(1) == nodes &&
             state.shape(1) == 3 * nodes,
         "the arrays to be scored do not fit together; take scores of HM3");
  check_tree(parents);
}

void label(In<int64_t> indptr, In<int32_t> terms, In<float> values, In<int32_t> parents, Square<const float> weights,
           Square<float> scores, Square<uint8_t> relevant) {
  check_scores(indptr, parents, weights, scores, relevant);
  check_rows(indptr, terms, values, INT32_MAX);
  SignalWatch watch;
  {
    nb::gil_scoped_release release;
    Window window{int64_t(scores.shape(0)), int64_t(weights.shape(0)), indptr.data(), terms.data(), values.data(), nullptr};
    chosen().label(window, {int32_t(parents.shape(0)), parents.data()}, weights.data(), scores.data(), relevant.data(), &watch);
  }
  watch.settle();
}

void label_kernel(In<int64_t> indptr, In<int32_t> terms, In<float> values, In<int32_t> parents, Square<const float> differences,
                  Square<float> scores, Square<uint8_t> relevant, In<int64_t> starts, In<int32_t> rows, In<float> row_values,
                  int kind, int32_t degree, float gamma, float coef0) {
  check_scores(indptr, parents, differences, scores, relevant);
  check_rows(indptr, terms, values, INT32_MAX);
  Others others = others_of(starts, rows, row_values, differences.shape(0));
  Similarity kernel = similarity_of(kind, degree, gamma, coef0);
  SignalWatch watch;
  {
    nb::gil_scoped_release release;
    Window window{int64_t(scores.shape(0)), others.features, indptr.data(), terms.data(), values.data(), nullptr};
    chosen().label_kernel(window, others, kernel, {int32_t(parents.shape(0)), parents.data()}, differences.data(), scores.data(),
                          relevant.data(), &watch);
  }
  watch.settle();
}

void reasons(In<int64_t> indptr, In<int32_t> terms, In<float> values, In<int32_t> parents, Square<const float> weights,
             Square<double> contributions) {
  std::size_t nodes = parents.shape(0);
  demand(indptr.shape(0) == 2 && weights.shape(1) == 3 * nodes && contributions.shape(1) == nodes &&
             contributions.shape(0) == terms.shape(0) && indptr(0) == 0 && indptr(1) == int64_t(terms.shape(0)),
         "the arrays of reasons do not fit together; take reasons of HM3");
  check_tree(parents);
  check_rows(indptr, terms, values, INT32_MAX);
  SignalWatch watch;
  {
    nb::gil_scoped_release release;
    Window window{1, int64_t(weights.shape(0)), indptr.data(), terms.data(), values.data(), nullptr};
    chosen().reasons(window, {int32_t(nodes), parents.data()}, weights.data(), contributions.data(), &watch);
  }
  watch.settle();
}

void project(Square<const float> scores, Square<const uint8_t> relevant, In<int32_t> known, Square<const float> cuts,
             In<int32_t> nodes, In<int32_t> parents, Square<uint8_t> projected) {
  std::size_t n = scores.shape(0), width = scores.shape(1);
  bool right = relevant.shape(0) == n && relevant.shape(1) == width && known.shape(0) == n && projected.shape(0) == n &&
               projected.shape(1) == width && (!cuts.size() || (cuts.shape(0) == n && cuts.shape(1) == width));
  for (std::size_t k = 0; right && k < n; ++k)
    right = known(k) >= 0 && std::size_t(known(k)) <= std::min(width, nodes.shape(0));
  for (std::size_t c = 0; right && c < nodes.shape(0); ++c) right = nodes(c) >= 0 && std::size_t(nodes(c)) < parents.shape(0);
  demand(right, "the sets to be projected do not fit the scores or the tree; take sets of Projection");
  check_tree(parents);
  Decided decided{scores.data(), relevant.data(), known.data(), int64_t(n), int64_t(width), cuts.size() ? cuts.data() : nullptr};
  LabelNodes labels{nodes.data(), {int32_t(parents.shape(0)), parents.data()}};
  watched([&](Watch& watch) {
    nb::gil_scoped_release release;
    chosen().project(decided, labels, projected.data(), watch);
  });
}

}  // namespace

NB_MODULE(_trees, m) {
  m.attr("level") = chosen().name;
  m.def("check_memory", &check_memory_left, "more"_a);
  m.def("hm3", &hm3, "indptr"_a, "terms"_a, "values"_a, "relevant"_a, "parents"_a, "costs"_a, "below_right"_a, "strength"_a,
        "steps"_a, "gap"_a, "seed"_a, "state"_a, "marginals"_a, "dual"_a, "gaps"_a, "primal"_a, "first"_a, "stop"_a);
  m.def("hm3_kernel", &hm3_kernel, "indptr"_a, "terms"_a, "values"_a, "relevant"_a, "parents"_a, "costs"_a, "below_right"_a,
        "strength"_a, "steps"_a, "gap"_a, "seed"_a, "state"_a, "marginals"_a, "dual"_a, "gaps"_a, "primal"_a, "first"_a, "stop"_a,
        "starts"_a, "rows"_a, "row_values"_a, "kind"_a, "degree"_a, "gamma"_a, "coef0"_a);
  m.def("svm", &svm, "indptr"_a, "terms"_a, "values"_a, "relevant"_a, "parents"_a, "of_parent"_a, "strength"_a, "passes"_a,
        "tolerance"_a, "seed"_a, "weights"_a);
  m.def("rls", &rls, "indptr"_a, "terms"_a, "values"_a, "relevant"_a, "parents"_a, "strength"_a, "steps"_a, "tolerance"_a,
        "weights"_a);
  m.def("label", &label, "indptr"_a, "terms"_a, "values"_a, "parents"_a, "weights"_a, "scores"_a, "relevant"_a);
  m.def("label_kernel", &label_kernel, "indptr"_a, "terms"_a, "values"_a, "parents"_a, "differences"_a, "scores"_a, "relevant"_a,
        "starts"_a, "rows"_a, "row_values"_a, "kind"_a, "degree"_a, "gamma"_a, "coef0"_a);
  m.def("reasons", &reasons, "indptr"_a, "terms"_a, "values"_a, "parents"_a, "weights"_a, "contributions"_a);
  m.def("project", &project, "scores"_a, "relevant"_a, "known"_a, "cuts"_a, "nodes"_a, "parents"_a, "projected"_a);
}

}  // namespace telex
