// H-M3: hierarchical maximum margin Markov networks (Rousu, Saunders, Szedmak, Shawe-Taylor 2005), the linear form.
//
// The dual has a distribution over labellings for each document; what the objective needs of it are its marginals, the mass of
// each labelling of each edge. A pass takes the documents in a random order and does some steps of conditional gradient on each:
// the best labelling under scores and loss is the corner of the marginal polytope to go to, and the length of the step is exact.
#include "edges.hpp"
#include "../table.hpp"

namespace telex::TELEX_LEVEL {

namespace {

Document document(const Window& w, int64_t row) {
  int64_t first = w.indptr[row];
  return {w.terms + first, w.values + first, w.indptr[row + 1] - first, w.indptr[w.documents] - first};
}

struct Hm3 {
  const Window& window;
  const Nodes& nodes;
  const Margins& margins;
  Solved& out;
  Edges edges;
  int32_t columns;
  Table weights;
  Array<float> scores, change;
  Array<double> values, step;
  Array<uint8_t> best;
  Array<int32_t> moved;
  Array<int64_t> order;
  double dual = 0, gap = 0;

  Hm3(const Window& window, const Nodes& nodes, const Margins& margins, Solved& out)
      : window(window), nodes(nodes), margins(margins), out(out), edges(nodes), columns(3 * nodes.count) {
    weights.widen(columns, nullptr);
    weights.data.resize(window.features * weights.stride);
    weights.rows = window.features;
    scores.resize(weights.stride);
    change.resize(weights.stride);
    values.resize(columns);
    step.resize(columns);
    best.resize(nodes.count);
    moved.resize(columns);
    order.resize(window.documents);
  }
  ~Hm3() {
    for (int64_t f = 0; f < window.features; ++f) copy(out.weights + f * columns, weights.row(f), columns);
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
    sum(weights, document(window, row), scores.data, nullptr);
    const uint8_t* y = truth(row);
    for (int32_t labelling = 0; labelling < 3; ++labelling)
      for (int32_t j = 0; j < nodes.count; ++j) {
        int32_t q = edges.column(labelling, j);
        values[q] = double(scores[q]) + loss(y, labelling, j);
      }
  }
  static double squared(const Document& doc) {
    double all = 0;
    for (int64_t k = 0; k < doc.size; ++k) all += double(doc.values[k]) * double(doc.values[k]);
    return all;
  }
  // Adds (truth times C - marginals) times the document to the weights.
  void begin(int64_t row) {
    const float* mass = marginals(row);
    const uint8_t* y = truth(row);
    for (int32_t q = 0; q < columns; ++q) change[q] = -mass[q];
    for (int32_t j = 0; j < nodes.count; ++j) change[edges.column(edges.at(y, j), j)] += float(margins.strength);
    apply(document(window, row));
  }
  void apply(const Document& doc) {
    int32_t count = 0;
    for (int32_t q = 0; q < columns; ++q)
      if (change[q] != 0) moved[count++] = q;
    if (count) add(weights, doc, change.data, moved.data, count, nullptr);
  }

  void optimise(int64_t row) {
    Document doc = document(window, row);
    double length = squared(doc);
    if (!(length > 0)) return;
    float* mass = marginals(row);
    look_at(row);
    clear(change.data, weights.stride);
    for (int64_t t = 0; t < margins.steps; ++t) {
      edges.up(values.data);
      edges.choose(values.data, best.data);
      double slope = 0, size = 0;
      for (int32_t q = 0; q < columns; ++q) step[q] = -double(mass[q]);
      for (int32_t j = 0; j < nodes.count; ++j) step[edges.column(edges.at(best.data, j), j)] += margins.strength;
      for (int32_t q = 0; q < columns; ++q) {
        slope += values[q] * step[q];
        size += step[q] * step[q];
      }
      if (!t) gap += slope > 0 ? slope : 0;
      if (!(slope > 1e-12) || !(size > 0)) break;
      double a = slope / (length * size);
      if (a > 1) a = 1;
      dual += a * slope - a * a * length * size / 2;
      for (int32_t q = 0; q < columns; ++q) {
        float now = float(double(mass[q]) + a * step[q]);
        change[q] -= now - mass[q];
        mass[q] = now;
        values[q] -= length * a * step[q];
      }
    }
    apply(doc);
  }

