// The columns of documents that were read and not yet taken. Labels are numbers of a table that only grows.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "plain.hpp"
#include "tables.hpp"

namespace telex::plain {

// Takes away the first `count` of `values`; the others move to `rest`, which is empty.
template <class T>
std::vector<T> cut(std::vector<T>& values, size_t count, std::vector<T>&& rest = {}) {
  rest.reserve(values.size());
  rest.assign(values.begin() + std::ptrdiff_t(count), values.end());
  values.resize(count);
  return std::exchange(values, std::move(rest));
}

// What belongs to each row, one after the other: that of row i lies between offsets[i] and offsets[i + 1].
template <class T>
struct Column {
  std::vector<T> data;
  std::vector<int64_t> offsets{0};

  void end() { offsets.push_back(int64_t(data.size())); }
  void add(const T* from, size_t size) {
    if (size) data.insert(data.end(), from, from + size);
    end();
  }
  void resize(size_t rows) {
    offsets.resize(rows + 1);
    data.resize(size_t(offsets.back()));
  }
  Column first(size_t rows, std::vector<T>&& rest = {}) {
    int64_t cut_at = offsets[rows];
    Column taken{cut(data, size_t(cut_at), std::move(rest)), cut(offsets, rows)};
    taken.offsets.push_back(cut_at);
    for (int64_t& offset : offsets) offset -= cut_at;
    return taken;
  }
};

struct Columns {
  Column<uint8_t> ids, titles, texts;
  std::vector<double> times;
  Column<int32_t> labels;
  std::vector<uint8_t> labelled;

  size_t size() const { return times.size(); }
  void resize(size_t rows) {
    for (auto* texts_of : {&ids, &titles, &texts}) texts_of->resize(rows);
    labels.resize(rows);
    times.resize(rows);
    labelled.resize(rows);
  }
  // Takes away the first rows; texts that stay move to `rest`, which is empty.
  Columns first(size_t rows, std::vector<uint8_t>&& rest = {}) {
    return {ids.first(rows), titles.first(rows), texts.first(rows, std::move(rest)),
            cut(times, rows), labels.first(rows), cut(labelled, rows)};
  }
};

// What a line may hold to be taken without a closer look.
struct Limits {
  size_t length, labels;
};

class Collector {
 public:
  vectors::Texts names;  // of the labels
  Columns columns;

  // Adds the lines up to the first that is not plain, or beyond the limits, or has a label without a number. Returns its place.
  size_t add(const Fields& fields, std::string_view data, const Limits& limits) {
    if (data.empty()) return 0;
    Reader<true> reader(fields, data.data(), data.size(), read_);
    const char* end = data.data();
    // A few at first: what is read behind a line that is not taken is read again.
    for (size_t some = 8;; some *= 2) {
      read_.clear();
      bool plain = reader.read(some);
      if (!take(limits, end) || !plain || reader.done()) return size_t(end - data.data());
    }
  }

  static void add(Column<uint8_t>& column, std::string_view text) {
    column.add(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  }

 private:
  // Takes the documents that were read; false if it stops before one. `end` is where the last that it took ends.
  bool take(const Limits& limits, const char*& end) {
    size_t label = 0, foreign = 0;
    for (const Document& row : read_.rows) {
      if (row.title.size + row.text.size > limits.length || row.labels_end - label > limits.labels) return false;
      if (!sound(row.title) || !sound(row.text)) return false;
      for (; foreign < row.foreign_end; ++foreign)
        if (!sound(read_.foreign[foreign])) return false;
      for (; label < row.labels_end; ++label) {
        const Piece& piece = read_.labels[label];
        int32_t number = sound(piece) ? names.find(piece.view()) : -1;
        if (number < 0) return columns.labels.data.resize(size_t(columns.labels.offsets.back())), false;
        columns.labels.data.push_back(number);
      }
      columns.labels.end();
      columns.labelled.push_back(row.labelled);
      columns.times.push_back(row.time);
      add(columns.ids, row.id.view());
      add(columns.titles, row.title.view());
      add(columns.texts, row.text.view());
      end = row.end;
    }
    return true;
  }

  static bool sound(const Piece& piece) { return piece.ascii || vectors::utf8(piece.view()); }

  Documents read_;  // of the last call, for its memory
};

}  // namespace telex::plain
