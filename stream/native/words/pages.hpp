// Memory for tables with random access: large pages, so that an access does not also have to walk the system's page tables.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace telex::words {

template <class T>
struct Pages {
  using value_type = T;
  Pages() = default;
  template <class U>
  Pages(const Pages<U>&) noexcept {}
  bool operator==(const Pages&) const noexcept { return true; }

  T* allocate(std::size_t count) {
    std::size_t bytes = count * sizeof(T);
#if defined(__linux__)
    constexpr std::size_t page = std::size_t{2} << 20;
    if (bytes >= page / 2) {
      bytes = (bytes + page - 1) / page * page;
      void* found = std::aligned_alloc(page, bytes);
      if (!found) throw std::bad_alloc();
      madvise(found, bytes, MADV_HUGEPAGE);
      return static_cast<T*>(found);
    }
#endif
    void* found = std::malloc(bytes);
    if (!found) throw std::bad_alloc();
    return static_cast<T*>(found);
  }
  void deallocate(T* at, std::size_t) noexcept { std::free(at); }
};

}  // namespace telex::words
