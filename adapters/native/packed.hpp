// Messages as MessagePack: [topic, key, value, timestamp, headers, [topic, partition, offset]]. What is read is not
// trusted: it may come from a file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace telex::messages {

inline void put_big(std::string& to, uint64_t number, unsigned bytes) {
  while (bytes--) to += char(number >> (8 * bytes) & 0xFF);
}

inline void pack_integer(std::string& to, int64_t number) {
  auto bits = uint64_t(number);
  if (number >= 0) {
    if (number < 0x80) to += char(number);
    else if (number <= 0xFF) to += '\xCC', put_big(to, bits, 1);
    else if (number <= 0xFFFF) to += '\xCD', put_big(to, bits, 2);
    else if (number <= 0xFFFFFFFF) to += '\xCE', put_big(to, bits, 4);
    else to += '\xCF', put_big(to, bits, 8);
  } else if (number >= -0x20) to += char(number);
  else if (number >= -0x80) to += '\xD0', put_big(to, bits, 1);
  else if (number >= -0x8000) to += '\xD1', put_big(to, bits, 2);
  else if (number >= -0x80000000LL) to += '\xD2', put_big(to, bits, 4);
  else to += '\xD3', put_big(to, bits, 8);
}

inline void pack_text(std::string& to, std::string_view text) {
  size_t size = text.size();
  if (size < 0x20) to += char(0xA0 | size);
  else if (size <= 0xFF) to += '\xD9', put_big(to, size, 1);
  else if (size <= 0xFFFF) to += '\xDA', put_big(to, size, 2);
  else to += '\xDB', put_big(to, size, 4);
  to += text;
}

inline void pack_bytes(std::string& to, std::string_view bytes) {
  size_t size = bytes.size();
  if (size <= 0xFF) to += '\xC4', put_big(to, size, 1);
  else if (size <= 0xFFFF) to += '\xC5', put_big(to, size, 2);
  else to += '\xC6', put_big(to, size, 4);
  to += bytes;
}

inline void pack_array(std::string& to, size_t count) {
  if (count < 0x10) to += char(0x90 | count);
  else if (count <= 0xFFFF) to += '\xDC', put_big(to, count, 2);
  else to += '\xDD', put_big(to, count, 4);
}

// A part of the data; a null one is absent.
struct Part {
  const char* at = nullptr;
  size_t size = 0;
};

struct Packed {
  Part topic, key, value;
  bool timed;
  int64_t timestamp;
  size_t headers;           // how many
  const char *first_header, *behind_headers;
};

// Reads values one by one; every method returns whether the data has one of that kind.
class Unpacker {
 public:
  Unpacker(const char* data, const char* end) : at_(data), end_(end) {}

  const char* at() const { return at_; }

  bool array(size_t& count) {
    uint8_t tag;
    if (!byte(tag)) return false;
    if (tag >> 4 == 0x9) return count = tag & 0xF, true;
    return (tag == 0xDC || tag == 0xDD) && big(count, tag == 0xDC ? 2 : 4);
  }

  bool part(Part& found) {
    uint8_t tag;
    size_t size = 0;
    if (!byte(tag)) return false;
    found = {};
    if (tag == 0xC0) return true;
    if (tag >> 5 == 0x5) size = tag & 0x1F;
    else if (tag == 0xC4 || tag == 0xD9) { if (!big(size, 1)) return false; }
    else if (tag == 0xC5 || tag == 0xDA) { if (!big(size, 2)) return false; }
    else if (tag == 0xC6 || tag == 0xDB) { if (!big(size, 4)) return false; }
    else return false;
    if (size > size_t(end_ - at_)) return false;
    found = {at_, size};
    at_ += size;
    return true;
  }

  bool integer(bool& there, int64_t& number) {
    uint8_t tag;
    size_t bits = 0;
    if (!byte(tag)) return false;
    there = tag != 0xC0;
    number = 0;
    if (!there) return true;
    if (tag < 0x80 || tag >= 0xE0) return number = int8_t(tag), true;
    if (tag < 0xCC || tag > 0xD3) return false;
    unsigned bytes = 1u << (tag & 3);
    if (!big(bits, bytes)) return false;
    if (tag < 0xD0) return number = int64_t(bits), number >= 0;
    unsigned unused = 64 - 8 * bytes;
    number = int64_t(uint64_t(bits) << unused) >> unused;
    return true;
  }

  // A message as a whole: nothing may be behind it.
  bool message(Packed& found) {
    size_t fields, pair;
    Part name;
    bool there;
    int64_t number;
    if (!array(fields) || fields != 6 || !part(found.topic) || !part(found.key) || !part(found.value)) return false;
    if (!integer(found.timed, found.timestamp) || !array(found.headers)) return false;
    found.first_header = at_;
    for (size_t k = 0; k < found.headers; ++k)
      if (!array(pair) || pair != 2 || !part(name) || !name.at || !part(name)) return false;
    found.behind_headers = at_;
    return array(pair) && pair == 3 && part(name) && integer(there, number) && integer(there, number) && at_ == end_;
  }

 private:
  bool byte(uint8_t& found) { return at_ < end_ && (found = uint8_t(*at_++), true); }

  bool big(size_t& number, unsigned bytes) {
    if (size_t(end_ - at_) < bytes) return false;
    number = 0;
    while (bytes--) number = number << 8 | uint8_t(*at_++);
    return true;
  }

  const char *at_, *const end_;
};

}  // namespace telex::messages
