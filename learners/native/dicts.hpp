// States as dicts of numpy arrays, in the binding: learners write and read them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "binding.hpp"
#include "interface.hpp"
#include "memory.hpp"

namespace telex {
namespace {

// Memory that arrays are laid out in, one after the other.
struct Region {
  char* data = nullptr;
  int64_t bytes = 0;
  void widen(int64_t wanted) {
    if (wanted <= bytes) return;
    data = static_cast<char*>(regrow(data, bytes, wanted));
    bytes = wanted;
  }
};

// Keeps the memory of returned states for the next one: new pages from the system can take twenty times as long as writing
// to them.
struct Shelf {
  std::mutex mutex;
  Region kept;
  int64_t needed = 0;  // by the last
  ~Shelf() { release(kept.data, kept.bytes); }
  Region take(int64_t expected) {
    Region region;
    {
      std::lock_guard lock(mutex);
      expected = std::max(expected, needed);
      region = std::exchange(kept, {});
    }
    try {
      region.widen(expected);
    } catch (const std::bad_alloc&) {  // the next save reports it
    }
    return region;
  }
  void put(Region back) noexcept {
    std::lock_guard lock(mutex);
    if (back.bytes > kept.bytes) std::swap(back, kept);
    release(back.data, back.bytes);
  }
  void note(int64_t used) {
    std::lock_guard lock(mutex);
    needed = used;
  }
  bool holds(int64_t wanted) {
    std::lock_guard lock(mutex);
    return kept.bytes >= wanted;
  }
  // Touches all pages of this much memory, while the stream need not wait for it.
  void make_room(int64_t wanted) {
    Region region = take(wanted);
    for (int64_t at = 0; at < region.bytes; at += 4096) static_cast<volatile char*>(region.data)[at] = 0;
    put(region);
  }
};

struct DictWriter final : Writer {
  struct Given {
    const char* name;
    char type;
    int64_t rows, columns;
    void* data;
  };
  // Goes back to the shelf with the last of the arrays.
  struct Loan {
    std::shared_ptr<Shelf> shelf;
    Region region;
    std::vector<Region> more;  // where the region was too small
    ~Loan() {
      shelf->put(region);
      for (const Region& one : more) release(one.data, one.bytes);
    }
  };
  std::unique_ptr<Loan> loan;
  std::vector<Given> given;
  int64_t used = 0;
  DictWriter(std::shared_ptr<Shelf> shelf, int64_t expected) : loan(new Loan{std::move(shelf), {}, {}}) {
    loan->region = loan->shelf->take(expected);
  }
  void* room(const char* name, char type, int64_t rows, int64_t columns) override {
    int64_t size = type == 'b' ? 1 : type == 'f' || type == 'c' ? 4 : 8;
    int64_t wanted = (std::max(int64_t(1), (rows < 0 ? 1 : rows) * columns * size) + 63) / 64 * 64, start = used;
    used += wanted;
    void* data;
    if (used <= loan->region.bytes) {
      data = loan->region.data + start;
    } else {
      loan->more.emplace_back();
      loan->more.back().widen(wanted);
      data = loan->more.back().data;
    }
    given.push_back({name, type, rows, columns, data});
    return data;
  }
  template <class T>
  static nb::object array(const Given& one, nb::capsule owner) {
    std::size_t shape[2] = {std::size_t(one.rows), std::size_t(one.columns)};
    bool flat = one.rows < 0;
    return nb::cast(nb::ndarray<nb::numpy, T>(one.data, flat ? 1 : 2, flat ? shape + 1 : shape, owner));
  }
  nb::dict dict() {
    nb::capsule owner(loan.get(), [](void* p) noexcept { delete static_cast<Loan*>(p); });
    loan.release()->shelf->note(used);
    nb::dict made;
    for (const Given& one : given)
      made[one.name] = one.type == 'f'   ? array<float>(one, owner)
                       : one.type == 'd' ? array<double>(one, owner)
                       : one.type == 'i' ? array<int64_t>(one, owner)
                       : one.type == 'u' ? array<uint64_t>(one, owner)
                       : one.type == 'c' ? array<int32_t>(one, owner)
                                         : array<uint8_t>(one, owner);
    return made;
  }
};

struct DictReader final : Reader {
  nb::dict dict;
  std::size_t taken = 0;
  explicit DictReader(nb::dict d) : dict(std::move(d)) {}
  [[noreturn]] void refuse(const char* why) override {
    telex::refuse("InputError", ("a saved learner cannot be right: " + std::string(why) + "; take another checkpoint").c_str());
  }
  [[noreturn]] void refuse_array(const char* name) override {
    refuse(("its array " + std::string(name) + " is not there, or not of the type and size that the others ask for").c_str());
  }
  template <class T>
  const void* find(const char* name, int64_t* rows, int64_t* columns) {
    if (!dict.contains(name)) refuse_array(name);
    ++taken;
    nb::ndarray<const T, nb::c_contig, nb::device::cpu> array;
    bool right = nb::try_cast(dict[name], array, false) && (array.ndim() == 1 || array.ndim() == 2) &&
                 reinterpret_cast<std::uintptr_t>(array.data()) % alignof(T) == 0;
    if (!right) refuse_array(name);
    *rows = array.ndim() == 2 ? int64_t(array.shape(0)) : -1;
    *columns = int64_t(array.shape(array.ndim() - 1));
    static const T none{};
    return array.size() ? array.data() : &none;  // the dict holds it
  }
  const void* get(const char* name, char type, int64_t* rows, int64_t* columns) override {
    return type == 'f'   ? find<float>(name, rows, columns)
           : type == 'd' ? find<double>(name, rows, columns)
           : type == 'i' ? find<int64_t>(name, rows, columns)
           : type == 'u' ? find<uint64_t>(name, rows, columns)
           : type == 'c' ? find<int32_t>(name, rows, columns)
                         : find<uint8_t>(name, rows, columns);
  }
  void done() {
    if (taken != dict.size()) refuse("it has arrays that such a learner has not");
  }
};

}  // namespace
}  // namespace telex
