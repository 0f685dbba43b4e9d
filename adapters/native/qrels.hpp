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

  // The number of a document, -1 if the file does not name it. Files often have their documents in the same order: then
  // `next`, the number behind that of the document before, is right, and nothing needs to be looked up.
  int32_t find(std::string_view id, int32_t next = 0) const {
    if (is(next, id)) return next;
    return slots_.empty() ? -1 : slots_[slot(id, hash(id))].document;
  }
  bool is(int32_t document, std::string_view id) const {
    return static_cast<size_t>(document) < documents_.size() && name(documents_[static_cast<size_t>(document)]) == id;
  }
  // Where `find` will begin to look: who prefetches it early need not wait for the memory.
  const void* near(std::string_view id) const { return slots_.empty() ? nullptr : &slots_[home(hash(id))]; }

  // Appends the numbers of a document's labels, in no order.
  void labels(int32_t document, std::vector<int32_t>& found) const {
    for (int32_t i = documents_[static_cast<size_t>(document)].head; i >= 0; i = links_[static_cast<size_t>(i)].next)
      found.push_back(links_[static_cast<size_t>(i)].label);
  }
  // The names of labels by their numbers.
  const Texts& label_names() const { return labels_; }
  size_t documents() const { return documents_.size(); }

 private:
  struct Document {
    uint64_t offset;  // of its id in ids_
    uint32_t length;
    int32_t head;  // in links_; -1 ends
  };
  struct Slot {
    uint32_t hash;
    int32_t document;  // -1 if the slot is free
  };
  struct Link {
    int32_t label, next;
  };
  struct Known {
    uint64_t word = 0;
    int32_t label = -1;
  };

  static uint64_t hash(std::string_view id) {
    uint64_t h = 0xCBF29CE484222325u;
    for (char c : id) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return (h ^ h >> 32) * 0x9E3779B97F4A7C15u;
  }
  static uint32_t low(uint64_t h) { return static_cast<uint32_t>(h); }
  size_t home(uint64_t h) const { return (h >> 20) & (slots_.size() - 1); }
  std::string_view name(const Document& document) const { return {ids_.data() + document.offset, document.length}; }
  size_t slot(std::string_view id, uint64_t h) const {
    size_t mask = slots_.size() - 1, at = home(h);
    for (;; at = (at + 1) & mask) {
      const Slot& s = slots_[at];
      if (s.document < 0) return at;
      if (s.hash == low(h) && name(documents_[static_cast<size_t>(s.document)]) == id) return at;
    }
  }
  void add(std::string_view label, std::string_view id, bool relevant) {
    if (!is(latest_, id)) latest_ = document(id);
    if (!relevant) return;
    int32_t number = label_number(label), &head = documents_[static_cast<size_t>(latest_)].head;
    for (int32_t i = head; i >= 0; i = links_[static_cast<size_t>(i)].next)
      if (links_[static_cast<size_t>(i)].label == number)
        throw Broken{"label " + shown(label) + " of document " + shown(id) + " is given twice"};
    links_.push_back({number, head});
    head = static_cast<int32_t>(links_.size()) - 1;
  }
  int32_t document(std::string_view id) {
    if (5 * (documents_.size() + 1) > 4 * slots_.size()) grow();
    uint64_t h = hash(id);
    Slot& at = slots_[slot(id, h)];
    if (at.document < 0) {
      at = {low(h), static_cast<int32_t>(documents_.size())};
      documents_.push_back({ids_.size(), static_cast<uint32_t>(id.size()), -1});
      ids_ += id;
    }
    return at.document;
  }
  // Short names are found by their bytes and their length in a small table.
  int32_t label_number(std::string_view label) {
    if (label.size() > 7) return labels_.id(label);
    uint64_t word = label.size();
    std::memcpy(reinterpret_cast<char*>(&word) + 1, label.data(), label.size());
    Known& known = known_[word * 0x9E3779B97F4A7C15u >> 56];
    if (known.label < 0 || known.word != word) known = {word, labels_.id(label)};
    return known.label;
  }
  void grow() {
    slots_.assign(std::max<size_t>(1024, slots_.size() * 2), Slot{0, -1});
    for (size_t i = 0; i < documents_.size(); ++i) {
      uint64_t h = hash(name(documents_[i]));
      slots_[slot(name(documents_[i]), h)] = {low(h), static_cast<int32_t>(i)};
    }
  }

  std::vector<Document> documents_;  // in the order of the file
  std::vector<Slot> slots_;
  std::vector<Link> links_;
  std::string ids_;
  Texts labels_;
  Known known_[256];
  int32_t latest_ = -1;  // the document of the line before
};

}  // namespace telex::vectors
