// JSON as msgspec writes it: the same bytes.
#pragma once
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace telex::messages {

inline void put_integer(std::string& to, int64_t number) {
  char digits[24];
  to.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

// The fewest digits that read back as the same number; null if it is not finite. Like ECMAScript, but fixed from 1e-5 to
// 1e16, always with a fraction, and with no plus in the exponent.
inline void put_number(std::string& to, double number) {
  if (!std::isfinite(number)) {
    to += "null";
    return;
  }
  char shortest[32];
  char* end = std::to_chars(shortest, shortest + sizeof shortest, number, std::chars_format::scientific).ptr;
  const char* at = shortest;
  if (*at == '-') to += *at++;
  char digits[24];
  int count = 0;
  for (; *at != 'e'; ++at)
    if (*at != '.') digits[count++] = *at;
  ++at;
  int exponent = 0;
  std::from_chars(*at == '+' ? at + 1 : at, end, exponent);
  if (count == 1 && digits[0] == '0') {
    to += "0.0";
  } else if (exponent >= 16 || exponent < -5) {
    to += digits[0];
    if (count > 1) (to += '.').append(digits + 1, size_t(count - 1));
    to += 'e';
    put_integer(to, exponent);
  } else if (exponent < 0) {
    to.append("0.0000", size_t(1 - exponent)).append(digits, size_t(count));
  } else {
    int whole = exponent + 1;
    to.append(digits, size_t(count < whole ? count : whole)).append(size_t(count < whole ? whole - count : 0), '0');
    to += '.';
    if (count > whole) to.append(digits + whole, size_t(count - whole));
    else to += '0';
  }
}

inline void put_string(std::string& to, std::string_view text) {
  to += '"';
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    auto c = uint8_t(text[at]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    to.append(text, begin, at - begin);
    begin = at + 1;
    to += '\\';
    switch (c) {
      case '"': case '\\': to += char(c); break;
      case '\b': to += 'b'; break;
      case '\f': to += 'f'; break;
      case '\n': to += 'n'; break;
      case '\r': to += 'r'; break;
      case '\t': to += 't'; break;
      default:
        to += "u00";
        to += c < 0x10 ? '0' : '1';
        to += "0123456789abcdef"[c & 0xF];
    }
  }
  to.append(text, begin);
  to += '"';
}

inline void put_two(std::string& to, int64_t number) {
  to += char('0' + number / 10);
  to += char('0' + number % 10);
}

constexpr double first_moment = -62135596800.0, end_of_moments = 253402300799.0;  // the years 1 to 9999

// Epoch seconds as ISO 8601 with Z, to the microsecond, as Python's datetime rounds and writes it.
inline void put_moment(std::string& to, double time) {
  double whole, fraction = std::nearbyint(std::modf(time, &whole) * 1e6);
  if (fraction >= 1e6) fraction -= 1e6, whole += 1;
  if (fraction < 0) fraction += 1e6, whole -= 1;
  auto seconds = int64_t(whole), micros = int64_t(fraction);
  int64_t days = seconds / 86400, rest = seconds % 86400;
  if (rest < 0) rest += 86400, --days;
  // Hinnant, "chrono-Compatible Low-Level Date Algorithms": civil_from_days.
  days += 719468;
  int64_t era = (days >= 0 ? days : days - 146096) / 146097, of_era = days - era * 146097;
  int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t shifted = (5 * of_year + 2) / 153, day = of_year - (153 * shifted + 2) / 5 + 1;
  int64_t month = shifted < 10 ? shifted + 3 : shifted - 9, year = year_of_era + era * 400 + (month <= 2);
  put_two(to, year / 100), put_two(to, year % 100);
  to += '-', put_two(to, month);
  to += '-', put_two(to, day);
  to += 'T', put_two(to, rest / 3600);
  to += ':', put_two(to, rest / 60 % 60);
  to += ':', put_two(to, rest % 60);
  if (micros) {
    to += '.';
    put_two(to, micros / 10000), put_two(to, micros / 100 % 100), put_two(to, micros % 100);
  }
  to += 'Z';
}

}  // namespace telex::messages
