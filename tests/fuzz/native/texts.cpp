// Rows of tables, and records of tokens: whatever the bytes, nothing is read but them, and what is collected of them piece by
// piece is what is collected at once.
#include <cstring>
#include <memory>

#include "check.hpp"
#include "rows.hpp"
#include "tokens.hpp"

using namespace telex::plain;

static void same(const Columns& one, const Columns& other) {
  auto equal = [](const auto& a, const auto& b) { return a.data == b.data && a.offsets == b.offsets; };
  CHECK(equal(one.ids, other.ids) && equal(one.titles, other.titles) && equal(one.texts, other.texts));
  CHECK(equal(one.labels, other.labels) && one.labelled == other.labelled && one.times.size() == other.times.size());
}

static void rows(const Layout& layout, std::string_view data) {
  Limits limits{40, 3};
  Collector whole, parts;
  for (auto* one : {&whole, &parts})
    for (const char* name : {"sport", "war", "a"}) one->names.id(name);
  size_t stop = Rows(layout).add(data, limits, 0, whole.names, whole.columns), at = 0;
  CHECK(stop <= data.size() && stop <= Rows(layout).whole(data));
  while (at < stop) {
    size_t row = 1;  // the rows up to `row` are whole once one ends there
    while (row < stop - at && (data[at + row - 1] != '\n' || Rows(layout).whole(data.substr(at, row)) < row)) ++row;
    at += Rows(layout).add(data.substr(at, row), limits, int64_t(parts.columns.size()), parts.names, parts.columns);
  }
  CHECK(at == stop);
  same(whole.columns, parts.columns);
  double first = NAN, last = NAN;
  bool ascend = true;
  if (!Rows(layout).times(data.substr(0, stop), first, last, ascend)) CHECK(false);
  std::vector<double> times;
  for (double time : whole.columns.times)
    if (!std::isnan(time)) times.push_back(time);
  CHECK(times.empty() ? std::isnan(first) : first == times.front() && last == times.back());
  CHECK(ascend == std::is_sorted(times.begin(), times.end()));
}

static void tokens(std::string_view data) {
  telex::vectors::Qrels qrels;
  for (std::string_view line : {"sport 5 1", "war 5 1", "other 7 1"}) qrels.line(line.data(), line.data() + line.size());
  Collector whole, parts;
  for (auto* one : {&whole, &parts})
    for (const char* name : {"sport", "war"}) one->names.id(name);
  Limits limits{40, 3};
  size_t stop = Tokens().add(data, limits, &qrels, whole.names, whole.columns), at = 0;
  CHECK(stop <= data.size());
  Tokens reader;
  while (at < stop) {
    size_t record = data.find("\n.I", at);
    while (record < stop && record + 3 < data.size() && !blank_byte(data[record + 3])) record = data.find("\n.I", record + 1);
    record = std::min(record == data.npos || record + 3 >= data.size() ? data.size() : record + 1, data.size()) - at;
    CHECK(reader.add(data.substr(at, record), limits, &qrels, parts.names, parts.columns) == record);
    at += record;
  }
  same(whole.columns, parts.columns);
  telex::vectors::Id first, last;
  bool ascend = true;
  CHECK(Tokens::ids(data.substr(0, stop), first, last, ascend));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* input, size_t size) {
  if (size == 0) return 0;
  std::unique_ptr<char[]> data(new char[size]);  // no byte more than there is: an overrun is seen
  std::memcpy(data.get(), input, size);
  std::string_view all(data.get(), size);
  rows({',', 5, 0, 1, 2, 3, 4, ';', false}, all);
  rows({"\t;| "[size % 4], 2, -1, -1, -1, 0, 1, size & 8 ? -1 : ' ', true}, all);
  tokens(all);
  return 0;
}
