// Logistic regression by stochastic gradient descent, one a label; AdaGrad (Duchi, Hazan and Singer 2011) has a step of its own
// for each weight.
#include "../linear.hpp"
#include "../logistic_steps.hpp"

namespace telex::TELEX_LEVEL {

struct Logistic final : Rule {
  Table& squares = beside;  // of each weight's gradients, summed
  LogisticSteps steps;

  explicit Logistic(Options& options) : Rule(options), steps(options) {
    if (steps.adagrad) name = "squares";
  }
  void begin(const Document&, int64_t learnt) { steps.begin_after(learnt); }
  Vector step(Vector score, Vector y) const { return steps.of(score, y); }
  void update(const Document& d, const float* g, const int32_t* moved, int32_t count, Watch* watch) {
    if (!steps.adagrad) return add(weights, d, g, moved, count, watch);
    auto move = [&](int64_t f, float x) { steps.move(weights.row(f), squares.row(f), g, x, weights.stride); };
    if (d.bias != 0) move(0, d.bias);
    for (int64_t k = 0; k < d.size; ++k) {
      move(d.row(k), d.values[k]);
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
