// Lines of vectors: every line that is not blank is a row or a broken line, however the rows are taken out; and what is said
// of the order of the ids is true.
//
// The first byte says how: bit 0 svmlight, 1 zero-based, 2 a qrels file before the first NUL.
#include <algorithm>
#include <cstring>
#include <memory>

#include "check.hpp"
#include "ids.hpp"
#include "parser.hpp"

using namespace telex::vectors;

namespace {

struct Whole {
  Rows rows;
  std::vector<int64_t> broken;
  std::vector<int32_t> names;
};

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void append(Rows& to, const Rows& from) {
  auto shifted = [](std::vector<int64_t>& offsets, const std::vector<int64_t>& more) {
    int64_t last = offsets.back();
    for (size_t i = 1; i < more.size(); ++i) offsets.push_back(last + more[i]);
  };
  shifted(to.indptr, from.indptr);
  shifted(to.label_indptr, from.label_indptr);
  shifted(to.id_offsets, from.id_offsets);
  append(to.features, from.features);
  append(to.labels, from.labels);
  append(to.values, from.values);
  append(to.labelled, from.labelled);
  append(to.ids, from.ids);
}

void check(const Rows& rows, const Table& table) {
  size_t count = rows.labelled.size();
  CHECK(rows.indptr.size() == count + 1 && rows.label_indptr.size() == count + 1 && rows.id_offsets.size() == count + 1);
  CHECK(static_cast<size_t>(rows.indptr.back()) == rows.features.size() && rows.features.size() == rows.values.size());
  CHECK(static_cast<size_t>(rows.label_indptr.back()) == rows.labels.size());
  CHECK(static_cast<size_t>(rows.id_offsets.back()) == rows.ids.size());
  for (size_t row = 0; row < count; ++row) {
    CHECK(rows.id_offsets[row] < rows.id_offsets[row + 1]);
    for (auto i = static_cast<size_t>(rows.indptr[row]); i < static_cast<size_t>(rows.indptr[row + 1]); ++i) {
      CHECK(rows.features[i] >= 0 && static_cast<size_t>(rows.features[i]) < table.features.size());
      CHECK(std::isfinite(rows.values[i]));
      CHECK(i == static_cast<size_t>(rows.indptr[row]) || rows.features[i - 1] < rows.features[i]);
    }
    for (auto i = static_cast<size_t>(rows.label_indptr[row]); i < static_cast<size_t>(rows.label_indptr[row + 1]); ++i) {
      CHECK(static_cast<size_t>(rows.labels[i]) < table.labels.size());
      if (i > static_cast<size_t>(rows.label_indptr[row]))
        CHECK(table.labels[static_cast<size_t>(rows.labels[i - 1])] < table.labels[static_cast<size_t>(rows.labels[i])]);
    }
  }
}

Whole whole(const char* data, size_t size, bool svmlight, bool zero, const Qrels* qrels, int64_t limit) {
  Whole found;
  Table table;
  Parser parser(table, svmlight, zero, qrels);
  size_t at = 0;
  int64_t line = 0;
  while (at < size) {
    Stop stop = parser.parse(data, size, at, line, limit);
    CHECK(stop.next > at && stop.next <= size && stop.line > line);
    at = stop.next;
    line = stop.line;
    if (!stop.reason.empty()) found.broken.push_back(line);
    if (parser.waiting() >= limit || at == size) append(found.rows, parser.take());
  }
  check(found.rows, table);
  for (size_t i = 0; i < table.features.size(); ++i) found.names.push_back(table.features[i]);
  return found;
}

size_t records(const char* data, size_t size, bool svmlight) {
  size_t count = 0;
  for (const char *p = data, *end = data + size; p < end;) {
    const char* stop = newline(p, end);
    const char* q = begin_of(p, stop);
    count += !(at_end(q, end) || (svmlight && *q == '#'));
    p = stop + (stop < end);
  }
  return count;
}

void order(const char* data, size_t size) {
  std::vector<std::string> keys = id_keys(data, size);
  std::vector<std::string> some;
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(some), [](const std::string& key) { return !key.empty(); });
  std::string first, last;
  CHECK(ends_of_ids(data, size, first, last) == std::is_sorted(some.begin(), some.end()));
  CHECK(first == (some.empty() ? "" : some.front()) && last == (some.empty() ? "" : some.back()));
}

// What ends a number is the same on any processor.
void separated(const char* data, size_t size) {
  for (size_t at = 0; at + 64 <= size; at += 64) {
    uint64_t wanted = 0;
    for (size_t i = 0; i < 64; ++i) wanted |= static_cast<uint64_t>(data[at + i] < '-' || data[at + i] > '9') << i;
    CHECK(separators(data + at) == wanted && separators_by_eight(data + at) == wanted);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* input, size_t size) {
  if (size == 0) return 0;
  bool svmlight = input[0] & 1, zero = input[0] & 2, judged = input[0] & 4;
  ++input, --size;
  Qrels qrels;
  if (judged) {
    auto* end = static_cast<const uint8_t*>(size ? std::memchr(input, 0, size) : nullptr);
    size_t length = end ? static_cast<size_t>(end - input) : size;
    std::unique_ptr<char[]> lines(new char[length]);
    if (length) std::memcpy(lines.get(), input, length);
    for (size_t at = 0; at < length;) {
      Stop stop = read_lines(
          lines.get(), length, at, 0, [] { return true; },
          [&](const char* p, const char* stop) { return qrels.line(p, stop), p; });
      CHECK(stop.next > at && stop.next <= length);
      at = stop.next;
    }
    length += end != nullptr;
    input += length, size -= length;
  }
  std::unique_ptr<char[]> data(new char[size]);
  if (size) std::memcpy(data.get(), input, size);
  Whole one = whole(data.get(), size, svmlight, zero, judged ? &qrels : nullptr, 1 << 20);
  Whole other = whole(data.get(), size, svmlight, zero, judged ? &qrels : nullptr, 1);
  CHECK(one.broken == other.broken && one.names == other.names);
  CHECK(one.rows.indptr == other.rows.indptr && one.rows.features == other.rows.features);
  CHECK(one.rows.values == other.rows.values && one.rows.labels == other.rows.labels);
  CHECK(one.rows.ids == other.rows.ids && one.rows.labelled == other.rows.labelled);
  CHECK(one.rows.labelled.size() + one.broken.size() == records(data.get(), size, svmlight));
  order(data.get(), size);
  separated(data.get(), size);
  return 0;
}
