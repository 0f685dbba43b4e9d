// Decimal numbers in a buffer; nothing at or behind `end` is read.
#pragma once
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace telex::vectors {

struct Broken {
  std::string reason;
};

inline bool digit(char c) { return c >= '0' && c <= '9'; }
inline bool blank(char c) { return c == ' ' || c == '\t'; }

// Skip leading blanks and carriage returns; a line may have nothing else.
inline const char* begin_of(const char* p, const char* end) {
  while (p < end && (blank(*p) || *p == '\r')) ++p;
  return p;
}

// The end of a line's content: the newline with or without a carriage return, or the end of the data.
inline bool at_end(const char* p, const char* end) {
  return p == end || *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] == '\n'));
}

inline const char* newline(const char* p, const char* end) {
  const void* found = p == end ? nullptr : std::memchr(p, '\n', static_cast<size_t>(end - p));
  return found ? static_cast<const char*>(found) : end;
}

inline const char* word_end(const char* p, const char* end) {
  while (!at_end(p, end) && !blank(*p)) ++p;
  return p;
}

// A word in the form an error shows: short, and plain ASCII.
inline std::string shown(std::string_view word) {
  std::string text(word.substr(0, 40));
  for (char& c : text)
    if (c < 0x20 || c > 0x7e) c = '?';
  return '"' + text + (word.size() > 40 ? "...\"" : "\"");
}

// Eight characters, the first in the lowest byte.
inline uint64_t eight(const char* p) {
  uint64_t some;
  std::memcpy(&some, p, 8);
  if constexpr (std::endian::native == std::endian::big) {
    uint64_t swapped = 0;
    for (int i = 0; i < 8; ++i) swapped |= (some >> (8 * i) & 0xff) << (56 - 8 * i);
    some = swapped;
  }
  return some;
}
// The same, with digits as 0 to 9.
inline uint64_t eight_digits(const char* p) { return eight(p) ^ 0x3030303030303030u; }
// The high bit of each byte that is no digit.
inline uint64_t others(uint64_t digits) { return ((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u; }
inline uint64_t value_of(uint64_t digits) {
  digits = ((digits & 0x0f0f0f0f0f0f0f0fu) * 2561) >> 8;
  digits = ((digits & 0x00ff00ff00ff00ffu) * 6553601) >> 16;
  return ((digits & 0x0000ffff0000ffffu) * 42949672960001u) >> 32;
}

// Eight characters at once: the number of leading digits, and their value.
struct Eight {
  uint64_t digits;
  int count;
  explicit Eight(const char* p) : digits(eight_digits(p)), count(std::countr_zero(others(digits)) >> 3) {}  // 8 if all are
  uint64_t value() const { return count == 0 ? 0 : value_of(digits << (64 - 8 * count)); }
};

// Reads a number of exactly `count` digits, one to eight, where eight characters can be read; false if it is none.
inline bool few_digits(const char* p, ptrdiff_t count, uint64_t& value) {
  if (count < 1 || count > 8) return false;
  uint64_t digits = eight_digits(p) << (64 - 8 * count);
  value = value_of(digits);
  return others(digits) == 0;
}

inline constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
// Halfway between the largest float32 and the next power of two: from here on the nearest float32 is infinite.
inline constexpr double kTooBig = 0x1.ffffffp127;

// Reads [+-] digits [. digits] [e [+-] digits] as the float32 nearest to the double nearest to it.
inline float weight(std::string_view word) {
  const char *p = word.data(), *end = p + word.size();
  bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) ++p;
  const char* start = p;
  uint64_t mantissa = 0;
  int64_t exponent = 0, leading = 0;  // of the value; of its first digit that is not zero
  int significant = 0;
  bool any = false, point = false;
  for (; p < end && (digit(*p) || (*p == '.' && !point)); ++p) {
    if (*p == '.') {
      point = true;
      continue;
    }
    any = true;
    if (*p != '0' || significant) {
      if (significant < 19) mantissa = mantissa * 10 + static_cast<uint64_t>(*p - '0');
      if (significant < 20) ++significant;
      leading += !point;
    } else {
      leading -= point;
    }
    exponent -= point;
  }
  if (any && p < end && (*p == 'e' || *p == 'E')) {
    ++p;
    bool down = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) ++p;
    any = p < end;
    int64_t power = 0;
    for (; p < end && digit(*p); ++p)
      if (power < 1'000'000'000'000'000) power = power * 10 + (*p - '0');
    exponent += down ? -power : power;
    leading += down ? -power : power;
  }
  if (!any || p != end) {
    std::string lower;
    for (const char* q = start; q < end && lower.size() < 9; ++q) lower += static_cast<char>(*q | 0x20);
    bool named = lower == "nan" || lower == "inf" || lower == "infinity";
    throw Broken{"weight " + shown(word) + (named ? " is not finite" : " is not a number")};
  }
  double value = 0;
  if (mantissa == 0) {
    // zero, whatever its exponent
  } else if (significant < 20 && mantissa < (uint64_t{1} << 53) && exponent >= -22 && exponent <= 22) {
    value = static_cast<double>(mantissa);
    value = exponent < 0 ? value / kPowers[-exponent] : value * kPowers[exponent];
  } else if (leading > 100) {
    value = HUGE_VAL;  // far above float32; what is below is far beneath it
  } else if (leading > -100) {
    std::from_chars(start, end, value);
  }
  if (!(value < kTooBig)) throw Broken{"weight " + shown(word) + " is too big for float32"};
  auto nearest = static_cast<float>(value);
  return negative ? -nearest : nearest;
}

}  // namespace telex::vectors
