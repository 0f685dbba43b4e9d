// Learners: whatever their packed state says, it is refused or the learner goes on, and what it packs again it takes again.
//
// The first byte is the learner; each five behind it change a byte, or the length, of one array of a state that was learnt.
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "interface.hpp"

using namespace telex;

namespace {

constexpr int64_t kRows = 24, kFeatures = 20, kLabels = 9;

struct Refused {};

struct Patient final : Watch {
  bool ended(bool) override { return left = 1 << 20, false; }
  void leave(bool) override { std::abort(); }
};

struct Array {
  char type;
  int64_t rows, columns;
  std::vector<uint64_t> held;  // aligned for every type
  size_t bytes = 0;
};

int64_t width(char type) { return type == 'b' ? 1 : type == 'f' || type == 'c' ? 4 : 8; }

struct Packed final : Writer, Reader {
  std::map<std::string, Array> arrays;
  void* room(const char* name, char type, int64_t rows, int64_t columns) override {
    Array& one = arrays[name];
    one = {type, rows, columns, {}, size_t((rows < 0 ? 1 : rows) * columns * width(type))};
    one.held.resize(one.bytes / 8 + 1);
    return one.held.data();
  }
  const void* get(const char* name, char type, int64_t* rows, int64_t* columns) override {
    auto found = arrays.find(name);
    if (found == arrays.end() || found->second.type != type) refuse_array(name);
    *rows = found->second.rows;
    *columns = found->second.columns;
    return found->second.held.data();
  }
  [[noreturn]] void refuse(const char* why) override {
    CHECK(why && *why);
    throw Refused();
  }
  [[noreturn]] void refuse_array(const char* name) override {
    CHECK(name && *name);
    throw Refused();
  }
};

struct Plain final : Options {
  size_t turn;
  Plain(size_t turn) : Options(7), turn(turn) {}
  bool given(const char*) const override { return false; }
  bool flag(const char*) override { return (turn /= 2) & 1; }
  int choice(const char*, const char* const* allowed) override {
    int count = 0;
    while (allowed[count]) ++count;
    return int((turn /= 3) % size_t(count));
  }
  int64_t number(const char*, int64_t least, int64_t, const char*) override { return least; }
  double real(const char*, double least, double most, const char*) override { return least < 1 && most >= 1 ? 1 : least; }
};

// Documents of a fixed stream; the columns are those of one learner.
struct Stream {
  std::vector<int64_t> indptr{0}, label_indptr{0}, numbers;
  std::vector<int32_t> features, labels, columns;
  std::vector<float> values;
  std::vector<uint8_t> labelled;
  std::vector<uint64_t> hashes;
  Stream() : columns(kLabels, -1) {
    for (int64_t row = 0; row < kRows; ++row) {
      for (int64_t f = row % 3; f < kFeatures; f += 3 + row % 4) features.push_back(int32_t(f)), values.push_back(1.0f + float(f) / 4);
      for (int64_t c = row % 4; c < kLabels - (row < 16 ? 3 : 0); c += 4) labels.push_back(int32_t(c));
      indptr.push_back(int64_t(features.size()));
      label_indptr.push_back(int64_t(labels.size()));
      labelled.push_back(row % 5 != 4);
      numbers.push_back(row);
    }
    for (int64_t c = 0; c < kLabels; ++c) hashes.push_back(uint64_t(c) * 0x9E3779B97F4A7C15u);
  }
  void follow(Learner& learner, int64_t from, int64_t to) {
    int64_t rows = to - from, room = learner.known() + kLabels;
    std::vector<float> scores(size_t(rows * room));
    std::vector<uint8_t> relevant(size_t(rows * room));
    std::vector<int32_t> known(static_cast<size_t>(rows));
    Documents all{rows, indptr.data() + from, features.data(), values.data(), label_indptr.data() + from, labels.data(),
                  labelled.data() + from, numbers.data() + from, hashes.data(), columns.data()};
    int32_t gone_rows[] = {1, 2}, gone[] = {2, 5};
    Patient watch;
    learner.progress(all, {nullptr, 0, {gone_rows, gone, 2}}, {scores.data(), relevant.data(), known.data(), room}, watch);
    std::vector<double> each(size_t(kFeatures * learner.known())), base(size_t(learner.known()));
    learner.reasons(all, rows - 1, {each.data(), base.data()});
  }
};

size_t kernels() {
  size_t count = 0;
  while (kernels_base.learners[count]) ++count;
  return count;
}

std::unique_ptr<Learner> made(size_t kind) {
  Plain options(kind / kernels());
  return std::unique_ptr<Learner>(kernels_base.learners[kind % kernels()]->make(options));
}

void change(Packed& packed, const uint8_t* how) {
  if (packed.arrays.empty()) return;
  auto one = std::next(packed.arrays.begin(), how[0] % long(packed.arrays.size()));
  Array& array = one->second;
  auto* bytes = reinterpret_cast<uint8_t*>(array.held.data());
  size_t at = array.bytes ? (size_t(how[2]) << 8 | how[3]) % array.bytes : 0;
  switch (how[1] % 8) {
    case 0: packed.arrays.erase(one); break;
    case 1: array.rows = array.rows < 0 ? how[4] % 5 : -1; break;
    case 2: {  // shorter or longer, by whole entries
      int64_t columns = array.columns + how[4] % 7 - 3;
      if (columns < 0) columns = 0;
      array.columns = columns;
      array.bytes = size_t((array.rows < 0 ? 1 : array.rows) * columns * width(array.type));
      array.held.resize(array.bytes / 8 + 1);
      break;
    }
    case 3: array.type = "fdiucb"[how[4] % 6]; break;
    case 4:
      if (array.bytes) std::memset(bytes + at, how[4], std::min(array.bytes - at, size_t(width(array.type))));
      break;
    default:
      if (array.bytes) bytes[at] = how[4];
  }
  // A type of other width must not read behind its array.
  auto found = packed.arrays.find("");
  CHECK(found == packed.arrays.end());
  for (auto& [name, held] : packed.arrays) {
    size_t needed = size_t((held.rows < 0 ? 1 : held.rows) * held.columns * width(held.type));
    if (needed > held.bytes) held.held.resize(needed / 8 + 1), held.bytes = needed;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* input, size_t size) {
  if (size == 0) return 0;
  size_t kind = input[0];
  static std::map<size_t, std::pair<Packed, std::vector<int32_t>>> learnt;  // by kind: what has learnt, and its columns
  auto& [sound, columns] = learnt[kind];
  if (sound.arrays.empty()) {
    Stream stream;
    auto learner = made(kind);
    stream.follow(*learner, 0, 16);
    learner->pack(sound);
    columns = stream.columns;
  }
  Packed packed = sound;
  for (size_t at = 1; at + 5 <= size && at < 400; at += 5) change(packed, input + at);
  auto learner = made(kind);
  try {
    learner->unpack(packed);
  } catch (Refused&) {
    return 0;
  }
  CHECK(learner->known() >= 0 && learner->learnt() >= 0 && learner->bytes() >= 0);
  if (learner->known() > 64) return 0;  // sound, and large: the room for its pairs is not what is looked for
  Packed once, twice;
  learner->pack(once);
  auto again = made(kind);
  again->unpack(once);
  again->pack(twice);
  CHECK(once.arrays.size() == twice.arrays.size());
  for (auto& [name, array] : once.arrays)
    CHECK(array.bytes == twice.arrays[name].bytes && !std::memcmp(array.held.data(), twice.arrays[name].held.data(), array.bytes));
  if (learner->known() == sound.arrays["hashes"].columns) {  // the columns of the stream are those of the learner
    Stream stream;
    stream.columns = columns;
    stream.follow(*learner, 16, kRows);
  }
  return 0;
}
