// Multilabel pairwise perceptrons (Loza Mencía and Fürnkranz 2008, Fig. 3): one perceptron a pair of labels, and a virtual
// label whose duels with the labels are binary relevance.
//
// A perceptron needs nothing of the others, so the order of the work is free as long as each perceptron meets the documents in
// theirs. Four ideas use that:
// - documents in hand (Pass): some hundred documents are taken before any pair looks at them. What does not concern the pairs,
//   labels and binary relevance, is done as each is taken (`take`).
// - tiles (pairs.hpp): 64 pairs of all features lie together. A tile goes through all documents in hand before the next one does
//   (`through`): its weights are then read from a near cache, not from memory.
// - threads (team.hpp): each Part has a stretch of tiles and whatever it writes for itself, so that any number of threads gives
//   the same bits. Which tiles a part has, `work` says.
// - rare features (rare.hpp): the pairs' weights of a feature of which few have moved are a list, not rows of the tiles. The lists
//   of the documents in hand are spread into rows of one tile (`spread`); what was learnt goes back into them when all tiles are
//   through (`move_rares`), and a list that has become long becomes rows (Store::promote).
#include "../hand.hpp"
#include "../int8_never.hpp"
#include "../kernel.hpp"
#include "../never.hpp"

namespace telex::TELEX_LEVEL {

constexpr const char* mean_names[] = {"own", "documents", nullptr};

template <class Store, class Never>
struct Mlpp final : Learner, Store {
  using Store::averaged, Store::own_mean, Store::pairs, Store::promote, Store::rares, Store::rounded, Store::slot, Store::summed,
      Store::take_rare, Store::take_row, Store::update;
  int decode, threads;
  Labels labels;
  Relevance duels;
  Never never;
  Hand<Store> hand;
  Array<int32_t> left_rows, left_rares;  // of features forgotten while documents are in hand

  explicit Mlpp(Options& options)
      : decode(options.choice("decode", decoding_names)),
        threads(int(options.number("threads", 0, 64, "1 to 64, or 0 for as many as pay"))),
        duels(options),
        hand(decode, false) {
    bool own = options.choice("mean", mean_names) == 0;
    duels.update = never.update = update = Update(options, duels.averaged);
    if constexpr (rounded) {
      never.seed = this->seed = options.seed;
    } else {
      never.averaged = averaged = duels.averaged;
      never.own_mean = own_mean = own && averaged;
      never.summed = summed = duels.summed();
      pairs.random = duels.weights.random;
      pairs.seed = options.seed;
      pairs.scale = duels.weights.scale;
    }
    hand.decoding.half = update.half;
    if (options.given("parts")) {
      pairs.share.parts = options.number("parts", 1, 4096, "a number of parts from 1 to 4096");
      pairs.share.part = options.number("part", 0, pairs.share.parts - 1, "the number of a part, from 0");
    }
    never.wanted = update.moves_alone() && !pairs.random;
  }

  // Documents in hand may still need the weights: their place is free when they are through.
  void forget(int32_t f) {
    duels.forget(f);
    never.forget(f);
    if (f >= slot.size || !slot[f]) return;
    if (slot[f] > 0) left_rows.push(slot[f] - 1);
    else left_rares.push(-slot[f] - 1);
    slot[f] = 0;
  }

  // ---- taking a document in hand: all that does not concern the pairs' weights is done at once

  void take(const Documents& d, int64_t row, bool asked, bool answered) {
    Document doc = document(d, row);
    hand.look.watch = hand.passes.size ? nullptr : hand.watch;  // what is in hand must not be left behind
    duels.look_at(doc, hand.look);
    hand.look.watch = hand.watch;
    Pass pass = hand.begin_pass(labels.learnt, labels.known, asked);
    if (answered) {
      labels.open(d, row);
      this->widen(labels.known + labels.fresh, hand.watch);
      if (labels.fresh) never.begin_pairs(labels, *this, hand.watch);
      list_trained(labels.known + labels.fresh);
      pass.trained_end = hand.trained.size;
      make_places(doc);
    }
    if (answered && update.kind == by_margin) pass.squares = sum_of_squares(doc);
    pass.number = d.numbers[row];
    hand.place(doc);
    hand.end_pass(pass, asked ? duels.show(doc, labels.learnt, hand.look) + 1 : nullptr);
    if (answered) {
      never.learn(doc, d.numbers[row], labels, hand.look.watch);
      duels.learn(doc, labels, hand.look);
      labels.close();
    }
    if (hand.full()) finish();
  }
  // A feature met for the first time gets a list; where weights are random, all of them are new, and it gets a row.
  void make_places(const Document& doc) {
    if (doc.size) slot.resize(int64_t(doc.features[doc.size - 1]) + 1);
    for (int64_t k = 0; k < doc.size; ++k) {
      int32_t f = doc.features[k];
      if (slot[f]) continue;
      if (this->begins_listed()) take_rare(f);
      else take_row(f);
      pause_within(hand.watch, pairs.random ? pairs.columns : 1);
    }
  }
  void list_trained(int32_t known) {
    hand.trained.reserve(hand.trained.size + int64_t(labels.size) * (known - labels.size) / pairs.share.parts);
    for (int32_t v = 1; v < known; ++v) {
      if (labels.mark[v]) {
        for (int32_t u = 0; u < v; ++u)
          if (!labels.mark[u]) list_pair(u, v, -1);
      } else {
        for (int32_t i = 0; i < labels.size && labels.relevant[i] < v; ++i) list_pair(labels.relevant[i], v, 1);
      }
    }
  }
  void list_pair(int64_t u, int64_t v, float target) {
    int64_t pair = pair_of(u, v);
    if (pairs.share.has(pair)) hand.trained.push({int32_t(pairs.share.column(pair)), target, 0});
  }

