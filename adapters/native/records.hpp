// The records of a batch in Kafka's format 2, after its header. Nothing is copied until the caller takes it:
// the bytes must live until then. They are untrusted.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace telex::records {

// A part of the given bytes; a size of -1 is null.
struct Piece {
  const char* at = nullptr;
  int32_t size = -1;
  size_t length() const { return size < 0 ? 0 : size_t(size); }
};

struct Header {
  Piece name, value;
};

struct Record {
  int64_t offset, timestamp;
  Piece key, value;
  std::vector<Header> headers;  // mostly empty, which takes no memory of its own
};

struct Batch {
  int64_t count;      // of records
  int64_t offset;     // to which theirs are added
  int64_t timestamp;  // to which theirs are added, or that of all records
  bool appended;      // the broker's time, shared by all records
};

enum class Trouble { none, cut, number, size, headers, name, length, behind };

inline const char* reason_of(Trouble trouble) {
  switch (trouble) {
    case Trouble::none: return nullptr;
    case Trouble::cut: return "it ends too early";
    case Trouble::number: return "a number is out of range";
    case Trouble::size: return "something is larger than it can be";
    case Trouble::headers: return "the number of headers, or the size of the name of one, is negative";
    case Trouble::name: return "the name of a header is not UTF-8";
    case Trouble::length: return "it is not as long as it says";
    case Trouble::behind: return "there is more behind the last record";
  }
  return nullptr;
}

inline bool utf8(const Piece& piece) {
  auto at = reinterpret_cast<const uint8_t*>(piece.at), end = at + piece.length();
  while (at < end) {
    uint32_t first = *at++;
    if (first < 0x80) continue;
    unsigned more = first < 0xC2 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF5 ? 3 : 0;
    if (!more || size_t(end - at) < more) return false;
    uint32_t c = first & (0x3Fu >> more);
    for (unsigned i = 0; i < more; ++i, ++at) {
      if ((*at & 0xC0) != 0x80) return false;
      c = c << 6 | (*at & 0x3Fu);
    }
    if (more == 2 && (c < 0x800 || c >> 11 == 0x1B)) return false;
    if (more == 3 && (c < 0x10000 || c > 0x10FFFF)) return false;
  }
  return true;
}

// Reads records one at a time.
class Reader {
 public:
  Reader(const Batch& batch, const char* data, size_t size) : batch_(batch), at_(data), end_(data + size) {}

  bool done() const { return read_ >= batch_.count; }
  // The error of the last record read.
  Trouble ended() const { return at_ == end_ ? Trouble::none : Trouble::behind; }

  // Reads one, and adds its stated length to `bytes`.
  Trouble next(Record& record, int64_t& bytes) {
    int64_t length, attributes, later, delta, headers;
    trouble_ = Trouble::none;
    if (!number(length)) return trouble_;
    const char* begin = at_;
    if (!number(attributes) || !number(later) || !number(delta)) return trouble_;
    if (__builtin_add_overflow(batch_.offset, delta, &record.offset)) return Trouble::number;
    record.timestamp = batch_.timestamp;
    if (!batch_.appended && __builtin_add_overflow(batch_.timestamp, later, &record.timestamp)) return Trouble::number;
    if (!piece(record.key) || !piece(record.value) || !number(headers)) return trouble_;
    if (headers < 0) return Trouble::headers;
    for (; headers > 0; --headers) {
      Header header;
      if (!piece(header.name)) return trouble_;
      if (header.name.size < 0) return Trouble::headers;
      if (!utf8(header.name)) return Trouble::name;
      if (!piece(header.value)) return trouble_;
      record.headers.push_back(header);
    }
    if (at_ - begin != length) return Trouble::length;
    bytes += length;
    ++read_;
    return Trouble::none;
  }

 private:
  bool failed(Trouble trouble) { return trouble_ = trouble, false; }

  // A number with its sign in the last bit, seven bits per byte, the lowest first.
  bool number(int64_t& found) {
    uint64_t bits = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == end_) return failed(Trouble::cut);
      auto byte = uint8_t(*at_++);
      if (shift == 63 && byte > 1) return failed(Trouble::number);
      bits |= uint64_t(byte & 0x7F) << shift;
      if (!(byte & 0x80)) return found = int64_t(bits >> 1) ^ -int64_t(bits & 1), true;
    }
    return failed(Trouble::number);
  }

  bool piece(Piece& found) {
    int64_t size;
    if (!number(size)) return false;
    found = {};
    if (size < 0) return true;
    if (size > end_ - at_) return failed(Trouble::cut);
    if (size > INT32_MAX) return failed(Trouble::size);
    found = {at_, int32_t(size)};
    at_ += size;
    return true;
  }

  const Batch batch_;
  const char *at_, *const end_;
  int64_t read_ = 0;
  Trouble trouble_ = Trouble::none;
};

}  // namespace telex::records
