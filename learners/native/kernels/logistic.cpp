// Logistic regression by stochastic gradient descent, one a label; AdaGrad (Duchi, Hazan and Singer 2011) has a step of its own
// for each weight.
#include "../exp.hpp"
#include "../linear.hpp"

namespace telex::TELEX_LEVEL {

constexpr const char* step_names[] = {"adagrad", "sqrt", "constant", nullptr};

struct Logistic final : Rule {
  Table& squares = beside;  // of each weight's gradients, summed
  int steps;  // of step_names
  bool adagrad;
  float eta, rate = 1;

  explicit Logistic(Options& options) : Rule(options) {
    steps = options.choice("steps", step_names);
    adagrad = steps == 0;
    eta = float(options.real("eta", 1e-6, 1e6, "a number from 1e-6 to 1e6"));
    if (adagrad) name = "squares";
    if (steps == 2) rate = eta;
  }
  void begin(const Document&, int64_t learnt) {
    if (steps == 1) rate = eta / float(__builtin_sqrt(double(learnt + 1)));
  }
  Vector step(Vector score, Vector y) const { return rate * (y / (1.0f + exp_of(y * score))); }
  void update(const Document& d, const float* g, const int32_t* moved, int32_t count, Watch* watch) {
    if (!adagrad) return add(weights, d, g, moved, count, watch);
    for (int64_t k = 0; k < d.size; ++k) {
      float *w = weights.row(d.features[k]), *u = squares.row(d.features[k]), x = d.values[k];
      for (int32_t c = 0; c < weights.stride; ++c) {
        float along = g[c] * x;
        u[c] += along * along;
        w[c] += eta * along / (__builtin_sqrtf(u[c]) + 1.0f);
      }
      pause_within(watch, 4 * int64_t(weights.stride));
    }
  }
  bool sound() const {
    bool right = true;
    for (int64_t f = 0; f < squares.rows; ++f)
      for (int32_t c = 0; c < squares.columns; ++c) right &= !(squares.row(f)[c] < 0);
    return right;
  }
};

}  // namespace telex::TELEX_LEVEL

TELEX_KERNEL(logistic, Linear<Logistic>)
