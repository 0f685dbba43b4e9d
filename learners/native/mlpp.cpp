// Multilabel pairwise perceptrons (Loza Mencía and Fürnkranz 2008, Fig. 3): one perceptron a pair of labels, and a virtual
// label whose duels with the labels are binary relevance.
#include "make.hpp"
#include "rare.hpp"
#include "relevance.hpp"
#include "team.hpp"

namespace telex::TELEX_LEVEL {

enum { by_votes, by_weight, by_votes_then_weight };
constexpr int64_t many_pairs = 1024;  // from here on a second thread pays
constexpr int64_t pair_of(int64_t u, int64_t v) { return v * (v - 1) / 2 + u; }  // u < v

struct Mlpp final : Learner {
  int decode, threads;
  bool averaged;
  Labels labels;
  Relevance duels;
  Pairs pairs, sums;
  // Where a feature's weights are, by feature: 0 nowhere, n > 0 row n - 1 of the tiles, n < 0 rares[-n - 1].
  Array<int32_t> slot;
  int64_t whole = 0;  // rows of the tiles in use
  Array<Rare*> rares;
  Array<int32_t> free_rares, free_rows;
  Array<int32_t> passing;  // features to which an ask has given a row
  Array<float> score, shown;
  // Of the document: its rows of the tiles, and its rare features with the number of rows that come before each.
  Array<int64_t> offsets;
  Array<float> values;
  Rows rows{};
  struct Scarce {
    int32_t feature;
    float value;
    int64_t before;
  };
  Array<Scarce> scarce;
  int64_t scarce_size = 0;
  // The perceptrons that it trains, ascending, with the wanted sign; those of them that were wrong, where their columns
  // begin, with how many there are in each stretch; and all of those in one row.
  Array<Step> trained, wrong, steps;
  Array<int32_t> wrong_count;
  Array<int32_t> votes;
  Array<float> weighted;
  bool learning = false;
  int parts = 1;
  Team* team = nullptr;

  explicit Mlpp(const Options& o) : decode(o.decode), threads(o.threads), averaged(o.averaged) {
    duels.set(o);
    pairs.random = o.random_init;
    pairs.seed = o.seed;
  }
  ~Mlpp() override {
    delete team;
    for (int64_t i = 0; i < rares.size; ++i) delete rares[i];
  }

