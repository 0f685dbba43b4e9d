// Plain JSON lines: whatever the bytes, nothing is read but them, and what it reads of texts and of times alone agrees.
#include "plain.hpp"

#include "check.hpp"

using namespace telex::plain;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* input, size_t size) {
  if (size == 0) return 0;
  std::unique_ptr<char[]> data(new char[size]);  // no byte more than there is: an overrun is seen
  std::memcpy(data.get(), input, size);
  Fields fields{"id", "time", "title", "text", "labels", size & 1 ? "body" : ""};
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
