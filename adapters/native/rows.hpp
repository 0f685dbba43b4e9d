// Rows of tables in the usual form: quoted cells end at their closing quote. It reads up to the first row that is out of the
// ordinary; what that says, or what is wrong with it, another reader finds.
#pragma once
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "moment.hpp"
#include "scan.hpp"

namespace telex::plain {

// Where a document's parts are in a row of `width` cells; -1 where they are not.
struct Layout {
  char delimiter;
  int width, id, time, title, text, labels;
  int separator;  // between labels; -1 if a cell holds one label
  bool none;      // whether an empty cell of labels means that no label fits
};

class Rows {
 public:
  explicit Rows(const Layout& layout) : layout_(layout), cells_(size_t(layout.width)) {}

  // Returns where the first row begins that does not end in `data`, or is out of the ordinary in its quotes.
  size_t whole(std::string_view data) {
    const char *p = data.data(), *end = p + data.size(), *last = p;
    while (p < end && (blank_line(p, end) || row(p, end))) last = p;
    return size_t(last - data.data());
  }

  // Adds the documents up to the first row that is out of the ordinary, is beyond the limits, or has a label without a number.
  // Returns the row's place. `number` is that of the next document, which is its id where rows have none.
  size_t add(std::string_view data, const Limits& limits, int64_t number, const vectors::Texts& names, Columns& columns) {
    const char *p = data.data(), *end = p + data.size(), *last = p;
    for (; p < end; last = p) {
      if (blank_line(p, end)) continue;
      if (!row(p, end) || !sound({last, size_t(p - last)}) || !take(limits, number, names, columns)) break;
      ++number;
    }
    return size_t(last - data.data());
  }

  // The first time, the last, and whether they ascend; false if a row is out of the ordinary.
  bool times(std::string_view data, double& first, double& last, bool& ascend) {
    const char *p = data.data(), *end = p + data.size();
    while (p < end) {
      double time = NAN;
      if (blank_line(p, end)) continue;
      if (!row(p, end) || !complete() || !moment(time)) return false;
      if (std::isnan(time)) continue;
      if (std::isnan(first)) first = time;
      ascend &= !(time < last);
      last = time;
    }
    return true;
  }

 private:
  struct Cell {
    std::string_view text;
    bool escaped = false;  // "" in it is one quote
  };

  // Passes over a line of blanks alone.
  static bool blank_line(const char*& p, const char* end) {
    const char* q = p;
    while (q < end && *q != '\n' && blank_byte(*q)) ++q;
    if (q < end && *q != '\n') return false;
    p = q + (q < end);
    return true;
  }

  // Finds the cells of a row, and goes to its end; false if a quote is not closed, or not at the end of its cell.
  bool row(const char*& p, const char* end) {
    count_ = 0;
    for (;; ++p) {
      Cell cell;
      if (p < end && *p == '"') {
        const char *begin = ++p, *quote = find(p, end, '"');
        for (; quote && quote + 1 < end && quote[1] == '"'; quote = find(quote + 2, end, '"')) cell.escaped = true;
        if (!quote) return false;
        cell.text = {begin, size_t(quote - begin)};
        p = quote + 1;
        if (p < end && *p == '\r' && (p + 1 == end || p[1] == '\n')) ++p;
      } else {
        const char* begin = p;
        p = either(p, end, layout_.delimiter, '\n');
        bool ends = p == end || *p == '\n';
        cell.text = {begin, size_t(p - begin)};
        if (ends && cell.text.ends_with('\r')) cell.text.remove_suffix(1);
      }
      if (count_ < cells_.size()) cells_[count_] = cell;
      ++count_;
      if (p == end) return true;
      if (*p == '\n') return ++p, true;
      if (*p != layout_.delimiter) return false;
    }
  }

  bool complete() const { return count_ == cells_.size(); }
  static bool sound(std::string_view raw) { return !find(raw.data(), raw.data() + raw.size(), '\0') && utf8(raw); }
  Cell at(int place) const { return place < 0 ? Cell() : cells_[size_t(place)]; }

