// ISO 8601 as most write it, as seconds of the epoch.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace telex::plain {

inline constexpr double first_second = -62135596800.0, last_second = 253402300800.0;  // the years 1 to 9999

// The number of the two digits at `at`, or 100 if they are not digits.
inline unsigned two(std::string_view text, size_t at) {
  auto tens = unsigned(text[at]) - '0', ones = unsigned(text[at + 1]) - '0';
  return tens > 9 || ones > 9 ? 100 : 10 * tens + ones;
}

// Days since 1970 in today's calendar, extended back to the year 1.
inline int64_t days_of(int64_t year, unsigned month, unsigned day) {
  year -= month < 3;  // years begin in March, so the leap day is the last
  int64_t months = (month + 9) % 12;
  return 365 * year + year / 4 - year / 100 + year / 400 + (153 * months + 2) / 5 + day - 719469;
}

// Takes YYYY-MM-DD; HH:MM:SS may follow behind `T` or a blank, then 3 or 6 digits of a fraction, then `Z` or +HH:MM. False
// for all else.
inline bool seconds_of(std::string_view text, double& seconds) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return false;
  unsigned century = two(text, 0), rest = two(text, 2), month = two(text, 5), day = two(text, 8);
  if (century > 99 || rest > 99 || month - 1 > 11) return false;
  unsigned year = 100 * century + rest;
  bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  unsigned longest = month == 2 ? 28 + leap : 30 + ((month + month / 8) & 1);
  if (year == 0 || day - 1 >= longest) return false;
  int64_t stamp = 86400 * days_of(year, month, day), millionths = 0;
  text.remove_prefix(10);
  if (!text.empty()) {
    if (text.size() < 9 || (text[0] != 'T' && text[0] != ' ') || text[3] != ':' || text[6] != ':') return false;
    unsigned hour = two(text, 1), minute = two(text, 4), second = two(text, 7);
    if (hour > 23 || minute > 59 || second > 59) return false;
    stamp += 3600 * hour + 60 * minute + second;
    text.remove_prefix(9);
  }
  if (text.starts_with('.')) {
    size_t digits = std::min(text.find_first_not_of("0123456789", 1), text.size()) - 1;
    if (digits != 3 && digits != 6) return false;
    for (size_t i = 0; i < 6; ++i) millionths = 10 * millionths + (i < digits ? text[1 + i] - '0' : 0);
    text.remove_prefix(1 + digits);
  }
  if (text.size() == 6) {
    unsigned hour = two(text, 1), minute = two(text, 4);
    if ((text[0] != '+' && text[0] != '-') || text[3] != ':' || hour > 23 || minute > 59) return false;
    int64_t east = 3600 * hour + 60 * minute;
    stamp -= text[0] == '+' ? east : -east;
  } else if (!text.empty() && text != "Z") {
    return false;
  }
  millionths += 1'000'000 * stamp;
  constexpr int64_t exact = int64_t{1} << 53;
  bool whole = millionths % 1'000'000 == 0;
  if (!whole && (millionths > exact || millionths < -exact)) return false;
  seconds = whole ? double(stamp) : double(millionths) / 1e6;
  return first_second <= seconds && seconds < last_second;
}

}  // namespace telex::plain
