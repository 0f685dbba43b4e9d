// The steps of logistic regression: how far scores move, and by which rule weights follow them.
#pragma once
#include "exp.hpp"

namespace telex::TELEX_LEVEL {

constexpr const char* step_names[] = {"adagrad", "sqrt", "constant", nullptr};

struct LogisticSteps {
  int steps;  // of step_names
  bool adagrad;
  float eta, rate = 1;

  explicit LogisticSteps(Options& options) {
    steps = options.choice("steps", step_names);
    adagrad = steps == 0;
    eta = float(options.real("eta", 1e-6, 1e6, "a number from 1e-6 to 1e6"));
    if (steps == 2) rate = eta;
  }
  void begin_after(int64_t learnt) {
    if (steps == 1) rate = eta / float(__builtin_sqrt(double(learnt + 1)));
  }
  // A target y is 1 or -1; 0 where nothing is to move.
  Vector of(Vector score, Vector y) const { return rate * (y / (1.0f + exp_of(y * score))); }
  // Moves weights by AdaGrad, whose sums of squares are `u`, along a feature of value x.
  void move(float* __restrict w, float* __restrict u, const float* __restrict g, float x, int32_t width) const {
    for (int32_t c = 0; c < width; ++c) {
      float along = g[c] * x;
      u[c] += along * along;
      w[c] += eta * along / (__builtin_sqrtf(u[c]) + 1.0f);
    }
  }
};

}  // namespace telex::TELEX_LEVEL
