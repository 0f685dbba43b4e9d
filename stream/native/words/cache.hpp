// A cache of tokens: the term of each, and the feature that the term had when it was last looked up.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "index.hpp"
#include "lexer.hpp"
#include "pages.hpp"

namespace telex::words {

inline constexpr int32_t no_term = -1;   // a stop word, or an empty stem
inline constexpr int32_t unknown = -1;   // a feature that must be looked up
inline constexpr int32_t absent = -2;    // a term that had no feature in this version of the vocabulary
inline constexpr int32_t foreign = -3;   // a term that never gets one

// `version` is that of the feature's id, or of the whole vocabulary if the term was absent.
struct Memo {
  int32_t feature = unknown;
  uint32_t version = 0;
};

class Cache {
 public:
  // The term of a token; below `no_term` it is pending: -2 - its place among the new tokens.
  struct Slot {
    uint64_t head, tail, whole;  // whole: the place of all bytes of a token that has more than 16
    uint32_t length;            // 0: free
    int32_t term;
  };

  using Slots = std::vector<Slot, Pages<Slot>>;

  explicit Cache(uint64_t owner) : owner(owner), slots_(size_t{1} << 10) {}

  // The token's slot, or the free slot where it belongs.
  Slot& find(const Token& token) {
    size_t mask = slots_.size() - 1, at = home(token.hash);
    for (;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      uint64_t differ = (slot.head ^ token.head) | (slot.tail ^ token.tail) | (slot.length ^ token.length);
      if (!differ && (token.length <= 16 || same_rest(slot, token))) return slot;
      if (slot.length == 0) return slot;
    }
  }
  // The token must be new.
  void put(const Token& token, int32_t term) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    find(token) = {token.head, token.tail, long_.size(), token.length, term};
    if (token.length > 16) {
      long_.insert(long_.end(), token.at, token.at + token.length);
      long_.resize(long_.size() + 16);  // hashing reads a little beyond the end
    }
    ++used_;
  }
  // The slot of a token that was added with a term that no other token has.
  Slot& holder(uint64_t hash, int32_t term) {
    size_t mask = slots_.size() - 1, at = home(hash);
    while (slots_[at].length == 0 || slots_[at].term != term) at = (at + 1) & mask;
    return slots_[at];
  }
  void prefetch(uint64_t hash) const { __builtin_prefetch(&slots_[home(hash)]); }

  int32_t term(std::string_view text) {
    auto next = int32_t(terms.size());
    int32_t id = index_.find_or_put(text, next, [this](int32_t known) { return terms[size_t(known)]; });
    if (id == next) terms.add(text);
    return id;
  }

  size_t tokens() const { return used_; }
  size_t bytes() const {
    return slots_.capacity() * sizeof(Slot) + long_.capacity() + terms.bytes() + terms.size() * sizeof(Memo) + index_.bytes();
  }

  const uint64_t owner;
  FixedTexts terms;
  std::vector<Memo> memos;  // by term; belongs to the vocabulary, which may work while tokens are cut

 private:
  size_t home(uint64_t hash) const { return hash >> 16 & (slots_.size() - 1); }
  bool same_rest(const Slot& slot, const Token& token) const {
    return std::memcmp(&long_[slot.whole + 16], token.at + 16, token.length - 16) == 0;
  }
  void grow() {
    Slots old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.length == 0) continue;
      Token token{slot.head, slot.tail, 0, nullptr, slot.length};
      if (slot.length > 16) token.at = &long_[slot.whole];
      token.hash = hash_rest(token);
      size_t mask = slots_.size() - 1, at = home(token.hash);
      while (slots_[at].length != 0) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }
  Slots slots_;
  std::vector<uint8_t> long_;
  Index index_;
  size_t used_ = 0;
};

}  // namespace telex::words
