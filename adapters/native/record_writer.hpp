// Records of a batch in Kafka's format 2, behind its header, and the partition that a record's key belongs to.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "packed.hpp"

namespace telex::messages {

// A number with its sign in the last bit, seven bits per byte, the lowest first.
inline void put_varint(std::string& to, int64_t number) {
  uint64_t bits = uint64_t(number) << 1 ^ uint64_t(number >> 63);
  for (; bits >= 0x80; bits >>= 7) to += char(bits | 0x80);
  to += char(bits);
}

inline void put_part(std::string& to, const Part& part) {
  put_varint(to, part.at ? int64_t(part.size) : -1);
  if (part.at) to.append(part.at, part.size);
}

// Appends the body of a record: all of it but its length.
inline void put_body(std::string& to, const Packed& message, int64_t later, int64_t offset) {
  to += '\0';  // attributes, of which there are none
  put_varint(to, later);
  put_varint(to, offset);
  put_part(to, message.key);
  put_part(to, message.value);
  put_varint(to, int64_t(message.headers));
  Unpacker reader(message.first_header, message.behind_headers);
  for (size_t k = 0; k < message.headers; ++k) {
    size_t pair;
    Part part;
    reader.array(pair);
    reader.part(part), put_part(to, part);
    reader.part(part), put_part(to, part);
  }
}

// MurmurHash2 with the seed of Kafka's clients (org.apache.kafka.common.utils.Utils.murmur2).
inline uint32_t murmur2(const Part& key) {
  constexpr uint32_t m = 0x5BD1E995;
  uint32_t h = 0x9747B28C ^ uint32_t(key.size);
  const char* at = key.at;
  size_t left = key.size;
  auto four = [&](size_t k) { return uint32_t(uint8_t(at[k])); };
  for (; left >= 4; at += 4, left -= 4) {
    uint32_t k = four(0) | four(1) << 8 | four(2) << 16 | four(3) << 24;
    k *= m, k ^= k >> 24, k *= m;
    h *= m, h ^= k;
  }
  if (left == 3) h ^= four(2) << 16;
  if (left >= 2) h ^= four(1) << 8;
  if (left >= 1) h ^= four(0), h *= m;
  h ^= h >> 13, h *= m, h ^= h >> 15;
  return h;
}

}  // namespace telex::messages
