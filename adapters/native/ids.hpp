// What lines of LYRL2004's vectors are sorted by.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "decimal.hpp"

namespace telex::vectors {

// A line's first word as a sort key of ids: words of digits come first, by their value.
struct Id {
  bool number = false;
  std::string_view word;  // empty and no number: no key

  Id() = default;
  explicit Id(std::string_view text) : number(!text.empty() && std::all_of(text.begin(), text.end(), digit)), word(text) {
    if (number) word.remove_prefix(std::min(word.find_first_not_of('0'), word.size()));
  }
  bool none() const { return !number && word.empty(); }
  bool operator<(const Id& other) const {
    if (number != other.number) return number;
    if (number && word.size() != other.word.size()) return word.size() < other.word.size();
    return word < other.word;
  }
  // Bytes that sort in the same order.
  std::string key() const {
    if (none()) return {};
    std::string key(1, number ? '0' : '1');
    for (int shift = 24; number && shift >= 0; shift -= 8) key += static_cast<char>(word.size() >> shift & 0xff);
    return key.append(word);
  }
};

template <class Take>
void each_id(const char* data, size_t size, Take take) {
  for (const char *p = data, *end = data + size; p < end;) {
    p = begin_of(p, end);
    const char* stop = word_end(p, end);
    take(Id({p, static_cast<size_t>(stop - p)}));
    p = newline(stop, end);
    p += p < end;
  }
}

// One key per line, empty for a blank line.
inline std::vector<std::string> id_keys(const char* data, size_t size) {
  std::vector<std::string> keys;
  each_id(data, size, [&](const Id& id) { keys.push_back(id.key()); });
  return keys;
}

// Whether the lines' ids never descend; `first` and `last` become the keys of the first and the last that has one.
inline bool ends_of_ids(const char* data, size_t size, std::string& first, std::string& last) {
  Id begin, ahead;
  bool ascend = true;
  each_id(data, size, [&](const Id& id) {
    if (id.none()) return;
    if (begin.none()) begin = ahead = id;
    ascend &= !(id < ahead);
    ahead = id;
  });
  first = begin.key();
  last = ahead.key();
  return ascend;
}

}  // namespace telex::vectors