  Rare& rare(int32_t f) { return *rares[-slot[f] - 1]; }
  void meet(const Document& doc) {
    if (!doc.size) return;
    slot.resize(doc.features[doc.size - 1] + 1);
    for (int64_t k = 0; k < doc.size; ++k) {
      int32_t f = doc.features[k];
      if (slot[f]) continue;
      if (pairs.random) {
        take_row(f);
        pairs.fill(slot[f] - 1, f, 0, pairs.columns);
        passing.push(f);
      } else {
        take_rare(f);
      }
    }
  }
  void take_row(int32_t f) {
    if (free_rows.size) {
      slot[f] = free_rows[--free_rows.size] + 1;
      return;
    }
    pairs.heighten(whole + 1);
    if (averaged) sums.heighten(whole + 1);
    slot[f] = int32_t(++whole);
  }
  // Free rows are zero, but that random weights are made anew when one is taken.
  void leave_row(int32_t f) {
    free_rows.push(slot[f] - 1);
    slot[f] = 0;
  }
  void drop_rare(int32_t at) {
    free_rares.push(at);
    delete rares[at];
    rares[at] = nullptr;
  }
  void take_rare(int32_t f) {
    int32_t at;
    if (free_rares.size) {
      at = free_rares[--free_rares.size];
    } else {
      at = int32_t(rares.size);
      rares.push(nullptr);
    }
    rares[at] = new Rare;
    slot[f] = -at - 1;
  }
  // A feature that has become frequent gets a row.
  void promote(int32_t f) {
    int32_t at = -slot[f] - 1;
    take_row(f);
    const Rare& old = *rares[at];
    for (int64_t i = 0; i < old.columns.size; ++i) {
      *pairs.at(slot[f] - 1, old.columns[i]) = old.weights[i];
      if (averaged) *sums.at(slot[f] - 1, old.columns[i]) = old.sums[i];
    }
    drop_rare(at);
  }
  void forget(int32_t f) {
    duels.forget(f);
    if (f >= slot.size || !slot[f]) return;
    if (slot[f] < 0) {
      drop_rare(-slot[f] - 1);
      slot[f] = 0;
      return;
    }
    if (!pairs.random) pairs.wipe(slot[f] - 1);
    sums.wipe(slot[f] - 1);
    leave_row(f);
  }
  void gather(const Document& doc) {
    offsets.resize(doc.size);
    values.resize(doc.size);
    scarce.resize(doc.size);
    scarce_size = 0;
    int64_t n = 0;
    for (int64_t k = 0; k < doc.size; ++k) {
      int32_t f = doc.features[k], where = f < slot.size ? slot[f] : 0;
      if (where > 0) {
        offsets[n] = int64_t(where - 1) * tile_size;
        values[n++] = doc.values[k];
      } else if (where < 0) {
        scarce[scarce_size++] = {f, doc.values[k], n};
      }
    }
    rows = {offsets.data, values.data, n};
  }
  void widen(int64_t known) {
    int64_t old = pairs.columns, columns = known * (known - 1) / 2;
    if (columns <= old) return;
    pairs.widen(columns);
    if (pairs.random)
      for (int64_t f = 0; f < slot.size; ++f)
        if (slot[f] > 0) pairs.fill(slot[f] - 1, f, old, columns);
    if (averaged) sums.widen(columns);
    score.resize(pairs.tiles.size * tile_size);
    shown.resize(score.size);
    wrong.resize(score.size);
  }
  void list_trained(int32_t known) {
    trained.size = 0;
    trained.reserve(int64_t(labels.size) * (known - labels.size));
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

  // out[0..to-from) = the sums of a tile's columns, in the order of the features, rare or not.
  void sum_columns(const Pairs& table, bool late, int64_t t, int64_t from, int64_t to, float* out) {
    clear(out, to - from);
    int64_t base = t * tile_size, k = 0;
    for (int64_t i = 0; i < scarce_size; ++i) {
      const Scarce& s = scarce[i];
      add_all(table.tiles[t], rows, k, s.before, from, to - from, out);
      k = s.before;
      const Rare& r = rare(s.feature);
      r.add(late ? r.sums.data : r.weights.data, s.value, base + from, base + to, base + from, out);
    }
    add_all(table.tiles[t], rows, k, rows.size, from, to - from, out);
  }

  // Columns of one tile: their sums and, while the rows are near, their learning: a perceptron's step needs only its own
  // output. Rare features learn afterwards, in `move_rares`.
  void work(int64_t t, int64_t from, int64_t to, int32_t* count) {
    int64_t base = t * tile_size;
    float* s = score.data + base;
    sum_columns(pairs, false, t, from, to, s + from);
    if (averaged && labels.learnt) sum_columns(sums, true, t, from, to, shown.data + base + from);
    *count = 0;
    if (!learning) return;
    int64_t i = 0, end = trained.size;
    while (i < end) {  // the first trained column at or behind `from`
      int64_t middle = (i + end) / 2;
      if (trained[middle].column < base + from) i = middle + 1;
      else end = middle;
    }
    Step* step = wrong.data + base + from;
    for (; i < trained.size && trained[i].column < base + to; ++i)
      if ((s[trained[i].column - base] >= 0 ? 1.0f : -1.0f) != trained[i].sign) step[(*count)++] = trained[i];
    move(pairs.tiles[t], base, step, *count, up);
    if (averaged) move(sums.tiles[t], base, step, *count, late());
  }
  static constexpr float up = 2;
  float late() const { return float(double(up) * double(labels.learnt)); }
  void move(float* tile, int64_t base, const Step* step, int32_t count, float length) {
    for (int64_t k = 0; count && k < rows.size; ++k) {
      float* w = tile + rows.offsets[k];
      float x = rows.values[k];
      for (int32_t i = 0; i < count; ++i) w[step[i].column - base] += step[i].sign * length * x;
    }
  }
  void move_rares() {
    if (!scarce_size) return;
    steps.size = 0;
    each_stretch([&](int64_t t, int64_t from, int64_t, int32_t* count) {
      for (int32_t i = 0; i < *count; ++i) steps.push(wrong[t * tile_size + from + i]);
    });
    for (int64_t i = 0; steps.size && i < scarce_size; ++i) {
      int32_t f = scarce[i].feature;
      rare(f).move(steps.data, steps.size, scarce[i].value, up, averaged, late());
      if (rare(f).columns.size * 8 > pairs.columns) promote(f);
    }
  }
  // The stretches of columns that part p of n takes, tile by tile.
  template <class Do>
  void each_stretch_of(int p, int n, Do act) {
    int64_t lines = round_up(pairs.columns, line) / line;
    int64_t first = lines * p / n * line, last = lines * (p + 1) / n * line;
    for (int64_t t = first / tile_size; t * tile_size < last; ++t) {
      int64_t from = first - t * tile_size, to = last - t * tile_size;
      if (from < 0) from = 0;
      if (to > tile_size) to = tile_size;
      act(t, from, to, wrong_count.data + p * pairs.tiles.size + t);
    }
  }
  template <class Do>
  void each_stretch(Do act) {
    int n = shared() ? parts : 1;
    for (int p = 0; p < n; ++p) each_stretch_of(p, n, act);
  }
  bool shared() const { return team && pairs.columns >= many_pairs; }
  static void part(void* self, int p) {
    Mlpp& m = *static_cast<Mlpp*>(self);
    m.each_stretch_of(p, m.parts, [&](int64_t t, int64_t from, int64_t to, int32_t* count) { m.work(t, from, to, count); });
  }
  void work_all() {
    wrong_count.resize(parts * pairs.tiles.size);
    if (shared()) team->round();
    else each_stretch([&](int64_t t, int64_t from, int64_t to, int32_t* count) { work(t, from, to, count); });
  }

  // Asks (where `scores` is given) and learns (where `answered`) one document in one pass over its rows.
  void pass(const Documents& d, int64_t row, float* scores, uint8_t* relevant, bool answered) {
    Document doc = document(d, row);
    learning = answered;
    if (answered) {
      labels.open(d, row);
      widen(labels.known + labels.fresh);
      list_trained(labels.known + labels.fresh);
    }
    int64_t reach = slot.size;
    passing.size = 0;
    if (answered || pairs.random) meet(doc);
    gather(doc);
    work_all();
    duels.look(doc);
    if (scores) emit(doc, scores, relevant);
    if (answered) {
      move_rares();
      duels.learn(doc, labels);
      labels.close();
    } else if (pairs.random) {  // asking leaves no random rows behind
      for (int64_t i = 0; i < passing.size; ++i) leave_row(passing[i]);
      slot.size = reach;
    }
  }

  void emit(const Document& doc, float* scores, uint8_t* relevant) {
    int32_t known = labels.known;
    const float* s = score.data;
    if (averaged && labels.learnt) {
      float t = float(labels.learnt);
      for (int64_t p = 0, n = int64_t(known) * (known - 1) / 2; p < n; ++p) shown[p] = s[p] - shown[p] / t;
      s = shown.data;
    }
    const float* b = duels.show(doc, labels.learnt) + 1;
    votes.resize(round_up(known, line));
    weighted.resize(round_up(known, line));
    if (decode != by_weight) {
      count_votes(s, known);
      int32_t lost = 0;
      for (int32_t c = 0; c < known; ++c) lost += !(b[c] >= 0);
      for (int32_t c = 0; c < known; ++c) {
        scores[c] = float(votes[c]);
        relevant[c] = votes[c] + (b[c] >= 0) > lost;
      }
      if (decode == by_votes) return;
    }
    sum_weights(s, known);
    if (decode == by_weight) {
      float virtual_label = 0;
      for (int32_t c = 0; c < known; ++c) virtual_label -= b[c];
      for (int32_t c = 0; c < known; ++c) {
        scores[c] = weighted[c];
        relevant[c] = weighted[c] + b[c] > virtual_label;
      }
      return;
    }
    for (int32_t c = 0; c < known; ++c) {
      int32_t smaller = 0;
      for (int32_t j = 0; j < known; ++j) smaller += votes[j] == votes[c] && weighted[j] < weighted[c];
      scores[c] = float(votes[c]) + float(smaller) * 0x1p-12f;
    }
  }
  void count_votes(const float* s, int32_t known) {
    int32_t* all = votes.data;
    clear(all, known);
    for (int32_t v = 1; v < known; ++v) {
      const float* duel = s + pair_of(0, v);
      int32_t won = 0;
      for (int32_t u = 0; u < v; ++u) {
        int32_t first_wins = duel[u] >= 0;
        all[u] += first_wins;
        won += first_wins;
      }
      all[v] += v - won;
    }
  }
  void sum_weights(const float* s, int32_t known) {
    float* all = weighted.data;
    for (int32_t c = 0; c < known; ++c) all[c] = 0;
    for (int32_t v = 1; v < known; ++v) {
      const float* duel = s + pair_of(0, v);
      float lane[line] = {};  // sixteen sums, whatever the level
      int32_t whole = v / line * line;
      for (int32_t u = 0; u < whole; u += line)
        for (int32_t i = 0; i < line; ++i) lane[i] += duel[u + i];
      for (int32_t u = whole; u < v; ++u) lane[u - whole] += duel[u];
      float total = 0;
      for (int32_t i = 0; i < line; ++i) total += lane[i];
      for (int32_t u = 0; u < v; ++u) all[u] += duel[u];
      all[v] -= total;
    }
  }

  void progress(const Documents& d, const Events& events, const Out& out) override {
    int64_t asks = 0;
    Forgetting forgetting{events.forgotten};
    delete team;  // of a call that ran out of memory
    team = nullptr;
    int wanted = threads ? threads : processors() < 4 ? processors() : 4;
    if (wanted > 1 && (threads || pairs.columns >= many_pairs) && d.rows > 16) {
      parts = wanted * 2;  // so that the faster thread can take more
      team = make_team(wanted, parts, part, this);
    }
    auto ask = [&](int64_t row, bool answered) {
      int32_t known = labels.known;
      uint8_t* relevant = out.relevant + asks * out.width;
      pass(d, row, out.scores + asks * out.width, relevant, answered);
      clear(relevant + known, out.width - known);
      out.known[asks++] = known;
    };
    if (!events.steps) {
      for (int64_t row = 0; row < d.rows; ++row) {
        forgetting.before(*this, row);
        ask(row, d.labelled[row]);
      }
    } else {
      for (int64_t i = 0; i < events.count; ++i) {
        int32_t step = events.steps[i];
        forgetting.before(*this, step >= 0 ? step : ~step);
        bool answered = step >= 0 && i + 1 < events.count && events.steps[i + 1] == ~step;
        if (step >= 0) ask(step, answered);
        else pass(d, ~step, nullptr, nullptr, true);
        i += answered;
      }
      forgetting.before(*this, d.rows);
    }
    delete team;
    team = nullptr;
  }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  int64_t bytes() const override {
    int64_t scattered = 0;
    for (int64_t i = 0; i < rares.size; ++i)
      if (rares[i]) scattered += rares[i]->bytes();
    return pairs.bytes() + sums.bytes() + duels.bytes() + scattered;
  }

  void save_pairs(Writer& out, const Pairs& from, bool late, const char* name) const {
    Array<float> flat;
    flat.resize(slot.size * from.columns);
    for (int64_t f = 0; f < slot.size; ++f) {
      float* row = flat.data + f * from.columns;
      if (slot[f] > 0) {
        for (int64_t c = 0; c < from.columns; ++c) row[c] = *from.at(slot[f] - 1, c);
      } else if (slot[f] < 0) {
        const Rare& r = *rares[-slot[f] - 1];
        for (int64_t i = 0; i < r.columns.size; ++i) row[r.columns[i]] = late ? r.sums[i] : r.weights[i];
      } else if (from.random) {
        for (int64_t c = 0; c < from.columns; ++c) row[c] = from.start(f, c);
      }
    }
    out.put(name, flat.data, 'f', slot.size, from.columns);
  }
  void save(Writer& out) const override {
    labels.save(out);
    duels.save(out, "br", "br_sum");
    save_pairs(out, pairs, false, "pairs");
    if (averaged) save_pairs(out, sums, true, "pairs_sum");
  }
  void load(Reader& in) override {
    labels.load(in);
    duels.load(in, "br", "br_sum");
    int64_t n, k;
    const float* flat = static_cast<const float*>(in.get("pairs", 'f', &n, &k));
    const float* flat_sums = averaged ? static_cast<const float*>(in.get("pairs_sum", 'f', &n, &k)) : nullptr;
    widen(labels.known);
    slot.resize(n);
    for (int64_t f = 0; f < n; ++f) {
      const float *row = flat + f * k, *late = flat_sums ? flat_sums + f * k : row;
      auto moved = [&](int64_t c) { return row[c] != pairs.start(f, c) || (averaged && late[c] != 0); };
      int64_t filled = 0;
      for (int64_t c = 0; c < k; ++c) filled += moved(c);
      if (!filled) continue;  // never met, or met and never moved: the same
      if (pairs.random || filled * 8 > k) {
        take_row(int32_t(f));
        for (int64_t c = 0; c < k; ++c) {
          *pairs.at(slot[f] - 1, c) = row[c];
          if (averaged) *sums.at(slot[f] - 1, c) = late[c];
        }
        continue;
      }
      take_rare(int32_t(f));
      Rare& r = rare(int32_t(f));
      for (int64_t c = 0; c < k; ++c) {
        if (!moved(c)) continue;
        r.columns.push(int32_t(c));
        r.weights.push(row[c]);
        if (averaged) r.sums.push(late[c]);
      }
    }
  }
};

Learner* make_mlpp(const Options& options) { return new Mlpp(options); }

}  // namespace telex::TELEX_LEVEL
