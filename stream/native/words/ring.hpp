// The features of the last documents, so that they can be subtracted from the counts again.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace telex::words {

class Ring {
 public:
  size_t size() const { return sizes_.size() - first_; }
  size_t bytes() const { return 4 * (features_.capacity() + counts_.capacity() + sizes_.capacity()); }
  void push(const std::vector<int32_t>& features, const std::vector<uint32_t>& counts) {
    sizes_.push_back(uint32_t(features.size()));
    features_.insert(features_.end(), features.begin(), features.end());
    counts_.insert(counts_.end(), counts.begin(), counts.end());
  }
  // Removes the oldest document: calls `use` with each of its features and its count, and returns how many they are.
  template <class Use>
  size_t pop(const Use& use) {
    size_t count = sizes_[first_++];
    for (size_t i = 0; i < count; ++i, ++head_) use(features_[head_], counts_[head_]);
    // Only once more is free in front than held behind, so that an entry costs a constant on average.
    if (2 * head_ > features_.size()) {
      features_.erase(features_.begin(), features_.begin() + ptrdiff_t(head_));
      counts_.erase(counts_.begin(), counts_.begin() + ptrdiff_t(head_));
      head_ = 0;
    }
    if (2 * first_ > sizes_.size()) {
      sizes_.erase(sizes_.begin(), sizes_.begin() + ptrdiff_t(first_));
      first_ = 0;
    }
    return count;
  }
  void save(std::vector<int64_t>& sizes, std::vector<int32_t>& features, std::vector<uint32_t>& counts) const {
    sizes.assign(sizes_.begin() + ptrdiff_t(first_), sizes_.end());
    features.assign(features_.begin() + ptrdiff_t(head_), features_.end());
    counts.assign(counts_.begin() + ptrdiff_t(head_), counts_.end());
  }

 private:
  std::vector<int32_t> features_;
  std::vector<uint32_t> counts_, sizes_;
  size_t head_ = 0, first_ = 0;
};

}  // namespace telex::words
