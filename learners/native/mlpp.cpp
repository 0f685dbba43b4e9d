// Multilabel pairwise perceptrons (Loza Mencía and Fürnkranz 2008, Fig. 3): one perceptron a pair of labels, and a virtual
// label whose duels with the labels are binary relevance.
#include "make.hpp"
#include "pairs.hpp"
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
  Array<int32_t> slot;      // by feature: 1 + its row in the tiles, 0 when it has none
  Array<int32_t> feature;   // by row in the tiles
  Array<float> score, shown;
  Array<int64_t> offsets;
  Array<float> values;
  // The perceptrons that the document trains, ascending, with the wanted sign.
  struct Trained { int32_t column; float sign; };
  Array<Trained> trained;
  Array<Trained> wrong;  // by column
  Array<int32_t> votes;
  Array<float> weighted;
  Rows rows{};
  bool learning = false;
  int parts = 1;
  Team* team = nullptr;

  explicit Mlpp(const Options& o) : decode(o.decode), threads(o.threads), averaged(o.averaged) {
    duels.set(o);
    pairs.random = o.random_init;
    pairs.seed = o.seed;
  }
  ~Mlpp() override { delete team; }

  void meet(const Document& doc) {
    if (!doc.size) return;
    slot.resize(doc.features[doc.size - 1] + 1);
    for (int64_t k = 0; k < doc.size; ++k) {
      int32_t f = doc.features[k];
      if (slot[f]) continue;
      pairs.heighten(feature.size + 1);
      if (averaged) sums.heighten(feature.size + 1);
      feature.push(f);
      slot[f] = int32_t(feature.size);
      pairs.fill(feature.size - 1, f, 0, pairs.columns);
    }
  }
  void gather(const Document& doc) {
    offsets.resize(doc.size);
    values.resize(doc.size);
    int64_t n = 0;
    for (int64_t k = 0; k < doc.size; ++k) {
      int32_t f = doc.features[k];
      if (f >= slot.size || !slot[f]) continue;
      offsets[n] = int64_t(slot[f] - 1) * tile_size;
      values[n++] = doc.values[k];
    }
    rows = {offsets.data, values.data, n};
  }
  void widen(int64_t known) {
    int64_t old = pairs.columns, columns = known * (known - 1) / 2;
    if (columns <= old) return;
    pairs.widen(columns);
    for (int64_t s = 0; s < feature.size; ++s) pairs.fill(s, feature[s], old, columns);
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

  // Columns of one tile: their sums and, while the rows are near, their learning: a perceptron's step needs only its own
  // output.
  void work(int64_t t, int64_t from, int64_t to) {
    int64_t base = t * tile_size;
    float* s = score.data + base;
    sum_columns(pairs.tiles[t], rows, from, to - from, s + from);
    if (averaged && labels.learnt) sum_columns(sums.tiles[t], rows, from, to - from, shown.data + base + from);
    if (!learning) return;
    int64_t i = 0, end = trained.size;
    while (i < end) {  // the first trained column at or behind `from`
      int64_t middle = (i + end) / 2;
      if (trained[middle].column < base + from) i = middle + 1;
      else end = middle;
    }
    Trained* step = wrong.data + base + from;
    int count = 0;
    for (; i < trained.size && trained[i].column < base + to; ++i) {
      int32_t column = trained[i].column - int32_t(base);
      float sign = trained[i].sign;
      if ((s[column] >= 0 ? 1.0f : -1.0f) != sign) step[count++] = {column, sign + sign};
    }
    if (!count) return;
    move(pairs.tiles[t], step, count);
    if (!averaged) return;
    for (int n = 0; n < count; ++n) step[n].sign = float(double(step[n].sign) * double(labels.learnt));
    move(sums.tiles[t], step, count);
  }
  void move(float* tile, const Trained* step, int count) {
    for (int64_t k = 0; k < rows.size; ++k) {
      float* w = tile + rows.offsets[k];
      float x = rows.values[k];
      for (int i = 0; i < count; ++i) w[step[i].column] += step[i].sign * x;
    }
  }
  void work_part(int p, int parts) {
    int64_t lines = round_up(pairs.columns, line) / line;
    int64_t first = lines * p / parts * line, last = lines * (p + 1) / parts * line;
    for (int64_t t = first / tile_size; t * tile_size < last; ++t) {
      int64_t from = first - t * tile_size, to = last - t * tile_size;
      work(t, from > 0 ? from : 0, to < tile_size ? to : tile_size);
    }
  }
  static void part(void* self, int p) {
    Mlpp& m = *static_cast<Mlpp*>(self);
    m.work_part(p, m.parts);
  }
  void work_all() {
    if (team && pairs.columns >= many_pairs) team->round();
    else work_part(0, 1);
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
    int64_t met = feature.size, reach = slot.size;
    if (answered || pairs.random) meet(doc);
    gather(doc);
    work_all();
    duels.look(doc);
    if (scores) emit(doc, scores, relevant);
    if (answered) {
      duels.learn(doc, labels);
      labels.close();
    } else {  // asking leaves no random rows behind
      for (; feature.size > met; --feature.size) slot[feature[feature.size - 1]] = 0;
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
    memset(all, 0, size_t(known) * sizeof(int32_t));
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
    int wanted = threads ? threads : processors() < 4 ? processors() : 4;
    if (wanted > 1 && (threads || pairs.columns >= many_pairs) && d.rows > 16) {
      parts = wanted * 2;  // so that the faster thread can take more
      team = make_team(wanted, parts, part, this);
    }
    auto ask = [&](int64_t row, bool answered) {
      int32_t known = labels.known;
      uint8_t* relevant = out.relevant + asks * out.width;
      pass(d, row, out.scores + asks * out.width, relevant, answered);
      memset(relevant + known, 0, size_t(out.width - known));
      out.known[asks++] = known;
    };
    if (!events.steps) {
      for (int64_t row = 0; row < d.rows; ++row) ask(row, d.labelled[row]);
    } else {
      for (int64_t i = 0; i < events.count; ++i) {
        int32_t step = events.steps[i];
        bool answered = step >= 0 && i + 1 < events.count && events.steps[i + 1] == ~step;
        if (step >= 0) ask(step, answered);
        else pass(d, ~step, nullptr, nullptr, true);
        i += answered;
      }
    }
    delete team;
    team = nullptr;
  }
  int32_t known() const override { return labels.known; }
  int64_t learnt() const override { return labels.learnt; }
  int64_t bytes() const override { return pairs.bytes() + sums.bytes() + duels.bytes(); }

  void save_pairs(Writer& out, const Pairs& from, const char* name) const {
    Array<float> flat;
    flat.resize(slot.size * from.columns);
    for (int64_t s = 0; s < feature.size; ++s)
      for (int64_t c = 0; c < from.columns; c += tile_size)
        memcpy(flat.data + feature[s] * from.columns + c, from.at(s, c),
               size_t(from.columns - c < tile_size ? from.columns - c : tile_size) * sizeof(float));
    out.put(name, flat.data, 'f', slot.size, from.columns);
  }
  void save(Writer& out) const override {
    labels.save(out);
    duels.save(out, "br", "br_sum");
    out.put("met", feature.data, 'c', 1, feature.size);
    save_pairs(out, pairs, "pairs");
    if (averaged) save_pairs(out, sums, "pairs_sum");
  }
  void load_pairs(Reader& in, Pairs& to, const char* name) {
    int64_t n, k;
    const float* flat = static_cast<const float*>(in.get(name, 'f', &n, &k));
    to.widen(k);
    to.heighten(feature.size);
    for (int64_t s = 0; s < feature.size; ++s)
      for (int64_t c = 0; c < k; c += tile_size)
        memcpy(to.at(s, c), flat + feature[s] * k + c, size_t(k - c < tile_size ? k - c : tile_size) * sizeof(float));
    slot.resize(n);
  }
  void load(Reader& in) override {
    labels.load(in);
    duels.load(in, "br", "br_sum");
    int64_t n, k;
    const int32_t* met = static_cast<const int32_t*>(in.get("met", 'c', &n, &k));
    for (int64_t s = 0; s < k; ++s) feature.push(met[s]);
    load_pairs(in, pairs, "pairs");
    if (averaged) load_pairs(in, sums, "pairs_sum");
    for (int64_t s = 0; s < k; ++s) slot[feature[s]] = int32_t(s) + 1;
    score.resize(pairs.tiles.size * tile_size);
    shown.resize(score.size);
    wrong.resize(score.size);
  }
};

Learner* make_mlpp(const Options& options) { return new Mlpp(options); }

}  // namespace telex::TELEX_LEVEL
