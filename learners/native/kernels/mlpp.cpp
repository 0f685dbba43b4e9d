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
#include "../decoding.hpp"
#include "../kernel.hpp"
#include "../relevance.hpp"
#include "../store.hpp"
#include "../team.hpp"

namespace telex::TELEX_LEVEL {

constexpr int64_t many_pairs = 1024;  // from here on a second thread pays
// How many documents are in hand, and what they may bring with them.
constexpr int64_t most_passes = 512, most_scores = int64_t(3) << 20, most_loose = 4096;
constexpr int most_parts = 128;
constexpr int64_t most_unseen = int64_t(64) << 20;  // bytes of lists that may come without a look at the memory left

// A document asked, answered, or both at once.
struct Pass {
  int64_t ask, learnt;           // which ask, -1 for none; documents learnt before
  int64_t first, size;           // its features, in `places` and `values`
  int64_t trained, trained_end;  // the perceptrons that it trains, in `trained`; none where it is only asked
  int32_t known;
};

struct Mlpp final : Learner, Store {
  Decoding decoding;
  int threads;
  Labels labels;
  Relevance duels;

  // The documents in hand. Their rare features have rows of one tile only, made from the lists tile by tile; what a
  // document has taught them goes into the lists when all tiles are through.
  Array<Pass> passes;
  Array<int32_t> places;
  Array<float> values;
  struct Loose {
    Rare* rare;  // null: random weights of a feature that is only asked about
    int32_t feature;
  };
  Array<Loose> loose;
  Array<int32_t> left_rows, left_rares;  // of features forgotten meanwhile
  Array<Step> trained;       // by document, ascending
  Array<float> score, duel;  // what is shown, a row an ask
  // What each part of the work has for itself.
  struct Stretch {
    // Places in `trained` of one document: the next perceptron to look at, where this part's begin, and how far those that were
    // wrong reach, which gather at the beginning.
    int64_t next, first, wrong;
  };
  struct Source {
    const Rare::Entry *next, *end;
  };
  struct Part {
    Array<Stretch> stretches;  // by pass
    Array<Source> sources;     // by rare feature: its entries at or behind the tile
    Array<float> rows, sums;   // by rare feature, for one tile
    Array<uint8_t> used;       // by rare feature: whether its row is not zero
  };
  Part part_state[most_parts];
  int64_t stride = 0;        // of `score`
  int parts = 1, used_parts = 1;
  int64_t promised = 0, looked = 0;  // bytes that the documents in hand may add to the lists, and those seen to be there
  int64_t asks = 0, first_ask = 0;  // of the call; those before the documents in hand
  Team* team = nullptr;
  const Out* out = nullptr;

  explicit Mlpp(Options& options)
      : decoding{options.choice("decode", decoding_names), {}, {}},
        threads(int(options.number("threads", 0, 64, "1 to 64, or 0 for as many as pay"))),
        duels(options) {
    averaged = duels.averaged;
    pairs.random = duels.weights.random;
    pairs.seed = options.seed;
  }
  ~Mlpp() override { delete team; }

  // Documents in hand may still need the weights: their place is free when they are through.
  void forget(int32_t f) {
    duels.forget(f);
    if (f >= slot.size || !slot[f]) return;
    if (slot[f] > 0) left_rows.push(slot[f] - 1);
    else left_rares.push(-slot[f] - 1);
    slot[f] = 0;
  }

  // ---- taking a document in hand: all that does not concern the pairs' weights is done at once

