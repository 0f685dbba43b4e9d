// The vocabulary: the ids of terms, the numbers of documents that had them, and the weights of a document's features.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cache.hpp"
#include "index.hpp"
#include "kernels.hpp"
#include "pages.hpp"
#include "ring.hpp"
#include "sorted.hpp"
#include "useful.hpp"

namespace telex::words {

enum class Kind { growing, bounded, hashed };
enum class Idf { all, decayed, windowed, given };

struct Settings {
  Kind kind;
  int64_t size;     // bounded: terms; hashed: buckets
  char first, second, third;
  Idf idf;
  double growth;    // 2^(1 / half-life): how much more a document counts than the one before it
  int64_t window;
  double title, slope;
  bool fading() const { return idf == Idf::decayed || kind == Kind::bounded; }
};

// Terms of a document as in the cache, the title's first.
struct Document {
  const int32_t *title, *text, *end;
};

struct Rows {
  std::vector<int64_t> indptr{0};
  std::vector<int32_t> features;
  std::vector<float> values, counts;  // weights, and what they are made of: times the term is there, the title's as `title` says
  std::vector<int32_t> forget_rows, forget_features;
};

// The data of a feature that every document needs, kept together. Counts of the current document are 0 between documents.
struct Cell {
  uint32_t text = 0, title = 0;
  uint32_t version = 0;  // how often the id was given to another term
  double df = 0, occurrences = 0;
};

// The state without the settings, as plain arrays. `data` and `ends` are texts, one after the other.
struct State {
  std::vector<uint8_t> data, given_data;
  std::vector<int64_t> ends, given_ends, buckets, last, since, ring_sizes;
  std::vector<double> df, occurrences, useful, given, sums;
  std::vector<int32_t> ring_features;
  std::vector<uint32_t> ring_counts;
};

class Vocabulary {
 public:
  explicit Vocabulary(const Settings& settings);
  // The terms with a given value, for Idf::given.
  void give(Texts terms, std::vector<double> values);

  // Adds a row to `rows`; with `counting`, counts the document before and adds its new terms. Without `weigh` there is no row.
  void document(Cache& cache, const Document& document, bool counting, bool weigh, Rows& rows);
  // Keeps the `terms` features that most documents had (0: all); counts nothing from here on.
  void settle(size_t terms);

  size_t size() const { return cells_.size(); }
  bool settled() const { return settled_; }
  std::string name(size_t id) const;
  // Ids that were given to other terms since the last call.
  std::vector<int32_t> take_replaced();
  size_t bytes() const;

  State save() const;
  void load(const State& state);  // throws std::invalid_argument if the arrays do not fit together

 private:
  struct Newcomer {
    int32_t term;
    uint32_t text, title;
  };
  int32_t look_up(std::string_view text) const;
  int32_t given_of(std::string_view text) const;
  void gather(Cache& cache, const Document& document, bool adding);
  void admit(Cache& cache, int64_t row, Rows& rows);
  int32_t place_for(std::string_view term, int64_t row, Rows& rows);
  int32_t append(std::string_view term, int64_t bucket);
  void tick();
  void count();
  void weigh(Rows& rows);
  void choose(size_t terms);
  double unit() const { return settings_.idf == Idf::decayed ? now_ : 1.0; }

  const Kernels& kernels_ = kernels();
  const Settings settings_;
  std::vector<Cell, Pages<Cell>> cells_;
  std::vector<std::string> terms_;    // by id; empty if terms are hashed
  std::vector<int64_t> buckets_;      // by id; only if terms are hashed
  std::vector<int32_t> of_bucket_;    // id + 1 by bucket
  Index index_;                       // of terms_
  uint32_t version_ = 0, epoch_ = 0;  // of the vocabulary; of new cells
  bool settled_ = false;

  int64_t documents_ = 0;
  double now_ = 1;        // how much the current document counts, if older ones decay
  double n_ = 0, m_ = 0;  // documents counted; the sum of their distinct terms

  Texts given_terms_;
  std::vector<double> given_values_;  // by their order in the file
  Index given_index_;
  std::vector<double> given_;         // by id

  Ring ring_;
  Useful useful_;
  std::vector<int64_t> since_;        // by id: the document that brought the term, for the ring
  std::vector<int32_t> replaced_;
  std::vector<uint8_t> is_replaced_;

  // of the current document
  Sorted sorted_;
  std::vector<std::pair<int32_t, bool>> strange_;
  std::vector<Newcomer> newcomers_;
  std::vector<int32_t> ids_;
  std::vector<double> tf_, df_, weight_;
  std::vector<uint32_t> times_;
};

}  // namespace telex::words