  // The documents in hand go through the tiles, and what they have taught goes where it stays.
  void finish() {
    hand.go_through();
    hand.move_rares();
    for (int64_t i = 0; i < hand.loose.size; ++i) {
      auto one = hand.loose[i];
      if (one.rare < 0) continue;
      // one that was forgotten meanwhile has no slot, or another's
      bool its_own = slot[one.feature] == -one.rare - 1;
      if (its_own && this->crowded(one.rare)) promote(one.feature);
    }
    hand.drop();
    while (left_rows.size) {
      this->drop_row(left_rows[left_rows.size - 1]);
      --left_rows.size;
    }
    while (left_rares.size) {
      this->drop_rare(left_rares[left_rares.size - 1]);
      --left_rares.size;
    }
  }

  int wanted_threads(int64_t events) const {
    int wanted = threads ? threads : processors() < 4 ? processors() : 4;
    return wanted > 1 && (threads || pairs.columns >= many_pairs) && events > 16 ? wanted : 1;
  }
  void progress(const Documents& d, const Events& events, const Out& to, Watch& watch) override {
    hand.begin(*this, to, &watch);
    if (int wanted = wanted_threads(events.steps ? events.count : d.rows); wanted > 1) hand.begin_team(wanted);
    Forgetting forgetting{events.forgotten};
    int64_t count = events.steps ? events.count : d.rows;
    for (int64_t i = 0; i < count; ++i) {
      if (used_up(&watch, pairs.columns) && watch.ended(true)) {
        hand.watch = nullptr;  // the documents in hand are few: learn them
        finish();
        hand.end();
        watch.leave(true);
      }
      int32_t step = events.steps ? events.steps[i] : int32_t(i);
      forgetting.before(*this, step >= 0 ? step : ~step);
      if (step < 0) {
        take(d, ~step, false, true);
      } else if (!events.steps) {
        take(d, step, true, d.labelled[step]);
      } else {
        bool answered = i + 1 < events.count && events.steps[i + 1] == ~step;
        take(d, step, true, answered);
        i += answered;
      }
    }
    if (events.steps) forgetting.before(*this, d.rows);
    finish();
    hand.end();
  }
  Scratch* scratch() const override { return new Hand<Store>(decode, update.half); }
  void scores(const Documents& d, const Out& to, Scratch& scratch) const override {
    Hand<Store>& own = static_cast<Hand<Store>&>(scratch);
    own.begin(*this, to, own.watch);
    if (int wanted = wanted_threads(d.rows); wanted > 1) own.begin_team(wanted);
    for (int64_t row = 0; row < d.rows; ++row) {
      Document doc = document(d, row);
      pause(own.watch, pairs.columns);
      duels.look_at(doc, own.look);
      Pass pass = own.begin_pass(labels.learnt, labels.known, true);
      own.place(doc);
      own.end_pass(pass, duels.show(doc, labels.learnt, own.look) + 1);
      if (own.full() || row + 1 == d.rows) {
        own.go_through();
        own.drop();
      }
    }
    own.end();
  }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  bool finite() const override { return Store::finite() && duels.finite() && never.finite(); }
  int64_t bytes() const override { return Store::bytes() + duels.bytes() + never.bytes(); }

  void reasons(const Documents& d, int64_t row, const Reasons& out) const override {
    Document doc = document(d, row);
    for (int64_t k = 0; k < doc.size; ++k) {
      double x = double(doc.values[k]), all = 0, *to = out.contributions + k * labels.known;
      int32_t f = doc.features[k];
      this->say(f, {x, {averaged && labels.learnt, own_mean ? this->trainings.data : nullptr, labels.learnt}, to}, labels.known);
      for (int32_t c = 0; c < labels.known; ++c) {
        double part = duels.contribution(labels.learnt, f, c, x);
        to[c] += part;
        all += part;
      }
      // By weight, the rank of the virtual label cuts the set; its own duels have the opposite signs.
      for (int32_t c = 0; decode == by_weight && c < labels.known; ++c) to[c] += all;
    }
  }

  const char* duels_sums() const { return averaged ? "br_sum" : "br_spent"; }
  void save(Writer& out) const override {
    labels.save(out);
    duels.save(out, "br", duels_sums());
    never.save(out);
    Store::save(out);
  }
  void pack(Writer& out) const override {
    labels.save(out);
    duels.save(out, "br", duels_sums());
    never.pack(out);
    Store::pack(out);
  }
  void unpack(Reader& in) override {
    labels.load(in);
    duels.load(in, "br", duels_sums(), labels.known);
    Store::unpack(in, labels.known, duels.weights.rows);
    never.load(in, labels.known, duels.weights.rows);
  }
};

// Rows of bytes have no room for sums, nor for random beginnings.
constexpr const char* storage_names[] = {"float32", "int8", "hybrid", nullptr};
constexpr const char* float_names[] = {"float32", nullptr};
inline Learner* make_mlpp(Options& options) {
  bool only_floats = options.flag("averaged") || begins_random(options) || options.choice("update", update_names) == by_confidence;
  int storage = options.choice("storage", only_floats ? float_names : storage_names);
  if (!storage) return new Mlpp<Store, Never>(options);
  auto* made = new Mlpp<Int8Store, Int8Never>(options);
  made->listed = storage == 2;
  return made;
}

extern const Kernel kernel_mlpp;
constinit const Kernel kernel_mlpp = {"mlpp", &make_mlpp};

}  // namespace telex::TELEX_LEVEL
