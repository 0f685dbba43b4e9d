// The documents in hand of MLPP, and their way through the tiles; kernels/mlpp.cpp has the idea.
#pragma once
#include "int8_store.hpp"
#include "relevance.hpp"
#include "team.hpp"

namespace telex::TELEX_LEVEL {

constexpr int64_t many_pairs = 1024;  // from here on a second thread pays
// How many documents are in hand, and what they may bring with them. Votes are counted tile by tile; other decodings need the
// scores of all pairs.
constexpr int64_t most_scores = int64_t(3) << 20, most_duels = int64_t(16) << 20, most_trained = int64_t(1) << 20;
constexpr int most_parts = 128;
constexpr int64_t most_listed = int64_t(128) << 20;  // bytes of int8's lists and what may come, which are all written anew
constexpr int64_t most_unseen = int64_t(64) << 20;  // bytes of lists that may come without a look at the memory left

// A document asked, answered, or both at once.
struct Pass {
  int64_t ask, learnt;           // which ask, -1 for none; documents learnt before
  int64_t first, size;           // its features, in `places` and `values`
  int64_t trained, trained_end;  // the perceptrons that it trains, in `trained`; none where it is only asked
  int32_t known;
  int64_t number;  // in the stream
  float squares;   // the sum of its values' squares
};

// Rare features have rows of one tile only, made from the lists tile by tile; what a document has taught them goes into the
// lists when all tiles are through. Where no document is answered, nothing of the store is written.
template <class Store>
struct Hand final : Scratch {
  using Cell = typename Store::Cell;
  static constexpr int64_t most_passes = Store::rounded ? 2048 : 512, most_loose = Store::rounded ? 6144 : 4096;
  Look look;
  Decoding decoding;
  Array<Pass> passes;
  Array<int32_t> places;
  Array<float> values;
  Array<int32_t> features;  // by place too, for moves that are rounded
  struct Loose {
    int32_t rare;  // -1: random weights of a feature that is only asked about
    int32_t feature;
  };
  Array<Loose> loose;
  Array<int32_t> place_of_rare;  // by rare feature: its place in `loose` and one, 0 where it is in no document in hand
  Array<Step> trained;       // by document, ascending
  Array<float> score, duel;  // what is shown, a row an ask
  // What each part of the work has for itself.
  struct Stretch {
    // Places in `trained` of one document: the next perceptron to look at, where this part's end and begin, and how far those
    // that were wrong reach, which gather at the beginning.
    int64_t next, end, first, wrong;
  };
  struct Part {
    Array<Stretch> stretches;                // by pass
    Array<typename Store::Source> sources;   // by rare feature: what its list has at or behind the tile
    Array<Cell> rows;                        // by rare feature, for one tile
    Array<float> sums;                       // the same
    Array<typename Store::Used> used;        // by rare feature: where its row is not zero
    Array<int32_t> votes;                    // by ask: of each label in the duels of this part
    Array<int32_t> by;                       // by place of one document: how far a rounded move goes
    Array<uint8_t> log;                      // segments of int8's lists, each behind its place in `loose`
    Array<int64_t> logged;                   // by rare feature: their bytes
  };
  Part part_state[most_parts];
  int64_t stride = 0;        // of `score`, or of the parts' `votes`
  int parts = 1, used_parts = 1;
  int64_t listed = 0;                // bytes of the lists in hand
  int64_t promised = 0, looked = 0;  // bytes that the documents in hand may add to the lists, and those seen to be there
  int64_t asks = 0, first_ask = 0;  // of the call; those before the documents in hand
  Team* team = nullptr;
  const Out* out = nullptr;
  Operations* operations = nullptr;
  const Store* store = nullptr;

  explicit Hand(int decode, bool half) : decoding{decode, half, {}, {}} {}
  ~Hand() override { delete team; }

