// Lines of sparse vectors to the rows of a batch, in the formats of LYRL2004 and of svmlight.
#pragma once
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "qrels.hpp"
#include "separators.hpp"

namespace telex::vectors {

// Where reading stopped. `reason` is empty if nothing is wrong; otherwise it is about the line before `next`.
struct Stop {
  size_t next;  // offset of the first line not read, and its index
  int64_t line;
  std::string reason;
  size_t begin;  // of the broken line
};

// Reads the lines of `data` from `start` on while `more()`, each by `read(begin, end)`, which returns where it stopped.
template <class More, class Read>
Stop read_lines(const char* data, size_t size, size_t start, int64_t line, More more, Read read) {
  const char *p = data + start, *end = data + size;
  while (p < end && more()) {
    const char* begin = p;
    ++line;
    try {
      p = read(p, end);
    } catch (Broken& broken) {
      p = newline(begin, end);
      p += p < end;
      return {static_cast<size_t>(p - data), line, std::move(broken.reason), static_cast<size_t>(begin - data)};
    }
    p = newline(p, end);
    p += p < end;
  }
  return {static_cast<size_t>(p - data), line, {}, 0};
}

struct Rows {
  std::vector<int64_t> indptr{0}, label_indptr{0}, id_offsets{0};
  std::vector<int32_t> features, labels;
  std::vector<float> values;
  std::vector<uint8_t> labelled, ids;
};

// The limits of a record, as in stream/sources/record_budget.py; infinity is no limit.
struct Budget {
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  double labels = kNone, new_labels = kNone, all_labels = kNone, label_length = kNone, terms = kNone, value = kNone;
};

// One pass over a source. A broken line leaves no trace, neither in the rows nor in the tables.
class Parser {
 public:
  Parser(Table& table, bool svmlight, bool zero, const Qrels* qrels, const Budget& budget = {})
      : table_(table), qrels_(qrels), svmlight_(svmlight), zero_(zero), budget_(budget) {
    if (qrels_) order_names();
  }

  // Reads until `limit` rows wait, or a line is broken, or the data ends.
  Stop parse(const char* data, size_t size, size_t start, int64_t line, int64_t limit) {
    std::lock_guard hold(table_.mutex);
    return read_lines(
        data, size, start, line, [&] { return waiting() < limit && rows_.features.size() < kMostEntries; },
        [&](const char* p, const char* end) { return svmlight_ ? svmlight(p, end) : lyrl(p, end); });
  }
  int64_t waiting() const { return static_cast<int64_t>(rows_.labelled.size()); }

  Rows take() {
    Rows rows = std::move(rows_);
    rows_ = Rows{};
    rows_.features.reserve(rows.features.size() + rows.features.size() / 8);
    rows_.values.reserve(rows_.features.capacity());
    return rows;
  }

 private:
  static constexpr size_t kMostEntries = 4 << 20;  // of one batch: a bound for any length of lines
  static constexpr size_t kBehind = 2;  // how far behind a row sort_row may write
  static constexpr int64_t kMostNumber = 0x7fffffff;

  const char* lyrl(const char* p, const char* end) {
    p = begin_of(p, end);
    if (at_end(p, end)) return p;
    const char* id = p;
    p = word_end(p, end);
    std::string_view name(id, static_cast<size_t>(p - id));
    size_t digits = 0;
    while (digits < name.size() && digit(name[digits])) ++digits;
    if (digits < name.size() && name[digits] == ':' && digits) throw Broken{"the document id is missing"};
    if (!utf8(name)) throw Broken{"the document id is not UTF-8"};
    if (qrels_ && !qrels_->is(next_, name)) __builtin_prefetch(qrels_->near(name));  // it arrives while the pairs are read
    p = pairs(p, end);
    answers_.clear();
    labels_.clear();
    int32_t document = qrels_ ? qrels_->find(name, next_) : -1;
    if (document >= 0) answers(document);
    commit(name, document >= 0);
    return p;
  }

