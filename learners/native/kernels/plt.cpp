// Online probabilistic label trees (Jasinska-Kobus, Wydmuch, Thiruvenkatachari and Dembczynski 2021). An empty place is a leaf
// that no document has, and learns as such: so a label that takes it has what it would have had from the start.
#include "../blocks.hpp"
#include "../kernel.hpp"
#include "../label_tree.hpp"
#include "../labels.hpp"
#include "../sight.hpp"
#include "../log.hpp"
#include "../logistic_steps.hpp"

namespace telex::TELEX_LEVEL {

inline float exp_of(float x) { return exp_of(Vector{} + x)[0]; }
// log(1 + z), and for small z also -log(1 - z) but for the sign of the square: two terms of the series where the sum would
// round z away.
inline float log_beyond(float z) { return z < 0x1p-10f ? z - 0.5f * (z * z) : log_of(1.0f + z); }
// log p of a score, p = 1 / (1 + exp(-s)).
inline float log_probability(float score) { return -log_beyond(exp_of(-score)); }
// log p / (1 - p), of log p.
inline float log_odds(float l) {
  float rest = l > -0x1p-10f ? -l - 0.5f * (l * l) : 1.0f - exp_of(l);
  return l - log_of(rest);
}

struct Plt final : Learner {
  // A node that has not been looked into: the logarithm of its probability.
  struct Open {
    float l;
    int32_t number;  // in the order in which nodes were met
    int32_t child;   // a family, or a column's complement
    bool before(const Open& other) const { return l > other.l || (l == other.l && number < other.number); }
  };
  struct Hunt final : Scratch {
    Sight sight;
    Array<float> score;
    Array<int32_t> blocks;  // by feature of the document
    Array<Open> open;       // a heap, the best first
    Array<int32_t> inside;  // families
    Array<float> share;     // by family of labels: the score that they have in common
    struct Given {
      int32_t column;
      float score;
    };
    Array<Given> given;  // labels with a score of their own

    static void put(Open* heap, int64_t at, Open one) {
      for (int64_t up; at && one.before(heap[up = (at - 1) / 2]); at = up) heap[at] = heap[up];
      heap[at] = one;
    }
    static void take_first(Open* heap, int64_t size) {  // which has `size` nodes afterwards
      Open one = heap[size];
      int64_t at = 0;
      for (int64_t next; (next = 2 * at + 1) < size; at = next) {
        next += next + 1 < size && heap[next + 1].before(heap[next]);
        if (!heap[next].before(one)) break;
        heap[at] = heap[next];
      }
      heap[at] = one;
    }
  } look;

  const int32_t arity, width;  // width: with what fills vectors
  const int64_t top;
  const float bias;
  LogisticSteps steps;
  Labels labels;
  LabelTree tree;
  Blocks blocks;
  Array<int32_t> taught, row_of;  // families that a document teaches; by family: its row of `target` and 1
  Array<float> target, g;

  explicit Plt(Options& options)
      : arity(int32_t(options.number("arity", 2, 64, "a number from 2 to 64"))),
        width(int32_t(round_up(arity, line))),
        top(options.number("top", 1, most_known, "a number from 1 to 16777216")),
        bias(float(options.real("bias", 0, 1e6, "a number from 0 to 1e6"))),
        steps(options),
        tree(arity),
        blocks(steps.adagrad ? 2 * width : width) {
    g.resize(width);
  }

  // The scores of a family's nodes, and which blocks they came from.
  const float* sum(int32_t family, Hunt& own, bool learning = false) const {
    const Document& d = own.sight.doc;
    own.score.resize(width);
    own.blocks.resize(d.size);
    blocks.find_all(d, family, learning ? blocks.size : width, own.blocks.data);
    Vector* s = reinterpret_cast<Vector*>(own.score.data);
    for (int32_t j = 0; j < width / lanes; ++j) s[j] = Vector{};
    for (int64_t k = 0; k < d.size; ++k) {
      if (own.blocks[k] < 0) continue;
      const Vector* w = reinterpret_cast<const Vector*>(blocks[own.blocks[k]]);
      for (int32_t j = 0; j < width / lanes; ++j) s[j] += d.values[k] * w[j];
    }
    return own.score.data;
  }

