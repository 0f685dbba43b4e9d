// Document id -> labels, from lines "label id 1". A document's lines may be anywhere.
#pragma once
#include "decimal.hpp"
#include "tables.hpp"

namespace telex::vectors {

class Qrels {
 public:
  // Reads one line's content.
  void line(const char* p, const char* end) {
    std::string_view words[4];
    int count = 0;
    for (;;) {
      while (!at_end(p, end) && blank(*p)) ++p;
      if (at_end(p, end) || count == 4) break;
      const char* stop = word_end(p, end);
      words[count++] = {p, static_cast<size_t>(stop - p)};
      p = stop;
    }
    if (count == 0) return;
    auto [label, id, relevant, more] = words;
    if (count != 3 || (relevant != "1" && relevant != "0"))
      throw Broken{"this is not \"label id 1\""};
    if (!utf8(label) || !utf8(id)) throw Broken{"this is not UTF-8"};
    add(label, id, relevant == "1");
  }

  // The labels of a document, in order of their names; false if the file does not name it.
  bool labels(std::string_view id, std::vector<std::string_view>& found) const {
    found.clear();
    if (slots_.empty()) return false;
    const Slot& at = slots_[slot(id, hash(id))];
    if (at.length == 0) return false;
    for (int32_t i = at.head; i >= 0; i = links_[static_cast<size_t>(i)].next)
      found.push_back(labels_[static_cast<size_t>(links_[static_cast<size_t>(i)].label)]);
    std::sort(found.begin(), found.end());
    return true;
  }
  // Where `labels` will begin to look: who prefetches it early need not wait for the memory.
  const void* near(std::string_view id) const { return slots_.empty() ? nullptr : &slots_[home(hash(id))]; }
  size_t documents() const { return documents_; }

 private:
  struct Slot {
    uint64_t hash, offset;
    uint32_t length;  // 0 if the slot is free
    int32_t head;     // in links_; -1 ends
  };
  struct Link {
    int32_t label, next;
  };

  static uint64_t hash(std::string_view id) {
    uint64_t h = 0xCBF29CE484222325u;
    for (char c : id) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return (h ^ h >> 32) * 0x9E3779B97F4A7C15u;
  }
  size_t home(uint64_t h) const { return (h >> 20) & (slots_.size() - 1); }
  size_t slot(std::string_view id, uint64_t h) const {
    size_t mask = slots_.size() - 1, at = home(h);
    for (;; at = (at + 1) & mask) {
      const Slot& s = slots_[at];
      if (s.length == 0) return at;
      if (s.hash == h && std::string_view(ids_).substr(s.offset, s.length) == id) return at;
    }
  }
  void add(std::string_view label, std::string_view id, bool relevant) {
    if (5 * (documents_ + 1) > 4 * slots_.size()) grow();
    uint64_t h = hash(id);
    Slot& at = slots_[slot(id, h)];
    if (at.length == 0) {
      at = {h, ids_.size(), static_cast<uint32_t>(id.size()), -1};
      ids_ += id;
      ++documents_;
    }
    if (!relevant) return;
    int32_t number = labels_.id(label);
    for (int32_t i = at.head; i >= 0; i = links_[static_cast<size_t>(i)].next)
      if (links_[static_cast<size_t>(i)].label == number)
        throw Broken{"label " + shown(label) + " of document " + shown(id) + " is given twice"};
    links_.push_back({number, at.head});
    at.head = static_cast<int32_t>(links_.size()) - 1;
  }
  void grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_.assign(std::max<size_t>(1024, old.size() * 2), Slot{0, 0, 0, -1});
    for (const Slot& s : old)
      if (s.length) slots_[slot(std::string_view(ids_).substr(s.offset, s.length), s.hash)] = s;
  }

  std::vector<Slot> slots_;
  std::vector<Link> links_;
  std::string ids_;
  Texts labels_;
  size_t documents_ = 0;
};

}  // namespace telex::vectors
