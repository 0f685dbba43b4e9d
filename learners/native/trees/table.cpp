// A level's table of functions.
#include "trees.hpp"

#define TELEX_PASTE(a, b) a##b
#define TELEX_NAMED(level) TELEX_PASTE(trees_, level)
#define TELEX_TEXT(level) #level
#define TELEX_STRING(level) TELEX_TEXT(level)

namespace telex {
namespace TELEX_LEVEL {
void hm3(const Window&, const Nodes&, const Margins&, Solved&);
void svm(const Window&, const Nodes&, const Machines&, float*);
void label(const Window&, const Nodes&, const float*, float*, uint8_t*);
}  // namespace TELEX_LEVEL

extern const TreeKernels TELEX_NAMED(TELEX_LEVEL);
const TreeKernels TELEX_NAMED(TELEX_LEVEL) = {TELEX_STRING(TELEX_LEVEL), TELEX_LEVEL::hm3, TELEX_LEVEL::svm, TELEX_LEVEL::label};
}  // namespace telex
