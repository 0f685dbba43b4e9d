// A level's table of functions.
#include "make.hpp"

namespace telex::TELEX_LEVEL {

static Learner* make(Kind kind, const Options& options) {
  switch (kind) {
    case Kind::br: return make_br(options);
    case Kind::mmp: return make_mmp(options);
    case Kind::mlpp: return make_mlpp(options);
    case Kind::nb: return make_nb(options);
    case Kind::prior: return make_prior(options);
    case Kind::last: return make_last(options);
  }
  return nullptr;
}

}  // namespace telex::TELEX_LEVEL

#define TELEX_PASTE(a, b) a##b
#define TELEX_NAMED(level) TELEX_PASTE(kernels_, level)
#define TELEX_TEXT(level) #level
#define TELEX_STRING(level) TELEX_TEXT(level)

namespace telex {
const Kernels TELEX_NAMED(TELEX_LEVEL) = {TELEX_STRING(TELEX_LEVEL), TELEX_LEVEL::make, TELEX_LEVEL::judge,
                                          TELEX_LEVEL::log_of};
}  // namespace telex