  double squared_weights() const {
    double all = 0;
    for (int64_t f = 0; f < weights.rows; ++f)
      for (int32_t q = 0; q < columns; ++q) all += double(weights.row(f)[q]) * double(weights.row(f)[q]);
    return all;
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
    for (int64_t row = 0; row < window.documents; ++row) {
      look_at(row);
      edges.up(values.data);
      edges.choose(values.data, best.data);
      double more = edges.sum(values.data, best.data) - edges.sum(values.data, truth(row));
      slack += more > 0 ? more : 0;
    }
    return squared_weights() / 2 + margins.strength * slack;
  }

  bool ended() const { return margins.watch->ended(false); }
  void fit() {
    for (int64_t row = 0; row < window.documents; ++row) {
      begin(row);
      order[row] = row;
    }
    dual = lost() - squared_weights() / 2;
    double not_a_number = __builtin_nan("");
    for (int64_t pass = 0; pass < margins.passes; ++pass) {
      uint64_t salt = mix(mix(margins.seed) ^ uint64_t(pass));
      for (int64_t i = window.documents; i-- > 1;) {
        int64_t other = int64_t(mix(salt ^ uint64_t(i)) % uint64_t(i + 1));
        int64_t row = order[i];
        order[i] = order[other];
        order[other] = row;
      }
      gap = 0;
      for (int64_t i = 0; i < window.documents; ++i) {
        if (i % 64 == 0 && ended()) return;
        optimise(order[i]);
      }
      out.passes = pass + 1;
      out.dual[pass] = dual;
      out.gap[pass] = gap;
      out.primal[pass] = not_a_number;
      // What the pass has seen of the gap is older than its end: near the goal it is measured.
      bool last = pass + 1 == margins.passes;
      if (!last && gap > 2 * margins.gap * dual) continue;
      dual = lost() - squared_weights() / 2;
      out.dual[pass] = dual;
      out.primal[pass] = primal();
      if (out.primal[pass] - dual <= margins.gap * out.primal[pass]) return;
    }
  }
};

}  // namespace

void hm3(const Window& window, const Nodes& nodes, const Margins& margins, Solved& out) {
  Hm3 one(window, nodes, margins, out);
  one.fit();
}

// A node's score is by how much the best labelling with it is better than the best without. A node may be missing because its
// parent is.
void label(const Window& window, const Nodes& nodes, const float* weights, float* scores, uint8_t* relevant) {
  int32_t columns = 3 * nodes.count;
  Edges edges(nodes);
  Array<double> values, score;
  values.resize(columns);
  score.resize(nodes.count);
  for (int64_t row = 0; row < window.documents; ++row) {
    Document doc = document(window, row);
    clear(values.data, columns);
    for (int64_t k = 0; k < doc.size && doc.features[k] < window.features; ++k) {
      const float* w = weights + int64_t(doc.features[k]) * columns;
      for (int32_t q = 0; q < columns; ++q) values[q] += double(doc.values[k]) * double(w[q]);
    }
    edges.up(values.data);
    edges.choose(values.data, relevant + row * nodes.count);
    for (int32_t j = 0; j < nodes.count; ++j) {
      double own = edges.advantage(values.data, j), gained = own > 0 ? own : 0;
      int32_t parent = nodes.parents[j];
      if (parent >= 0) {
        double without = score[parent] > gained ? score[parent] - gained : 0;  // the parent alone, or neither
        own = score[parent] - gained + own - without;
      }
      score[j] = own;
      scores[row * nodes.count + j] = float(own);
    }
  }
}

}  // namespace telex::TELEX_LEVEL
