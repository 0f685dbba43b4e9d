// The yardstick of MLPP: how long it takes only to read the rows that a stream of documents touches, in its order.
//
//   bound DOCUMENTS TERMS ROWS WIDTH HALF      -> seconds for the documents from HALF on, the best way of two
//
// DOCUMENTS holds int64 row starts, TERMS int32 rows of a table of ROWS x WIDTH floats. Not part of the product.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

template <class T>
static std::vector<T> read(const char* path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  std::vector<T> data(in.tellg() / sizeof(T));
  in.seekg(0).read(reinterpret_cast<char*>(data.data()), data.size() * sizeof(T));
  return data;
}

// R rows side by side, so that as many streams are prefetched at once; xor, because integers may be summed in any order.
template <int R>
static uint32_t sum(const uint32_t* table, const int32_t* rows, int64_t width) {
  uint32_t all = 0;
  for (int64_t i = 0; i < width; ++i)
    for (int r = 0; r < R; ++r) all ^= table[rows[r] * width + i];
  return all;
}

template <int R>
static double pass(const uint32_t* table, const std::vector<int64_t>& starts, const std::vector<int32_t>& rows,
                   int64_t width, int64_t from, uint32_t& sink) {
  const auto begin = std::chrono::steady_clock::now();
  for (size_t document = from; document + 1 < starts.size(); ++document) {
    int64_t k = starts[document];
    for (; k + R <= starts[document + 1]; k += R) sink ^= sum<R>(table, &rows[k], width);
    for (; k < starts[document + 1]; ++k) sink ^= sum<1>(table, &rows[k], width);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int main(int, char** argv) {
  const auto starts = read<int64_t>(argv[1]);
  const auto rows = read<int32_t>(argv[2]);
  const int64_t height = atoll(argv[3]), width = atoll(argv[4]), half = atoll(argv[5]);
  const size_t huge = size_t(2) << 20, bytes = (size_t(height * width) * 4 + huge - 1) / huge * huge;
  auto* table = static_cast<uint32_t*>(aligned_alloc(huge, bytes));
  if (!table) return 1;
  madvise(table, bytes, MADV_HUGEPAGE);
  for (size_t i = 0; i < bytes / 4; ++i) table[i] = uint32_t(i);
  uint32_t sink = 0;
  double best = 1e9;
  for (int repetition = 0; repetition < 2; ++repetition) {
    best = std::min(best, pass<1>(table, starts, rows, width, half, sink));
    best = std::min(best, pass<4>(table, starts, rows, width, half, sink));
    best = std::min(best, pass<8>(table, starts, rows, width, half, sink));
  }
  printf("%.9f %u\n", best, sink);
}