  void ask(const Documents& d, int64_t row, float* __restrict scores, uint8_t* __restrict relevant, Hunt& own) const {
    own.sight.take(document(d, row), bias);
    clear(relevant, labels.known);
    if (!labels.known) return;
    int32_t met = 0;
    int64_t size = 0, given = 0;
    float lowest = __builtin_inff();
    auto meet = [&](float l, int32_t child) {
      own.open.resize(size + 1);
      Hunt::put(own.open.data, size++, {l, met++, child});
    };
    meet(log_probability(sum(LabelTree::top, own)[0]), tree.root);
    while (size) {
      Open best = own.open[0];
      float odds = log_odds(best.l);
      if (odds < lowest && (best.child < 0 || given >= top)) lowest = odds;
      if (given >= top && odds <= 0) break;
      Hunt::take_first(own.open.data, --size);
      if (best.child < 0) {
        own.given.resize(given + 1);
        own.given[given++] = {~best.child, lowest};
        continue;
      }
      pause(own.watch, own.sight.doc.size * width);
      const float* s = sum(best.child, own);
      bool last = tree.heights[best.child] == 1;
      const int32_t* child = tree.child.data + best.child * tree.arity;
      for (int32_t c = 0; c < arity; ++c)
        if (child[c]) meet(best.l + log_probability(s[c]), last ? -child[c] : child[c]);
    }
    for (int64_t i = 0; i < given; ++i) relevant[own.given[i].column] = own.given[i].score > 0;
    own.share.resize(tree.families);
    for (int64_t i = 0; i < size; ++i) {
      const Open& one = own.open[i];
      float odds = log_odds(one.child < 0 ? one.l : one.l - log_of(float(labels_below(one.child))));
      if (odds > lowest) odds = lowest;
      if (one.child >= 0) {
        share_out(one.child, odds, own);
      } else {
        own.given.resize(given + 1);
        own.given[given++] = {~one.child, odds};
      }
    }
    for (int32_t c = 0; c < labels.known; ++c) scores[c] = own.share[tree.homes[c]];
    for (int64_t i = 0; i < given; ++i) scores[own.given[i].column] = own.given[i].score;
  }
  // Gives all labels below a node the same score.
  void share_out(int32_t below, float odds, Hunt& own) const {
    int64_t size = 0;
    own.inside.resize(1);
    own.inside[size++] = below;
    while (size) {
      int32_t family = own.inside[--size];
      own.share[family] = odds;
      if (tree.heights[family] == 1) continue;
      const int32_t* child = tree.child.data + family * tree.arity;
      own.inside.resize(size + arity);
      for (int32_t c = 0; c < arity; ++c)
        if (child[c]) own.inside[size++] = child[c];
    }
  }
  int32_t labels_below(int32_t family) const { return family == tree.root ? tree.labels() : tree.below[tree.above[family]]; }

  void answer(const Documents& d, int64_t row, bool fresh) {
    if (!fresh) look.sight.take(document(d, row), bias);
    labels.open(d, row);
    for (int32_t i = 0; i < labels.fresh; ++i) find_place();
    steps.begin_after(labels.learnt);
    gather();
    for (int64_t i = 0; i < taught.size && taught[i] >= 0; ++i) teach(taught[i], target.data + i * width);
    close();
    labels.close();
  }
  void find_place() {
    if (tree.full()) {
      tree.grow();
      if (tree.height > 1) copy_spare();
    }
    tree.add([&](int32_t family) { return choose(family); });
  }
  // The first empty place of a family; where all are taken, among the nodes that have room and at most twice as many labels as
  // the one that has fewest of them, the one that the document resembles most.
  int32_t choose(int32_t family) {
    const int32_t *child = tree.child.data + family * tree.arity, *below = tree.below.data + family * tree.arity;
    int64_t room = tree.room_below(family), fewest = room;
    for (int32_t c = 0; c < arity; ++c) {
      if (!child[c]) return c;
      if (below[c] < fewest) fewest = below[c];
    }
    const float* s = sum(family, look);
    int32_t best = -1;
    for (int32_t c = 0; c < arity; ++c)
      if (below[c] < room && below[c] <= 2 * fewest && (best < 0 || s[c] > s[best])) best = c;
    pause_within(look.watch, look.sight.doc.size * width);
    return best;
  }
  void copy_spare() {
    for (int64_t b = 0, all = blocks.count; b < all; ++b) {
      pause_within(look.watch, 4);
      if (blocks.owners[b].family != LabelTree::spare) continue;
      int32_t made = blocks.make(blocks.owners[b].feature, tree.root, look.watch);
      copy(blocks[made], blocks[b], blocks.size);
    }
  }