  // Finds the labels of a document of the qrels, in order of their names.
  void answers(int32_t document) {
    next_ = document + 1;
    qrels_->labels(document, answers_);
    std::sort(answers_.begin(), answers_.end(), [&](int32_t a, int32_t b) {
      return ranks_[static_cast<size_t>(a)] < ranks_[static_cast<size_t>(b)];
    });
    for (int32_t label : answers_) labels_.push_back(qrels_->label_names()[static_cast<size_t>(label)]);
  }
  void order_names() {
    const Texts& names = qrels_->label_names();
    std::vector<int32_t> sorted(names.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::sort(sorted.begin(), sorted.end(), [&](int32_t a, int32_t b) {
      return names[static_cast<size_t>(a)] < names[static_cast<size_t>(b)];
    });
    ranks_.resize(names.size());
    for (size_t i = 0; i < sorted.size(); ++i) ranks_[static_cast<size_t>(sorted[i])] = static_cast<int32_t>(i);
    ids_.assign(names.size(), -1);
  }

  const char* svmlight(const char* p, const char* end) {
    const char* word = p;
    p = begin_of(p, end);
    if (at_end(p, end) || *p == '#') return p;  // nothing, or only a comment
    labels_.clear();
    const char* stop = p;
    bool pair = p != word;  // a line that begins with a blank has no label
    while (!pair && !at_end(stop, end) && !blank(*stop) && *stop != '#') pair = *stop++ == ':';
    if (!pair) {
      split({p, static_cast<size_t>(stop - p)});
      p = stop;
    }
    p = pairs(p, end);
    char number[20];
    char* last = std::to_chars(number, number + sizeof number, number_).ptr;
    commit({number, static_cast<size_t>(last - number)}, true);
    return p;
  }

  void split(std::string_view word) {
    for (;;) {
      size_t comma = word.find(',');
      std::string_view label = word.substr(0, comma);
      if (label.empty()) throw Broken{"a label is empty"};
      if (!utf8(label)) throw Broken{"a label is not UTF-8"};
      labels_.push_back(label);
      if (comma == word.npos) break;
      word.remove_prefix(comma + 1);
    }
    std::sort(labels_.begin(), labels_.end());
    labels_.erase(std::unique(labels_.begin(), labels_.end()), labels_.end());  // a label said twice is one label
  }

  // Reads feature:weight up to the line's end, into numbers_ and values_, ascending and distinct.
  const char* pairs(const char* p, const char* end) {
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
      const char* behind = usual(p, end, first, last, count, ascending);
      if (behind != p) {
        p = behind;
        continue;
      }
      int64_t number;
      float value;
      p = any(p, end, number, value);
      if (number < 0) continue;  // a qid
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

  // Reads usual pairs up to the first that is not: a number of at most 8 digits, not below `first`; a weight d.dddddddd, or
  // of at most 8 digits without a point, maybe negative; a blank or the line's end. Returns where it stopped: at the
  // beginning of a pair, or at that end. Each part is checked by itself, so that its place need not be trusted.
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
      bool negative = *word == '-';
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
      values[at++] = std::bit_cast<float>(std::bit_cast<uint32_t>(value) | static_cast<uint32_t>(negative) << 31);
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

  // Refuses a line beyond the budget, in the words of stream/sources/record_check.py; counts its labels as met.
  void check() {
    if (static_cast<double>(count_) > budget_.terms)
      refuse("there are " + std::to_string(count_) + " terms", "terms", budget_.terms);
    int32_t bits = 0;  // sizes of numbers are in the order of their bits without the sign, which a vector compares at once
    for (size_t i = 0; i < count_; ++i) bits = std::max(bits, std::bit_cast<int32_t>(values_[i]) & 0x7fffffff);
    if (auto largest = std::bit_cast<float>(bits); static_cast<double>(largest) > budget_.value) {
      char number[32];
      auto at = std::find_if(values_.begin(), values_.end(), [&](float x) { return std::fabs(x) == largest; }) - values_.begin();
      std::snprintf(number, sizeof number, "%g", static_cast<double>(values_[at]));
      refuse("the feature '" + std::to_string(numbers_[at]) + "' has the value " + number, "value", budget_.value);
    }
    if (static_cast<double>(labels_.size()) > budget_.labels)
      refuse("there are " + std::to_string(labels_.size()) + " labels", "labels", budget_.labels);
    size_t fresh = 0, longest = 0;
    label_ids_.resize(labels_.size());
    for (size_t i = 0; i < labels_.size(); ++i) {
      int32_t* known = i < answers_.size() ? &ids_[static_cast<size_t>(answers_[i])] : nullptr;
      label_ids_[i] = known && *known >= 0 ? *known : table_.labels.find(labels_[i]);
      if (known) *known = label_ids_[i];
      if (label_ids_[i] >= 0 && met(label_ids_[i])) continue;
      ++fresh;
      longest = std::max(longest, characters(labels_[i]));
    }
    if (!fresh) return;
    if (static_cast<double>(longest) > budget_.label_length)
      refuse("a label has " + std::to_string(longest) + " characters", "label-length", budget_.label_length);
    if (static_cast<double>(fresh) > budget_.new_labels)
      refuse(std::to_string(fresh) + " of its labels are new", "new-labels", budget_.new_labels);
    if (static_cast<double>(count_met_ + fresh) > budget_.all_labels)
      refuse("with it there are " + std::to_string(count_met_ + fresh) + " labels", "all-labels", budget_.all_labels);
    count_met_ += fresh;
    for (size_t i = 0; i < labels_.size(); ++i) {
      if (label_ids_[i] < 0) label_ids_[i] = table_.labels.id(labels_[i]);
      auto id = static_cast<size_t>(label_ids_[i]);
      if (id >= met_.size()) met_.resize(std::max<size_t>(64, 2 * id + 1));
      met_[id] = true;
    }
  }
  bool met(int32_t id) const { return static_cast<size_t>(id) < met_.size() && met_[static_cast<size_t>(id)]; }
  static size_t characters(std::string_view label) {
    return static_cast<size_t>(std::count_if(label.begin(), label.end(), [](char c) { return (c & 0xc0) != 0x80; }));
  }
  [[noreturn]] static void refuse(const std::string& what, const char* limit, double most) {
    char number[32];
    std::snprintf(number, sizeof number, "%.15g", most);
    throw Broken{what + ", above the limit of " + number + "; raise it with --budget " + limit + "=N"};
  }

  // The line is valid: numbers its names and appends it to the rows.
  void commit(std::string_view id, bool labelled) {
    check();
    size_t begin = rows_.features.size();
    rows_.features.resize(begin + count_ + kBehind);
    rows_.values.resize(begin + count_ + kBehind);
    int32_t* ids = rows_.features.data() + begin;
    int32_t last = -1;
    bool ascending = true;
    for (size_t i = 0; i < count_; ++i) {
      int32_t at = table_.features.find(numbers_[i]);
      if (at < 0) at = table_.features.add(numbers_[i]);
      ascending &= at > last;
      last = at;
      ids[i] = at;
    }
    if (ascending)
      std::copy_n(values_.data(), count_, rows_.values.data() + begin);
    else
      sort_row(ids, rows_.values.data() + begin);
    rows_.features.resize(begin + count_);
    rows_.values.resize(begin + count_);
    rows_.indptr.push_back(static_cast<int64_t>(rows_.features.size()));
    rows_.labels.insert(rows_.labels.end(), label_ids_.begin(), label_ids_.end());
    rows_.label_indptr.push_back(static_cast<int64_t>(rows_.labels.size()));
    rows_.labelled.push_back(labelled);
    rows_.ids.insert(rows_.ids.end(), id.begin(), id.end());
    rows_.id_offsets.push_back(static_cast<int64_t>(rows_.ids.size()));
    ++number_;
  }

  // Sorts a row by id. Long rows over few features go through a bitmap with an index, which compares nothing.
  void sort_row(int32_t* ids, float* values) {
    size_t words = table_.features.size() / 64 + 1, groups = words / 64 + 1;
    if (groups > 2 * count_ + 8) {
      packed_.resize(count_);
      for (size_t i = 0; i < count_; ++i)
        packed_[i] = static_cast<uint64_t>(ids[i]) << 32 | std::bit_cast<uint32_t>(values_[i]);
      std::sort(packed_.begin(), packed_.end());
      for (size_t i = 0; i < count_; ++i) {
        ids[i] = static_cast<int32_t>(packed_[i] >> 32);
        values[i] = std::bit_cast<float>(static_cast<uint32_t>(packed_[i]));
      }
      return;
    }
    if (bits_.size() < groups * 64) {
      bits_.resize(groups * 128);
      groups_.resize(groups * 2);
      slots_.resize(groups * 2 * 4096);
    }
    static constexpr uint64_t kHighest = uint64_t{1} << 63;
    uint64_t *bits = bits_.data(), *index = groups_.data();
    float* slots = slots_.data();
    for (size_t i = 0, n = count_; i < n; ++i) {
      auto id = static_cast<size_t>(ids[i]);
      slots[id] = values_[i];
      bits[id >> 6] |= uint64_t{1} << (id & 63);
      index[id >> 12] |= uint64_t{1} << (id >> 6 & 63);
    }
    for (size_t g = 0; g < groups; ++g) {
      for (uint64_t group = index[g]; group; group &= group - 1) {
        size_t word = g * 64 + static_cast<size_t>(std::countr_zero(group));
        // Two at a time, even if some are too many: how many a word has is hard to predict.
        const float* slot = slots + word * 64;
        auto first = static_cast<int32_t>(word * 64);
        uint64_t rest = bits[word];
        for (;;) {
          int many = 0;
#pragma GCC unroll 2
          for (int i = 0; i < 2; ++i) {
            int bit = std::countr_zero(rest | kHighest);
            ids[i] = first + bit;
            values[i] = slot[bit];
            many += rest != 0;
            rest &= rest - 1;
          }
          ids += many;
          values += many;
          if (!rest) break;
        }
        bits[word] = 0;
      }
      index[g] = 0;
    }
  }

  Table& table_;
  const Qrels* qrels_;
  int32_t next_ = 0;                 // the document of the qrels behind that of the line before
  std::vector<int32_t> ranks_, ids_;  // by the qrels' number of a label: the place of its name, its id or -1
  std::vector<int32_t> answers_;     // the line's labels as numbers of the qrels, else empty
  bool svmlight_, zero_;
  Budget budget_;
  std::vector<bool> met_;  // by label id: those of this pass
  size_t count_met_ = 0;
  std::vector<int32_t> label_ids_;  // of the line
  Rows rows_;
  int64_t number_ = 0;
  size_t count_ = 0;  // pairs of the line that is being read
  std::vector<int32_t> numbers_;
  std::vector<float> values_, slots_;
  std::vector<std::string_view> labels_;
  std::vector<uint64_t> packed_, bits_, groups_;
};

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
