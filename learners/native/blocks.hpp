// Weights of a tree's nodes, as few as there are: a block has those of one feature for the children of one node, their family.
// Blocks are found by a hash table, and lie one behind the other: where one goes, the last one takes its place.
#pragma once
#include "order.hpp"

namespace telex::TELEX_LEVEL {

struct Blocks {
  struct Owner {
    int32_t feature, family;
    int32_t previous, next;  // of the same feature: a number and 1; 0: none
  };
  struct Entry {
    int32_t feature, family;
    int32_t block;  // its number and 1; 0: no entry
  };
  static constexpr int32_t first_of_feature = -1;  // in an entry, instead of a family

  Array<float> data;
  Array<Owner> owners;
  Array<Entry> entries, wider;  // wider: empty but while entries are added
  Array<uint8_t> tags;          // of each entry some bits of its hash, 0: no entry; most that is looked for is not there
  Array<int32_t> gone;          // blocks of a feature that is being forgotten
  int64_t count = 0, used = 0;
  int32_t size;  // floats a block

  explicit Blocks(int32_t size) : size(size) {}
  float* operator[](int64_t block) { return data.data + block * size; }
  const float* operator[](int64_t block) const { return data.data + block * size; }
  int64_t bytes() const {
    return data.capacity * int64_t(sizeof(float)) + owners.capacity * int64_t(sizeof(Owner)) +
           entries.capacity * int64_t(sizeof(Entry)) + tags.capacity;
  }

  static uint64_t hash_of(int32_t feature, int32_t family) { return mix(uint64_t(uint32_t(feature)) << 32 | uint32_t(family)); }
  static uint8_t tag_of(uint64_t hash) { return uint8_t((hash >> 57) + 1); }
  int64_t slot_of(uint64_t hash) const { return int64_t(hash & uint64_t(entries.size - 1)); }
  // Where the entry is, or would be.
  int64_t look(int32_t feature, int32_t family) const {
    uint64_t hash = hash_of(feature, family);
    uint8_t tag = tag_of(hash);
    for (int64_t at = slot_of(hash);; at = (at + 1) & (entries.size - 1)) {
      if (!tags[at]) return at;
      if (tags[at] == tag && entries[at].feature == feature && entries[at].family == family) return at;
    }
  }
  // The number of a block, or -1.
  int32_t find(int32_t feature, int32_t family) const {
    if (!entries.size) return -1;
    int64_t at = look(feature, family);
    return tags[at] ? entries[at].block - 1 : -1;
  }
  // Finds the blocks of a family, by feature: what is not there is -1. Fetches ahead, as nearly all of it is far away: the tags,
  // then the entries that may be right, then so many floats of the blocks.
  void find_all(const Document& d, int32_t family, int32_t floats, int32_t* found) const {
    for (int64_t k = 0; entries.size && k < d.size; ++k) __builtin_prefetch(tags.data + slot_of(hash_of(d.features[k], family)));
    for (int64_t k = 0; entries.size && k < d.size; ++k) {
      uint64_t hash = hash_of(d.features[k], family);
      if (tags[slot_of(hash)]) __builtin_prefetch(entries.data + slot_of(hash));
    }
    for (int64_t k = 0; k < d.size; ++k) {
      found[k] = find(d.features[k], family);
      for (int32_t c = 0; found[k] >= 0 && c < floats; c += line) __builtin_prefetch((*this)[found[k]] + c);
    }
  }
  void enter(int64_t at, Entry entry) {
    entries[at] = entry;
    tags[at] = tag_of(hash_of(entry.feature, entry.family));
  }

  // Makes a block of zeros that was not there, and returns its number.
  int32_t make(int32_t feature, int32_t family, Watch* watch) {
    if ((used + 2) * 4 > entries.size * 3) widen(watch);
    int32_t block = int32_t(count);
    data.resize((count + 1) * size);
    owners.resize(count + 1);
    Owner& own = owners[count++];
    own = {feature, family, 0, 0};
    int64_t head = look(feature, first_of_feature);
    if (tags[head]) {
      own.next = entries[head].block;
      owners[own.next - 1].previous = block + 1;
    }
    used += !tags[head];
    enter(head, {feature, first_of_feature, block + 1});
    enter(look(feature, family), {feature, family, block + 1});
    ++used;
    return block;
  }
  void widen(Watch* watch) {
    wider.resize(entries.size ? 2 * entries.size : 64);
    entries.swap(wider);
    tags.resize(entries.size);
    clear(tags.data, tags.size);
    for (int64_t i = 0; i < wider.size; ++i) {
      if (wider[i].block) enter(look(wider[i].feature, wider[i].family), wider[i]);
      pause_within(watch, 4);
    }
    wider.free();
  }

  // In the order of families, so that what follows depends on no more than the blocks and their places.
  void forget(int32_t feature) {
    if (!entries.size) return;
    int64_t several = 0;
    for (int32_t b = find(feature, first_of_feature) + 1; b; b = owners[b - 1].next) {
      gone.resize(several + 1);
      gone[several++] = owners[b - 1].family;
    }
    sort(gone.data, several);
    for (int64_t i = 0; i < several; ++i) remove(find(feature, gone[i]));
  }

  void remove(int64_t block) {
    Owner own = owners[block];
    if (own.next) owners[own.next - 1].previous = own.previous;
    if (own.previous) owners[own.previous - 1].next = own.next;
    else if (own.next) entries[look(own.feature, first_of_feature)].block = own.next;
    else erase(look(own.feature, first_of_feature));
    erase(look(own.feature, own.family));
    int64_t last = --count;
    if (block != last) {
      Owner moved = owners[block] = owners[last];
      copy((*this)[block], (*this)[last], size);
      int32_t number = int32_t(block) + 1;
      if (moved.next) owners[moved.next - 1].previous = number;
      if (moved.previous) owners[moved.previous - 1].next = number;
      else entries[look(moved.feature, first_of_feature)].block = number;
      entries[look(moved.feature, moved.family)].block = number;
    }
    clear((*this)[last], size);
  }
  // Entries behind move up, so that none is cut off from where it is looked for.
  void erase(int64_t hole) {
    int64_t mask = entries.size - 1;
    for (int64_t at = (hole + 1) & mask; tags[at]; at = (at + 1) & mask) {
      int64_t home = slot_of(hash_of(entries[at].feature, entries[at].family));
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      entries[hole] = entries[at];
      tags[hole] = tags[at];
      hole = at;
    }
    entries[hole].block = tags[hole] = 0;
    --used;
  }
};

}  // namespace telex::TELEX_LEVEL
