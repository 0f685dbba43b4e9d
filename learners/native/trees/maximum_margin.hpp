// The solver of maximum margin Markov networks on a tree (Rousu, Saunders, Szedmak, Shawe-Taylor 2005): conditional gradient on
// the marginals of one document after the other, by pairwise steps (Garber, Meshi 2016).
//
// The dual has a distribution over labellings for each document; what the objective needs of it are its marginals, the mass of
// each labelling of each edge. A pass takes the documents in a random order and does some steps on each. A step moves mass to the
// best labelling under scores and loss, which is a corner of the marginal polytope, from the worst labelling that has mass; its
// length is exact. Documents that had little of the gap get one step: further ones would cost more than to look at the document.
//
// A form says how scores follow from marginals: `sum` gives those of a document's edges, `add` moves its marginals, `length` is
// the similarity of a document with itself, `squared` the squared length of all weights, and `save` keeps what `load` takes.
#pragma once
#include "../table.hpp"
#include "edges.hpp"

namespace telex::TELEX_LEVEL {

template <class Form>
struct MaximumMargin {
  const Window& window;
  const Nodes& nodes;
  const Margins& margins;
  Solved& out;
  Form& form;
  Edges edges;
  int32_t columns;
  Array<float> scores, change;
  Array<double> values, step;
  Array<uint8_t> best, worst;
  Array<int64_t> order;
  double dual = 0, gap = 0, enough = 0;  // enough: of the gap, for more than one step

  MaximumMargin(const Window& window, const Nodes& nodes, const Margins& margins, Solved& out, Form& form)
      : window(window), nodes(nodes), margins(margins), out(out), form(form), edges(nodes), columns(3 * nodes.count) {
    scores.resize(form.width());
    change.resize(form.width());
    values.resize(columns);
    step.resize(columns);
    best.resize(nodes.count);
    worst.resize(nodes.count);
    order.resize(window.documents);
  }

  const uint8_t* truth(int64_t row) const { return window.relevant + row * nodes.count; }
  float* marginals(int64_t row) { return out.marginals + row * columns; }

  // What an edge's labelling loses against the truth.
  double loss(const uint8_t* y, int32_t labelling, int32_t node) const {
    if ((labelling == on) == bool(y[node])) return 0;
    int32_t parent = nodes.parents[node];
    bool right = (labelling != absent) == (parent < 0 || y[parent]);
    return right || !margins.below_right ? margins.costs[node] : 0;
  }
  // The scores of a document's edges, and what they lose: `values` is the gradient.
  void look_at(int64_t row) {
    form.sum(row, scores.data);
    const uint8_t* y = truth(row);
    for (int32_t labelling = 0; labelling < 3; ++labelling)
      for (int32_t j = 0; j < nodes.count; ++j) {
        int32_t q = edges.column(labelling, j);
        values[q] = double(scores[q]) + loss(y, labelling, j);
      }
  }
  // Adds (truth times C - marginals) times the document to the weights.
  void begin(int64_t row) {
    const float* mass = marginals(row);
    const uint8_t* y = truth(row);
    for (int32_t q = 0; q < columns; ++q) change[q] = -mass[q];
    for (int32_t j = 0; j < nodes.count; ++j) change[edges.column(edges.at(y, j), j)] += float(margins.strength);
    form.add(row, change.data);
  }

  // Moves mass from the worst labelling that has some to the best: as much as is best, or as there is.
  bool exchange(float* mass, double length, double towards) {
    float least = float(margins.strength) * 1e-6f;
    for (int32_t q = 0; q < columns; ++q) step[q] = mass[q] > least ? -values[q] : -1e300;
    edges.up(step.data);
    edges.choose(step.data, worst.data);
    double from = 0, size = 0;
    float most = float(margins.strength);
    for (int32_t j = 0; j < nodes.count; ++j) {
      int32_t to = edges.column(edges.at(best.data, j), j), away = edges.column(edges.at(worst.data, j), j);
      from += values[away];
      if (to == away) continue;
      size += 2;
      if (mass[away] < most) most = mass[away];
    }
    double slope = towards - from;
    if (!(slope > 0) || !(size > 0) || !(most > least)) return false;
    double a = slope / (length * size);
    if (a > double(most)) a = double(most);
    dual += a * slope - a * a * length * size / 2;
    for (int32_t j = 0; j < nodes.count; ++j) {
      int32_t to = edges.column(edges.at(best.data, j), j), away = edges.column(edges.at(worst.data, j), j);
      if (to == away) continue;
      add(mass, to, float(a), length);
      add(mass, away, -float(a), length);
    }
    return true;
  }
  // Moves a share of all mass to the best labelling, where no one labelling has enough.
  void approach(float* mass, double length, double slope) {
    double size = 0;
    for (int32_t q = 0; q < columns; ++q) step[q] = -double(mass[q]);
    for (int32_t j = 0; j < nodes.count; ++j) step[edges.column(edges.at(best.data, j), j)] += margins.strength;
    for (int32_t q = 0; q < columns; ++q) size += step[q] * step[q];
    double a = slope / (length * size);
    if (!(a < 1)) a = 1;
    dual += a * slope - a * a * length * size / 2;
    for (int32_t q = 0; q < columns; ++q) add(mass, q, float(a * step[q]), length);
  }
  void add(float* mass, int32_t q, float a, double length) {
    float now = mass[q] + a;
    change[q] -= now - mass[q];
    mass[q] = now;
    values[q] -= length * double(a);
  }

