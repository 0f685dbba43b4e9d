// From duels to a ranking and a set: votes, margins, or votes with margins among equals.
#pragma once
#include "pairs.hpp"

namespace telex::TELEX_LEVEL {

enum { by_votes, by_weight, by_votes_then_weight };
constexpr const char* decoding_names[] = {"votes", "weighted", "votes+weight", nullptr};
constexpr int64_t pair_of(int64_t u, int64_t v) { return v * (v - 1) / 2 + u; }  // u < v

// The labels of a pair.
struct Rivals {
  int32_t u, v;
  explicit Rivals(int64_t column) {
    v = int32_t((1 + __builtin_sqrt(double(8 * column + 1))) / 2);
    while (pair_of(0, v) > column) --v;
    while (pair_of(0, int64_t(v) + 1) <= column) ++v;
    u = int32_t(column - pair_of(0, v));
  }
};

struct Decoding {
  int decode;
  bool half;             // s = 0 is half a vote for each
  Array<int32_t> votes;  // twice as many as there are, so that halves are whole
  Array<float> weighted;

  // The scores and the set of `known` labels, from the outputs `s` of the pairs and `b` of the duels with the virtual label.
  void say(const float* s, const float* b, int32_t known, float* scores, uint8_t* relevant) {
    votes.resize(round_up(known, line));
    weighted.resize(round_up(known, line));
    if (decode != by_weight) {
      clear(votes.data, known);
      count_votes(s, 0, known * int64_t(known - 1) / 2, known, votes.data);
      say_votes(votes.data, b, known, scores, relevant);
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
      scores[c] = 0.5f * float(votes[c]) + float(smaller) * (half ? 0x1p-13f : 0x1p-12f);
    }
  }
  // What one of several processes that share the pairs has to say: its votes; and instead of the set, what each label wins
  // against the virtual one.
  void say_share(const int32_t* all, const float* b, int32_t known, float* scores, uint8_t* relevant) const {
    for (int32_t c = 0; c < known; ++c) {
      scores[c] = 0.5f * float(all[c]);
      relevant[c] = uint8_t(wins(b[c], half));
    }
  }
  // How many duels have given these votes, two halves each.
  static int64_t duels_of(const int32_t* all, int32_t known) {
    int64_t halves = 0;
    for (int32_t c = 0; c < known; ++c) halves += all[c];
    return halves / 2;
  }
  // Twice the votes that the first label of a duel gets.
  static int32_t wins(float s, bool half) { return (s >= 0) + (half ? s > 0 : s >= 0); }
  // Adds the votes of the duels in `size` columns from `column` on that labels below `known` have among each other.
  void count_votes(const float* s, int64_t column, int64_t size, int32_t known, int32_t* all) const {
    for (Rivals at(column); size > 0 && at.v < known; at.u = 0, ++at.v) {
      int32_t duels = int32_t(size < at.v - at.u ? size : at.v - at.u), won = 0, *first = all + at.u;
      for (int32_t i = 0; i < duels; ++i) {
        int32_t first_wins = wins(s[i], half);
        first[i] += first_wins;
        won += first_wins;
      }
      all[at.v] += 2 * duels - won;
      s += duels;
      size -= duels;
    }
  }
  void say_votes(const int32_t* all, const float* b, int32_t known, float* scores, uint8_t* relevant) const {
    int32_t lost = 0;
    for (int32_t c = 0; c < known; ++c) lost += 2 - wins(b[c], half);
    for (int32_t c = 0; c < known; ++c) {
      scores[c] = 0.5f * float(all[c]);
      relevant[c] = all[c] + wins(b[c], half) > lost;
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
};

}  // namespace telex::TELEX_LEVEL
