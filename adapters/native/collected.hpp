// What readers of texts have in common for Python: the documents that were read and not yet taken, as columns.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "../../stream/native/array.hpp"
#include "columns.hpp"

namespace telex::plain {

namespace nb = nanobind;

inline std::string_view view(const nb::bytes& text) { return {text.c_str(), text.size()}; }

// The part of `data` from `start` to `stop`.
inline std::string_view part(const nb::bytes& data, size_t start, size_t stop) {
  if (start > stop || stop > data.size()) throw nb::index_error("the lines end before that");
  return view(data).substr(start, stop - start);
}

// Buffers of texts that numpy has given back: fresh memory for each batch would cost as much as reading it.
class Pool {
 public:
  std::vector<uint8_t> take() {
    std::lock_guard hold(mutex_);
    if (free_.empty()) return {};
    std::vector<uint8_t> one = std::move(free_.back());
    free_.pop_back();
    one.clear();
    return one;
  }
  void give(std::vector<uint8_t>&& one) {
    std::lock_guard hold(mutex_);
    if (free_.size() < most && one.capacity() <= largest) free_.push_back(std::move(one));
  }

 private:
  static constexpr size_t most = 8, largest = size_t{1} << 23;
  std::mutex mutex_;
  std::vector<std::vector<uint8_t>> free_;
};

struct Lent {
  std::shared_ptr<Pool> pool;
  std::vector<uint8_t> bytes;
  ~Lent() { pool->give(std::move(bytes)); }
};

// Hands bytes to numpy, which gives them back to the pool.
inline nb::object lend(const std::shared_ptr<Pool>& pool, std::vector<uint8_t>&& bytes) {
  auto owned = std::make_unique<Lent>(pool, std::move(bytes));
  owned->bytes.reserve(1);  // numpy needs an address even for an empty array
  uint8_t* data = owned->bytes.data();
  size_t size = owned->bytes.size();
  nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<Lent*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>(data, {size}, owner));
}

class Collected {
 public:
  void append(const nb::str& id, double time, const nb::str& title, const nb::str& text,
              const std::vector<int32_t>& labels, bool labelled) {
    auto hold = locked();
    for (int32_t label : labels)
      if (label < 0 || size_t(label) >= collector_.names.size()) throw nb::index_error("there is no such label");
    Columns& columns = collector_.columns;
    add(columns.ids, id);
    add(columns.titles, title);
    add(columns.texts, text);
    columns.times.push_back(time);
    columns.labels.add(labels.data(), labels.size());
    columns.labelled.push_back(labelled);
  }

  int32_t label(const nb::bytes& name) {
    auto hold = locked();
    return collector_.names.id(view(name));
  }

  nb::tuple take(size_t count) {
    auto hold = locked();
    if (count > collector_.columns.size()) throw nb::index_error("there are not as many documents");
    Columns found = collector_.columns.first(count, pool_->take());
    nb::object texts = lend(pool_, std::move(found.texts.data));
    return nb::make_tuple(pair(std::move(found.ids)), array(std::move(found.times)), pair(std::move(found.titles)),
                          nb::make_tuple(texts, array(std::move(found.texts.offsets))), pair(std::move(found.labels)), array(std::move(found.labelled)));
  }

  void cut(size_t count) {
    auto hold = locked();
    if (count < collector_.columns.size()) collector_.columns.resize(count);
  }

  size_t size() {
    auto hold = locked();
    return collector_.columns.size();
  }

 protected:
  std::unique_lock<std::mutex> locked() {
    nb::gil_scoped_release release;
    return std::unique_lock(mutex_);
  }
  std::mutex mutex_;  // guards the members below
  Collector collector_;

 private:
  // Adds a str; a lone surrogate has no UTF-8, and is written as if it had.
  static void add(Column<uint8_t>& column, const nb::str& text) {
    Py_ssize_t size = 0;
    if (const char* at = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) return Collector::add(column, {at, size_t(size)});
    PyErr_Clear();
    nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
    if (!bytes.is_valid()) throw nb::python_error();
    Collector::add(column, view(nb::borrow<nb::bytes>(bytes)));
  }
  template <class T>
  static nb::object pair(Column<T>&& column) {
    return nb::make_tuple(array(std::move(column.data)), array(std::move(column.offsets)));
  }

  const std::shared_ptr<Pool> pool_ = std::make_shared<Pool>();
};

}  // namespace telex::plain
