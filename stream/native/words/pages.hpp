// Memory for tables that are read all over: large ones in pages of 2 MiB, where the system has them.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace telex::words {

template <class T>
struct Pages {
  using value_type = T;
  static constexpr size_t page = size_t{1} << 21;
  Pages() = default;
  template <class Other>
  Pages(const Pages<Other>&) {}
  T* allocate(size_t count) {
    size_t bytes = count * sizeof(T);
    bool large = bytes >= page;
    void* block = large ? std::aligned_alloc(page, (bytes + page - 1) / page * page) : std::malloc(bytes);
    if (!block) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (large) madvise(block, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(block);
  }
  void deallocate(T* block, size_t) { std::free(block); }
  bool operator==(const Pages&) const { return true; }
};

template <class T>
using Table = std::vector<T, Pages<T>>;

}  // namespace telex::words
