// The entries of a row in the order of their ids.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace telex::vectors {

class RowOrder {
 public:
  static constexpr size_t kBehind = 2;  // how far behind a row `sort` may write

  // Sorts the ids of a row, none of which is above `highest`, and writes `given`, the value of each, to `values`. Long rows
  // over few features go through a bitmap with an index, which compares nothing.
  void sort(int32_t* ids, float* values, const float* given, size_t count, int32_t highest) {
    size_t groups = static_cast<size_t>(highest) / 4096 + 1;
    if (groups > 2 * count + 8) {
      packed_.resize(count);
      for (size_t i = 0; i < count; ++i)
        packed_[i] = static_cast<uint64_t>(ids[i]) << 32 | std::bit_cast<uint32_t>(given[i]);
      std::sort(packed_.begin(), packed_.end());
      for (size_t i = 0; i < count; ++i) {
        ids[i] = static_cast<int32_t>(packed_[i] >> 32);
        values[i] = std::bit_cast<float>(static_cast<uint32_t>(packed_[i]));
      }
      return;
    }
    if (bits_.size() < groups * 64) {
      bits_.resize(groups * 128);
      groups_.resize(groups * 2);
      slots_.resize(groups * 2 * 4096);
    }
    static constexpr uint64_t kHighest = uint64_t{1} << 63;
    uint64_t *bits = bits_.data(), *index = groups_.data();
    float* slots = slots_.data();
    for (size_t i = 0, n = count; i < n; ++i) {
      auto id = static_cast<size_t>(ids[i]);
      slots[id] = given[i];
      bits[id >> 6] |= uint64_t{1} << (id & 63);
      index[id >> 12] |= uint64_t{1} << (id >> 6 & 63);
    }
    for (size_t g = 0; g < groups; ++g) {
      for (uint64_t group = index[g]; group; group &= group - 1) {
        size_t word = g * 64 + static_cast<size_t>(std::countr_zero(group));
        // Two at a time, even if some are too many: how many a word has is hard to predict.
        const float* slot = slots + word * 64;
        auto first = static_cast<int32_t>(word * 64);
        uint64_t rest = bits[word];
        for (;;) {
          int many = 0;
#pragma GCC unroll 2
          for (int i = 0; i < 2; ++i) {
            int bit = std::countr_zero(rest | kHighest);
            ids[i] = first + bit;
            values[i] = slot[bit];
            many += rest != 0;
            rest &= rest - 1;
          }
          ids += many;
          values += many;
          if (!rest) break;
        }
        bits[word] = 0;
      }
      index[g] = 0;
    }
  }

 private:
  std::vector<float> slots_;
  std::vector<uint64_t> packed_, bits_, groups_;
};

}  // namespace telex::vectors
