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

// How a learner's state leaves and enters: flat named arrays, without padding.
struct Writer {
  virtual void put(const char* name, const void* data, char type, int64_t rows, int64_t columns) = 0;

 protected:
  ~Writer() = default;
};
struct Reader {
  virtual const void* get(const char* name, char type, int64_t* rows, int64_t* columns) = 0;

 protected:
  ~Reader() = default;
};

struct Learner {
  virtual ~Learner();
  virtual void progress(const Documents&, const Events&, const Out&) = 0;
  virtual int32_t known() const = 0;      // label columns
  virtual int64_t learnt() const = 0;     // documents
  virtual int64_t bytes() const = 0;      // memory held
  virtual void save(Writer&) const = 0;
  virtual void load(Reader&) = 0;
};

struct Options {
  uint64_t seed;
  bool averaged;
  bool random_init;
  int loss;      // MMP
  int penalty;   // MMP
  int decode;    // MLPP
  int threads;   // MLPP
};

enum class Kind { br, mmp, mlpp, nb, prior, last };

struct Judgement {  // see learners/losses/judged.py
  int32_t *rows, *relevant, *irrelevant, *best, *worst, *first_irrelevant, *tp, *fp, *fn, *ranks, *marks;
  int64_t *rank_sum, *rank_indptr, *mark_indptr;
  double* precision_sum;
  int64_t documents;
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

// One level's functions.
struct Kernels {
  const char* name;
  Learner* (*make)(Kind, const Options&);
  void (*judge)(const Asked&, const Documents&, Judgement&);
  float (*log)(float);
};
extern const Kernels kernels_base, kernels_v3, kernels_v4;

}  // namespace telex
