// What the machine allows: how fast one thread and two read memory, and how fast one takes numbers out of text.
//
//   roofline      -> GB/s of one thread, GB/s of two, MB/s of text
//
// The best of several tries. Not part of the product.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

constexpr size_t bytes = size_t(256) << 20, huge = size_t(2) << 20;
constexpr int tries = 5;

template <class Work>
static double seconds(const Work& work) {
  double best = 1e9;
  for (int i = 0; i < tries; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

// xor, because integers may be summed in any order; eight streams, so that as many are prefetched at once.
static uint64_t read(const uint64_t* from, size_t count) {
  constexpr size_t streams = 8;
  uint64_t all = 0;
  for (size_t i = 0; i < count / streams; ++i)
    for (size_t s = 0; s < streams; ++s) all ^= from[s * (count / streams) + i];
  return all;
}

// The least that a reader of "term:value term:value ..." does: each digit once, byte by byte.
static uint64_t parse(const std::string& text) {
  uint64_t all = 0, number = 0;
  for (char c : text) {
    const unsigned digit = unsigned(c) - '0';
    if (digit < 10) {
      number = number * 10 + digit;
    } else {
      all ^= number;
      number = 0;
    }
  }
  return all;
}

int main() {
  auto* table = static_cast<uint64_t*>(aligned_alloc(huge, bytes));
  if (!table) return 1;
  madvise(table, bytes, MADV_HUGEPAGE);
  const size_t words = bytes / 8;
  for (size_t i = 0; i < words; ++i) table[i] = i;
  std::string text;
  for (uint32_t i = 0, x = 1; i < 1'000'000; ++i, x = x * 1664525 + 1013904223)
    text += std::to_string(x % 47'000) + ":0." + std::to_string(100'000 + x % 899'999) + " ";
  uint64_t sink[2] = {};
  const double one = seconds([&] { sink[0] ^= read(table, words); });
  const double two = seconds([&] {
    std::thread other([&] { sink[1] ^= read(table + words / 2, words / 2); });
    sink[0] ^= read(table, words / 2);
    other.join();
  });
  const double parsed = seconds([&] { sink[0] ^= parse(text); });
  printf("%.2f %.2f %.1f %d\n", double(bytes) / one / 1e9, double(bytes) / two / 1e9, double(text.size()) / parsed / 1e6,
         int((sink[0] ^ sink[1]) & 1));
}
