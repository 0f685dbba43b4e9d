// A JSON array of numbers, the syntax of which was checked before.
#pragma once
#include <cmath>
#include <string_view>
#include <vector>

#include "decimal.hpp"

namespace telex::vectors {

struct NumberList {
  std::vector<float> values;
  float largest = 0;  // absolute
};

// The usual number: [-]d or [-]d.dddd, with up to 16 decimals and below 2^53 without its point. Null for any other.
inline const char* usual_number(const char* p, const char* end, float& value) {
  static constexpr uint64_t kTens[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
  if (end - p < 28) return nullptr;
  bool negative = *p == '-';
  p += negative;
  if (!digit(*p)) return nullptr;
  auto mantissa = static_cast<uint64_t>(*p++ - '0');
  int decimals = 0;
  if (*p == '.') {
    ++p;
    for (int half = 0; half < 2; ++half) {
      Eight some(p);
      mantissa = mantissa * kTens[some.count] + some.value();
      decimals += some.count;
      p += some.count;
      if (some.count < 8) break;
    }
  }
  if ((*p != ',' && *p != ']' && *p != ' ') || mantissa >= uint64_t{1} << 53) return nullptr;
  value = static_cast<float>(static_cast<double>(mantissa) / kPowers[decimals]);
  value = negative ? -value : value;
  return p;
}

inline bool json_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

inline const char* any_number(const char* p, const char* end, float& value) {
  const char* word = p;
  while (p < end && *p != ',' && *p != ']' && !json_space(*p)) ++p;
  std::string_view given(word, size_t(p - word));
  if (!digit(*word) && *word != '-') throw Broken{"it holds " + shown(given) + ", which is no number"};
  try {
    value = weight(given);
  } catch (const Broken&) {
    throw Broken{"it holds " + shown(given) + ", which is too big for float32"};
  }
  return p;
}

inline NumberList numbers(const char* p, size_t size) {
  const char* end = p + size;
  auto skip = [&] { while (p < end && json_space(*p)) ++p; };
  skip();
  if (p == end || *p != '[') throw Broken{"it is not a list of numbers"};
  NumberList found;
  found.values.reserve(size / 8);
  ++p;
  skip();
  while (p < end && *p != ']') {
    float value;
    const char* behind = usual_number(p, end, value);
    p = behind ? behind : any_number(p, end, value);
    found.values.push_back(value);
    found.largest = std::fmax(found.largest, std::fabs(value));
    skip();
    if (p < end && *p == ',') ++p;
    skip();
  }
  return found;
}

}  // namespace telex::vectors