  bool take(const Limits& limits, int64_t number, const vectors::Texts& names, Columns& columns) {
    if (!complete()) return false;
    Cell title = at(layout_.title), text = at(layout_.text), name = at(layout_.id);
    std::string_view id = stripped(name.text);
    double time = NAN;
    if (title.text.size() + text.text.size() > limits.length || !moment(time)) return false;
    if (layout_.id >= 0 && (name.escaped || id.empty() || !ascii(id))) return false;
    size_t before = columns.labels.data.size();
    bool labelled = false;
    if (!answer(names, columns.labels.data, labelled) || columns.labels.data.size() - before > limits.labels)
      return columns.labels.data.resize(before), false;
    columns.labels.end();
    columns.labelled.push_back(labelled);
    columns.times.push_back(time);
    char digits[20];
    if (layout_.id < 0) id = {digits, size_t(std::to_chars(digits, digits + sizeof digits, number).ptr - digits)};
    Collector::add(columns.ids, id);
    unquoted(columns.titles, title);
    unquoted(columns.texts, text);
    return true;
  }

  static void unquoted(Column<uint8_t>& column, const Cell& cell) {
    const char *p = cell.text.data(), *end = p + cell.text.size();
    if (cell.escaped)
      for (const char* quote = find(p, end, '"'); quote; p = quote + 2, quote = find(p, end, '"'))
        column.data.insert(column.data.end(), p, quote + 1);
    Collector::add(column, {p, size_t(end - p)});
  }

  // Epoch seconds, or ISO 8601; eight digits are a date.
  bool moment(double& seconds) const {
    Cell cell = at(layout_.time);
    std::string_view text = stripped(cell.text);
    if (text.empty()) return true;
    std::string_view digits = text.substr(text[0] == '-');
    if (digits.find_first_not_of("0123456789") != digits.npos) return seconds_of(text, seconds);
    if (digits.empty() || digits.size() == 8 || digits.size() > 15) return false;
    int64_t number = 0;
    for (char c : digits) number = 10 * number + (c - '0');
    seconds = double(text[0] == '-' ? -number : number);
    return first_second <= seconds && seconds < last_second;
  }

  // Appends the numbers of the labels; false if one has no number, is empty or comes twice.
  bool answer(const vectors::Texts& names, std::vector<int32_t>& numbers, bool& labelled) const {
    if (layout_.labels < 0) return true;
    Cell cell = at(layout_.labels);
    if (cell.escaped) return false;
    std::string_view rest = stripped(cell.text);
    labelled = !rest.empty() || layout_.none;
    if (rest.empty()) return true;
    size_t before = numbers.size();
    if (layout_.separator < 0) return add(names, rest, before, numbers);
    auto separator = char(layout_.separator);
    bool blanks = separator == ' ';
    if (!blanks && rest.ends_with(separator)) rest.remove_suffix(1);
    while (!rest.empty()) {
      size_t stop = 0;
      while (stop < rest.size() && (blanks ? !blank_character(rest[stop]) : rest[stop] != separator)) ++stop;
      if (!(blanks && stop == 0) && !add(names, stripped(rest.substr(0, stop)), before, numbers)) return false;
      if (stop + 1 == rest.size() && !blanks) return false;  // an empty label is the last
      rest.remove_prefix(std::min(rest.size(), stop + 1));
    }
    return true;
  }

  static bool add(const vectors::Texts& names, std::string_view label, size_t before, std::vector<int32_t>& numbers) {
    int32_t number = label.empty() ? -1 : names.find(label);
    for (size_t i = before; i < numbers.size(); ++i)
      if (numbers[i] == number) return false;
    numbers.push_back(number);
    return number >= 0;
  }

  const Layout& layout_;
  std::vector<Cell> cells_;
  size_t count_ = 0;
};

}  // namespace telex::plain
