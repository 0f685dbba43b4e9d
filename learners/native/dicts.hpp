// States as dicts of numpy arrays, in the binding: what learners write, and what they read.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "interface.hpp"
#include "memory.hpp"

namespace telex {
namespace {

namespace nb = nanobind;

[[noreturn]] void refuse(const char* error, const char* why) {
  PyErr_SetString(nb::module_::import_("telex.learners.errors").attr(error).ptr(), why);
  throw nb::python_error();
}

struct Block {
  const char* name;
  char type;
  int64_t rows, columns, bytes;
  void* data;
};

// The memory of arrays given away, kept for the next that have the same names: pages that the system gives anew can cost
// twenty times what it costs to write to them.
struct Shelf {
  std::mutex mutex;
  std::vector<Block> blocks;
  ~Shelf() {
    for (const Block& block : blocks) release(block.data, block.bytes);
  }
  Block take(const char* name) {
    std::lock_guard lock(mutex);
    for (Block& block : blocks) {
      if (std::strcmp(block.name, name)) continue;
      Block found = block;
      block = blocks.back();
      blocks.pop_back();
      return found;
    }
    return {name, 0, 0, 0, 0, nullptr};
  }
  void put(const Block& back) noexcept {
    std::lock_guard lock(mutex);
    for (const Block& block : blocks)
      if (!std::strcmp(block.name, back.name)) return release(back.data, back.bytes);
    try {
      blocks.push_back(back);
    } catch (const std::bad_alloc&) {
      release(back.data, back.bytes);
    }
  }
};

struct DictWriter final : Writer {
  std::shared_ptr<Shelf> shelf;
  std::vector<Block> blocks;
  explicit DictWriter(std::shared_ptr<Shelf> s) : shelf(std::move(s)) {}
  DictWriter(const DictWriter&) = delete;
  ~DictWriter() {
    for (const Block& block : blocks) release(block.data, block.bytes);
  }
  void* room(const char* name, char type, int64_t rows, int64_t columns) override {
    int64_t size = type == 'b' ? 1 : type == 'f' || type == 'c' ? 4 : 8;
    int64_t wanted = std::max(int64_t(64), (rows < 0 ? 1 : rows) * columns * size);
    blocks.push_back(shelf->take(name));
    Block& block = blocks.back();
    if (block.bytes < wanted) {
      block.data = regrow(block.data, block.bytes, wanted);
      block.bytes = wanted;
    }
    block.type = type, block.rows = rows, block.columns = columns;
    return block.data;
  }
  struct Loan {
    Block block;
    std::shared_ptr<Shelf> shelf;
    ~Loan() { shelf->put(block); }
  };
  template <class T>
  static nb::object array(const Block& block, nb::capsule owner) {
    std::size_t shape[2] = {std::size_t(block.rows), std::size_t(block.columns)};
    bool flat = block.rows < 0;
    return nb::cast(nb::ndarray<nb::numpy, T>(block.data, flat ? 1 : 2, flat ? shape + 1 : shape, owner));
  }
  nb::dict dict() {
    nb::dict made;
    for (Block& one : blocks) {
      Block block = one;
      std::unique_ptr<Loan> loan(new Loan{block, shelf});
      one.data = nullptr;
      nb::capsule owner(loan.get(), [](void* p) noexcept { delete static_cast<Loan*>(p); });
      (void)loan.release();
      made[block.name] = block.type == 'f'   ? array<float>(block, owner)
                         : block.type == 'd' ? array<double>(block, owner)
                         : block.type == 'i' ? array<int64_t>(block, owner)
                         : block.type == 'u' ? array<uint64_t>(block, owner)
                         : block.type == 'c' ? array<int32_t>(block, owner)
                                             : array<uint8_t>(block, owner);
    }
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
