// What the kernels of trees share: the documents of a window, a tree of labels, and the table of a level's functions.
#pragma once
#include <cstdint>

#include "../interface.hpp"

namespace telex {

// Nodes come after their parents; -1 is the node above all roots, which every document has. An edge is a node together with
// its parent, and has three labellings: the child alone may be off under a parent that is on, both may be on, both off.
struct Nodes {
  int32_t count;
  const int32_t* parents;
};

struct Window {
  int64_t documents, features;
  const int64_t* indptr;
  const int32_t* terms;     // ascending in a document
  const float* values;
  const uint8_t* relevant;  // documents x nodes, closed upwards
};

// The maximum margin problem: how wrong a labelling is, and how it is solved.
struct Margins {
  const double* costs;  // of a mistake at each node
  bool below_right;     // a mistake counts only where the parent is right (l_H~), else always (l_delta)
  double strength;      // C
  int64_t passes, steps;
  double gap;           // relative: passes end at it
  uint64_t seed;
  Watch* watch;         // once it has ended, the caller drops the result
};

// What a fit leaves behind. `marginals` has a row a document, of 3 x nodes columns: the labellings of the edges. `state` is what
// scores follow from: a row of as many columns for each feature (weights), or for each document (the truth less its marginals).
// A fit begins with `marginals`, which may be those of an earlier one; after `first` passes it goes on with `state`.
struct Solved {
  float *state, *marginals;
  double *dual, *gap, *primal;  // by pass; primal is NaN where it was not computed
  int64_t first, stop, passes;  // passes: how many are done in all
  bool solved;                  // the goal of the gap is reached
};

// How similar two documents are, by their inner product: the product itself, (gamma product + coef0)^degree, or
// exp(-gamma times the squared distance).
struct Similarity {
  enum Kind { linear, poly, rbf } kind;
  int32_t degree;
  float gamma, coef0;
};

// Documents by their features: `rows` and `values` of feature f are those from starts[f] to starts[f + 1].
struct Others {
  int64_t documents, features;
  const int64_t* starts;
  const int32_t* rows;
  const float* values;
};

// A support vector machine for each node; with `of_parent` on the documents alone that have the parent.
struct Machines {
  bool of_parent;
  double strength;   // C
  int64_t passes;
  double tolerance;  // of the optimality conditions: passes end at it
  uint64_t seed;
  Watch* watch;      // as in Margins
};

// Predicted sets over the columns of a learner, and the score from which each label is in them.
struct Decided {
  const float* scores;
  const uint8_t* relevant;
  const int32_t* known;
  int64_t asks, width;
  const float* cuts;  // by ask and column; null: the learner's own cut of each document
};
struct LabelNodes {
  const int32_t* nodes;  // by column, no two the same
  Nodes tree;
};

// Regularised least squares for each node, on the documents that have its parent.
struct Ridge {
  double strength;   // lambda
  int64_t steps;     // of conjugate gradients, at most
  double tolerance;  // of the residual, relative: steps end at it
  Watch* watch;      // as in Margins
};

struct TreeKernels {
  const char* name;
  void (*hm3)(const Window&, const Nodes&, const Margins&, Solved&);
  void (*hm3_kernel)(const Window&, const Others&, const Similarity&, const Nodes&, const Margins&, Solved&);
  void (*svm)(const Window&, const Nodes&, const Machines&, float* weights);  // features x nodes
  void (*rls)(const Window&, const Nodes&, const Ridge&, float* weights);
  // The best labelling of each document, and for each node by how much the best one with it is better than the best without.
  void (*label)(const Window&, const Nodes&, const float* weights, float* scores, uint8_t* relevant, Watch*);
  void (*label_kernel)(const Window&, const Others&, const Similarity&, const Nodes&, const float* differences, float* scores,
                       uint8_t* relevant, Watch*);
  // What each feature of a document adds to these scores: features x nodes.
  void (*reasons)(const Window&, const Nodes&, const float* weights, double* contributions, Watch*);
  // Of each set the nearest that the tree allows.
  void (*project)(const Decided&, const LabelNodes&, uint8_t* projected, Watch&);
};
extern const TreeKernels trees_base, trees_v3, trees_v4;

}  // namespace telex
