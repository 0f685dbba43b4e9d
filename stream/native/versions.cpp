// telex.stream._versions: the newest version of each of the documents that were seen last, a million say, by their ids.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "array.hpp"
#include "text_hash.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Texts = std::pair<Column<uint8_t>, Column<int64_t>>;

uint64_t mixed(uint64_t h, uint64_t word) {
  h = (std::rotl(h, 29) ^ word) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 32;
}

uint64_t word_at(const uint8_t* at, size_t size = 8) {
  uint64_t word = 0;
  std::memcpy(&word, at, size);
  return word;
}

// Four words at a time, as each step of a lane waits for the one before.
uint64_t hash(uint64_t h, const uint8_t* at, size_t size) {
  h = mixed(h, size);
  if (size >= 32) {
    uint64_t lanes[4] = {h, ~h, h << 1 | 1, h >> 1};
    for (; size >= 32; at += 32, size -= 32)
      for (size_t l = 0; l < 4; ++l) lanes[l] = mixed(lanes[l], word_at(at + 8 * l));
    for (uint64_t lane : lanes) h = mixed(h, lane);
  }
  for (; size >= 8; at += 8, size -= 8) h = mixed(h, word_at(at));
  return mixed(h, word_at(at, size));
}

size_t checked_count(const Texts& column) {
  const auto& [data, ends] = column;
  size_t count = ends.size() ? ends.size() - 1 : 0;
  for (size_t i = 0; i < count; ++i)
    if (ends(i) < 0 || ends(i + 1) < ends(i) || size_t(ends(i + 1)) > data.size())
      throw nb::value_error("the offsets do not fit the texts");
  return count;
}

// A hash of each row of some columns of texts, never 0.
std::vector<uint64_t> hashes(const std::vector<Texts>& columns) {
  size_t count = columns.empty() ? 0 : checked_count(columns[0]);
  for (const Texts& column : columns)
    if (checked_count(column) != count) throw nb::value_error("the columns are not of one length");
  std::vector<uint64_t> found(count);
  nb::gil_scoped_release release;
  for (const auto& [data, ends] : columns)
    for (size_t i = 0; i < count; ++i)
      found[i] = hash(found[i], data.data() + ends(i), size_t(ends(i + 1) - ends(i)));
  for (uint64_t& one : found) one += one == 0;
  return found;
}

enum Kind : uint8_t { kNew, kSame, kRevised };

struct Version {
  uint64_t id = 0, content = 0;  // hashes; a content of 0 is not known
  int64_t offset = 0;
  int32_t partition = -1;
};

// The versions lie in a ring, the oldest id first; a table of open addressing has their places there, 0 for none.
class Versions {
 public:
  explicit Versions(int64_t capacity) : capacity_(size_t(std::clamp<int64_t>(capacity, 1, INT32_MAX))) {
    make_room(std::min(capacity_, kFew));
  }

  // Says of each document whether its id is new, and if not, whether its content is that of the newest version, whose
  // place is returned. An id whose content is not known counts as the same.
  nb::object take(const Texts& ids, const Column<uint64_t>& contents, const Column<int32_t>& partitions,
                  const Column<int64_t>& offsets) {
    const auto& [names, ends] = ids;
    size_t count = checked_count(ids);
    if (contents.size() != count || partitions.size() != count || offsets.size() != count)
      throw nb::value_error("the columns are not of one length");
    std::vector<uint8_t> kinds(count);
    std::vector<int32_t> older(count, -1);
    std::vector<int64_t> older_offsets(count);
    {
      nb::gil_scoped_release release;
      for (size_t i = 0; i < count; ++i) {
        uint64_t id = telex::text_hash(names.data() + ends(i), size_t(ends(i + 1) - ends(i)));
        Version now{id, contents(i), offsets(i), partitions(i)};
        uint32_t at = table_[slot(now.id)];
        if (!at) {
          append(now);
          continue;
        }
        Version& then = ring_[at - 1];
        kinds[i] = !then.content || then.content == now.content ? kSame : kRevised;
        older[i] = then.partition, older_offsets[i] = then.offset;
        if (kinds[i] == kRevised) then = now;
      }
    }
    return nb::make_tuple(telex::array(std::move(kinds)), telex::array(std::move(older)),
                          telex::array(std::move(older_offsets)));
  }