  // Begins a call; a call that was ended by a signal may have left documents behind.
  void begin(const Store& all, const Out& to, Watch* watching) {
    store = &all;
    out = &to;
    watch = look.watch = watching;
    operations = watching ? watching->operations : nullptr;
    asks = first_ask = 0;
    drop();
    end();
  }
  void begin_team(int threads) {
    parts = threads * 2 < most_parts ? threads * 2 : most_parts;  // so that the faster thread can take more
    team = make_team(threads, parts, part, this);
  }
  void end() {
    delete team;
    team = nullptr;
  }
  bool counts() const { return decoding.decode == by_votes; }
  bool full() const {
    return passes.size >= most_passes || loose.size >= most_loose || trained.size >= most_trained ||
           (Store::rounded && listed + promised >= most_listed) ||
           passes.size * store->pairs.columns >= (counts() ? most_duels : most_scores);
  }
  void drop() {
    for (int64_t i = 0; i < loose.size; ++i)
      if (loose[i].rare >= 0) place_of_rare[loose[i].rare] = 0;
    passes.size = places.size = values.size = features.size = loose.size = trained.size = duel.size = 0;
    listed = promised = looked = 0;
    first_ask = asks;
  }

  Pass begin_pass(int64_t learnt, int32_t known, bool asked) {
    return {asked ? asks : -1, learnt, places.size, 0, trained.size, trained.size, known, 0, 0};
  }
  // Finds the weights of a document's features; it makes none.
  void place(const Document& doc) {
    for (int64_t k = 0; k < doc.size; ++k) {
      int32_t f = doc.features[k];
      int32_t where = f < store->slot.size ? store->slot[f] : 0;
      if (where > 0) {
        places.push(where - 1);
      } else if (where < 0) {
        int32_t rare = -where - 1;
        if (place_of_rare.size < store->rares.size) place_of_rare.resize(store->rares.size);
        if (!place_of_rare[rare]) {
          loose.push({rare, f});
          if constexpr (Store::rounded) listed += store->list_bytes(rare);
          place_of_rare[rare] = int32_t(loose.size);
        }
        places.push(-place_of_rare[rare]);
      } else if (store->pairs.random) {
        loose.push({-1, f});
        places.push(-int32_t(loose.size));
      } else {
        continue;
      }
      values.push(doc.values[k]);
      if constexpr (Store::rounded) features.push(f);
    }
  }
  // Each perceptron of a document that is wrong adds an entry to the list of each of its rare features.
  void promise(const Pass& pass) {
    int64_t rare = 0, entry = store->entry_bytes();
    for (int64_t k = pass.first; k < places.size; ++k) rare += places[k] < 0;
    promised += rare * (pass.trained_end - pass.trained) * entry;
    if (promised - looked < most_unseen) return;
    looked = promised;
    check_memory_left(promised);
  }
  void end_pass(Pass& pass, const float* duels) {
    pass.size = places.size - pass.first;
    promise(pass);
    if (pass.ask >= 0) {
      int64_t first = duel.size;
      duel.resize(first + pass.known);
      copy(duel.data + first, duels, pass.known);
      ++asks;
    }
    passes.push(pass);
  }

  // Takes the documents in hand through the tiles, and shows what was asked.
  void go_through() {
    if (!passes.size) return;
    used_parts = team && store->pairs.columns >= many_pairs ? parts : 1;
    stride = counts() ? round_up(passes[passes.size - 1].known, line) : store->pairs.tiles * tile_size;
    if (!counts()) score.resize((asks - first_ask) * stride);
    for (int p = 0; p < used_parts; ++p) {
      Part& one = part_state[p];
      one.stretches.resize(passes.size);
      one.sources.resize(loose.size);
      one.rows.resize(loose.size * tile_size);
      if (store->summed) one.sums.resize(loose.size * tile_size);
      one.used.resize(loose.size);
      if (counts()) one.votes.resize((asks - first_ask) * stride);
      for (int64_t i = 0; i < loose.size; ++i) one.used[i] = 1;  // or left by others
      find_stretches(p);
      if constexpr (Store::rounded) begin_log(p);
    }
    if (used_parts > 1) team->round();
    else work(0);
    if (watch && watch->ended(!trained.size)) watch->leave(!trained.size);  // here no other thread is at work
    if (operations) count_trained();
    const float* b = duel.data;
    for (int64_t i = 0; i < passes.size; ++i) {
      if (passes[i].ask < 0) continue;
      show(passes[i], b);
      b += passes[i].known;
    }
  }
  void show(const Pass& pass, const float* b) {
    uint8_t* relevant = out->relevant + pass.ask * out->width;
    float* scores = out->scores + pass.ask * out->width;
    int64_t first = (pass.ask - first_ask) * stride;
    if (counts()) {
      int32_t* all = part_state[0].votes.data + first;
      for (int p = 1; p < used_parts; ++p)
        for (int32_t c = 0; c < pass.known; ++c) all[c] += part_state[p].votes[first + c];
      if (store->pairs.share.parts > 1) decoding.say_share(all, b, pass.known, scores, relevant);
      else decoding.say_votes(all, b, pass.known, scores, relevant);
      if (operations) operations->predicted += Decoding::duels_of(all, pass.known);
    } else {
      decoding.say(score.data + first, b, pass.known, scores, relevant);
      if (operations) operations->predicted += pair_of(0, pass.known);
    }
    clear(relevant + pass.known, out->width - pass.known);
    out->known[pass.ask] = pass.known;
  }

