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
    by_parts(d.size, watch, [&]<int N>(const int32_t* at) { measure_parts<N>(variances, d, at); });
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
    by_parts(d.size, watch, [&]<int N>(const int32_t* at) { move_parts<N>(weights, variances, d, at); });
  }

  template <class Work>
  void by_parts(int64_t size, Watch* watch, const Work& work) const {
    for (int64_t first = 0; first < parts.size; first += few_parts) {
      by_number(parts.size - first, [&]<int N>() { work.template operator()<N>(parts.data + first); });
      pause_within(watch, size * few_parts * lanes);
    }
  }
  template <int N>
  void measure_parts(const Table& variances, const Document d, const int32_t* at) {
    Vector *to = reinterpret_cast<Vector*>(pull.data), b[N];
    for (int j = 0; j < N; ++j) b[j] = to[at[j]];
    auto take = [&](const float* row, float x) {
      const Vector* v = reinterpret_cast<const Vector*>(row);
      float square = x * x;
#pragma GCC unroll 8
      for (int j = 0; j < N; ++j) b[j] += square * v[at[j]];
    };
    if (d.bias != 0) take(variances.row(0), d.bias);
    for (int64_t k = 0; k < d.size; ++k) {
      if (k + 8 < d.size) {
        const Vector* ahead = reinterpret_cast<const Vector*>(variances.row(d.row(k + 8)));
#pragma GCC unroll 8
        for (int j = 0; j < N; ++j) __builtin_prefetch(ahead + at[j]);
      }
      take(variances.row(d.row(k)), d.values[k]);
    }
    for (int j = 0; j < N; ++j) to[at[j]] = b[j];
  }
  template <int N>
  void move_parts(Table& weights, Table& variances, const Document d, const int32_t* parts) const {
    int32_t at[N];
    Vector a[N], b[N];
    for (int j = 0; j < N; ++j) {
      at[j] = parts[j];
      a[j] = reinterpret_cast<const Vector*>(rate.data)[at[j]];
      b[j] = reinterpret_cast<const Vector*>(pull.data)[at[j]];
    }
    auto take = [&](int64_t f, float x) {
      Vector *w = reinterpret_cast<Vector*>(weights.row(f)), *v = reinterpret_cast<Vector*>(variances.row(f));
#pragma GCC unroll 8
      for (int j = 0; j < N; ++j) {
        Vector t = x * v[at[j]];
        w[at[j]] += a[j] * t;
        Vector left = v[at[j]] - (b[j] * t) * t;
        v[at[j]] = left < 0.0f ? Vector{} : left;  // rounding may take it below
      }
    };
    if (d.bias != 0) take(0, d.bias);
    for (int64_t k = 0; k < d.size; ++k) take(d.row(k), d.values[k]);
  }
  bool sound() { return bound(variances); }
  // Whether all are from 0 to 1. Those of earlier versions may lie below by what rounding takes: they become 0.
  static bool bound(Table& variances) {
    constexpr float rounding = 0x1p-10f;
    bool right = true;
    for (int64_t f = 0; f < variances.rows; ++f)
      for (int32_t c = 0; c < variances.columns; ++c) {
        float& v = variances.row(f)[c];
        right &= !(v < -rounding || v > 1);
        v = v < 0 ? 0 : v;
      }
    return right;
  }
};

}  // namespace telex::TELEX_LEVEL
