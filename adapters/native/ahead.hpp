// Lines that were read ahead, on any thread: all but what needs the lines before them. Their features have ids where all of a
// line have met; labels, and features that are new, get theirs in the order of the lines.
#pragma once
#include "line_reader.hpp"
#include "row_order.hpp"

namespace telex::vectors {

// What reading ahead works with, kept for its memory.
struct Reading {
  explicit Reading(const Form& form) : line(form) {}
  LineReader line;
  RowOrder order;
};

class Ahead {
 public:
  struct Line {
    size_t begin, next;  // of the line, and of the one behind it
    int64_t number;      // of the one behind it
    size_t entries, labels, name;  // where those of the line end
    bool numbered, labelled;       // whether the features are ids
    int32_t reason;                // why it is broken, else -1
  };
  std::vector<Line> lines;  // that are documents, or broken
  std::vector<int32_t> features, labels;
  std::vector<float> values;
  std::string names;
  std::vector<std::string> reasons;
  Texts label_names;  // of `labels`, unless they are numbers of the qrels
  size_t size;        // of the data
  int64_t count = 0;  // of all lines

  size_t done = 0;             // of the lines
  std::vector<int32_t> known;  // by the number of a label name: its id, or -1

  Ahead(const char* data, size_t size, const Numbers& table, Reading& reading) : size(size) {
    for (Stop stop{}; stop.next < size;) {
      stop = read_lines(data, size, stop.next, stop.line, [] { return true; }, [&](const char* p, const char* end) {
        auto begin = static_cast<size_t>(p - data);
        ++count;
        if (!reading.line.read(p, end)) return p;
        p = newline(p, end);
        add(reading, table, begin, static_cast<size_t>(p - data) + (p < end));
        return p;
      });
      if (stop.reason.empty()) continue;
      lines.push_back(line(stop.begin, stop.next, false, false, static_cast<int32_t>(reasons.size())));
      reasons.push_back(std::move(stop.reason));
    }
    known.resize(label_names.size(), -1);
  }
  Ahead(Ahead&&) = default;  // a copy of `label_names` would point into this one

 private:
  Line line(size_t begin, size_t next, bool numbered, bool labelled, int32_t reason) const {
    return {begin, next, count, features.size(), labels.size(), names.size(), numbered, labelled, reason};
  }

  void add(Reading& reading, const Numbers& table, size_t begin, size_t next) {
    const LineReader& line = reading.line;
    const Pairs& pairs = line.pairs;
    size_t at = features.size(), many = pairs.size();
    if (values.capacity() < at + many + RowOrder::kBehind) {
      features.reserve(2 * (at + many) + 4096);
      values.reserve(features.capacity());
    }
    features.resize(at + many + RowOrder::kBehind);
    values.resize(features.size());
    int32_t *ids = features.data() + at, last = -1, lowest = 0, highest = 0;
    bool ascending = true;
    for (size_t i = 0; i < many; ++i) {
      int32_t id = table.find_small(pairs.numbers()[i]);
      ascending &= id > last;
      lowest = std::min(lowest, id);
      highest = std::max(highest, id);
      ids[i] = last = id;
    }
    if (lowest < 0) std::copy_n(pairs.numbers(), many, ids);
    if (lowest < 0 || ascending)
      std::copy_n(pairs.values(), many, values.data() + at);
    else
      reading.order.sort(ids, values.data() + at, pairs.values(), many, highest);
    features.resize(at + many);
    values.resize(at + many);
    if (line.numbers.empty())
      for (std::string_view label : line.labels) labels.push_back(label_names.id(label));
    else
      labels.insert(labels.end(), line.numbers.begin(), line.numbers.end());
    names += line.name;
    lines.push_back(this->line(begin, next, lowest == 0, line.labelled, -1));
  }
};

}  // namespace telex::vectors
