// Records of LYRL2004's token files in the usual form: `.I id`, `.W`, lines of tokens. It reads up to the first record that is
// out of the ordinary; what that says, or what is wrong with it, another reader finds.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "ids.hpp"
#include "qrels.hpp"
#include "scan.hpp"

namespace telex::plain {

class Tokens {
 public:
  // Adds the documents up to the first record that is out of the ordinary, is beyond the limits, or has a label without a
  // number. Returns the record's place. Without `qrels` documents are unlabelled.
  size_t add(std::string_view data, const Limits& limits, const vectors::Qrels* qrels, const vectors::Texts& names,
             Columns& columns) {
    const char *p = data.data(), *end = p + data.size(), *last = p;
    for (; p < end; last = p) {
      std::string_view id, text;
      if (!record(p, end, id, text)) break;
      text = stripped(text);
      bool plain = utf8(id) && utf8(text) && text.size() <= limits.length;
      // What is blank to Python may be longer than a byte.
      if (!plain || (!text.empty() && (text.front() & 0x80 || text.back() & 0x80))) break;
      size_t before = columns.labels.data.size();
      bool labelled = false;
      if (qrels && !answer(*qrels, id, limits, names, columns.labels.data, labelled)) {
        columns.labels.data.resize(before);
        break;
      }
      columns.labels.end();
      columns.labelled.push_back(labelled);
      columns.times.push_back(NAN);
      Collector::add(columns.ids, id);
      Collector::add(columns.titles, {});
      Collector::add(columns.texts, text);
    }
    return size_t(last - data.data());
  }

  // The sort keys of the first id and of the last, and whether ids ascend; false if a record is out of the ordinary.
  static bool ids(std::string_view data, vectors::Id& first, vectors::Id& last, bool& ascend) {
    const char *p = data.data(), *end = p + data.size();
    while (p < end) {
      std::string_view id, text;
      if (!record(p, end, id, text)) return false;
      vectors::Id key(id);
      if (first.none()) first = last = key;
      ascend &= !(key < last);
      last = key;
    }
    return true;
  }

 private:
  // Reads a record, and goes to its end, which is where another may begin.
  static bool record(const char*& p, const char* end, std::string_view& id, std::string_view& text) {
    auto skip = [&](const char* q, auto among) {
      while (q < end && among(*q)) ++q;
      return q;
    };
    auto gap = [](char c) { return c == ' ' || c == '\t'; };
    auto trailing = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    if (end - p < 4 || p[0] != '.' || p[1] != 'I' || !gap(p[2])) return false;
    const char* begin = skip(p + 3, gap);
    const char* q = skip(begin, [](char c) { return !blank_byte(c); });
    id = {begin, size_t(q - begin)};
    q = skip(q, trailing);
    if (id.empty() || end - q < 4 || std::string_view(q, 3) != "\n.W") return false;
    q = skip(q + 3, trailing);
    if (q == end || *q != '\n') return false;
    begin = q + 1;
    std::string_view rest(q, size_t(end - q));
    size_t stop = rest.find("\n.I");
    while (stop != rest.npos && !(stop + 3 < rest.size() && blank_byte(rest[stop + 3]))) stop = rest.find("\n.I", stop + 1);
    p = stop == rest.npos ? end : q + stop + 1;
    text = {begin, size_t(std::max(begin, p) - begin)};
    return true;
  }

  bool answer(const vectors::Qrels& qrels, std::string_view id, const Limits& limits, const vectors::Texts& names,
              std::vector<int32_t>& numbers, bool& labelled) {
    next_ = qrels.find(id, next_);
    if (next_ < 0) return next_ = 0, true;
    labelled = true;
    found_.clear();
    qrels.labels(next_++, found_);
    const vectors::Texts& labels = qrels.label_names();
    std::sort(found_.begin(), found_.end(), [&](int32_t a, int32_t b) { return labels[size_t(a)] < labels[size_t(b)]; });
    for (int32_t label : found_) numbers.push_back(names.find(labels[size_t(label)]));
    return found_.size() <= limits.labels && std::find(numbers.end() - std::ptrdiff_t(found_.size()), numbers.end(), -1) == numbers.end();
  }

  int32_t next_ = 0;  // the document of the qrels behind that of the record before
  std::vector<int32_t> found_;
};

}  // namespace telex::plain
