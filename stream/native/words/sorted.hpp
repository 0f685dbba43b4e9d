// A set of small numbers that returns them in order: a bit per number, a bit per word with bits, and a third level.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace telex::words {

class Sorted {
 public:
  // Numbers stay below `size`, which only grows.
  void hold(size_t size) {
    if (size <= 64 * low_.size()) return;
    size_t room = std::bit_ceil(size < 4096 ? size_t{4096} : size);
    low_.resize(room >> 6);
    middle_.resize((room >> 12) + 1);
    high_.resize((room >> 18) + 1);
  }
  void add(uint32_t i) {
    low_[i >> 6] |= uint64_t{1} << (i & 63);
    middle_[i >> 12] |= uint64_t{1} << (i >> 6 & 63);
    high_[i >> 18] |= uint64_t{1} << (i >> 12 & 63);
  }
  // Calls `use` with every number, ascending; the set is empty afterwards.
  template <class Use>
  void drain(const Use& use) {
    for (size_t h = 0; h < high_.size(); ++h) {
      for (uint64_t high = high_[h]; high; high &= high - 1) {
        size_t m = h << 6 | size_t(std::countr_zero(high));
        for (uint64_t middle = middle_[m]; middle; middle &= middle - 1) {
          size_t l = m << 6 | size_t(std::countr_zero(middle));
          for (uint64_t low = low_[l]; low; low &= low - 1) use(uint32_t(l << 6 | size_t(std::countr_zero(low))));
          low_[l] = 0;
        }
        middle_[m] = 0;
      }
      high_[h] = 0;
    }
  }
  size_t bytes() const { return 8 * (low_.capacity() + middle_.capacity() + high_.capacity()); }

 private:
  std::vector<uint64_t> low_, middle_, high_;
};

}  // namespace telex::words
