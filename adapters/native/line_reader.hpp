// Lines of sparse vectors, in the formats of LYRL2004 and of svmlight: what one says, before its names have ids.
#pragma once
#include <limits>
#include <numeric>

#include "pairs.hpp"
#include "qrels.hpp"

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

// The limits of a record, as in stream/sources/record_budget.py; infinity is no limit.
struct Budget {
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  double labels = kNone, new_labels = kNone, all_labels = kNone, label_length = kNone, terms = kNone, value = kNone;

  // Refuses a line in the words of stream/sources/record_check.py.
  [[noreturn]] static void refuse(const std::string& what, const char* limit, double most) {
    char number[32];
    std::snprintf(number, sizeof number, "%.15g", most);
    throw Broken{what + ", above the limit of " + number + "; raise it with --budget " + limit + "=N"};
  }
};

// What lines are.
struct Form {
  Form(bool svmlight, bool zero, const Qrels* qrels, const Budget& budget)
      : svmlight(svmlight), zero(zero), qrels(qrels), budget(budget) {
    if (!qrels) return;
    const Texts& names = qrels->label_names();
    std::vector<int32_t> sorted(names.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::sort(sorted.begin(), sorted.end(), [&](int32_t a, int32_t b) {
      return names[static_cast<size_t>(a)] < names[static_cast<size_t>(b)];
    });
    ranks.resize(names.size());
    for (size_t i = 0; i < sorted.size(); ++i) ranks[static_cast<size_t>(sorted[i])] = static_cast<int32_t>(i);
  }
  bool svmlight, zero;
  const Qrels* qrels;
  Budget budget;
  std::vector<int32_t> ranks;  // of the names of the qrels' labels
};

class LineReader {
 public:
  explicit LineReader(const Form& form) : pairs(form.svmlight, form.zero), form_(form) {}

  // Reads a line, and moves `p` behind what it says; false if that is nothing. Names live as long as the line.
  bool read(const char*& p, const char* end) {
    labels.clear();
    numbers.clear();
    bool any = form_.svmlight ? svmlight(p, end) : lyrl(p, end);
    if (any) check();
    return any;
  }

  std::string_view name;  // empty in svmlight
  bool labelled = false;
  std::vector<std::string_view> labels;  // in the order of their names
  std::vector<int32_t> numbers;          // theirs in the qrels, else empty
  Pairs pairs;

 private:
  bool lyrl(const char*& p, const char* end) {
    p = begin_of(p, end);
    if (at_end(p, end)) return false;
    const char* id = p;
    p = word_end(p, end);
    name = {id, static_cast<size_t>(p - id)};
    size_t digits = 0;
    while (digits < name.size() && digit(name[digits])) ++digits;
    if (digits < name.size() && name[digits] == ':' && digits) throw Broken{"the document id is missing"};
    if (!utf8(name)) throw Broken{"the document id is not UTF-8"};
    const Qrels* qrels = form_.qrels;
    if (qrels && !qrels->is(next_, name)) __builtin_prefetch(qrels->near(name));  // it arrives while the pairs are read
    p = pairs.read(p, end);
    int32_t document = qrels ? qrels->find(name, next_) : -1;
    labelled = document >= 0;
    if (labelled) answer(document);
    return true;
  }

  // Finds the labels of a document of the qrels, in order of their names.
  void answer(int32_t document) {
    next_ = document + 1;
    form_.qrels->labels(document, numbers);
    std::sort(numbers.begin(), numbers.end(), [&](int32_t a, int32_t b) {
      return form_.ranks[static_cast<size_t>(a)] < form_.ranks[static_cast<size_t>(b)];
    });
    for (int32_t label : numbers) labels.push_back(form_.qrels->label_names()[static_cast<size_t>(label)]);
  }

  bool svmlight(const char*& p, const char* end) {
    const char* word = p;
    p = begin_of(p, end);
    if (at_end(p, end) || *p == '#') return false;  // nothing, or only a comment
    const char* stop = p;
    bool pair = p != word;  // a line that begins with a blank has no label
    while (!pair && !at_end(stop, end) && !blank(*stop) && *stop != '#') pair = *stop++ == ':';
    if (!pair) {
      split({p, static_cast<size_t>(stop - p)});
      p = stop;
    }
    p = pairs.read(p, end);
    labelled = true;
    return true;
  }

  void split(std::string_view word) {
    for (;;) {
      size_t comma = word.find(',');
      std::string_view label = word.substr(0, comma);
      if (label.empty()) throw Broken{"a label is empty"};
      if (!utf8(label)) throw Broken{"a label is not UTF-8"};
      labels.push_back(label);
      if (comma == word.npos) break;
      word.remove_prefix(comma + 1);
    }
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());  // a label said twice is one label
  }

  // Refuses pairs beyond the budget.
  void check() const {
    size_t count = pairs.size();
    const float* values = pairs.values();
    const Budget& budget = form_.budget;
    if (static_cast<double>(count) > budget.terms)
      Budget::refuse("there are " + std::to_string(count) + " terms", "terms", budget.terms);
    int32_t bits = 0;  // sizes of numbers are in the order of their bits without the sign, which a vector compares at once
    for (size_t i = 0; i < count; ++i) bits = std::max(bits, std::bit_cast<int32_t>(values[i]) & 0x7fffffff);
    if (auto largest = std::bit_cast<float>(bits); static_cast<double>(largest) > budget.value) {
      char number[32];
      auto at = std::find_if(values, values + count, [&](float x) { return std::fabs(x) == largest; }) - values;
      std::snprintf(number, sizeof number, "%g", static_cast<double>(values[at]));
      Budget::refuse("the feature '" + std::to_string(pairs.numbers()[at]) + "' has the value " + number, "value", budget.value);
    }
  }

  const Form& form_;
  int32_t next_ = 0;  // the document of the qrels behind that of the line before
};

}  // namespace telex::vectors