  void take(const Documents& d, int64_t row, bool asked, bool answered) {
    Document doc = document(d, row);
    Pass pass{asked ? asks : -1, labels.learnt, places.size, 0, trained.size, trained.size, labels.known};
    if (answered) {
      labels.open(d, row);
      widen(labels.known + labels.fresh);
      list_trained(labels.known + labels.fresh);
      pass.trained_end = trained.size;
    }
    place(doc, answered);
    pass.size = places.size - pass.first;
    promise(pass);
    duels.look(doc);
    if (asked) {
      const float* b = duels.show(doc, labels.learnt) + 1;
      int64_t first = duel.size;
      duel.resize(first + labels.known);
      copy(duel.data + first, b, labels.known);
      ++asks;
    }
    if (answered) {
      duels.learn(doc, labels);
      labels.close();
    }
    passes.push(pass);
    if (passes.size >= most_passes || passes.size * pairs.columns >= most_scores || loose.size >= most_loose) finish();
  }
  // Each perceptron of a document that is wrong adds an entry to the list of each of its rare features.
  void promise(const Pass& pass) {
    int64_t rare = 0, entry = int64_t(sizeof(Rare::Entry)) + (averaged ? 4 : 0);
    for (int64_t k = pass.first; k < places.size; ++k) rare += places[k] < 0;
    promised += rare * (pass.trained_end - pass.trained) * entry;
    if (promised - looked < most_unseen) return;
    looked = promised;
    check_memory_left(promised);
  }
  void place(const Document& doc, bool answered) {
    if (answered && doc.size) slot.resize(int64_t(doc.features[doc.size - 1]) + 1);
    for (int64_t k = 0; k < doc.size; ++k) {
      int32_t f = doc.features[k];
      if (answered && !slot[f]) {
        if (pairs.random) take_row(f);
        else take_rare(f);
      }
      int32_t where = f < slot.size ? slot[f] : 0;
      if (where > 0) {
        places.push(where - 1);
      } else if (where < 0) {
        Rare* rare = rares[-where - 1];
        if (rare->place < 0) {
          loose.push({rare, f});
          rare->place = int32_t(loose.size) - 1;
        }
        places.push(~rare->place);
      } else if (pairs.random) {
        loose.push({nullptr, f});
        places.push(~(int32_t(loose.size) - 1));
      } else {
        continue;
      }
      values.push(doc.values[k]);
    }
  }
  void list_trained(int32_t known) {
    trained.reserve(trained.size + int64_t(labels.size) * (known - labels.size));
    for (int32_t v = 1; v < known; ++v) {
      if (labels.mark[v]) {
        for (int32_t u = 0; u < v; ++u)
          if (!labels.mark[u]) trained.push({int32_t(pair_of(u, v)), -1.0f});
      } else {
        for (int32_t i = 0; i < labels.size && labels.relevant[i] < v; ++i)
          trained.push({int32_t(pair_of(labels.relevant[i], v)), 1.0f});
      }
    }
  }

  // ---- the documents in hand go through the tiles

  // A wrong perceptron moves by its sign times `up` times the document: from -1 to 1 is a step of 2.
  static constexpr float up = 2;
  // Averages take no pass over all weights: `sums` gets each move times the documents learnt before it, and after n documents
  // the mean of a weight over all of them is w - sum / n, which `through` shows.
  static float late(const Pass& pass) { return float(double(up) * double(pass.learnt)); }

