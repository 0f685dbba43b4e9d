// Adaptive regularisation of weights with a diagonal covariance (Crammer, Kulesza and Dredze 2009): how the labels inside their
// margin move.
#pragma once
#include "linear.hpp"

namespace telex::TELEX_LEVEL {

struct Arow final : Rule {
  Table& variances = beside;
  float r;
  Array<int32_t> parts;     // the vectors that have a label inside its margin
  Array<float> rate, pull;  // of each label: how far its mean and its variances move; zero where it stays

  explicit Arow(Options& options) : Rule(options), r(float(options.real("r", 1e-6, 1e6, "a number from 1e-6 to 1e6"))) {
    name = "variances";
    variances.start = 1;
  }
  Vector step(Vector score, Vector y) const {
    Vector margin = y * score;
    return margin < 1.0f ? y * (1.0f - margin) : Vector{};
  }
  void update(const Document& d, const float* g, const int32_t* moved, int32_t count, Watch* watch) {
    choose(moved, count);
    measure(variances, d, watch);
    aim(g);
    move(weights, variances, d, watch);
  }

  // The parts of an update, for learners with features in several tables: each of these is measured, and then moved.
  void choose(const int32_t* moved, int32_t count) {
    parts.size = 0;
    for (int32_t i = 0; i < count; ++i)
      if (int32_t part = moved[i] / lanes; !parts.size || parts[parts.size - 1] != part) parts.push(part);
    rate.resize(weights.stride);
    pull.resize(weights.stride);
    Vector* b = reinterpret_cast<Vector*>(pull.data);
    for (int64_t j = 0; j < parts.size; ++j) b[parts[j]] = Vector{};
  }
  void measure(const Table& variances, const Document& d, Watch* watch) {
    const int32_t* at = parts.data;
    int32_t size = int32_t(parts.size);
    Vector* b = reinterpret_cast<Vector*>(pull.data);
    for (int64_t k = 0; k < d.size; ++k) {
      if (k + 8 < d.size) {
        const Vector* ahead = reinterpret_cast<const Vector*>(variances.row(d.features[k + 8]));
        for (int32_t j = 0; j < size; ++j) __builtin_prefetch(ahead + at[j]);
      }
      const Vector* v = reinterpret_cast<const Vector*>(variances.row(d.features[k]));
      float square = d.values[k] * d.values[k];
      for (int32_t j = 0; j < size; ++j) b[at[j]] += square * v[at[j]];
      if (k % 64 == 63) pause_within(watch, 64 * int64_t(size) * lanes);
    }
  }
  void aim(const float* g) {
    Vector *a = reinterpret_cast<Vector*>(rate.data), *b = reinterpret_cast<Vector*>(pull.data);
    const Vector* step = reinterpret_cast<const Vector*>(g);
    for (int64_t i = 0; i < parts.size; ++i) {
      int32_t j = parts[i];
      Vector s = step[j], beta = 1.0f / (b[j] + r);
      b[j] = s != 0.0f ? beta : Vector{};
      a[j] = s * b[j];
    }
  }
  void move(Table& weights, Table& variances, const Document& d, Watch* watch) const {
    const int32_t* at = parts.data;
    int32_t size = int32_t(parts.size);
    const Vector *a = reinterpret_cast<const Vector*>(rate.data), *b = reinterpret_cast<const Vector*>(pull.data);
    for (int64_t k = 0; k < d.size; ++k) {
      Vector *w = reinterpret_cast<Vector*>(weights.row(d.features[k])),
             *v = reinterpret_cast<Vector*>(variances.row(d.features[k]));
      float x = d.values[k];
      for (int32_t j = 0; j < size; ++j) {
        Vector t = x * v[at[j]];
        w[at[j]] += a[at[j]] * t;
        v[at[j]] -= (b[at[j]] * t) * t;
      }
      if (k % 64 == 63) pause_within(watch, 64 * int64_t(size) * lanes);
    }
  }
  bool sound() const { return within_bounds(variances); }
  static bool within_bounds(const Table& variances) {
    bool right = true;
    for (int64_t f = 0; f < variances.rows; ++f)
      for (int32_t c = 0; c < variances.columns; ++c) right &= !(variances.row(f)[c] < 0 || variances.row(f)[c] > 1);
    return right;
  }
};

}  // namespace telex::TELEX_LEVEL
