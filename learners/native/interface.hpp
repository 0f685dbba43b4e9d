// What crosses between the binding, which is compiled once, and the kernels, which are compiled once a CPU level.
#pragma once
#include <cstdint>

namespace telex {

// A batch's rows, as its arrays; nothing is owned. `columns` maps label ids to a learner's columns (-1: not known)
// and is written where a label is learnt for the first time.
struct Documents {
  int64_t rows;
  const int64_t* indptr;
  const int32_t* features;
  const float* values;
  const int64_t* label_indptr;
  const int32_t* labels;
  const uint8_t* labelled;
  const int64_t* numbers;
  const uint64_t* name_hashes;  // by label id
  int32_t* columns;
  const float* counts = nullptr;  // of terms, one a feature; null where the documents did not come as texts
  // By label id, or null where there is no tree: its parent's id, -1 for a root, and whether it may have children.
  const int32_t* parents = nullptr;
  const uint8_t* inner = nullptr;
};

// Features that are forgotten, each before the first ask or answer of its row or a later one; the rows ascend.
struct Forgotten {
  const int32_t* rows;
  const int32_t* features;
  int64_t count;
};

// Asks (r) and answers (~r); a null `steps` is the undelayed stream: ask each row, answer it where it is labelled.
struct Events {
  const int32_t* steps;
  int64_t count;
  Forgotten forgotten;
};

// One row an ask; `width` is the distance between rows, in entries.
struct Out {
  float* scores;
  uint8_t* relevant;
  int32_t* known;
  int64_t width;
};

// What speaks for and against each label: a row a feature, a column a label; and what comes from no feature. Zeros at first.
struct Reasons {
  double *contributions, *base;
};

// How a learner's state is written and read: named arrays, without padding. `rows` is -1 for an array that has no rows.
struct Writer {
  // Where the array is to be written, now or later.
  virtual void* room(const char* name, char type, int64_t rows, int64_t columns) = 0;

 protected:
  ~Writer() = default;
};
struct Reader {
  // An array of this type with its own shape; an empty one may have any address.
  virtual const void* get(const char* name, char type, int64_t* rows, int64_t* columns) = 0;
  [[noreturn]] virtual void refuse(const char* why) = 0;  // `why` completes the sentence "a saved learner is not right:"
  [[noreturn]] virtual void refuse_array(const char* name) = 0;

 protected:
  ~Reader() = default;
};

// What the perceptrons of a call have done: how many gave their output for a prediction, how many looked at a document that they
// were to learn, and how many moved.
struct Operations {
  int64_t predicted = 0, tried = 0, moved = 0;
};

// Says whether a signal wants to end the call. Kernels count their work in `left`, and look when it is used up; the functions
// that do so are in level.hpp.
struct Watch {
  int64_t left = 0;
  Operations* operations = nullptr;  // where perceptrons count what they do; null where nobody asked
  // Whether to leave. `whole`: the learner is whole at this point, as it is between two documents. Elsewhere a signal is
  // given some time, in which most documents end. Any thread may ask; it never throws.
  virtual bool ended(bool whole) = 0;
  [[noreturn]] virtual void leave(bool whole) = 0;  // throws; no thread of the call may still be at work

 protected:
  ~Watch() = default;
};

// What a call writes beside the learner, so that calls which only ask can run beside each other; and who watches the call.
struct Scratch {
  Watch* watch = nullptr;
  virtual ~Scratch();
};

struct Learner {
  virtual ~Learner();
  virtual void progress(const Documents&, const Events&, const Out&, Watch&) = 0;
  virtual Scratch* scratch() const = 0;
  virtual void scores(const Documents&, const Out&, Scratch&) const = 0;  // each row is asked
  virtual void reasons(const Documents&, int64_t row, const Reasons&) const = 0;
  virtual int32_t known() const = 0;      // label columns
  virtual int64_t learnt() const = 0;     // documents
  virtual int64_t bytes() const = 0;      // memory held
  virtual bool finite() const;            // no weight is NaN or infinite; true unless overridden
  virtual void save(Writer&) const = 0;   // for people: tables
  virtual void pack(Writer&) const;       // for checkpoints: as little as there is; what save gives, where that is all
  virtual void unpack(Reader&) = 0;       // into a fresh learner; after a refusal it must not be used any more
};

// A learner's options by name, as its Python class gives them. A kernel's constructor asks for each of its own. What is
// missing or wrong reads as the first value allowed, and is refused once the constructor has returned: nothing throws here.
struct Options {
  uint64_t seed;
  virtual bool given(const char* name) const = 0;  // only of those that a kernel can do without
  virtual bool flag(const char* name) = 0;
  virtual int choice(const char* name, const char* const* allowed) = 0;  // the position; a null ends `allowed`
  // `expected` says what may be given: it ends the sentence that refuses another number.
  virtual int64_t number(const char* name, int64_t least, int64_t most, const char* expected) = 0;
  virtual double real(const char* name, double least, double most, const char* expected) = 0;  // NaN is never right

 protected:
  explicit Options(uint64_t seed) : seed(seed) {}
  ~Options() = default;
};

struct Kernel {
  const char* name;
  Learner* (*make)(Options&);
};

struct Judgement {  // see learners/losses/judged.py
  int32_t *rows, *relevant, *irrelevant, *best, *worst, *first_irrelevant, *tp, *fp, *fn, *ranks, *marks, *not_numbers;
  int64_t *rank_sum, *rank_indptr, *mark_indptr;
  double* precision_sum;
  int64_t documents, not_number_rows;
  // Room to work in: for as many labels as a document has; by column, zeros between two documents; and for a row of scores.
  int32_t *order, *places;
  uint8_t* true_columns;
  float* scores;
};
struct Asked {
  const float* scores;
  const uint8_t* relevant;
  const int32_t* known;
  const int32_t* rows;
  int64_t asks, width;
  const int32_t* columns;  // by label id; ids beyond `named` were not there yet
  int64_t named;
  const uint64_t* keys;  // name hashes by column
  const int32_t* label_of_column;
  uint64_t seed;
  const int64_t* numbers;
};

// What has been met of scores, by label and by bin: see learners/thresholds/score_bins.py.
constexpr int score_bins = 128;
struct ScoreBins {
  float *counts, *positives, *f1, *rates;
  double *common, *all_positives, *common_f1;
  int64_t* clock;
};
enum class Decision { own, micro, macro };
// Of each tenth of probabilities: how many there were, their sum in whole units, and how often the label was true.
constexpr int tenths = 10;
constexpr int64_t reliability_unit = int64_t(1) << 24;

// One level's functions.
struct Kernels {
  const char* name;
  const Kernel* const* learners;  // by name; a null at the end
  void (*judge)(const Asked&, const Documents&, Judgement&, Watch&);
  float (*log)(float);
  void (*set_by_bins)(const Asked&, const Documents&, const int32_t* steps, int64_t count, const ScoreBins&, Decision,
                      uint8_t* relevant, float* probabilities, float* cuts, int32_t* room,
                      Watch&);  // cuts: of each probability, or null; room: for a number a column
  void (*reliability)(const Asked&, const Documents&, const float* probabilities, int64_t* counts, Watch&);
  void (*probabilities_of)(const float* log_odds, float* probabilities, int64_t count);
  void (*set_best)(const Asked&, const int32_t* sizes, uint8_t* relevant, int32_t* room, Watch&);
};
extern const Kernels kernels_base, kernels_v3, kernels_v4;

}  // namespace telex
