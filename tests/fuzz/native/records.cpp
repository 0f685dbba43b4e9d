// Records of a batch: whatever the bytes, nothing is read but them, and what it reports of them lies within them.
#include "records.hpp"

#include <cstring>
#include <memory>

#include "check.hpp"

using namespace telex::records;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* input, size_t size) {
  if (size < 2) return 0;
  Batch batch{int8_t(input[0]), input[1] & 1 ? INT64_MAX - 3 : 0, input[1] & 2 ? INT64_MIN + 3 : 1000, (input[1] & 4) != 0};
  size -= 2;
  std::unique_ptr<char[]> data(new char[size]);  // no byte more than there is: an overrun is seen
  std::memcpy(data.get(), input + 2, size);
  const char *begin = data.get(), *end = begin + size, *last = begin;
  auto inside = [&](const Piece& piece) {
    if (piece.size < 0) return;
    CHECK(piece.at >= last && piece.at + piece.size <= end);
    last = piece.at + piece.size;
  };
  Reader reader(batch, begin, size);
  int64_t read = 0, bytes = 0;
  while (!reader.done()) {
    Record record;
    int64_t before = bytes;
    Trouble trouble = reader.next(record, bytes);
    if (trouble != Trouble::none) {
      CHECK(reason_of(trouble) && bytes == before);
      return 0;
    }
    ++read;
    CHECK(bytes - before >= 6 && bytes + read <= int64_t(size));
    if (batch.appended) CHECK(record.timestamp == batch.timestamp);
    inside(record.key);
    inside(record.value);
    for (const Header& header : record.headers) {
      CHECK(header.name.size >= 0 && utf8(header.name));
      inside(header.name);
      inside(header.value);
    }
  }
  CHECK(read == (batch.count < 0 ? 0 : batch.count));
  CHECK(reader.ended() == Trouble::none || reader.ended() == Trouble::behind);
  return 0;
}
