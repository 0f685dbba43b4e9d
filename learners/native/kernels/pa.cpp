// Passive-aggressive learners (Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006), one classifier a label.
#include "../linear.hpp"

namespace telex::TELEX_LEVEL {

constexpr const char* variants[] = {"I", "II", nullptr};

struct Pa final : Rule {
  float most, slack;  // C bounds the steps of variant I, and shortens those of II
  float size = 0;     // what a loss is divided by

  explicit Pa(Options& options) : Rule(options) {
    bool first = options.choice("variant", variants) == 0;
    double c = options.real("C", 1e-6, __builtin_inf(), "a number from 1e-6 on, or inf");
    most = first ? float(c) : __builtin_inff();
    slack = first ? 0 : float(1 / (2 * c));
  }
  void begin(const Document& d, int64_t) {
    size = d.bias * d.bias;
    for (int64_t k = 0; k < d.size; ++k) size += d.values[k] * d.values[k];
    if (size == 0) size = __builtin_inff();  // a document without features moves nothing
    size += slack;
  }
  Vector step(Vector score, Vector y) const {
    Vector margin = y * score, far = (1.0f - margin) / size;
    return margin < 1.0f ? y * (far < most ? far : Vector{} + most) : Vector{};
  }
};

}  // namespace telex::TELEX_LEVEL

TELEX_KERNEL(pa, Linear<Pa>)
