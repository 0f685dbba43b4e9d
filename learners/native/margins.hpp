// MMP with margins: each label is pulled by how far its differences to those of the other side fall short of 1, and moves along
// the document as in AROW, less where it is sure. One more column, the last, is a label that never was; new labels are its copies.
#pragma once
#include "labels.hpp"
#include "update.hpp"

namespace telex::TELEX_LEVEL {

struct Margins {
  bool wanted = false;
  float calm = 1;           // r of AROW
  Array<float> pull, rest;  // by column, 0 is the threshold; rest: the scores of irrelevant labels, else minus infinity

  // Learns a document whose labels are open, from the scores in `look`.
  void learn(Table& weights, Table& spent, const Document& d, const Labels& labels, Look& look) {
    int32_t all = labels.known + labels.fresh, never = all + 1;
    weights.meet(d, look.watch);
    spent.meet(d, look.watch);
    if (labels.fresh) begin(weights, spent, never, look);
    pull.resize(weights.stride);
    rest.resize(weights.stride);
    clear(pull.data, pull.size);
    pull_labels(look.score.data, labels, all);
    pull[0] = pull_of_threshold(look.score.data, labels, all);
    move_columns(weights, spent, d, pull.data, calm, look.watch);
  }
  // How many labels the document has pulled that was learnt last.
  int32_t pulled(const Labels& labels) const {
    int32_t count = 0;
    for (int32_t c = 1; c <= labels.known + labels.fresh; ++c) count += pull[c] != 0;
    return count;
  }
  static void begin(Table& weights, Table& spent, int32_t never, Look& look) {
    int32_t old = weights.columns - 1;
    Table* both[] = {&weights, &spent};
    for (Table* table : both) {
      table->widen(never + 1, look.watch);
      for (int64_t f = 0; f < table->rows; ++f) {
        for (int32_t c = old + 1; c <= never; ++c) table->row(f)[c] = table->row(f)[old];
        pause_within(look.watch, never - old);
      }
    }
    look.score.resize(weights.stride);
    for (int32_t c = old + 1; c <= never; ++c) look.score[c] = look.score[old];
  }
  void pull_labels(const float* s, const Labels& labels, int32_t all) {
    for (int32_t c = 1; c <= all + 1; ++c) rest[c] = c <= all && labels.mark[c - 1] ? -__builtin_inff() : s[c];
    for (int32_t i = 0; i < labels.size; ++i) {
      float own = 0, score = s[labels.relevant[i] + 1];
      for (int32_t c = 1; c <= all + 1; ++c) {
        float lack = 1 - (score - rest[c]);
        if (!(lack > 0)) continue;
        if (c <= all) own += lack;
        pull[c] -= lack;
      }
      if (all > labels.size) pull[labels.relevant[i] + 1] = own / float(all - labels.size);
    }
    for (int32_t c = 1; labels.size && c <= all + 1; ++c)
      if (c > all || !labels.mark[c - 1]) pull[c] /= float(labels.size);
  }
  // Half the margin lies on each side of the threshold.
  static float pull_of_threshold(const float* s, const Labels& labels, int32_t all) {
    float up = 0, down = 0;
    int32_t above = 0, below = 0;
    for (int32_t c = 1; c <= all; ++c) {
      float lack = 0.5f - (labels.mark[c - 1] ? s[c] - s[0] : s[0] - s[c]);
      if (!(lack > 0)) continue;
      (labels.mark[c - 1] ? down : up) += lack;
      ++(labels.mark[c - 1] ? below : above);
    }
    return (above ? up / float(above) : 0) - (below ? down / float(below) : 0);
  }
};

}  // namespace telex::TELEX_LEVEL
