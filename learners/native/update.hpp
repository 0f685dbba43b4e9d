// How the perceptrons of BR and MLPP learn: the perceptron's own steps, passive-aggressive ones, or those of AROW.
#pragma once
#include "table.hpp"

namespace telex::TELEX_LEVEL {

enum { by_error, by_margin, by_confidence };
constexpr const char* update_names[] = {"perceptron", "pa", "arow", nullptr};
constexpr const char* averaged_update_names[] = {"perceptron", "pa", nullptr};  // AROW's variances stand where the sums would
constexpr const char* tie_names[] = {"first", "half", nullptr};

struct Update {
  int kind = by_error;
  bool half = false;  // a score of 0 is right for neither side: half a vote for each, and an error of a perceptron
  float most = 0;     // C of PA-I
  float calm = 1;     // r of AROW

  Update() = default;
  Update(Options& options, bool averaged)
      : kind(options.choice("update", averaged ? averaged_update_names : update_names)),
        half(options.choice("ties", tie_names) == 1),
        most(float(options.real("C", 1e-6, 1e6, "a number from 1e-6 to 1e6"))),
        calm(float(options.real("r", 1e-6, 1e6, "a number from 1e-6 to 1e6"))) {}

  bool confident() const { return kind == by_confidence; }
  // Whether a perceptron moves that only ever met documents with the same target, or where it has its first label's vote anyway.
  bool moves_alone() const { return half || kind != by_error; }
  // Whether a document of target y, 1 or -1, moves a perceptron whose score of it is s.
  bool moves(float y, float s) const {
    if (kind != by_error) return 1 - y * s > 0;
    return half ? !(y * s > 0) : (s >= 0 ? 1.0f : -1.0f) != y;
  }
  // How far it moves along the document; `size` is the sum of x^2, of AROW that of x^2 times the variance.
  float step(float y, float s, float size) const {
    if (kind == by_error) return 2 * y;
    float loss = 1 - y * s;
    if (kind == by_confidence) return y * (loss * shrink(size));
    float length = loss / size;
    return y * (length < most ? length : most);
  }
  float shrink(float size) const { return 1 / (size + calm); }
};

inline float sum_of_squares(const Document& d) {
  float sum = 0;
  for (int64_t k = 0; k < d.size; ++k) sum += d.values[k] * d.values[k];
  return sum;
}

// AROW's variance of a weight is 1 - u, so that a table u of weights never met is zero. Rounding may take u above 1.
inline float confident_value(float u, float x) { return (1 - u) * x; }
inline void move_confidently(float& w, float& u, float x, float step, float shrink) {
  float g = confident_value(u, x);
  w += step * g;
  u += shrink * g * g;
  u = u > 1 ? 1 : u;
}
// Moves every column as AROW does, `pull` times as far as it would for a loss of 1; a pull of 0 leaves it as it is. `pull` has a
// whole stride, aligned, zero beyond the columns.
inline void move_columns(Table& weights, Table& spent, const Document& d, const float* pull, float calm, Watch* watch) {
  for (int32_t first = 0; first < weights.stride; first += lanes) {
    const Vector* strength = reinterpret_cast<const Vector*>(pull + first);
    bool any = false;
    for (int j = 0; j < lanes; ++j) any |= pull[first + j] != 0;
    if (!any) continue;
    Vector size = {}, shrink = {};
    for (int64_t k = 0; k < d.size; ++k) {
      const Vector* u = reinterpret_cast<const Vector*>(spent.row(d.features[k]) + first);
      float x = d.values[k];
      size += (1.0f - *u) * x * x;
    }
    for (int j = 0; j < lanes; ++j) shrink[j] = pull[first + j] != 0 ? 1 / (size[j] + calm) : 0;
    Vector step = *strength * shrink;
    for (int64_t k = 0; k < d.size; ++k) {
      Vector* u = reinterpret_cast<Vector*>(spent.row(d.features[k]) + first);
      Vector* w = reinterpret_cast<Vector*>(weights.row(d.features[k]) + first);
      Vector g = (1.0f - *u) * d.values[k];
      *w += step * g;
      Vector more = *u + shrink * g * g;
      *u = more > 1.0f ? Vector{} + 1.0f : more;
    }
    pause_within(watch, 3 * d.size * lanes);
  }
}

}  // namespace telex::TELEX_LEVEL
