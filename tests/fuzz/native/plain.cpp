// Plain JSON lines: whatever the bytes, nothing is read but them, and what it reads of texts and of times alone agrees; and
// what is collected of them line by line is what is collected at once.
#include "plain.hpp"

#include "check.hpp"
#include "columns.hpp"

using namespace telex::plain;

static bool same(const Columns& one, const Columns& other) {
  auto equal = [](const auto& a, const auto& b) { return a.data == b.data && a.offsets == b.offsets; };
  auto moment = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  return equal(one.ids, other.ids) && equal(one.titles, other.titles) && equal(one.texts, other.texts) &&
         equal(one.labels, other.labels) && one.labelled == other.labelled &&
         std::equal(one.times.begin(), one.times.end(), other.times.begin(), other.times.end(), moment);
}

static void collect(const Fields& fields, std::string_view data) {
  Collector whole, single, cut;
  for (auto* one : {&whole, &single, &cut})
    for (const char* name : {"sport", "war"}) one->names.id(name);
  Limits limits{40, 3};
  size_t stop = whole.add(fields, data, limits), at = 0;
  CHECK(stop <= data.size() && (stop == 0 || stop == data.size() || data[stop - 1] == '\n'));
  while (at < data.size()) {
    size_t line = std::min(data.find('\n', at), data.size() - 1) + 1 - at;
    if (single.add(fields, data.substr(at, line), limits) < line) break;
    at += line;
  }
  CHECK(at == stop && same(whole.columns, single.columns));
  cut.add(fields, data, limits);
  size_t rows = whole.columns.size(), half = rows / 2;
  Columns first = cut.columns.first(half), wanted = whole.columns;
  CHECK(cut.columns.size() == rows - half && first.size() == half);
  wanted.resize(half);
  CHECK(same(first, wanted) && same(whole.columns.first(half), wanted) && same(whole.columns, cut.columns));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* input, size_t size) {
  if (size == 0) return 0;
  std::unique_ptr<char[]> data(new char[size]);  // no byte more than there is: an overrun is seen
  std::memcpy(data.get(), input, size);
  Fields fields{"id", "time", "title", "text", "labels", size & 1 ? "body" : ""};
  collect(fields, {data.get(), size});
  Documents whole, heads;
  bool stored = Reader<true>(fields, data.get(), size, whole).read();
  bool skimmed = Reader<false>(fields, data.get(), size, heads).read();
  CHECK(skimmed || !stored);
  const char *begin = whole.room.get(), *end = begin + size;
  auto inside = [&](const Piece& piece, const char* from, const char* to) {
    CHECK(piece.at >= from && piece.at + piece.size <= to);
    bool ascii = std::all_of(piece.at, piece.at + piece.size, [](char c) { return !(c & 0x80); });
    CHECK(ascii == piece.ascii);
  };
  if (!stored) return 0;
  CHECK(whole.rows.size() == heads.rows.size());
  size_t labels = 0;
  for (size_t i = 0; i < whole.rows.size(); ++i) {
    const Document& row = whole.rows[i];
    CHECK(row.time == heads.rows[i].time || (std::isnan(row.time) && std::isnan(heads.rows[i].time)));
    CHECK(row.id.size && row.text.at && (row.labelled || row.labels_end == labels));
    inside(row.text, begin, end);
    if (row.title.at) inside(row.title, begin, end);
    for (; labels < row.labels_end; ++labels) inside(whole.labels[labels], begin, end);
    CHECK(labels == row.labels_end);
  }
  CHECK(labels == whole.labels.size());
  for (const Piece& piece : whole.foreign) CHECK(!piece.ascii);
  return 0;
}