  // How far each part has gone along the perceptrons that it was to train, and how many of them were wrong.
  void count_trained() const {
    for (int p = 0; p < used_parts; ++p)
      for (int64_t i = 0; i < passes.size; ++i) {
        const Stretch& mark = part_state[p].stretches[i];
        operations->tried += mark.next - mark.first;
        operations->moved += mark.wrong - mark.first;
      }
  }

  int64_t first_tile(int p) const { return store->pairs.tiles * p / used_parts; }
  // Finds which perceptrons of each document are in a part; before the round, in which parts move them.
  void find_stretches(int p) {
    for (int64_t i = 0; i < passes.size; ++i) {
      int64_t first = first_trained(passes[i], first_tile(p)), end = first_trained(passes[i], first_tile(p + 1));
      part_state[p].stretches[i] = {first, end, first, first};
    }
  }
  int64_t first_trained(const Pass& pass, int64_t tile) const {
    int64_t at = pass.trained, end = pass.trained_end;
    while (at < end) {
      int64_t middle = (at + end) / 2;
      if (trained[middle].column < tile * tile_size) at = middle + 1;
      else end = middle;
    }
    return at;
  }
  static void part(void* self, int p) { static_cast<Hand*>(self)->work(p); }
  void work(int p) {
    Part& mine = part_state[p];
    int64_t first = first_tile(p), last = first_tile(p + 1);
    if (counts()) clear(mine.votes.data, (asks - first_ask) * stride);
    for (int64_t i = 0; i < loose.size; ++i) {
      if constexpr (!Store::rounded)
        if (loose[i].rare >= 0) mine.sources[i] = store->source(loose[i].rare, first);
    }
    int64_t seldom = 1 + (int64_t(1) << 22) / (1 + places.size * tile_size);  // tiles between two looks for a signal
    for (int64_t t = first; t < last; ++t) {
      if ((t - first) % seldom == seldom - 1 && watch && watch->ended(!trained.size)) return;
      spread(t, mine);
      through(t, t + 1 < last, mine);
      if constexpr (Store::rounded) log(t, mine);
    }
  }
  // Makes the rows of the rare features for one tile.
  void spread(int64_t t, Part& mine) {
    int64_t base = t * tile_size, n = loose.size;
    Cell* row = mine.rows.data;
    float* late_row = store->summed ? mine.sums.data : nullptr;
    typename Store::Source* source = mine.sources.data;
    for (int64_t i = 0; i < n; ++i, row += tile_size) {
      if (loose[i].rare < 0) {
        for (int c = 0; c < tile_size; ++c) row[c] = Cell(store->pairs.start(loose[i].feature, base + c));
        continue;
      }
      if (mine.used[i]) {
        clear(row, tile_size);
        if (late_row) clear(late_row + i * tile_size, tile_size);
      }
      if (i + 8 < n) __builtin_prefetch(source[i + 8].next);
      mine.used[i] = store->spread(loose[i].rare, source[i], t, row, late_row ? late_row + i * tile_size : nullptr);
    }
  }
  void through(int64_t t, bool more, Part& mine) {
    int64_t base = t * tile_size;
    TileOf<Cell> tile{store->pairs.tile(t), mine.rows.data};
    Tile late_tile{store->summed ? store->sums.tile(t) : nullptr, mine.sums.data};
    alignas(64) float s[tile_size], u[tile_size], mean[tile_size];
    const Cell* ahead = store->pairs.tile(t + 1);
    const float* late_ahead = store->summed ? store->sums.tile(t + 1) : nullptr;
    // Prefetch the next tile meanwhile: all of it if many documents share it, else the rows that they need.
    bool some = more && passes.size < 64;
    int64_t rest = more && !some ? store->whole : 0, near = 0;
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
        int64_t first = (pass.ask - first_ask) * stride;
        float* shown = counts() ? mean : score.data + first + base;
        bool late = store->averaged && pass.learnt;
        if (late) {
          sum_tile(late_tile, rows, u);
          show_mean(shown, s, u, base, float(pass.learnt));
        } else if (!counts()) {
          copy(shown, s, tile_size);
        }
        if (counts()) decoding.count_votes(late ? mean : s, store->pairs.share.pair(base), tile_size, pass.known, mine.votes.data + first);
      }
      Stretch& mark = mine.stretches[i];
      Step* wrong = trained.data + mark.wrong;
      for (; mark.next < mark.end && trained[mark.next].column < base + tile_size; ++mark.next) {
        Step step = trained[mark.next];
        int64_t before = store->own_mean ? store->trainings.data[step.column]++ : pass.learnt;
        float y = step.length, score = s[step.column - base];
        if (!store->update.moves(y, score)) continue;
        float size = store->update.confident() ? variance(late_tile, rows, step.column - base) : pass.squares;
        step.length = store->update.step(y, score, size);
        step.late = store->update.confident() ? store->update.shrink(size) : float(double(step.length) * double(before));
        trained[mark.wrong++] = step;
      }
      int64_t count = trained.data + mark.wrong - wrong;
      if (!count) continue;
      if constexpr (Store::rounded) {
        move_rounded(tile, pass, base, wrong, count, mine);
      } else {
        move(tile, late_tile, rows, base, wrong, count);
        for (int64_t k = 0; k < rows.size; ++k)
          if (rows.places[k] < 0) mine.used[~rows.places[k]] = 1;
      }
    }
  }
  template <class Any>
  static void fetch(const Any* row) {
    for (int c = 0; c < tile_size; c += 64 / int(sizeof(Any))) __builtin_prefetch(row + c, 0, 2);
  }
  // Averages take no pass over all weights: `sums` gets each move times the documents before it, and after n documents the
  // mean of a weight over all of them is w - sum / n.
  void show_mean(float* shown, const float* s, const float* u, int64_t base, float n) const {
    const int64_t* own = store->own_mean ? store->trainings.data + base : nullptr;
    for (int c = 0; c < tile_size; ++c) shown[c] = own ? (own[c] ? s[c] - u[c] / float(own[c]) : s[c]) : s[c] - u[c] / n;
  }
  // The sum of x^2 times the variance: AROW's doubt about the score of a column.
  static float variance(const Tile& spent, const Rows& rows, int64_t column) {
    float sum = 0;
    for (int64_t k = 0; k < rows.size; ++k)
      sum += confident_value(spent.row(rows.places[k])[column], rows.values[k]) * rows.values[k];
    return sum;
  }
  void move(const Tile& tile, const Tile& late_tile, const Rows& rows, int64_t base, const Step* step, int64_t count) const {
    bool confident = store->update.confident();
    for (int64_t k = 0; k < rows.size; ++k) {
      float* w = tile.row(rows.places[k]);
      float x = rows.values[k];
      for (int64_t i = 0; i < count && !confident; ++i) w[step[i].column - base] += step[i].length * x;
      if (!store->summed) continue;
      float* u = late_tile.row(rows.places[k]);
      for (int64_t i = 0; i < count && !confident; ++i) u[step[i].column - base] += step[i].late * x;
      for (int64_t i = 0; i < count && confident; ++i)
        move_confidently(w[step[i].column - base], u[step[i].column - base], x, step[i].length, step[i].late);
    }
  }
  void move_rounded(const TileOf<int8_t>& tile, const Pass& pass, int64_t base, const Step* step, int64_t count, Part& mine) const {
    Chances chances(store->seed, pass.number);
    for (int64_t i = 0; i < count; ++i) {
      Rivals rivals(step[i].column);
      uint32_t of_label = chances.of_label(step[i].length > 0 ? rivals.u : rivals.v);
      round_moves(features.data + pass.first, values.data + pass.first, pass.size, step[i].length, of_label, mine.by.data);
      int column = int(step[i].column - base);
      for (int64_t k = 0; k < pass.size; ++k) {
        int32_t place = places[pass.first + k];
        int8_t& w = tile.row(place)[column];
        w = moved(w, mine.by[k]);
        if (place < 0) mine.used[~place] |= uint64_t(1) << column;
      }
    }
  }

  // ---- int8's lists are written anew: each part logs the segments of its tiles

  // Finds where each list enters a part and leaves it, after the parts before, and makes room: threads must not.
  void begin_log(int p) {
    Part& mine = part_state[p];
    int64_t room = 0;
    for (int64_t i = 0; i < loose.size; ++i) {
      const Array<uint8_t>& all = store->rares[loose[i].rare]->segments;
      const uint8_t *next = p ? part_state[p - 1].sources[i].end : all.data, *last = all.data + all.size, *end = last;
      if (p + 1 < used_parts)
        for (end = next; end < last && Segment(end).tile < first_tile(p + 1);) end += Segment(end).bytes();
      mine.sources[i] = {next, end};
      room += 2 * (end - next);  // a segment has five bytes at least, and four more in the log
    }
    int64_t longest = 0;
    for (int64_t i = 0; i < passes.size; ++i) {
      const Stretch& mark = mine.stretches[i];
      int64_t rare = 0;
      for (int64_t k = passes[i].first; k < passes[i].first + passes[i].size; ++k) rare += places[k] < 0;
      room += (mark.end - mark.first) * rare * store->entry_bytes();
      longest = longest < passes[i].size ? passes[i].size : longest;
    }
    mine.by.resize(longest);
    mine.log.size = mine.logged.size = 0;
    if (trained.size) mine.log.reserve(room);
    mine.logged.resize(loose.size);
    clear(mine.logged.data, loose.size);
  }
  void log(int64_t t, Part& mine) const {
    if (!trained.size) return;
    for (int64_t i = 0; i < loose.size; ++i) {
      if (!mine.used[i]) continue;
      const int8_t* row = mine.rows.data + i * tile_size;
      uint64_t moved = moved_among(row, mine.used[i]);
      if (!moved) continue;
      int32_t place = int32_t(i);
      uint8_t* to = mine.log.data + mine.log.size;
      memcpy(to, &place, 4);
      const uint8_t* end = write_segment(to + 4, t, row, moved);
      mine.logged[i] += end - to - 4;
      mine.log.size = end - mine.log.data;
    }
  }
  void rewrite_lists() {
    if (!trained.size) return;
    Array<int64_t> filled;
    filled.resize(loose.size);
    for (int64_t i = 0; i < loose.size; ++i) {
      int64_t bytes = 0;
      for (int p = 0; p < used_parts; ++p) bytes += part_state[p].logged[i];
      Array<uint8_t>& list = store->rares[loose[i].rare]->segments;
      list.free();  // no more room than it needs
      list.resize(bytes);
    }
    for (int p = 0; p < used_parts; ++p)
      for (const uint8_t *at = part_state[p].log.data, *end = at + part_state[p].log.size; at < end;) {
        int32_t i;
        memcpy(&i, at, 4);
        int64_t bytes = Segment(at + 4).bytes();
        copy(store->rares[loose[i].rare]->segments.data + filled[i], at + 4, bytes);
        filled[i] += bytes;
        at += 4 + bytes;
      }
  }

  // What the documents have taught their rare features.
  void move_rares() {
    if constexpr (Store::rounded) rewrite_lists();
    else
      for (int64_t i = 0; i < passes.size; ++i) move_rares(i);
  }
  void move_rares(int64_t i) {
    const Pass& pass = passes[i];
    Step* steps = trained.data + pass.trained;
    int64_t count = 0;
    for (int p = 0; p < used_parts; ++p) {
      const Stretch& mark = part_state[p].stretches[i];
      for (int64_t at = mark.first; at < mark.wrong; ++at) steps[count++] = trained[at];
    }
    for (int64_t k = pass.first; count && k < pass.first + pass.size; ++k)
      if (places[k] < 0) store->rares[loose[~places[k]].rare]->move(steps, count, values[k], store->summed, store->update.confident());
  }
};

}  // namespace telex::TELEX_LEVEL
