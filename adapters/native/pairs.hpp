// The pairs feature:weight of a line, in the formats of LYRL2004 and of svmlight.
#pragma once
#include <algorithm>
#include <bit>
#include <string_view>
#include <vector>

#include "separators.hpp"

namespace telex::vectors {

class Pairs {
 public:
  // Without `zero`, the feature 0 of svmlight is a mistake.
  Pairs(bool svmlight, bool zero) : svmlight_(svmlight), zero_(zero) {}

  size_t size() const { return count_; }
  const int32_t* numbers() const { return numbers_.data(); }
  const float* values() const { return values_.data(); }

  // Reads feature:weight up to the line's end, ascending and distinct.
  const char* read(const char* p, const char* end) {
    size_t count = 0;
    bool ascending = true;
    int64_t last = -1, first = svmlight_ && !zero_;
    for (;;) {
      while (p < end && blank(*p)) ++p;
      if (at_end(p, end)) break;
      if (svmlight_ && *p == '#') {
        p = newline(p, end);
        break;
      }
      if (count == numbers_.size()) {
        numbers_.resize(std::max<size_t>(256, count * 2));
        values_.resize(numbers_.size());
      }
      const char* behind = signs_ ? usual<true>(p, end, first, last, count, ascending)
                                  : usual<false>(p, end, first, last, count, ascending);
      if (behind != p) {
        p = behind;
        continue;
      }
      int64_t number;
      float value;
      p = any(p, end, number, value);
      if (number < 0) continue;  // a qid
      signs_ |= std::signbit(value);
      if (number < first) throw Broken{"feature id 0 in a one-based file; say zero_based=true"};
      ascending &= number > last;
      last = number;
      numbers_[count] = static_cast<int32_t>(number);
      values_[count++] = value;
    }
    count_ = count;
    if (!ascending) sort_numbers();
    return p;
  }

 private:
  static constexpr int64_t kMostNumber = 0x7fffffff;

  // Reads usual pairs up to the first that is not: a number of at most 8 digits, not below `first`; a weight d.dddddddd, or
  // of at most 8 digits without a point, with `signs` maybe negative; a blank or the line's end. Returns where it stopped: at the
  // beginning of a pair, or at that end. Each part is checked by itself, so that its place need not be trusted.
  template <bool signs>
  const char* usual(const char* p, const char* end, int64_t first, int64_t& last, size_t& count, bool& ascending) {
    static constexpr ptrdiff_t kRoom = 64 + 16;  // a block, and what may be read from its last character on
    if (end - p < kRoom) return p;
    const char* block = p;
    uint64_t mask = separators(p);
    auto next = [&]() -> const char* {
      while (!mask) {
        block += 64;
        if (end - block < kRoom) return nullptr;
        mask = separators(block);
      }
      const char* found = block + std::countr_zero(mask);
      mask &= mask - 1;
      return found;
    };
    size_t room = numbers_.size();
    int32_t* numbers = numbers_.data();
    float* values = values_.data();
    size_t at = count;
    int64_t before = last;
    bool rising = ascending;
    while (at < room) {
      const char *colon = next(), *stop = colon ? next() : nullptr;
      if (!stop || *colon != ':' || (*stop != ' ' && *stop != '\n')) break;
      uint64_t number, mantissa;
      if (!few_digits(p, colon - p, number) || static_cast<int64_t>(number) < first) break;
      const char* word = colon + 1;
      bool negative = signs && *word == '-';
      word += negative;
      ptrdiff_t decimals = stop - word - 2;
      if (decimals > 0 && word[1] == '.') {
        if (!digit(*word) || !few_digits(word + 2, decimals, mantissa)) break;
        mantissa += static_cast<uint64_t>(*word - '0') * kTens[decimals];
      } else {
        if (!few_digits(word, stop - word, mantissa)) break;
        decimals = 0;
      }
      auto value = static_cast<float>(static_cast<double>(mantissa) / kPowers[decimals]);
      numbers[at] = static_cast<int32_t>(number);
      values[at++] = std::bit_cast<float>(std::bit_cast<uint32_t>(value) | static_cast<uint32_t>(negative) << 31);  // no branch
      rising &= static_cast<int64_t>(number) > before;
      before = static_cast<int64_t>(number);
      p = stop;
      if (*stop == '\n') break;
      ++p;
    }
    last = before;
    count = at;
    ascending = rising;
    return p;
  }
  static constexpr uint64_t kTens[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};

  // Any pair, or the reason why it is not one; -1 for svmlight's qid.
  const char* any(const char* p, const char* end, int64_t& number, float& value) const {
    const char* stop = p;
    while (!at_end(stop, end) && !blank(*stop) && !(svmlight_ && *stop == '#')) ++stop;
    std::string_view word(p, static_cast<size_t>(stop - p));
    size_t colon = word.find(':');
    if (colon == word.npos) throw Broken{shown(word) + " is not feature:weight"};
    std::string_view left = word.substr(0, colon), digits = left;
    number = -1;
    if (svmlight_ && left == "qid") return stop;
    bool negative = !left.empty() && left[0] == '-';
    if (negative) digits.remove_prefix(1);
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), digit))
      throw Broken{"feature id " + shown(left) + " is not a number"};
    if (negative) throw Broken{"feature id " + shown(left) + " is negative"};
    number = 0;
    for (char c : digits) {
      number = number * 10 + (c - '0');
      if (number > kMostNumber) throw Broken{"feature id " + shown(left) + " is above 2147483647"};
    }
    value = weight(word.substr(colon + 1));
    return stop;
  }

  void sort_numbers() {
    packed_.resize(count_);
    for (size_t i = 0; i < count_; ++i)
      packed_[i] = static_cast<uint64_t>(numbers_[i]) << 32 | std::bit_cast<uint32_t>(values_[i]);
    std::sort(packed_.begin(), packed_.end());
    for (size_t i = 0; i < count_; ++i) {
      numbers_[i] = static_cast<int32_t>(packed_[i] >> 32);
      values_[i] = std::bit_cast<float>(static_cast<uint32_t>(packed_[i]));
      if (i && numbers_[i] == numbers_[i - 1])
        throw Broken{"feature id " + std::to_string(numbers_[i]) + " is given twice"};
    }
  }

  bool svmlight_, zero_;
  bool signs_ = false;  // a weight was negative: more will be
  size_t count_ = 0;
  std::vector<int32_t> numbers_;
  std::vector<float> values_;
  std::vector<uint64_t> packed_;
};

}  // namespace telex::vectors