  void optimise(int64_t row) {
    double length = form.length(row);
    if (!(length > 0)) return;
    float* mass = marginals(row);
    look_at(row);
    clear(change.data, change.size);
    for (int64_t t = 0; t < margins.steps; ++t) {
      edges.up(values.data);
      edges.choose(values.data, best.data);
      double towards = edges.sum(values.data, best.data), slope = margins.strength * towards;
      for (int32_t q = 0; q < columns; ++q) slope -= values[q] * double(mass[q]);
      if (!t) gap += slope > 0 ? slope : 0;
      else if (slope < enough) break;
      if (!(slope > 1e-12)) break;
      if (!exchange(mass, length, towards)) approach(mass, length, slope);
    }
    form.add(row, change.data);
  }

  // The loss of all marginals; half the squared weights less is the dual.
  double lost() {
    double all = 0;
    for (int64_t row = 0; row < window.documents; ++row)
      for (int32_t labelling = 0; labelling < 3; ++labelling)
        for (int32_t j = 0; j < nodes.count; ++j)
          all += loss(truth(row), labelling, j) * double(marginals(row)[edges.column(labelling, j)]);
    return all;
  }
  // Half the squared weights, and each document's slack: by how much its worst labelling violates its margin.
  double primal() {
    double slack = 0;
    for (int64_t row = 0; row < window.documents && !ended(row); ++row) {
      look_at(row);
      edges.up(values.data);
      edges.choose(values.data, best.data);
      double more = edges.sum(values.data, best.data) - edges.sum(values.data, truth(row));
      slack += more > 0 ? more : 0;
    }
    return form.squared() / 2 + margins.strength * slack;
  }

  // Once it has ended, the caller drops the result.
  bool ended(int64_t row) const { return row % 64 == 0 && margins.watch->ended(false); }
  // The documents in another order for each pass, whatever passes there were before.
  void shuffle(int64_t pass) {
    uint64_t salt = mix(mix(margins.seed) ^ uint64_t(pass));
    for (int64_t i = 0; i < window.documents; ++i) order[i] = i;
    for (int64_t i = window.documents; i-- > 1;) {
      int64_t other = int64_t(mix(salt ^ uint64_t(i)) % uint64_t(i + 1));
      int64_t row = order[i];
      order[i] = order[other];
      order[other] = row;
    }
  }
  void measure(int64_t pass) {
    dual = lost() - form.squared() / 2;
    out.dual[pass] = dual;
    out.primal[pass] = primal();
  }
  void fit() {
    if (out.first) {
      form.load(out.state);
      dual = out.dual[out.first - 1];
      gap = out.gap[out.first - 1];
    } else {
      for (int64_t row = 0; row < window.documents; ++row) begin(row);
      dual = lost() - form.squared() / 2;
    }
    for (int64_t pass = out.first; pass < out.stop; ++pass) {
      shuffle(pass);
      enough = gap / double(window.documents) / 2;  // half of a document's share in the last pass
      gap = 0;
      for (int64_t i = 0; i < window.documents; ++i) {
        if (ended(i)) return;
        optimise(order[i]);
      }
      out.passes = pass + 1;
      out.dual[pass] = dual;
      out.gap[pass] = gap;
      out.primal[pass] = __builtin_nan("");
      // What the pass has seen of the gap is older than its end: near the goal it is measured.
      if (pass + 1 < margins.passes && gap > 2 * margins.gap * dual) continue;
      measure(pass);
      out.solved = out.primal[pass] - dual <= margins.gap * out.primal[pass];
      if (out.solved) break;
    }
    form.save(out.state);
  }
};

}  // namespace telex::TELEX_LEVEL
