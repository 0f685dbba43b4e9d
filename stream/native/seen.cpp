// The texts, or fingerprints, that were seen last, a million say: 64-bit hashes in a ring, found by open addressing.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "array.hpp"

namespace nb = nanobind;

namespace {

class Seen {
 public:
  explicit Seen(int64_t capacity)
      : capacity_(static_cast<size_t>(std::max<int64_t>(capacity, 1))),
        size_(std::bit_ceil(2 * capacity_)),
        table_(static_cast<uint64_t*>(std::calloc(size_, sizeof(uint64_t)))) {
    // Full size from the start: the system allocates pages as they are touched, and a table that grew would leave holes.
    if (!table_) throw std::bad_alloc();
    ring_.assign(capacity_, 0);  // all at once, so that memory does not grow with the stream
    ring_.clear();
  }

  // Returns whether the text is among the last `capacity` new ones; remembers it if it is not.
  bool seen_before(const uint8_t* text, size_t length) {
    uint64_t h = 0xCBF29CE484222325u;
    for (size_t i = 0; i < length; ++i) h = (h ^ text[i]) * 0x100000001B3u;
    return seen_before(h);
  }
  bool seen_before(uint64_t h) {
    h += h == 0;  // 0 marks a free slot
    if (table_[slot(h)] == h) return true;
    if (ring_.size() < capacity_) {
      ring_.push_back(h);
    } else {
      forget(ring_[next_]);
      ring_[next_] = h;
      next_ = next_ + 1 == capacity_ ? 0 : next_ + 1;
    }
    table_[slot(h)] = h;
    return false;
  }
  // The hashes remembered, oldest first.
  std::vector<uint64_t> hashes() const {
    std::vector<uint64_t> all(ring_.begin() + std::ptrdiff_t(next_), ring_.end());
    all.insert(all.end(), ring_.begin(), ring_.begin() + std::ptrdiff_t(next_));
    return all;
  }

 private:
  size_t home(uint64_t h) const { return (h * 0x9E3779B97F4A7C15u >> 32) & (size_ - 1); }
  size_t slot(uint64_t h) const {
    size_t at = home(h);
    while (table_[at] != 0 && table_[at] != h) at = (at + 1) & (size_ - 1);
    return at;
  }
  // Removes a hash, and moves up those behind it that would no longer be found.
  void forget(uint64_t h) {
    size_t mask = size_ - 1, hole = slot(h);
    for (size_t at = (hole + 1) & mask; table_[at] != 0; at = (at + 1) & mask)
      if (((at - home(table_[at])) & mask) >= ((at - hole) & mask)) {
        table_[hole] = table_[at];
        hole = at;
      }
    table_[hole] = 0;
  }
  struct Free {
    void operator()(uint64_t* block) const { std::free(block); }
  };
  size_t capacity_, size_, next_ = 0;
  std::unique_ptr<uint64_t[], Free> table_;
  std::vector<uint64_t> ring_;
};

using Texts = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Cuts = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::list repeated_texts(Seen& seen, const Texts& data, const Cuts& offsets) {
  nb::list rows;
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    int64_t begin = offsets(i), end = offsets(i + 1);
    if (begin < 0 || end < begin || static_cast<size_t>(end) > data.size())
      throw nb::value_error("the offsets do not fit the texts");
    if (seen.seen_before(data.data() + begin, static_cast<size_t>(end - begin))) rows.append(i);
  }
  return rows;
}

using Hashes = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ids = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::list repeated(Seen& seen, const Hashes& fingerprints) {
  nb::list rows;
  for (size_t i = 0; i < fingerprints.size(); ++i)
    if (fingerprints(i) != 0 && seen.seen_before(fingerprints(i))) rows.append(i);
  return rows;
}

// A 64-bit fingerprint of each row's features and values, 0 for an empty row.
void fingerprints(const Cuts& indptr, const Ids& features, const Values& values,
                  nb::ndarray<uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> out) {
  size_t rows = out.size();
  if (indptr.size() != rows + 1 || features.size() != values.size()) throw nb::value_error("the arrays do not fit");
  const int64_t* ends = indptr.data();
  for (size_t i = 0; i < rows; ++i)
    if (ends[i] < 0 || ends[i + 1] < ends[i] || static_cast<size_t>(ends[i + 1]) > features.size())
      throw nb::value_error("the offsets do not fit the features");
  const int32_t* names = features.data();
  const float* sizes = values.data();
  uint64_t* prints = out.data();
  nb::gil_scoped_release release;
  for (size_t i = 0; i < rows; ++i) {
    uint64_t h = 0;
    for (int64_t k = ends[i]; k < ends[i + 1]; ++k) {
      uint64_t pair = uint64_t(uint32_t(names[k])) << 32 | std::bit_cast<uint32_t>(sizes[k]);
      h = (std::rotl(h, 29) ^ pair) * 0x9E3779B97F4A7C15u;
      h ^= h >> 32;
    }
    prints[i] = h + (h == 0 && ends[i + 1] > ends[i]);
  }
}

}  // namespace

NB_MODULE(_seen, m) {
  // A thread that waits in a pipe when the interpreter ends may still hold an object, which is no leak.
  nb::set_leak_warnings(false);
  nb::class_<Seen>(m, "Seen")
      .def(nb::init<int64_t>())
      .def("repeated_texts", &repeated_texts)
      .def("repeated", &repeated)
      .def("hashes", [](const Seen& seen) { return telex::array(seen.hashes()); });
  m.def("fingerprints", &fingerprints);
}