  // Lists the families that the document teaches, with their targets: those of nodes that it is positive for.
  void gather() {
    row_of.resize(tree.families);
    int64_t rows = 0;
    auto row = [&](int32_t family) {
      if (row_of[family]) return target.data + (row_of[family] - 1) * width;
      taught.resize(rows + 1);
      target.resize((rows + 1) * width);
      taught[rows] = family;
      row_of[family] = int32_t(++rows);
      float* y = target.data + (rows - 1) * width;
      for (int32_t c = 0; c < width; ++c) y[c] = c < arity ? -1.0f : 0.0f;
      return y;
    };
    row(LabelTree::top);
    if (labels.size) row(LabelTree::spare)[0] = 1;
    for (int32_t i = 0; i < labels.size; ++i) tree.up(labels.relevant[i], [&](int32_t family, int32_t at) { row(family)[at] = 1; });
    if (rows < taught.size) taught[rows] = -1;
  }
  void close() {
    for (int64_t i = 0; i < taught.size && taught[i] >= 0; ++i) row_of[taught[i]] = 0;
  }
  void teach(int32_t family, const float* y) {
    const Vector *s = reinterpret_cast<const Vector*>(sum(family, look, true)), *target = reinterpret_cast<const Vector*>(y);
    Vector* step = reinterpret_cast<Vector*>(g.data);
    for (int32_t j = 0; j < width / lanes; ++j) step[j] = steps.of(s[j], target[j]);
    const Document& d = look.sight.doc;
    for (int64_t k = 0; k < d.size; ++k) {
      int32_t block = look.blocks[k] >= 0 ? look.blocks[k] : blocks.make(d.features[k], family, look.watch);
      float* w = blocks[block];
      if (steps.adagrad) {
        steps.move(w, w + width, g.data, d.values[k], width);
      } else {
        for (int32_t c = 0; c < width; ++c) w[c] += g[c] * d.values[k];
      }
      pause_within(look.watch, 4 * width);
    }
  }

  // The log odds are no sum over features. What a node's score changes of its log probability is shared out in proportion to
  // what the features add to the score; and what the path's log probability changes of the log odds, in proportion to that.
  void reasons(const Documents& d, int64_t row, const Reasons& out) const override {
    Hunt own;
    own.sight.take(document(d, row), bias);
    const Document& doc = own.sight.doc;
    int32_t known = labels.known, skip = bias > 0;
    Array<float> score;
    score.resize(int64_t(tree.families) * width);
    for (int32_t f = 0; known && f < tree.families; ++f) copy(score.data + int64_t(f) * width, sum(f, own), width);
    const float even = log_probability(0);
    for (int32_t label = 0; label < known; ++label) {
      int32_t families[64], places[64], size = 0;
      tree.up(label, [&](int32_t family, int32_t at) {
        families[size] = family;
        places[size++] = at;
      });
      double slope[64];
      float l = 0, start = 0;
      for (int32_t i = size - 1; i >= 0; --i) {
        float s = score[int64_t(families[i]) * width + places[i]], own_l = log_probability(s);
        slope[i] = s == 0 ? 0.5 : (double(own_l) - double(even)) / double(s);
        l += own_l;
        start += even;
      }
      float base = log_odds(start);
      double odds = l == start ? 1 / (1 - double(exp_of(start))) : (double(log_odds(l)) - double(base)) / (double(l) - double(start));
      out.base[label] = base;
      for (int64_t k = 0; k < doc.size; ++k) {
        double weight = 0;
        for (int32_t i = size - 1; i >= 0; --i) {
          int32_t block = blocks.find(doc.features[k], families[i]);
          if (block >= 0) weight += slope[i] * double(blocks[block][places[i]]);
        }
        double part = double(doc.values[k]) * (odds * weight);
        if (k < skip) out.base[label] += part;
        else out.contributions[(k - skip) * known + label] = part;
      }
    }
  }
  void forget(int32_t f) { blocks.forget(bias > 0 ? Sight::row_of(f) : f); }
  void progress(const Documents& d, const Events& e, const Out& out, Watch& watch) override { follow(*this, d, e, out, watch); }
  Scratch* scratch() const override { return new Hunt; }
  void scores(const Documents& d, const Out& out, Scratch& own) const override { follow_asks<Hunt>(*this, d, out, own); }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  bool finite() const override { return all_finite(blocks.data.data, blocks.count * blocks.size); }
  int64_t bytes() const override { return blocks.bytes() + tree.bytes(); }

