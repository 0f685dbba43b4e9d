// The hash of an id, as positions of runs have it.
#pragma once
#include <cstddef>
#include <cstdint>

namespace telex {

// FNV-1a of 64 bits, never 0.
inline uint64_t text_hash(const uint8_t* text, size_t length) {
  uint64_t h = 0xCBF29CE484222325u;
  for (size_t i = 0; i < length; ++i) h = (h ^ text[i]) * 0x100000001B3u;
  return h + (h == 0);
}

}  // namespace telex
