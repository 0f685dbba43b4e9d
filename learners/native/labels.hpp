// The labels a learner knows, and the loop over asks and answers that every learner goes through.
#pragma once
#include "order.hpp"
#include "state.hpp"

namespace telex::TELEX_LEVEL {

struct Labels {
  Array<uint64_t> hashes;  // by column
  int32_t known = 0;
  int64_t learnt = 0;
  // Of the document being learnt: its columns, ascending, the new ones last; and a mark a column.
  Array<int32_t> relevant;
  Array<uint8_t> mark;
  int32_t size = 0, fresh = 0;

  // Gives new labels their columns; `known` still counts the old ones until `done`.
  void open(const Documents& d, int64_t row) {
    size = fresh = 0;
    int64_t first = d.label_indptr[row], last = d.label_indptr[row + 1];
    relevant.resize(last - first);
    for (int64_t i = first; i < last; ++i) {
      int32_t c = d.columns[d.labels[i]];
      if (c >= 0) relevant[size++] = c;
    }
    sort(relevant.data, size);
    for (int64_t i = first; i < last; ++i) {
      int32_t id = d.labels[i];
      if (d.columns[id] >= 0) continue;
      d.columns[id] = known + fresh;
      relevant[size++] = known + fresh++;
      hashes.push(d.name_hashes[id]);
    }
    mark.resize(known + fresh);
    for (int32_t i = 0; i < size; ++i) mark[relevant[i]] = 1;
  }
  void close() {
    for (int32_t i = 0; i < size; ++i) mark[relevant[i]] = 0;
    known += fresh;
    ++learnt;
  }
  void save(Writer& out) const {
    put(out, "hashes", hashes.data, known);
    put(out, "learnt", &learnt, 1);
  }
  void load(Reader& in) {
    Given<uint64_t> from = given<uint64_t>(in, "hashes");
    learnt = given<int64_t>(in, "learnt", 1)[0];
    expect(in, from.size <= most_known, "it has too many labels");
    expect(in, learnt >= (from.size > 0) && learnt <= most_learnt, "it counts documents wrongly");
    hashes.resize(from.size);
    copy(hashes.data, from.data, from.size);
    known = int32_t(from.size);
  }
};

// Calls `self.forget(feature)` for each feature to be forgotten, at its step.
struct Forgetting {
  Forgotten what;
  int64_t done = 0;
  template <class Self>
  void before(Self& self, int64_t row) {
    while (done < what.count && what.rows[done] <= row) self.forget(what.features[done++]);
  }
};

// The loop of a call over asks and answers. `self.ask(d, row, scores, relevant, look)` writes the known columns and changes only
// `look`; `self.answer(d, row, fresh)` learns. `fresh` means that the document was asked just now and nothing was learnt in
// between, so that `self.look` still has what it saw.
template <class Self, class Look>
inline void ask_into(const Self& self, const Documents& d, int64_t row, const Out& out, int64_t place, Look& look) {
  int32_t known = self.labels.known;
  uint8_t* relevant = out.relevant + place * out.width;
  pause(look.watch, known);
  self.ask(d, row, out.scores + place * out.width, relevant, look);
  if (known < out.width) clear(relevant + known, out.width - known);
  out.known[place] = known;
}
template <class Self>
inline void follow(Self& self, const Documents& d, const Events& events, const Out& out, Watch& watch) {
  self.look.watch = &watch;
  int64_t asks = 0;
  Forgetting forgetting{events.forgotten};
  if (!events.steps) {
    for (int64_t row = 0; row < d.rows; ++row) {
      forgetting.before(self, row);
      ask_into(self, d, row, out, row, self.look);
      if (d.labelled[row]) self.answer(d, row, true);
    }
    return;
  }
  int64_t fresh = -1;
  for (int64_t i = 0; i < events.count; ++i) {
    int32_t step = events.steps[i];
    forgetting.before(self, step >= 0 ? step : ~step);
    if (step >= 0) {
      ask_into(self, d, fresh = step, out, asks++, self.look);
    } else {
      pause(&watch, self.labels.known);
      self.answer(d, ~step, fresh == ~step);
      fresh = -1;
    }
  }
  forgetting.before(self, d.rows);
}
template <class Look, class Self>
inline void follow_asks(const Self& self, const Documents& d, const Out& out, Scratch& scratch) {
  for (int64_t row = 0; row < d.rows; ++row) ask_into(self, d, row, out, row, static_cast<Look&>(scratch));
}

}  // namespace telex::TELEX_LEVEL
