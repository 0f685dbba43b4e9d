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

int64_t hm3(In<int64_t> indptr, In<int32_t> terms, In<float> values, Square<const uint8_t> relevant, In<int32_t> parents,
            In<double> costs, bool below_right, double strength, int64_t steps, double gap, uint64_t seed,
            Square<float> weights, Square<float> marginals, InOut<double> dual, InOut<double> gaps, InOut<double> primal) {
  std::size_t n = relevant.shape(0), nodes = parents.shape(0);
  demand(indptr.shape(0) == n + 1 && relevant.shape(1) == nodes && costs.shape(0) == nodes && weights.shape(1) == 3 * nodes &&
             marginals.shape(0) == n && marginals.shape(1) == 3 * nodes && dual.shape(0) == gaps.shape(0) &&
             primal.shape(0) == gaps.shape(0) && strength > 0 && steps > 0,
         "the arrays to be fitted do not fit together; fit a Batch with HM3");
  check_rows(indptr, terms, values, int64_t(weights.shape(0)));
  check_tree(parents);
  SignalWatch watch;
  int64_t passes;
  {
    nb::gil_scoped_release release;
    Window window{int64_t(n), int64_t(weights.shape(0)), indptr.data(), terms.data(), values.data(), relevant.data()};
    Nodes tree{int32_t(nodes), parents.data()};
    Margins margins{costs.data(), below_right, strength, int64_t(dual.shape(0)), steps, gap, seed, &watch};
    Solved solved{weights.data(), marginals.data(), dual.data(), gaps.data(), primal.data(), 0};
    chosen().hm3(window, tree, margins, solved);
    passes = solved.passes;
  }
  watch.settle();
  return passes;
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

void label(In<int64_t> indptr, In<int32_t> terms, In<float> values, In<int32_t> parents, Square<const float> weights,
           Square<float> scores, Square<uint8_t> relevant) {
  std::size_t n = scores.shape(0), nodes = parents.shape(0);
  demand(indptr.shape(0) == n + 1 && scores.shape(1) == nodes && relevant.shape(0) == n && relevant.shape(1) == nodes &&
             weights.shape(1) == 3 * nodes,
         "the arrays to be scored do not fit together; take scores of HM3");
  check_rows(indptr, terms, values, INT32_MAX);
  check_tree(parents);
  nb::gil_scoped_release release;
  Window window{int64_t(n), int64_t(weights.shape(0)), indptr.data(), terms.data(), values.data(), nullptr};
  chosen().label(window, {int32_t(nodes), parents.data()}, weights.data(), scores.data(), relevant.data());
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
  m.def("hm3", &hm3, "indptr"_a, "terms"_a, "values"_a, "relevant"_a, "parents"_a, "costs"_a, "below_right"_a, "strength"_a,
        "steps"_a, "gap"_a, "seed"_a, "weights"_a, "marginals"_a, "dual"_a, "gaps"_a, "primal"_a);
  m.def("svm", &svm, "indptr"_a, "terms"_a, "values"_a, "relevant"_a, "parents"_a, "of_parent"_a, "strength"_a, "passes"_a,
        "tolerance"_a, "seed"_a, "weights"_a);
  m.def("label", &label, "indptr"_a, "terms"_a, "values"_a, "parents"_a, "weights"_a, "scores"_a, "relevant"_a);
  m.def("project", &project, "scores"_a, "relevant"_a, "known"_a, "cuts"_a, "nodes"_a, "parents"_a, "projected"_a);
}

}  // namespace telex
