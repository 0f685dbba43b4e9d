// telex.adapters._records: the binding of the unpacking of record batches.
#include "records.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <optional>
#include <utility>
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "../../stream/native/array.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace telex::records {
namespace {

// The bytes of an object, which stay in place as long as this lives.
class Held {
 public:
  explicit Held(const nb::object& object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE)) throw nb::python_error();
  }
  Held(const Held&) = delete;
  ~Held() { PyBuffer_Release(&view_); }
  const char* data() const { return static_cast<const char*>(view_.buf); }
  size_t size() const { return size_t(view_.len); }

 private:
  Py_buffer view_;
};

nb::object bytes_of(const Piece& piece) {
  if (piece.size < 0) return nb::none();
  return nb::bytes(piece.at, size_t(piece.size));
}

// Uninitialised room for bytes, written before they are read.
nb::object room(size_t size) {
  nb::object made = nb::steal(PyBytes_FromStringAndSize(nullptr, Py_ssize_t(size)));
  if (!made.is_valid()) throw nb::python_error();
  return made;
}

constexpr size_t little = 1 << 15;  // reading fewer bytes than this is faster than releasing the interpreter

class Unpacking {
 public:
  explicit Unpacking(int64_t wanted) : wanted_(wanted) {}
  Unpacking(const Unpacking&) = delete;

  size_t count() const { return records_.size(); }
  size_t bytes() const { return bytes_; }

  // Read a batch: the number of records, their length, the offset of the last one if any, and the error if any.
  nb::object add(const nb::object& data, size_t start, int64_t count, int64_t offset, int64_t timestamp, bool appended) {
    const Held& held = held_.emplace_back(data);
    if (start > held.size()) throw nb::value_error("start lies behind the data");
    Reader reader({count, offset, timestamp, appended}, held.data() + start, held.size() - start);
    int64_t read = 0, length = 0;
    std::optional<int64_t> last;
    Trouble trouble = Trouble::none;
    auto all = [&] {
      while (!reader.done()) {
        Record record;
        trouble = reader.next(record, length);
        if (trouble != Trouble::none) return;
        ++read;
        last = record.offset;
        keep(std::move(record));
      }
      trouble = reader.ended();
    };
    if (held.size() - start <= little) {
      all();
    } else {
      nb::gil_scoped_release release;
      all();
    }
    if (records_.empty()) held_.clear();
    const char* reason = reason_of(trouble);
    return nb::make_tuple(read, length, last, reason ? nb::object(nb::str(reason)) : nb::object(nb::none()));
  }

  // Append a record that was read elsewhere and has no headers.
  void append(int64_t offset, int64_t timestamp, const nb::object& key, const nb::object& value) {
    Record record{offset, timestamp, held(key), held(value), {}};
    keep(std::move(record));
    if (records_.empty()) held_.clear();
  }

  // Take the first records, at most `most`, out as arrays.
  nb::object take(size_t most) {
    size_t count = std::min(most, records_.size());
    std::vector<int64_t> offsets(count), timestamps(count);
    std::vector<int32_t> key_sizes(count), value_sizes(count);
    nb::dict headers;
    size_t keys = 0, values = 0;
    for (size_t row = 0; row < count; ++row) {
      const Record& record = records_[row];
      keys += record.key.length(), values += record.value.length();
      if (named_ && !record.headers.empty()) headers[nb::int_(row)] = headers_of(record);
    }
    nb::object key_bytes = room(keys), value_bytes = room(values);
    {
      char *to_key = PyBytes_AS_STRING(key_bytes.ptr()), *to_value = PyBytes_AS_STRING(value_bytes.ptr());
      nb::gil_scoped_release release;
      for (size_t row = 0; row < count; ++row) {
        const Record& record = records_[row];
        offsets[row] = record.offset, timestamps[row] = record.timestamp;
        key_sizes[row] = record.key.size, value_sizes[row] = record.value.size;
        to_key = put(record.key, to_key), to_value = put(record.value, to_value);
      }
    }
    records_.erase(records_.begin(), records_.begin() + std::ptrdiff_t(count));
    bytes_ -= keys + values;
    if (records_.empty()) held_.clear();
    return nb::make_tuple(array(std::move(offsets)), array(std::move(timestamps)), array(std::move(key_sizes)),
                          array(std::move(value_sizes)), key_bytes, value_bytes, headers);
  }

