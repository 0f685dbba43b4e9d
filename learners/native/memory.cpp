#include "memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace telex {
namespace {

constexpr int64_t huge_page = int64_t(2) << 20;
constexpr int64_t much = int64_t(64) << 20;  // so much may be taken without looking at what is left
constexpr double no_limit = 9e18;

std::atomic<int64_t> limit = 0, taken = 0;  // taken: since the last look
std::atomic<double> share = 0.8;

struct Exhausted final : std::bad_alloc {
  char text[400];
  Exhausted(int64_t more, int64_t left) noexcept {
    std::snprintf(text, sizeof text,
                  "up to %.1f GB more are needed at once, and %.1f GB may be taken; give it fewer labels, fewer terms (--text "
                  "vocabulary=bounded,size=20000) or more memory (--memory-limit), or take another learner",
                  double(more) / 1e9, double(std::max(left, int64_t(0))) / 1e9);
  }
  const char* what() const noexcept override { return text; }
};

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
// The number that follows `name` in a file of the system; -1 where there is none.
long long number_in(const char* path, const char* name) {
  std::FILE* file = std::fopen(path, "r");
  if (!file) return -1;
  char line[256];
  long long found = -1;
  std::size_t size = std::strlen(name);
  while (found < 0 && std::fgets(line, sizeof line, file))
    if (!std::strncmp(line, name, size) && std::sscanf(line + size, "%lld", &found) != 1) break;
  std::fclose(file);
  return found;
}

// What a control group and those around it leave of a share of their limits; pages of files that the system can drop do not
// count.
double left_of_groups(double share) {
  char group[512] = "/sys/fs/cgroup", line[256], path[640];
  std::FILE* file = std::fopen("/proc/self/cgroup", "r");
  if (!file) return no_limit;
  while (std::fgets(line, sizeof line, file))
    if (std::sscanf(line, "0::%255s", group + 14) == 1) break;
  std::fclose(file);
  double least = no_limit;
  for (char* end = group + std::strlen(group); end >= group + 14; end = std::strrchr(group, '/')) {
    *end = 0;
    auto of = [&](const char* what, const char* name) {
      std::snprintf(path, sizeof path, "%s/%s", group, what);
      return double(number_in(path, name));
    };
    double most = of("memory.max", ""), now = of("memory.current", ""), files = of("memory.stat", "inactive_file ");
    if (most >= 0 && now >= 0) least = std::min(least, share * most - now + std::max(files, 0.0));
  }
  return least;
}

void* map(int64_t bytes) {
  void* block = mmap(nullptr, std::size_t(pages(bytes)), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  madvise(block, std::size_t(pages(bytes)), MADV_HUGEPAGE);
  return block;
}
#endif

}  // namespace

int64_t memory_left() noexcept {
  double least = no_limit;
#if defined(__linux__)
  long long size = 0, resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (!file) return INT64_MAX;
  bool known = std::fscanf(file, "%lld %lld", &size, &resident) == 2;
  std::fclose(file);
  if (!known) return INT64_MAX;
  double page = double(sysconf(_SC_PAGESIZE)), own = page * double(resident), part = share;
  if (int64_t most = limit) least = std::min(least, double(most) - own);
  long long available = number_in("/proc/meminfo", "MemAvailable:");
  if (available >= 0) least = std::min(least, part * (1024 * double(available) + own) - own);
  struct rlimit space;
  if (!getrlimit(RLIMIT_AS, &space) && space.rlim_cur != RLIM_INFINITY)
    least = std::min(least, part * double(space.rlim_cur) - page * double(size));
  least = std::min(least, left_of_groups(part));
#endif
  return least < no_limit ? int64_t(least) : INT64_MAX;
}

void limit_memory(int64_t bytes, double of_all) noexcept {
  limit = bytes;
  share = of_all;
}

void check_memory_left(int64_t more) {
  taken = 0;
  int64_t left = memory_left();
  if (more > left) throw Exhausted(more, left);
}

void* regrow(void* block, int64_t have, int64_t wanted) {
  if ((taken += wanted - have) >= much) check_memory_left(wanted - have);
#if defined(__linux__)
  if (have >= page_threshold) {
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
