// telex.adapters._plain: the binding of the fast readers of texts.
#include "plain.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "collected.hpp"
#include "rows.hpp"
#include "tokens.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace telex::plain {
namespace {

class Plain : public Collected {
 public:
  Plain(const nb::bytes& id, const nb::bytes& time, const nb::bytes& title, const nb::bytes& text, const nb::bytes& labels,
        const nb::bytes& body)
      : fields_{of(id), of(time), of(title), of(text), of(labels), of(body)} {}

  size_t add(const nb::bytes& data, size_t start, size_t length, size_t labels) {
    std::string_view lines = view(data);
    if (start > lines.size()) throw nb::index_error("the lines end before that");
    nb::gil_scoped_release release;
    std::lock_guard hold(mutex_);
    return start + collector_.add(fields_, lines.substr(start), {length, labels});
  }

  // The first time from `start` to `stop`, the last, and whether they ascend; missing times are NaN.
  nb::object times(const nb::bytes& data, size_t start, size_t stop) const {
    double first = NAN, last = NAN;
    bool ascend = true;
    Documents all;
    std::string_view lines = part(data, start, stop);
    {
      nb::gil_scoped_release release;
      if (!Reader<false>(fields_, lines.data(), lines.size(), all).read()) all.rows.clear();
    }
    if (all.rows.empty()) return nb::none();
    for (const Document& row : all.rows) {
      if (std::isnan(row.time)) continue;
      if (std::isnan(first)) first = row.time;
      ascend &= !(row.time < last);
      last = row.time;
    }
    return nb::make_tuple(first, last, ascend);
  }

 private:
  static std::string of(const nb::bytes& name) { return std::string(view(name)); }

  const Fields fields_;
};

// The first time from `start` to `stop`, the last, and whether they ascend; missing times are NaN.
nb::object times_of(const Layout& layout, const nb::bytes& data, size_t start, size_t stop) {
  std::string_view rows = part(data, start, stop);
  double first = NAN, last = NAN;
  bool ascend = true, usual;
  {
    nb::gil_scoped_release release;
    usual = Rows(layout).times(rows, first, last, ascend);
  }
  return usual ? nb::object(nb::make_tuple(first, last, ascend)) : nb::object(nb::none());
}

class PlainRows : public Collected {
 public:
  size_t add(const nb::bytes& data, size_t start, const Layout& layout, size_t length, size_t labels, int64_t number) {
    std::string_view rows = part(data, start, data.size());
    nb::gil_scoped_release release;
    std::lock_guard hold(mutex_);
    return start + Rows(layout).add(rows, {length, labels}, number, collector_.names, collector_.columns);
  }
};

// The sort keys of the first id from `start` to `stop` and of the last, and whether ids ascend.
nb::object ids_of(const nb::bytes& data, size_t start, size_t stop) {
  std::string_view records = part(data, start, stop);
  vectors::Id first, last;
  bool ascend = true, usual;
  {
    nb::gil_scoped_release release;
    usual = Tokens::ids(records, first, last, ascend);
  }
  if (!usual) return nb::none();
  std::string begin = first.key(), end = last.key();
  return nb::make_tuple(nb::bytes(begin.data(), begin.size()), nb::bytes(end.data(), end.size()), ascend);
}

class PlainTokens : public Collected {
 public:
  size_t add(const nb::bytes& data, size_t start, const vectors::Qrels* qrels, size_t length, size_t labels) {
    std::string_view records = part(data, start, data.size());
    nb::gil_scoped_release release;
    std::lock_guard hold(mutex_);
    return start + tokens_.add(records, {length, labels}, qrels, collector_.names, collector_.columns);
  }

 private:
  Tokens tokens_;
};

}  // namespace
}  // namespace telex::plain

NB_MODULE(_plain, m) {
  using namespace telex::plain;
  // A thread that waits in a pipe at exit still holds one; that is no leak to report.
  nb::set_leak_warnings(false);
  nb::module_::import_("telex.adapters._vectors");  // has Qrels
  nb::class_<Collected>(m, "Collected")
      .def("__len__", &Collected::size)
      .def("append", &Collected::append, "id"_a, "time"_a, "title"_a, "text"_a, "labels"_a, "labelled"_a)
      .def("label", &Collected::label, "name"_a)
      .def("take", &Collected::take, "count"_a)
      .def("cut", &Collected::cut, "count"_a);
  nb::class_<Plain, Collected>(m, "Plain")
      .def(nb::init<const nb::bytes&, const nb::bytes&, const nb::bytes&, const nb::bytes&, const nb::bytes&, const nb::bytes&>(),
           nb::kw_only(), "id"_a, "time"_a, "title"_a, "text"_a, "labels"_a, "body"_a)
      .def("add", &Plain::add, "data"_a, "start"_a, "length"_a, "labels"_a)
      .def("times", &Plain::times, "data"_a, "start"_a, "stop"_a);
  nb::class_<Layout>(m, "Layout")
      .def("__init__",
           [](Layout* layout, char delimiter, int width, int id, int time, int title, int text, int labels, int separator,
              bool none) {
             for (int place : {id, time, title, text, labels})
               if (place >= width) throw nb::value_error("rows are not as wide as that");
             new (layout) Layout{delimiter, width, id, time, title, text, labels, separator, none};
           },
           nb::kw_only(), "delimiter"_a, "width"_a, "id"_a, "time"_a, "title"_a, "text"_a, "labels"_a, "separator"_a, "none"_a)
      .def("whole", [](const Layout& layout, const nb::bytes& data, size_t start) {
        std::string_view rows = part(data, start, data.size());
        nb::gil_scoped_release release;
        return start + Rows(layout).whole(rows);
      }, "data"_a, "start"_a)
      .def("times", &times_of, "data"_a, "start"_a, "stop"_a);
  nb::class_<PlainRows, Collected>(m, "Rows")
      .def(nb::init<>())
      .def("add", &PlainRows::add, "data"_a, "start"_a, "layout"_a, "length"_a, "labels"_a, "number"_a);
  m.def("ids_of_tokens", &ids_of, "data"_a, "start"_a, "stop"_a);
  nb::class_<PlainTokens, Collected>(m, "Tokens")
      .def(nb::init<>())
      .def("add", &PlainTokens::add, "data"_a, "start"_a, "qrels"_a.none(), "length"_a, "labels"_a);
}
