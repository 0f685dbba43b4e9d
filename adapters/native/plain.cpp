// telex.adapters._plain: the binding of the fast reader for plain JSON lines.
#include "plain.hpp"

#include <nanobind/nanobind.h>

#include <array>

namespace nb = nanobind;
using namespace nb::literals;

namespace telex::plain {
namespace {

// A str; null if the piece is not UTF-8.
nb::object str(const Piece& piece) {
  nb::object made;
  if (piece.ascii) {
    made = nb::steal(PyUnicode_New(Py_ssize_t(piece.size), 127));
    if (made.is_valid() && piece.size) std::memcpy(PyUnicode_DATA(made.ptr()), piece.at, piece.size);
  } else {
    made = nb::steal(PyUnicode_DecodeUTF8(piece.at, Py_ssize_t(piece.size), "strict"));
    if (!made.is_valid() && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) return PyErr_Clear(), made;
  }
  if (!made.is_valid()) throw nb::python_error();
  return made;
}

class List {
 public:
  explicit List(size_t size) : list_(nb::steal(PyList_New(Py_ssize_t(size)))) {
    if (!list_.is_valid()) throw nb::python_error();
  }
  bool add(nb::object made) {
    bool there = made.is_valid();
    if (there) PyList_SET_ITEM(list_.ptr(), at_++, made.release().ptr());
    return there;
  }
  nb::object list() const { return list_; }

 private:
  nb::object list_;
  Py_ssize_t at_ = 0;
};

class Plain {
 public:
  Plain(const nb::bytes& id, const nb::bytes& time, const nb::bytes& title, const nb::bytes& text, const nb::bytes& labels,
        const nb::bytes& body)
      : fields_{of(id), of(time), of(title), of(text), of(labels), of(body)} {}

  // Lists of ids, times, titles, texts and labels.
  nb::object read(const nb::bytes& data) {
    Documents all;
    if (!taken<true>(data, all)) return nb::none();
    for (const Piece& piece : all.foreign)
      if (!str(piece).is_valid()) return nb::none();
    size_t count = all.rows.size(), from = 0;
    List ids(count), times(count), titles(count), texts(count), labels(count);
    for (const Document& row : all.rows) {
      ids.add(str(row.id));
      times.add(nb::float_(row.time));
      if (!titles.add(str(row.title)) || !texts.add(str(row.text))) return nb::none();
      if (!row.labelled) {
        labels.add(nb::none());
        continue;
      }
      List some(row.labels_end - from);
      for (; from < row.labels_end; ++from)
        if (!some.add(label(all.labels[from]))) return nb::none();
      labels.add(some.list());
    }
    return nb::make_tuple(ids.list(), times.list(), titles.list(), texts.list(), labels.list());
  }

  // The first time, the last, and whether they ascend; missing times are NaN.
  nb::object times(const nb::bytes& data) {
    double first = NAN, last = NAN;
    bool ascend = true;
    Documents all;
    if (!taken<false>(data, all)) return nb::none();
    for (const Document& row : all.rows) {
      if (std::isnan(row.time)) continue;
      if (std::isnan(first)) first = row.time;
      ascend &= !(row.time < last);
      last = row.time;
    }
    return nb::make_tuple(first, last, ascend);
  }

 private:
  static std::string of(const nb::bytes& name) { return {name.c_str(), name.size()}; }

  template <bool keep>
  bool taken(const nb::bytes& data, Documents& all) const {
    const char* at = data.c_str();
    size_t size = data.size();
    nb::gil_scoped_release release;
    return Reader<keep>(fields_, at, size, all).read();
  }

  // The same few labels repeat, so the last ones are cached.
  nb::object label(const Piece& piece) {
    if (!piece.ascii || piece.size > 64) return str(piece);
    nb::object& known = known_[std::hash<std::string_view>()(piece.view()) % known_.size()];
    bool same = known.is_valid() && size_t(PyUnicode_GET_LENGTH(known.ptr())) == piece.size &&
                std::memcmp(PyUnicode_DATA(known.ptr()), piece.at, piece.size) == 0;
    if (!same) known = str(piece);
    return known;
  }

  const Fields fields_;
  std::array<nb::object, 1024> known_;
};

}  // namespace
}  // namespace telex::plain

NB_MODULE(_plain, m) {
  using telex::plain::Plain;
  // A thread that waits in a pipe at exit still holds one; that is no leak to report.
  nb::set_leak_warnings(false);
  nb::class_<Plain>(m, "Plain")
      .def(nb::init<const nb::bytes&, const nb::bytes&, const nb::bytes&, const nb::bytes&, const nb::bytes&, const nb::bytes&>(),
           nb::kw_only(), "id"_a, "time"_a, "title"_a, "text"_a, "labels"_a, "body"_a)
      .def("read", &Plain::read, "data"_a)
      .def("times", &Plain::times, "data"_a);
}
