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
#include "text_hash.hpp"

namespace nb = nanobind;

namespace {

class Seen {
 public:
  explicit Seen(int64_t capacity) : capacity_(static_cast<size_t>(std::max<int64_t>(capacity, 1))) {
    make_room(std::min(capacity_, kFew));
  }

  // Returns which of the hashes are among the last `capacity` new ones, without those that are 0; remembers the others.
  std::vector<size_t> repeated(const uint64_t* hashes, size_t count) {
    constexpr size_t kAhead = 16;  // look-ups wait for memory: some are begun early
    std::vector<size_t> rows;
    for (size_t i = 0; i < count; ++i) {
      if (i + kAhead < count) __builtin_prefetch(&table_[home(hashes[i + kAhead])], 1);
      if (hashes[i] != 0 && seen_before(hashes[i])) rows.push_back(i);
    }
    return rows;
  }
  // The hashes remembered, oldest first.
  std::vector<uint64_t> hashes() const {
    std::vector<uint64_t> all(ring_.begin() + std::ptrdiff_t(next_), ring_.end());
    all.insert(all.end(), ring_.begin(), ring_.begin() + std::ptrdiff_t(next_));
    return all;
  }

 private:
  bool seen_before(uint64_t h) {
    size_t at = slot(h);
    if (table_[at] == h) return true;
    if (ring_.size() < capacity_) {
      if (ring_.size() == room_) {
        make_room(capacity_);
        at = slot(h);
      }
      ring_.push_back(h);
    } else {
      forget(ring_[next_]);
      ring_[next_] = h;
      next_ = next_ + 1 == capacity_ ? 0 : next_ + 1;
      at = slot(h);
    }
    table_[at] = h;
    return false;
  }
  // A short stream takes little memory. Any other gets all at once, so that memory does not grow with it, and that tables
  // which grew leave no holes.
  void make_room(size_t count) {
    size_t size = std::bit_ceil(2 * count);
    table_.reset(static_cast<uint64_t*>(std::calloc(size, sizeof(uint64_t))));
    if (!table_) throw std::bad_alloc();
    room_ = count;
    size_ = size;
    size_t had = ring_.size();
    ring_.resize(count);
    ring_.resize(had);
    for (uint64_t h : ring_) table_[slot(h)] = h;
  }
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
  static constexpr size_t kFew = size_t{1} << 16;
  const size_t capacity_;
  size_t room_ = 0, size_ = 0, next_ = 0;
  std::unique_ptr<uint64_t[], Free> table_;
  std::vector<uint64_t> ring_;
};

using Texts = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Cuts = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Hashes = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ids = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::list as_list(const std::vector<size_t>& rows) {
  nb::list list;
  for (size_t row : rows) list.append(row);
  return list;
}

nb::list repeated_texts(Seen& seen, const Texts& data, const Cuts& offsets) {
  size_t count = offsets.size() ? offsets.size() - 1 : 0;
  const int64_t* cuts = offsets.data();
  for (size_t i = 0; i < count; ++i)
    if (cuts[i] < 0 || cuts[i + 1] < cuts[i] || static_cast<size_t>(cuts[i + 1]) > data.size())
      throw nb::value_error("the offsets do not fit the texts");
  std::vector<size_t> rows;
  {
    nb::gil_scoped_release release;
    std::vector<uint64_t> hashes(count);
    for (size_t i = 0; i < count; ++i)
      hashes[i] = telex::text_hash(data.data() + cuts[i], static_cast<size_t>(cuts[i + 1] - cuts[i]));
    rows = seen.repeated(hashes.data(), count);
  }
  return as_list(rows);
}

nb::list repeated(Seen& seen, const Hashes& fingerprints) {
  std::vector<size_t> rows;
  {
    nb::gil_scoped_release release;
    rows = seen.repeated(fingerprints.data(), fingerprints.size());
  }
  return as_list(rows);
}

// A step of a row's fingerprint.
inline uint64_t mixed(uint64_t h, int32_t feature, float value) {
  uint64_t pair = uint64_t(uint32_t(feature)) << 32 | std::bit_cast<uint32_t>(value);
  h = (std::rotl(h, 29) ^ pair) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 32;
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
  // Four rows at a time, as each step of a row waits for the one before. A row that is done makes room for the next; the
  // rows behind the last are empty.
  constexpr size_t kLanes = 4;
  struct Lane {
    uint64_t h = 0;
    size_t row = 0;
    int64_t at = 0, end = 0;
  } lanes[kLanes];
  size_t next = 0;
  auto fill = [&](Lane& lane) {
    while (next < rows && ends[next] == ends[next + 1]) prints[next++] = 0;
    if (next == rows) return false;
    lane = {0, next, ends[next], ends[next + 1]};
    ++next;
    return true;
  };
  size_t live = 0;
  while (live < kLanes && fill(lanes[live])) ++live;
  while (live) {
    int64_t common = lanes[0].end - lanes[0].at;
    for (size_t l = 1; l < live; ++l) common = std::min(common, lanes[l].end - lanes[l].at);
    if (live == kLanes) {
      Lane a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
      for (int64_t k = 0; k < common; ++k) {
        a.h = mixed(a.h, names[a.at + k], sizes[a.at + k]);
        b.h = mixed(b.h, names[b.at + k], sizes[b.at + k]);
        c.h = mixed(c.h, names[c.at + k], sizes[c.at + k]);
        d.h = mixed(d.h, names[d.at + k], sizes[d.at + k]);
      }
      lanes[0].h = a.h, lanes[1].h = b.h, lanes[2].h = c.h, lanes[3].h = d.h;
    } else {
      for (size_t l = 0; l < live; ++l)
        for (int64_t k = lanes[l].at; k < lanes[l].at + common; ++k) lanes[l].h = mixed(lanes[l].h, names[k], sizes[k]);
    }
    for (size_t l = live; l-- > 0;) {
      Lane& lane = lanes[l];
      lane.at += common;
      if (lane.at < lane.end) continue;
      prints[lane.row] = lane.h + (lane.h == 0);
      if (!fill(lane)) lane = lanes[--live];
    }
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
