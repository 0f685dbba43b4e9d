// Names and their ids, by first appearance: labels are texts, features are numbers.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace telex::vectors {

class Texts {
 public:
  int32_t id(std::string_view name) {
    auto found = ids_.find(name);
    if (found == ids_.end()) {
      found = ids_.emplace(std::string(name), static_cast<int32_t>(names_.size())).first;
      names_.push_back(&found->first);
    }
    return found->second;
  }
  // -1 if the name is new.
  int32_t find(std::string_view name) const {
    auto found = ids_.find(name);
    return found == ids_.end() ? -1 : found->second;
  }
  size_t size() const { return names_.size(); }
  const std::string& operator[](size_t id) const { return *names_[id]; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, int32_t, Hash, std::equal_to<>> ids_;
  std::vector<const std::string*> names_;  // the keys of a map do not move
};

// A plain table for the small numbers, open addressing for those above. One thread may add while others look for small ones.
class Numbers {
 public:
  static constexpr int32_t kSmall = 1 << 22;

  int32_t find(int32_t number) const {
    if (number < kSmall) return find_small(number);
    return keys_.empty() ? -1 : ids_[slot(number)];
  }
  // For a thread of which nothing is known: -1 if the number is new, or not small.
  int32_t find_small(int32_t number) const {
    return number < kSmall ? std::atomic_ref(direct_.get()[number]).load(std::memory_order_relaxed) - 1 : -1;
  }
  // `number` must be new.
  int32_t add(int32_t number) {
    auto id = static_cast<int32_t>(names_.size());
    names_.push_back(number);
    if (number < kSmall) {
      std::atomic_ref(direct_.get()[number]).store(id + 1, std::memory_order_relaxed);
    } else {
      if (2 * ++hashed_ > keys_.size()) grow();
      size_t at = slot(number);
      keys_[at] = number;
      ids_[at] = id;
    }
    return id;
  }
  size_t size() const { return names_.size(); }
  int32_t operator[](size_t id) const { return names_[id]; }

 private:
  size_t slot(int32_t number) const {
    size_t mask = keys_.size() - 1;
    size_t at = (static_cast<uint64_t>(number) * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (keys_[at] != -1 && keys_[at] != number) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<int32_t> keys = std::move(keys_), ids = std::move(ids_);
    keys_.assign(std::max<size_t>(1024, keys.size() * 2), -1);
    ids_.assign(keys_.size(), -1);
    for (size_t i = 0; i < keys.size(); ++i)
      if (keys[i] != -1) {
        size_t at = slot(keys[i]);
        keys_[at] = keys[i];
        ids_[at] = ids[i];
      }
  }
  struct Free {
    void operator()(int32_t* memory) const { std::free(memory); }
  };
  static int32_t* zeros() {  // of which the system gives what is touched
    if (void* memory = std::calloc(kSmall, sizeof(int32_t))) return static_cast<int32_t*>(memory);
    throw std::bad_alloc();
  }
  std::unique_ptr<int32_t[], Free> direct_{zeros()};  // ids and 1; 0 for a new number
  std::vector<int32_t> keys_, ids_, names_;
  size_t hashed_ = 0;
};

// Shared by all passes over a source; readers and writers hold the mutex.
struct Table {
  std::mutex mutex;
  Numbers features;
  Texts labels;
  size_t features_reported = 0, labels_reported = 0;
};

inline bool utf8(std::string_view text) {
  const auto* p = reinterpret_cast<const unsigned char*>(text.data());
  const auto* end = p + text.size();
  while (p < end) {
    if (*p < 0x80) {
      ++p;
      continue;
    }
    int more = *p >= 0xc2 && *p < 0xe0 ? 1 : *p >= 0xe0 && *p < 0xf0 ? 2 : *p >= 0xf0 && *p < 0xf5 ? 3 : 0;
    if (more == 0 || end - p <= more) return false;
    unsigned low = *p == 0xe0 ? 0xa0 : *p == 0xf0 ? 0x90 : 0x80, high = *p == 0xed ? 0x9f : *p == 0xf4 ? 0x8f : 0xbf;
    if (p[1] < low || p[1] > high) return false;
    for (int i = 2; i <= more; ++i)
      if (p[i] < 0x80 || p[i] > 0xbf) return false;
    p += more + 1;
  }
  return true;
}

}  // namespace telex::vectors
