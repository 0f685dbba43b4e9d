// A level's table of functions.
#include "../level_table.hpp"
#include "trees.hpp"

namespace telex {
namespace TELEX_LEVEL {
void hm3(const Window&, const Nodes&, const Margins&, Solved&);
void hm3_kernel(const Window&, const Others&, const Similarity&, const Nodes&, const Margins&, Solved&);
void svm(const Window&, const Nodes&, const Machines&, float*);
void rls(const Window&, const Nodes&, const Ridge&, float*);
void label(const Window&, const Nodes&, const float*, float*, uint8_t*, Watch*);
void label_kernel(const Window&, const Others&, const Similarity&, const Nodes&, const float*, float*, uint8_t*, Watch*);
void reasons(const Window&, const Nodes&, const float*, double*, Watch*);
void project(const Decided&, const LabelNodes&, uint8_t*, Watch&);
}  // namespace TELEX_LEVEL

extern const TreeKernels TELEX_NAMED(trees_);
const TreeKernels TELEX_NAMED(trees_) = {
    TELEX_LEVEL_NAME, TELEX_LEVEL::hm3,   TELEX_LEVEL::hm3_kernel,   TELEX_LEVEL::svm,
    TELEX_LEVEL::rls, TELEX_LEVEL::label, TELEX_LEVEL::label_kernel, TELEX_LEVEL::reasons, TELEX_LEVEL::project};
}  // namespace telex
