// Lines of sparse vectors to the rows of a batch: their names get ids, by first appearance, in the order of the lines.
#pragma once
#include "ahead.hpp"

namespace telex::vectors {

struct Rows {
  std::vector<int64_t> indptr{0}, label_indptr{0}, id_offsets{0};
  std::vector<int32_t> features, labels;
  std::vector<float> values;
  std::vector<uint8_t> labelled, ids;
};

// One pass over a source. A broken line leaves no trace, neither in the rows nor in the tables.
class Parser {
 public:
  Parser(Table& table, bool svmlight, bool zero, const Qrels* qrels, const Budget& budget = {})
      : table_(table), form_(svmlight, zero, qrels, budget), reading_(form_), ids_(form_.ranks.size(), -1) {}
  Parser(const Parser&) = delete;

  // Reads until `limit` rows wait, or a line is broken, or the data ends.
  Stop parse(const char* data, size_t size, size_t start, int64_t line, int64_t limit) {
    std::lock_guard hold(table_.mutex);
    return read_lines(
        data, size, start, line, [&] { return more(limit); },
        [&](const char* p, const char* end) {
          if (reading_.line.read(p, end)) take(reading_.line);
          return p;
        });
  }

  // Reads all lines ahead, while another thread reads or adds those before them.
  Ahead ahead(const char* data, size_t size) {
    std::unique_ptr<Reading> reading;
    {
      std::lock_guard hold(free_mutex_);
      if (!free_.empty()) {
        reading = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (!reading) reading = std::make_unique<Reading>(form_);
    Ahead found(data, size, table_.features, *reading);
    std::lock_guard hold(free_mutex_);
    free_.push_back(std::move(reading));
    return found;
  }

  // Adds lines that were read ahead: to the same end as `parse` for their data.
  Stop add(Ahead& ahead, int64_t limit) {
    std::lock_guard hold(table_.mutex);
    while (ahead.done < ahead.lines.size() && more(limit)) {
      const Ahead::Line& line = ahead.lines[ahead.done++];
      try {
        if (line.reason >= 0) throw Broken{ahead.reasons[static_cast<size_t>(line.reason)]};
        take(ahead, line);
      } catch (Broken& broken) {
        return {line.next, line.number, std::move(broken.reason), line.begin};
      }
    }
    if (ahead.done == ahead.lines.size()) return {ahead.size, ahead.count, {}, 0};
    const Ahead::Line& line = ahead.lines[ahead.done - 1];
    return {line.next, line.number, {}, 0};
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

  bool more(int64_t limit) const { return waiting() < limit && rows_.features.size() < kMostEntries; }

  void take(const LineReader& line) {
    number(line.labels, line.numbers.empty() ? nullptr : line.numbers.data(), ids_);
    entries(line.pairs.numbers(), line.pairs.values(), line.pairs.size());
    end(line.name, line.labelled);
  }

  void take(Ahead& ahead, const Ahead::Line& line) {
    const Ahead::Line none{}, &before = &line == ahead.lines.data() ? none : (&line)[-1];
    const Texts& names = form_.qrels ? form_.qrels->label_names() : ahead.label_names;
    const int32_t* labels = ahead.labels.data() + before.labels;
    labels_.clear();
    for (size_t i = 0; i < line.labels - before.labels; ++i) labels_.push_back(names[static_cast<size_t>(labels[i])]);
    number(labels_, labels, form_.qrels ? ids_ : ahead.known);
    const int32_t* features = ahead.features.data() + before.entries;
    const float* values = ahead.values.data() + before.entries;
    size_t many = line.entries - before.entries;
    if (line.numbered) {
      rows_.features.insert(rows_.features.end(), features, features + many);
      rows_.values.insert(rows_.values.end(), values, values + many);
    } else {
      entries(features, values, many);
    }
    end(std::string_view(ahead.names).substr(before.name, line.name - before.name), line.labelled);
  }

  // Finds the ids of a line's labels, and counts these as met; refuses what is beyond the budget. `numbers` are those of the
  // labels in another table, and `known` what is known of that, if there is one.
  void number(const std::vector<std::string_view>& labels, const int32_t* numbers, std::vector<int32_t>& known) {
    const Budget& budget = form_.budget;
    if (static_cast<double>(labels.size()) > budget.labels)
      Budget::refuse("there are " + std::to_string(labels.size()) + " labels", "labels", budget.labels);
    size_t fresh = 0, longest = 0;
    label_ids_.resize(labels.size());
    for (size_t i = 0; i < labels.size(); ++i) {
      int32_t* id = numbers ? &known[static_cast<size_t>(numbers[i])] : nullptr;
      label_ids_[i] = id && *id >= 0 ? *id : table_.labels.find(labels[i]);
      if (id) *id = label_ids_[i];
      if (label_ids_[i] >= 0 && met(label_ids_[i])) continue;
      ++fresh;
      longest = std::max(longest, characters(labels[i]));
    }
    if (!fresh) return;
    if (static_cast<double>(longest) > budget.label_length)
      Budget::refuse("a label has " + std::to_string(longest) + " characters", "label-length", budget.label_length);
    if (static_cast<double>(fresh) > budget.new_labels)
      Budget::refuse(std::to_string(fresh) + " of its labels are new", "new-labels", budget.new_labels);
    if (static_cast<double>(count_met_ + fresh) > budget.all_labels)
      Budget::refuse("with it there are " + std::to_string(count_met_ + fresh) + " labels", "all-labels", budget.all_labels);
    count_met_ += fresh;
    for (size_t i = 0; i < labels.size(); ++i) {
      if (label_ids_[i] < 0) label_ids_[i] = table_.labels.id(labels[i]);
      auto id = static_cast<size_t>(label_ids_[i]);
      if (id >= met_.size()) met_.resize(std::max<size_t>(64, 2 * id + 1));
      met_[id] = true;
    }
  }
  bool met(int32_t id) const { return static_cast<size_t>(id) < met_.size() && met_[static_cast<size_t>(id)]; }
  static size_t characters(std::string_view label) {
    return static_cast<size_t>(std::count_if(label.begin(), label.end(), [](char c) { return (c & 0xc0) != 0x80; }));
  }

  // Appends entries by their ids; features that are new get one.
  void entries(const int32_t* numbers, const float* values, size_t count) {
    size_t begin = rows_.features.size();
    rows_.features.resize(begin + count + RowOrder::kBehind);
    rows_.values.resize(begin + count + RowOrder::kBehind);
    int32_t *ids = rows_.features.data() + begin, last = -1;
    bool ascending = true;
    for (size_t i = 0; i < count; ++i) {
      int32_t at = table_.features.find(numbers[i]);
      if (at < 0) at = table_.features.add(numbers[i]);
      ascending &= at > last;
      ids[i] = last = at;
    }
    if (ascending)
      std::copy_n(values, count, rows_.values.data() + begin);
    else
      reading_.order.sort(ids, rows_.values.data() + begin, values, count, static_cast<int32_t>(table_.features.size()) - 1);
    rows_.features.resize(begin + count);
    rows_.values.resize(begin + count);
  }

  // Ends the row of a line that is valid.
  void end(std::string_view name, bool labelled) {
    char digits[20];
    if (form_.svmlight) name = {digits, static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, number_).ptr - digits)};
    rows_.indptr.push_back(static_cast<int64_t>(rows_.features.size()));
    rows_.labels.insert(rows_.labels.end(), label_ids_.begin(), label_ids_.end());
    rows_.label_indptr.push_back(static_cast<int64_t>(rows_.labels.size()));
    rows_.labelled.push_back(labelled);
    rows_.ids.insert(rows_.ids.end(), name.begin(), name.end());
    rows_.id_offsets.push_back(static_cast<int64_t>(rows_.ids.size()));
    ++number_;
  }

  Table& table_;
  const Form form_;
  Reading reading_;
  std::vector<int32_t> ids_;  // by the qrels' number of a label: its id, or -1
  std::vector<bool> met_;     // by label id: those of this pass
  size_t count_met_ = 0;
  std::vector<std::string_view> labels_;  // of the line
  std::vector<int32_t> label_ids_;
  Rows rows_;
  int64_t number_ = 0;
  std::mutex free_mutex_;
  std::vector<std::unique_ptr<Reading>> free_;
};

}  // namespace telex::vectors