  static void part(void* self, int p) { static_cast<Mlpp*>(self)->work(p); }
  void work(int p) {
    Part& mine = part_state[p];
    int64_t first = pairs.tiles * p / used_parts, last = pairs.tiles * (p + 1) / used_parts;
    for (int64_t i = 0; i < passes.size; ++i) {
      int64_t at = passes[i].trained, end = passes[i].trained_end;
      while (at < end) {  // the first trained column of this part
        int64_t middle = (at + end) / 2;
        if (trained[middle].column < first * tile_size) at = middle + 1;
        else end = middle;
      }
      mine.stretches[i] = {at, at, at};
    }
    for (int64_t i = 0; i < loose.size; ++i) {
      if (!loose[i].rare) continue;
      const Array<Rare::Entry>& entries = loose[i].rare->entries;
      mine.sources[i] = {entries.data + loose[i].rare->find(first * tile_size), entries.data + entries.size};
    }
    for (int64_t t = first; t < last; ++t) {
      spread(t, mine);
      through(t, t + 1 < last, mine);
    }
  }
  // Makes the rows of the rare features for one tile.
  void spread(int64_t t, Part& mine) {
    int64_t base = t * tile_size, n = loose.size;
    float *row = mine.rows.data, *late_row = averaged ? mine.sums.data : nullptr;
    Source* source = mine.sources.data;
    for (int64_t i = 0; i < n; ++i, row += tile_size) {
      if (!loose[i].rare) {
        for (int c = 0; c < tile_size; ++c) row[c] = pairs.start(loose[i].feature, base + c);
        continue;
      }
      if (mine.used[i]) {
        clear(row, tile_size);
        if (late_row) clear(late_row + i * tile_size, tile_size);
        mine.used[i] = 0;
      }
      if (i + 8 < n) __builtin_prefetch(source[i + 8].next);
      const Rare::Entry *e = source[i].next, *end = source[i].end;
      for (; e < end && e->column < base + tile_size; ++e) {
        row[e->column - base] = e->weight;
        if (late_row) late_row[i * tile_size + e->column - base] = loose[i].rare->sums[e - loose[i].rare->entries.data];
        mine.used[i] = 1;
      }
      source[i].next = e;
    }
  }
  void through(int64_t t, bool more, Part& mine) {
    int64_t base = t * tile_size;
    Tile tile{pairs.tile(t), mine.rows.data};
    Tile late_tile{averaged ? sums.tile(t) : nullptr, mine.sums.data};
    alignas(64) float s[tile_size], u[tile_size];
    const float *ahead = pairs.tile(t + 1), *late_ahead = averaged ? sums.tile(t + 1) : nullptr;
    // Prefetch the next tile meanwhile: all of it if many documents share it, else the rows that they need.
    bool some = more && passes.size < 64;
    int64_t rest = more && !some ? whole : 0, near = 0;
    for (int64_t i = 0; i < passes.size; ++i) {
      const Pass& pass = passes[i];
      Rows rows{places.data + pass.first, values.data + pass.first, pass.size};
      for (; near * passes.size < rest * i; ++near) {
        fetch(ahead + near * tile_size);
        if (late_ahead) fetch(late_ahead + near * tile_size);
      }
      for (int64_t k = 0; some && k < rows.size; ++k) {
        if (rows.places[k] < 0) continue;
        fetch(ahead + rows.places[k] * int64_t(tile_size));
        if (late_ahead) fetch(late_ahead + rows.places[k] * int64_t(tile_size));
      }
      sum_tile(tile, rows, s);
      if (pass.ask >= 0) {
        float* shown = score.data + (pass.ask - first_ask) * stride + base;
        copy(shown, s, tile_size);
        if (averaged && pass.learnt) {
          float n = float(pass.learnt);
          sum_tile(late_tile, rows, u);
          for (int c = 0; c < tile_size; ++c) shown[c] = s[c] - u[c] / n;
        }
      }
      Stretch& mark = mine.stretches[i];
      Step* wrong = trained.data + mark.wrong;
      for (; mark.next < pass.trained_end && trained[mark.next].column < base + tile_size; ++mark.next) {
        Step step = trained[mark.next];
        if ((s[step.column - base] >= 0 ? 1.0f : -1.0f) != step.sign) trained[mark.wrong++] = step;
      }
      int64_t count = trained.data + mark.wrong - wrong;
      if (!count) continue;
      move(tile, rows, base, wrong, count, up);
      if (averaged) move(late_tile, rows, base, wrong, count, late(pass));
      for (int64_t k = 0; k < rows.size; ++k)
        if (rows.places[k] < 0) mine.used[~rows.places[k]] = 1;
    }
  }
  static void fetch(const float* row) {
    for (int c = 0; c < tile_size; c += line) __builtin_prefetch(row + c, 0, 2);
  }
  static void move(const Tile& tile, const Rows& rows, int64_t base, const Step* step, int64_t count, float length) {
    for (int64_t k = 0; k < rows.size; ++k) {
      float* w = tile.row(rows.places[k]);
      float x = rows.values[k];
      for (int64_t i = 0; i < count; ++i) w[step[i].column - base] += step[i].sign * length * x;
    }
  }
  // What a document has taught its rare features.
  void move_rares(int64_t i) {
    const Pass& pass = passes[i];
    Step* steps = trained.data + pass.trained;
    int64_t count = 0;
    for (int p = 0; p < used_parts; ++p) {
      const Stretch& mark = part_state[p].stretches[i];
      for (int64_t at = mark.first; at < mark.wrong; ++at) steps[count++] = trained[at];
    }
    for (int64_t k = pass.first; count && k < pass.first + pass.size; ++k)
      if (places[k] < 0) loose[~places[k]].rare->move(steps, count, values[k], up, averaged, late(pass));
  }

