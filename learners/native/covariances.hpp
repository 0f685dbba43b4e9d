// The matrix (lambda I + sum of x x')^-1 of each of several recursive least squares, over the same features.
#pragma once
#include "state.hpp"

namespace telex::TELEX_LEVEL {

struct Covariances {
  Array<double> data, wider;  // wider: empty but while rows are added
  int64_t rows = 0, side = 0;  // side: of the squares that hold the matrices
  int32_t count = 0;
  double start = 1;  // 1 / lambda

  double* of(int32_t n) { return data.data + n * side * side; }
  const double* of(int32_t n) const { return data.data + n * side * side; }

  void meet(int64_t wanted, Watch* watch) {
    if (wanted <= rows) return;
    if (wanted > side) {
      int64_t broad = round_up(wanted < side + side / 8 ? side + side / 8 : wanted, 8);
      wider.resize(count * broad * broad);
      for (int32_t n = 0; n < count; ++n) {
        for (int64_t f = 0; f < rows; ++f) copy(wider.data + (n * broad + f) * broad, of(n) + f * side, rows);
        pause_within(watch, rows * rows);
      }
      data.swap(wider);
      wider.free();
      side = broad;
    }
    for (int32_t n = 0; n < count; ++n)
      for (int64_t f = rows; f < wanted; ++f) of(n)[f * side + f] = start;
    rows = wanted;
  }
  void widen(int32_t wanted) {
    data.resize(wanted * side * side);
    for (; count < wanted; ++count)
      for (int64_t f = 0; f < rows; ++f) of(count)[f * side + f] = start;
  }
  // The feature is as if it had never been met.
  void forget(int64_t f) {
    if (f >= rows) return;
    for (int32_t n = 0; n < count; ++n) {
      double* one = of(n);
      for (int64_t i = 0; i < rows; ++i) one[f * side + i] = one[i * side + f] = 0;
      one[f * side + f] = start;
    }
  }
  // x' P x; features never met count too. Rounding may take it below 0.
  double doubt(int32_t n, const Document& d) const {
    double sum = 0;
    for (int64_t k = 0; k < d.size; ++k) {
      double x = d.values[k];
      if (d.features[k] >= rows) {
        sum += x * x * start;
        continue;
      }
      const double* row = of(n) + d.features[k] * side;
      double along = 0;
      for (int64_t j = 0; j < d.size && d.features[j] < rows; ++j) along += double(d.values[j]) * row[d.features[j]];
      sum += x * along;
    }
    return sum;
  }
  // Writes P x, whose features are all met.
  void gains(int32_t n, const Document& d, double* out) const {
    clear(out, rows);
    for (int64_t k = 0; k < d.size; ++k) {
      const double* row = of(n) + d.features[k] * side;
      double x = d.values[k];
      for (int64_t i = 0; i < rows; ++i) out[i] += x * row[i];
    }
  }
  // Subtracts g g' times `shrink`; the products leave the matrix symmetric to the bit.
  void shrink(int32_t n, const double* g, double shrink, Watch* watch) {
    for (int64_t f = 0; f < rows; ++f) {
      if (g[f] == 0) continue;
      double *row = of(n) + f * side, own = g[f];
      for (int64_t i = 0; i < rows; ++i) row[i] -= own * g[i] * shrink;
      pause_within(watch, rows);
    }
  }
  bool finite() const {
    for (int32_t n = 0; n < count; ++n)
      for (int64_t i = 0; i < side * side; ++i)
        if (!(of(n)[i] - of(n)[i] == 0)) return false;
    return true;
  }
  int64_t bytes() const { return data.capacity * int64_t(sizeof(double)); }

  void save(Writer& out, const char* name) const {
    double* to = room<double>(out, name, count * rows * rows);
    for (int32_t n = 0; n < count; ++n)
      for (int64_t f = 0; f < rows; ++f, to += rows) copy(to, of(n) + f * side, rows);
  }
  void load(Reader& in, const char* name, int32_t wanted, int64_t high) {
    Given<double> from = given<double>(in, name, wanted * high * high);
    widen(wanted);
    meet(high, nullptr);
    bool right = true;
    for (int32_t n = 0; n < count; ++n)
      for (int64_t f = 0; f < rows; ++f) {
        const double* row = from.data + (n * rows + f) * rows;
        copy(of(n) + f * side, row, rows);
        for (int64_t i = 0; i < f; ++i) right &= !(row[i] < from[(n * rows + i) * rows + f] || row[i] > from[(n * rows + i) * rows + f]);
        for (int64_t i = 0; i < rows; ++i) right &= !(row[i] < -2 * start || row[i] > 2 * start);
      }
    expect(in, right, "it has a covariance that no document leads to");
  }
};

}  // namespace telex::TELEX_LEVEL
