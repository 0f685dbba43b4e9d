#include "memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace telex {
namespace {

constexpr int64_t huge_page = int64_t(2) << 20;

#if defined(__linux__)
constexpr int64_t page_threshold = 2 * huge_page;
int64_t pages(int64_t bytes) { return (bytes + huge_page - 1) / huge_page * huge_page; }
#else
constexpr int64_t page_threshold = INT64_MAX;
#endif

void* small(int64_t bytes) {
  void* block = std::aligned_alloc(64, std::size_t((bytes + 63) / 64 * 64));
  if (!block) throw std::bad_alloc();
  return block;
}

#if defined(__linux__)
// The system promises more memory than there is, and later kills a process that uses it: ask for much only if it is there.
void see_whether_there_is(int64_t more) {
  if (more < (int64_t(64) << 20)) return;
  std::FILE* file = std::fopen("/proc/meminfo", "r");
  if (!file) return;
  char line[128];
  long long available = -1;
  while (available < 0 && std::fgets(line, sizeof line, file)) std::sscanf(line, "MemAvailable: %lld kB", &available);
  std::fclose(file);
  if (available >= 0 && more / 1024 > available) throw std::bad_alloc();
}

void* map(int64_t bytes) {
  see_whether_there_is(bytes);
  void* block = mmap(nullptr, std::size_t(pages(bytes)), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  madvise(block, std::size_t(pages(bytes)), MADV_HUGEPAGE);
  return block;
}
#endif

}  // namespace

void* regrow(void* block, int64_t have, int64_t wanted) {
#if defined(__linux__)
  if (have >= page_threshold) {
    see_whether_there_is(wanted - have);
    void* moved = mremap(block, std::size_t(pages(have)), std::size_t(pages(wanted)), MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) throw std::bad_alloc();
    madvise(moved, std::size_t(pages(wanted)), MADV_HUGEPAGE);
    return moved;
  }
  void* fresh = wanted >= page_threshold ? map(wanted) : small(wanted);
#else
  void* fresh = small(wanted);
#endif
  if (have) std::memcpy(fresh, block, std::size_t(have));
  if (wanted < page_threshold) std::memset(static_cast<char*>(fresh) + have, 0, std::size_t(wanted - have));
  release(block, have);
  return fresh;
}

void release(void* block, int64_t have) noexcept {
  if (!block) return;
#if defined(__linux__)
  if (have >= page_threshold) {
    munmap(block, std::size_t(pages(have)));
    return;
  }
#endif
  std::free(block);
}

void give_back() noexcept {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
}

}  // namespace telex
