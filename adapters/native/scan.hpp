// What readers of plain texts look for.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "tables.hpp"

namespace telex::plain {

// Where the first `a` or `b` is, or `end`.
inline const char* either(const char* p, const char* end, char a, char b) {
#ifdef __SSE2__
  for (; end - p >= 16; p += 16) {
    __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    __m128i met = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(a)), _mm_cmpeq_epi8(v, _mm_set1_epi8(b)));
    if (auto bits = unsigned(_mm_movemask_epi8(met))) return p + std::countr_zero(bits);
  }
#endif
  while (p < end && *p != a && *p != b) ++p;
  return p;
}

inline const char* find(const char* p, const char* end, char c) {
  return p < end ? static_cast<const char*>(std::memchr(p, c, size_t(end - p))) : nullptr;
}

inline bool ascii(std::string_view text) {
  uint64_t high = 0, word = 0;
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::memcpy(&word, text.data() + i, 8);
    high |= word;
  }
  for (; i < text.size(); ++i) high |= uint8_t(text[i]);
  return !(high & 0x8080808080808080u);
}

inline bool utf8(std::string_view text) { return ascii(text) || vectors::utf8(text); }

// What Python's bytes call blank, and what its str does: there it is the ASCII ones of it.
inline bool blank_byte(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
inline bool blank_character(char c) { return blank_byte(c) || (c >= 0x1C && c <= 0x1F); }

// Without the blanks around it.
inline std::string_view stripped(std::string_view text) {
  while (!text.empty() && blank_character(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank_character(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace telex::plain