 private:
  void keep(Record&& record) {
    begun_ |= record.offset >= wanted_;
    if (!begun_) return;
    bytes_ += record.key.length() + record.value.length();
    named_ |= !record.headers.empty();
    records_.push_back(std::move(record));
  }

  Piece held(const nb::object& bytes) {
    if (bytes.is_none()) return {};
    const Held& held = held_.emplace_back(bytes);
    if (held.size() > INT32_MAX) throw nb::value_error("this is larger than a record can be");
    return {held.data(), int32_t(held.size())};
  }

  static char* put(const Piece& piece, char* to) {
    if (piece.size > 0) std::memcpy(to, piece.at, size_t(piece.size));
    return to + piece.length();
  }

  static nb::object headers_of(const Record& record) {
    nb::list made;
    for (const Header& header : record.headers)
      made.append(nb::make_tuple(nb::str(header.name.at, size_t(header.name.size)), bytes_of(header.value)));
    return nb::tuple(made);
  }

  const int64_t wanted_;
  bool begun_ = false, named_ = false;
  size_t bytes_ = 0;
  std::deque<Held> held_;
  std::deque<Record> records_;
};

using Column = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Join pieces of `data`, each given by its buffer, begin and size, with a newline after each; none if one
// contains a newline.
nb::object lines(const std::vector<nb::bytes>& data, const Column& which, const Column& begins, const Column& sizes) {
  size_t count = which.shape(0), size = count;
  if (begins.shape(0) != count || sizes.shape(0) != count) throw nb::value_error("the columns are not of one length");
  std::vector<Piece> pieces(count);
  for (size_t row = 0; row < count; ++row) {
    auto at = uint64_t(which(row)), begin = uint64_t(begins(row)), length = uint64_t(sizes(row));
    if (at >= data.size() || begin > data[at].size() || length > data[at].size() - begin || length > INT32_MAX)
      throw nb::value_error("a piece lies outside of the data");
    pieces[row] = {data[at].c_str() + begin, int32_t(length)};
    size += length;
  }
  nb::object made = room(size);
  char* to = PyBytes_AS_STRING(made.ptr());
  bool plain = true;
  {
    nb::gil_scoped_release release;
    for (const Piece& piece : pieces) {
      plain &= !std::memchr(piece.at, '\n', piece.length());
      std::memcpy(to, piece.at, piece.length());
      to += piece.length();
      *to++ = '\n';
    }
  }
  return plain ? made : nb::object(nb::none());
}

// Read that many bytes from a file or a socket into memory of their own.
nb::object receive(int file, size_t size) {
  nb::object made = room(size);
  char* to = PyBytes_AS_STRING(made.ptr());
  ssize_t some = 1;
  {
    nb::gil_scoped_release release;
    while (size && some) {
      some = read(file, to, size);
      if (some > 0) to += some, size -= size_t(some);
      if (some < 0 && errno != EINTR) break;
    }
  }
  if (some < 0) PyErr_SetFromErrno(PyExc_OSError);
  if (!some) PyErr_SetString(PyExc_EOFError, "it ends too early");
  if (some <= 0) throw nb::python_error();
  return made;
}

// Keep freed memory for the next fetch: otherwise each fetched megabyte would go back to the
// system and be requested again page by page, which costs more than all the work on it.
void keep_freed() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

}  // namespace
}  // namespace telex::records

NB_MODULE(_records, m) {
  using telex::records::Unpacking;
  // The client's threads may still hold one at exit; that is no leak to report.
  nb::set_leak_warnings(false);
  m.def("keep_freed", &telex::records::keep_freed);
  m.def("receive", &telex::records::receive, "file"_a, "size"_a);
  m.def("lines", &telex::records::lines, "data"_a, "which"_a, "begins"_a, "sizes"_a);
  nb::class_<Unpacking>(m, "Unpacking")
      .def(nb::init<int64_t>(), "wanted"_a)
      .def("__len__", &Unpacking::count)
      .def_prop_ro("size", &Unpacking::bytes)
      .def("add", &Unpacking::add, "data"_a, "start"_a, nb::kw_only(), "count"_a, "offset"_a, "timestamp"_a, "appended"_a)
      .def("append", &Unpacking::append, "offset"_a, "timestamp"_a, "key"_a.none(), "value"_a.none())
      .def("take", &Unpacking::take, "most"_a);
}
