// The ids of texts: open addressing over texts that are stored elsewhere.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace telex::words {

inline uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xFF51AFD7ED558CCDu ^ text.size();
  for (size_t i = 0; i < text.size(); i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + i, text.size() - i < 8 ? text.size() - i : 8);
    hash = (std::rotl(hash, 29) ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

// `text_of(id)` returns the text of an id in the table. Ids are not negative.
class Index {
 public:
  size_t size() const { return used_; }
  size_t bytes() const { return slots_.size() * sizeof(Slot); }
  template <class TextOf>
  int32_t find(std::string_view text, const TextOf& text_of) const {
    return slots_.empty() ? -1 : slots_[place(text, uint32_t(hash_of(text)), text_of)].id;
  }
  // The id of a text; a new text gets the id `next`, and `text_of(next)` need not work yet.
  template <class TextOf>
  int32_t find_or_put(std::string_view text, int32_t next, const TextOf& text_of) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    auto hash = uint32_t(hash_of(text));
    Slot& slot = slots_[place(text, hash, text_of)];
    if (slot.id < 0) {
      slot = {hash, next};
      ++used_;
    }
    return slot.id;
  }
  // The text must be new, and `text_of(id)` must already return it.
  void put(std::string_view text, int32_t id) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    insert({uint32_t(hash_of(text)), id});
    ++used_;
  }
  // Removes a text, and moves up those behind it that would no longer be found.
  template <class TextOf>
  void take(std::string_view text, const TextOf& text_of) {
    size_t mask = slots_.size() - 1, hole = place(text, uint32_t(hash_of(text)), text_of);
    for (size_t at = (hole + 1) & mask; slots_[at].id >= 0; at = (at + 1) & mask)
      if (((at - slots_[at].hash) & mask) >= ((at - hole) & mask)) {
        slots_[hole] = slots_[at];
        hole = at;
      }
    slots_[hole] = {};
    --used_;
  }

 private:
  struct Slot {
    uint32_t hash = 0;
    int32_t id = -1;
  };
  template <class TextOf>
  size_t place(std::string_view text, uint32_t hash, const TextOf& text_of) const {
    size_t mask = slots_.size() - 1, at = hash & mask;
    while (slots_[at].id >= 0 && (slots_[at].hash != hash || text_of(slots_[at].id) != text)) at = (at + 1) & mask;
    return at;
  }
  void insert(Slot slot) {
    size_t mask = slots_.size() - 1, at = slot.hash & mask;
    while (slots_[at].id >= 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.id >= 0) insert(slot);
  }
  std::vector<Slot> slots_;
  size_t used_ = 0;
};

// Many texts in one block, numbered in the order of their addition.
class Texts {
 public:
  Texts() : ends_{0} {}
  size_t size() const { return ends_.size() - 1; }
  size_t bytes() const { return data_.capacity() + 8 * ends_.capacity(); }
  std::string_view operator[](size_t i) const { return {data_.data() + ends_[i], ends_[i + 1] - ends_[i]}; }
  void add(std::string_view text) {
    data_.insert(data_.end(), text.begin(), text.end());
    ends_.push_back(data_.size());
  }
  void clear() {
    data_.clear();
    ends_.resize(1);
  }

 private:
  std::vector<char> data_;
  std::vector<size_t> ends_;
};

// Texts that never move: one thread may add texts while another reads those that it knows already.
class FixedTexts {
 public:
  size_t size() const { return size_; }
  size_t bytes() const { return bytes_; }
  std::string_view operator[](size_t i) const { return parts_[part_of(i)][i - first_of(part_of(i))]; }
  void add(std::string_view text) {
    size_t part = part_of(size_), at = size_ - first_of(part);
    if (at == 0) {
      parts_[part] = std::make_unique<std::string_view[]>(least << part);
      bytes_ += (least << part) * sizeof(std::string_view);
    }
    if (text.size() > left_) {
      left_ = std::max(text.size(), block);
      free_ = blocks_.emplace_back(std::make_unique<char[]>(left_)).get();
      bytes_ += left_;
    }
    std::memcpy(free_, text.data(), text.size());
    parts_[part][at] = {free_, text.size()};
    free_ += text.size();
    left_ -= text.size();
    ++size_;
  }

 private:
  // Each part is twice as large as the one before, so the table of parts has a fixed size.
  static constexpr size_t least = 1024, block = size_t{1} << 16;
  static size_t part_of(size_t i) { return size_t(std::bit_width(i / least + 1)) - 1; }
  static size_t first_of(size_t part) { return (least << part) - least; }
  std::unique_ptr<std::string_view[]> parts_[22];  // room for 2^32 of them
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;
  size_t left_ = 0, size_ = 0, bytes_ = 0;
};

}  // namespace telex::words
