// Perceptrons with uneven margins (Li, Zaragoza, Herbrich, Shawe-Taylor and Kandola 2002), one a label.
#include "../linear.hpp"

namespace telex::TELEX_LEVEL {

struct Uneven final : Rule {
  float above, below;

  explicit Uneven(Options& options) : Rule(options) {
    constexpr const char* expected = "a number from -1e6 to 1e6";
    above = float(options.real("tau_plus", -1e6, 1e6, expected));
    below = float(options.real("tau_minus", -1e6, 1e6, expected));
  }
  Vector step(Vector score, Vector y) const {
    Vector tau = y > 0.0f ? Vector{} + above : Vector{} + below;
    return y * score <= tau ? y : Vector{};
  }
};

}  // namespace telex::TELEX_LEVEL

TELEX_KERNEL(uneven, Linear<Uneven>)
