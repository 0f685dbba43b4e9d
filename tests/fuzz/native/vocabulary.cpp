// The vocabulary: whatever the terms and settings, its rows are in order; whatever a state says, it is refused or goes on.
//
// The first six bytes are the settings; then each byte is a term of a document, until a byte above 250: with 251 a document
// ends, with 252 its title, with 253 the rest changes the state, which is loaded again.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "check.hpp"
#include "vocabulary.hpp"

using namespace telex::words;

namespace telex::words {
extern const Kernels kernels_base;
const Kernels& kernels() { return kernels_base; }
}  // namespace telex::words

namespace {

constexpr size_t kSettings = 6;

template <class T>
void change(std::vector<T>& values, const uint8_t* how) {
  constexpr double reals[] = {0, -1, 1e308, INFINITY, NAN, 0.5, -0.0, 3};
  constexpr int64_t numbers[] = {0, -1, 1, 2, INT64_MAX, INT64_MIN, 1 << 20, 5};
  if (how[1] % 5 == 0) return values.resize(how[2] % 40);
  if (values.empty()) return;
  T& one = values[how[2] % values.size()];
  if constexpr (std::is_floating_point_v<T>) one = T(reals[how[3] % 8]);
  else one = T(how[1] % 5 == 1 ? numbers[how[3] % 8] : how[3]);
}

void change(State& state, const uint8_t* how) {
  switch (how[0] % 14) {
    case 0: return change(state.data, how);
    case 1: return change(state.ends, how);
    case 2: return change(state.given_data, how);
    case 3: return change(state.given_ends, how);
    case 4: return change(state.buckets, how);
    case 5: return change(state.last, how);
    case 6: return change(state.since, how);
    case 7: return change(state.ring_sizes, how);
    case 8: return change(state.df, how);
    case 9: return change(state.occurrences, how);
    case 10: return change(state.useful, how);
    case 11: return change(state.sums, how);
    case 12: return change(state.ring_features, how);
    default: return change(state.ring_counts, how);
  }
}

void check(const Rows& rows, const Vocabulary& words) {
  for (size_t row = 0; row + 1 < rows.indptr.size(); ++row)
    for (auto i = rows.indptr[row]; i < rows.indptr[row + 1]; ++i) {
      int32_t id = rows.features[size_t(i)];
      CHECK(id >= 0 && size_t(id) < words.size());
      CHECK(i == rows.indptr[row] || rows.features[size_t(i) - 1] < id);
    }
  CHECK(rows.features.size() == rows.values.size() && rows.forget_rows.size() == rows.forget_features.size());
  for (int32_t id : rows.forget_features) CHECK(id >= 0 && size_t(id) < words.size());
}

// A document a stretch of bytes; returns where it stopped.
size_t documents(Vocabulary& words, Cache& cache, const uint8_t* input, size_t size, bool sound) {
  std::vector<int32_t> title, text;
  Rows rows;
  size_t at = 0;
  auto flush = [&] {
    std::vector<int32_t> both(title);
    both.insert(both.end(), text.begin(), text.end());
    Document one{both.data(), both.data() + title.size(), both.data() + both.size()};
    cache.memos.resize(cache.terms.size());
    words.document(cache, one, true, true, rows);
    title.clear();
    text.clear();
  };
  for (; at < size && input[at] != 253; ++at) {
    if (input[at] == 251) flush();
    else if (input[at] == 252) std::swap(title, text);
    else if (input[at] < 251) text.push_back(cache.term(std::string(1 + input[at] % 3, char('a' + input[at] % 26)) + char('a' + input[at] / 26)));
  }
  flush();
  check(rows, words);
  if (sound)
    for (float value : rows.values) CHECK(std::isfinite(value));
  return at;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* input, size_t size) {
  if (size < kSettings) return 0;
  constexpr Kind kinds[] = {Kind::growing, Kind::bounded, Kind::hashed};
  constexpr Idf idfs[] = {Idf::all, Idf::decayed, Idf::windowed};
  Settings settings{kinds[input[0] % 3], 1 + input[1] % 40, "nblL"[input[2] % 4], "nto"[input[2] / 4 % 3], "ncu"[input[2] / 16 % 3],
                    idfs[input[3] % 3], std::exp2(1.0 / (1 + input[4] % 50)), 1 + input[5] % 9, double(input[5] / 16) / 4, 0.2};
  input += kSettings, size -= kSettings;
  Vocabulary words(settings);
  Cache cache(1);
  size_t at = documents(words, cache, input, size, true);
  State state = words.save();
  bool changed = false;
  for (++at; at + 4 <= size && at < 4096; at += 4) change(state, input + at), changed = true;
  Vocabulary again(settings);
  try {
    again.load(state);
  } catch (std::invalid_argument& error) {
    CHECK(changed && *error.what());
    return 0;
  }
  Cache other(2);
  if (!changed) CHECK(again.size() == words.size());
  for (size_t id = 0; id < again.size(); ++id) (void)again.name(id);
  documents(again, other, input, std::min(size, size_t{200}), !changed);
  if (settings.kind == Kind::growing) again.settle(3);  // terms are chosen where all are kept
  documents(again, other, input, std::min(size, size_t{50}), !changed);
  return 0;
}
