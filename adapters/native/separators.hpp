// Which of 64 characters end a number, as a mask with a bit for each: so the words of a line are found without one having to
// wait for the end of the one before.
#pragma once
#include <cstdint>

#include "decimal.hpp"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace telex::vectors {

// Bit i is set where p[i] is none of "-./0123456789"; eight at a time, on any processor.
inline uint64_t separators_by_eight(const char* p) {
  constexpr uint64_t kEach = 0x0101010101010101u;
  uint64_t mask = 0;
  for (int part = 0; part < 8; ++part) {
    uint64_t some = eight(p + 8 * part), low = some & 0x7f * kEach;
    uint64_t within = (low + (0x80 - '-') * kEach) & ~(low + (0x7f - '9') * kEach) & ~some & 0x80 * kEach;
    mask |= ((within >> 7) * 0x0102040810204080u >> 56) << (8 * part);
  }
  return ~mask;
}

inline uint64_t separators(const char* p) {
#if defined(__SSE2__)
  const __m128i first = _mm_set1_epi8('-'), span = _mm_set1_epi8('9' - '-');
  uint64_t mask = 0;
  for (int part = 0; part < 4; ++part) {
    __m128i from = _mm_sub_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * part)), first);
    auto within = static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(from, span), from)));
    mask |= static_cast<uint64_t>(within) << (16 * part);
  }
  return ~mask;
#else
  return separators_by_eight(p);
#endif
}

}  // namespace telex::vectors