  // All versions as columns, the oldest id first.
  nb::object save() const {
    size_t count = ring_.size();
    std::vector<uint64_t> ids(count), contents(count);
    std::vector<int32_t> partitions(count);
    std::vector<int64_t> offsets(count);
    {
      nb::gil_scoped_release release;  // for the learners: the positions of a long run have millions
      for (size_t k = 0, at = next_; k < count; ++k, at = at + 1 == count ? 0 : at + 1) {
        const Version& one = ring_[at];
        ids[k] = one.id, contents[k] = one.content;
        partitions[k] = one.partition, offsets[k] = one.offset;
      }
    }
    return nb::make_tuple(telex::array(std::move(ids)), telex::array(std::move(contents)),
                          telex::array(std::move(partitions)), telex::array(std::move(offsets)));
  }

  // Adds what `save` returned; ids that are there stay as they are.
  void load(const Column<uint64_t>& ids, const Column<uint64_t>& contents, const Column<int32_t>& partitions,
            const Column<int64_t>& offsets) {
    size_t count = ids.size();
    if (contents.size() != count || partitions.size() != count || offsets.size() != count)
      throw nb::value_error("the columns are not of one length");
    for (size_t i = 0; i < count; ++i)
      if (ids(i) && !table_[slot(ids(i))]) append({ids(i), contents(i), offsets(i), partitions(i)});
  }

 private:
  void append(const Version& now) {
    if (ring_.size() == room_ && room_ < capacity_) make_room(capacity_);
    if (ring_.size() < capacity_) {
      ring_.push_back(now);
      table_[slot(now.id)] = uint32_t(ring_.size());
      return;
    }
    forget(ring_[next_].id);
    ring_[next_] = now;
    table_[slot(now.id)] = uint32_t(next_ + 1);
    next_ = next_ + 1 == capacity_ ? 0 : next_ + 1;
  }
  // A short stream takes little memory; any other gets all at once, so that memory does not grow with it.
  void make_room(size_t count) {
    room_ = count;
    ring_.reserve(count);
    table_.assign(std::bit_ceil(2 * count), 0);
    for (size_t k = 0; k < ring_.size(); ++k) table_[slot(ring_[k].id)] = uint32_t(k + 1);
  }
  size_t home(uint64_t id) const { return (id * 0x9E3779B97F4A7C15u >> 32) & (table_.size() - 1); }
  size_t slot(uint64_t id) const {
    size_t at = home(id);
    while (table_[at] && ring_[table_[at] - 1].id != id) at = (at + 1) & (table_.size() - 1);
    return at;
  }
  // Removes an id, and moves up those behind it that would no longer be found.
  void forget(uint64_t id) {
    size_t mask = table_.size() - 1, hole = slot(id);
    for (size_t at = (hole + 1) & mask; table_[at]; at = (at + 1) & mask)
      if (((at - home(ring_[table_[at] - 1].id)) & mask) >= ((at - hole) & mask)) {
        table_[hole] = table_[at];
        hole = at;
      }
    table_[hole] = 0;
  }
  static constexpr size_t kFew = size_t{1} << 16;
  const size_t capacity_;
  size_t room_ = 0, next_ = 0;
  std::vector<uint32_t> table_;
  std::vector<Version> ring_;
};

}  // namespace

NB_MODULE(_versions, m) {
  nb::set_leak_warnings(false);  // a thread that waits when the interpreter ends may still hold an object
  nb::class_<Versions>(m, "Versions")
      .def(nb::init<int64_t>())
      .def("take", &Versions::take, "ids"_a, "contents"_a, "partitions"_a, "offsets"_a)
      .def("save", &Versions::save)
      .def("load", &Versions::load, "ids"_a, "contents"_a, "partitions"_a, "offsets"_a);
  m.def("hashes", [](const std::vector<Texts>& columns) { return telex::array(hashes(columns)); }, "columns"_a);
}