  void save_labels(Writer& out) const {
    labels.save(out);
    int64_t* places = room<int64_t>(out, "places", labels.known);
    for (int32_t c = 0; c < labels.known; ++c) places[c] = tree.place(c);
  }
  void save(Writer& out) const override {
    save_labels(out);
    int64_t rows = 0, columns = int64_t(tree.families) * arity;
    for (int64_t b = 0; b < blocks.count; ++b)
      if (blocks.owners[b].feature >= rows) rows = int64_t(blocks.owners[b].feature) + 1;
    const char* names[] = {"weights", "squares"};
    for (int32_t part = 0; part <= steps.adagrad; ++part) {
      float* to = room_for_table(out, names[part], rows, columns);
      clear(to, rows * columns);
      for (int64_t b = 0; b < blocks.count; ++b)
        copy(to + blocks.owners[b].feature * columns + int64_t(blocks.owners[b].family) * arity, blocks[b] + part * width, arity);
    }
  }
  void pack(Writer& out) const override {
    save_labels(out);
    int32_t* features = room<int32_t>(out, "features", blocks.count);
    for (int64_t b = 0; b < blocks.count; ++b) features[b] = blocks.owners[b].feature;
    int32_t* families = room<int32_t>(out, "families", blocks.count);
    for (int64_t b = 0; b < blocks.count; ++b) families[b] = blocks.owners[b].family;
    const char* names[] = {"weights", "squares"};
    for (int32_t part = 0; part <= steps.adagrad; ++part) {
      float* to = room_for_table(out, names[part], blocks.count, arity);
      for (int64_t b = 0; b < blocks.count; ++b) copy(to + b * arity, blocks[b] + part * width, arity);
    }
  }
  void unpack(Reader& in) override {
    labels.load(in);
    Given<int64_t> places = given<int64_t>(in, "places", labels.known);
    for (int32_t c = 0; c < labels.known; ++c)
      expect(in, tree.add_at(places[c]), "two labels are at the same place of the tree, or one is outside");
    Given<int32_t> features = given<int32_t>(in, "features"), families = given<int32_t>(in, "families", features.size);
    Given<float> weights = given_table(in, "weights", features.size, arity);
    Given<float> squares = steps.adagrad ? given_table(in, "squares", features.size, arity) : weights;
    for (int64_t b = 0; b < features.size; ++b) {
      expect(in, features[b] >= 0 && families[b] >= 0 && families[b] < tree.families, "it has weights of nodes that are not there");
      expect(in, blocks.find(features[b], families[b]) < 0, "it has weights of a node twice");
      float* to = blocks[blocks.make(features[b], families[b], nullptr)];
      copy(to, weights.data + b * arity, arity);
      if (!steps.adagrad) continue;
      copy(to + width, squares.data + b * arity, arity);
      for (int32_t c = 0; c < arity; ++c) expect(in, !(to[width + c] < 0), "it has a weight that no document leads to");
    }
  }
};

}  // namespace telex::TELEX_LEVEL

TELEX_KERNEL(plt, Plt)