  void finish() {
    if (passes.size) {
      used_parts = team && pairs.columns >= many_pairs ? parts : 1;
      stride = pairs.tiles * tile_size;
      score.resize((asks - first_ask) * stride);
      for (int p = 0; p < used_parts; ++p) {
        Part& one = part_state[p];
        one.stretches.resize(passes.size);
        one.sources.resize(loose.size);
        one.rows.resize(loose.size * tile_size);
        if (averaged) one.sums.resize(loose.size * tile_size);
        one.used.resize(loose.size);
        for (int64_t i = 0; i < loose.size; ++i) one.used[i] = 1;  // or left by others
      }
      if (used_parts > 1) team->round();
      else work(0);
      const float* b = duel.data;
      for (int64_t i = 0; i < passes.size; ++i) {
        if (passes[i].ask >= 0) {
          show(passes[i], b);
          b += passes[i].known;
        }
        move_rares(i);
      }
    }
    for (int64_t i = 0; i < loose.size; ++i) {
      if (!loose[i].rare) continue;
      loose[i].rare->place = -1;
      // one that was forgotten meanwhile has no slot, or another's
      int32_t f = loose[i].feature;
      bool frequent = slot[f] < 0 && rares[-slot[f] - 1] == loose[i].rare && loose[i].rare->entries.size * dense > pairs.columns;
      loose[i].rare = nullptr;
      if (frequent) promote(f);
    }
    while (left_rows.size) {
      drop_row(left_rows[left_rows.size - 1]);
      --left_rows.size;
    }
    while (left_rares.size) {
      drop_rare(left_rares[left_rares.size - 1]);
      --left_rares.size;
    }
    passes.size = places.size = values.size = loose.size = trained.size = duel.size = 0;
    promised = looked = 0;
    first_ask = asks;
  }
  void show(const Pass& pass, const float* b) {
    uint8_t* relevant = out->relevant + pass.ask * out->width;
    decoding.say(score.data + (pass.ask - first_ask) * stride, b, pass.known, out->scores + pass.ask * out->width, relevant);
    clear(relevant + pass.known, out->width - pass.known);
    out->known[pass.ask] = pass.known;
  }

  void progress(const Documents& d, const Events& events, const Out& to) override {
    out = &to;
    asks = first_ask = 0;
    int wanted = threads ? threads : processors() < 4 ? processors() : 4;
    if (wanted > 1 && (threads || pairs.columns >= many_pairs) && (events.steps ? events.count : d.rows) > 16) {
      parts = wanted * 2 < most_parts ? wanted * 2 : most_parts;  // so that the faster thread can take more
      team = make_team(wanted, parts, part, this);
    }
    Forgetting forgetting{events.forgotten};
    if (!events.steps) {
      for (int64_t row = 0; row < d.rows; ++row) {
        forgetting.before(*this, row);
        take(d, row, true, d.labelled[row]);
      }
    } else {
      for (int64_t i = 0; i < events.count; ++i) {
        int32_t step = events.steps[i];
        forgetting.before(*this, step >= 0 ? step : ~step);
        bool answered = step >= 0 && i + 1 < events.count && events.steps[i + 1] == ~step;
        if (step >= 0) take(d, step, true, answered);
        else take(d, ~step, false, true);
        i += answered;
      }
      forgetting.before(*this, d.rows);
    }
    finish();
    delete team;
    team = nullptr;
  }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  bool finite() const override { return Store::finite() && duels.finite(); }
  int64_t bytes() const override { return Store::bytes() + duels.bytes(); }

  void reasons(const Documents& d, int64_t row, const Reasons& out) const override {
    Document doc = document(d, row);
    for (int64_t k = 0; k < doc.size; ++k) {
      double x = double(doc.values[k]), all = 0, *to = out.contributions + k * labels.known;
      int32_t f = doc.features[k], where = f < slot.size ? slot[f] : 0;
      Saying saying{x, averaged ? labels.learnt : 0, to};
      if (where < 0) saying.add(*rares[-where - 1]);
      else if (where > 0 || pairs.random) saying.add(pairs, sums, where - 1, f, labels.known);
      for (int32_t c = 0; c < labels.known; ++c) {
        double part = duels.contribution(labels.learnt, f, c, x);
        to[c] += part;
        all += part;
      }
      // By weight, the rank of the virtual label cuts the set; its own duels have the opposite signs.
      for (int32_t c = 0; decoding.decode == by_weight && c < labels.known; ++c) to[c] += all;
    }
  }

  void save(Writer& out) const override {
    labels.save(out);
    duels.save(out, "br", "br_sum");
    Store::save(out);
  }
  void pack(Writer& out) const override {
    labels.save(out);
    duels.save(out, "br", "br_sum");
    Store::pack(out);
  }
  void unpack(Reader& in) override {
    labels.load(in);
    duels.load(in, "br", "br_sum", labels.known);
    Store::unpack(in, labels.known, duels.weights.rows);
  }
};

}  // namespace telex::TELEX_LEVEL

TELEX_KERNEL(mlpp, Mlpp)
