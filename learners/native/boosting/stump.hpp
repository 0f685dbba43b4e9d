// One decision stump: its values for an absent and a present pivot, and how they change the weights.
#pragma once
#include <math.h>

#include "boosting.hpp"

namespace telex::TELEX_LEVEL {

constexpr double most_shrunk = 1e5;  // beyond, what was taken off would be larger than what is left by too much
constexpr double most_grown = 1e100;
constexpr double tie = 0x1p-40;       // of two Z summed anew, as a share of all weight
constexpr double rough_tie = 0x1p-32; // of two edges, of sums kept up to date; of two sides of a split
constexpr double nearly_all = 1e-3;

// How far a sum kept up to date may be off: its error is below most_shrunk * 2^-53 of its largest value so far, and a root
// turns 1e-11 into 3e-6. Terms within that are summed again.
inline double doubt(double positive, double negative) { return 1e-5 * sqrt(positive * negative) + 4 * rough_tie * (positive + negative); }

inline double above_0(double x) { return x > 0 ? x : 0; }

// The weights of a category's documents without and with the pivot, by sign.
struct Split {
  double p0, n0, p1, n1;
};

inline double normaliser(Variant variant, const Split& s) {
  double with = 2 * sqrt(s.p1 * s.n1);
  return variant == Variant::abstaining ? s.p0 + s.n0 + with : 2 * sqrt(s.p0 * s.n0) + with;
}

// -1 where nothing speaks for the category: as much on either side, or no document at all.
inline double sign(double p, double n) { return p - n > rough_tie * (p + n) ? 1 : -1; }
inline double edge(const Split& s) { return fabs(s.p0 - s.n0) + fabs(s.p1 - s.n1); }
inline double right(const Split& s) { return (s.p0 > s.n0 ? s.p0 : s.n0) + (s.p1 > s.n1 ? s.p1 : s.n1); }
inline double wrong(const Split& s) { return (s.p0 > s.n0 ? s.n0 : s.p0) + (s.p1 > s.n1 ? s.n1 : s.p1); }

struct Values {
  double absent, present;
};

inline double half_log(double p, double n, double eps) { return 0.5 * log((p + eps) / (n + eps)); }

// `alpha` is for the discrete one alone.
inline Values values(Variant variant, const Split& s, double eps, double alpha) {
  if (variant == Variant::discrete) return {alpha * sign(s.p0, s.n0), alpha * sign(s.p1, s.n1)};
  return {variant == Variant::abstaining ? 0 : half_log(s.p0, s.n0, eps), half_log(s.p1, s.n1, eps)};
}

// What the weights sum to when each has been multiplied by its factor.
inline double summed(const Split& s, const Values& v) {
  return s.p0 * exp(-v.absent) + s.n0 * exp(v.absent) + s.p1 * exp(-v.present) + s.n1 * exp(v.present);
}

}  // namespace telex::TELEX_LEVEL
