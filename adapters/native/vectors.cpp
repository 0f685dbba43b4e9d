// The binding of the vector formats: bytes in, arrays out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <memory>

#include "../../stream/native/array.hpp"
#include "ids.hpp"
#include "numbers.hpp"
#include "parser.hpp"

namespace nb = nanobind;
using namespace telex::vectors;
using telex::array;

namespace {

nb::object stop_tuple(const Stop& stop) {
  if (stop.reason.empty()) return nb::make_tuple(stop.next, stop.line, nb::none(), 0);
  return nb::make_tuple(stop.next, stop.line, stop.reason, stop.begin);
}

void check(const nb::bytes& data, size_t start) {
  if (start > data.size()) throw nb::value_error("start lies behind the data");
}

}  // namespace

NB_MODULE(_vectors, m) {
  // A thread that waits in a pipe at exit still holds its parser; that is no leak to report.
  nb::set_leak_warnings(false);
  nb::class_<Table>(m, "Table")
      .def(nb::init<>())
      .def("news", [](Table& table) {
        std::lock_guard hold(table.mutex);
        nb::list features, labels;
        for (size_t& i = table.features_reported; i < table.features.size(); ++i) features.append(table.features[i]);
        for (size_t& i = table.labels_reported; i < table.labels.size(); ++i) labels.append(table.labels[i]);
        return nb::make_tuple(features, labels);
      });
  nb::class_<Qrels>(m, "Qrels")
      .def(nb::init<>())
      .def("__len__", &Qrels::documents)
      .def("get", [](const Qrels& qrels, const std::string& id) -> nb::object {
        int32_t document = qrels.find(id);
        if (document < 0) return nb::none();
        std::vector<int32_t> found;
        qrels.labels(document, found);
        std::vector<std::string> names;
        for (int32_t label : found) names.push_back(qrels.label_names()[static_cast<size_t>(label)]);
        std::sort(names.begin(), names.end());
        nb::list labels;
        for (const std::string& name : names) labels.append(nb::str(name.data(), name.size()));
        return labels;
      })
      .def("load", [](Qrels& qrels, nb::bytes data, size_t start, int64_t line) {
        check(data, start);
        Stop stop;
        {
          nb::gil_scoped_release release;
          stop = read_lines(
              data.c_str(), data.size(), start, line, [] { return true; },
              [&](const char* p, const char* end) { return qrels.line(p, end), p; });
        }
        return stop_tuple(stop);
      });
  nb::class_<Ahead>(m, "Ahead");
  nb::class_<Parser>(m, "Parser")
      .def("__init__",
           [](Parser* parser, Table& table, bool svmlight, bool zero, const Qrels* qrels, double labels, double new_labels,
              double all_labels, double label_length, double terms, double value) {
             new (parser) Parser(table, svmlight, zero, qrels,
                                 Budget{labels, new_labels, all_labels, label_length, terms, value});
           },
           nb::arg("table"), nb::arg("svmlight"), nb::arg("zero"), nb::arg("qrels").none(), nb::kw_only(),
           nb::arg("labels"), nb::arg("new_labels"), nb::arg("all_labels"), nb::arg("label_length"), nb::arg("terms"),
           nb::arg("value"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 5>())
      .def("__len__", &Parser::waiting)
      .def("parse", [](Parser& parser, nb::bytes data, size_t start, int64_t line, int64_t limit) {
        check(data, start);
        Stop stop;
        {
          nb::gil_scoped_release release;
          stop = parser.parse(data.c_str(), data.size(), start, line, limit);
        }
        return stop_tuple(stop);
      })
      .def("ahead", [](Parser& parser, nb::bytes data) {
        nb::gil_scoped_release release;
        return parser.ahead(data.c_str(), data.size());
      })
      .def("add", [](Parser& parser, Ahead& ahead, int64_t limit) {
        Stop stop;
        {
          nb::gil_scoped_release release;
          stop = parser.add(ahead, limit);
        }
        return stop_tuple(stop);
      })
      .def("take", [](Parser& parser) {
        Rows rows = parser.take();
        return nb::make_tuple(array(std::move(rows.indptr)), array(std::move(rows.features)),
                              array(std::move(rows.values)), array(std::move(rows.label_indptr)),
                              array(std::move(rows.labels)), array(std::move(rows.labelled)),
                              array(std::move(rows.ids)), array(std::move(rows.id_offsets)));
      });
  m.def("ends_of_ids", [](nb::bytes data, size_t start, size_t stop) -> nb::object {
    std::string first, last;
    bool ascend;
    if (start > stop || stop > data.size()) throw nb::index_error("the lines end before that");
    {
      nb::gil_scoped_release release;
      ascend = ends_of_ids(data.c_str() + start, stop - start, first, last);
    }
    auto bytes = [](const std::string& key) { return nb::bytes(key.data(), key.size()); };
    return ascend ? nb::object(nb::make_tuple(bytes(first), bytes(last))) : nb::object(nb::none());
  });
  m.def("numbers", [](nb::bytes data) {
    NumberList found;
    try {
      found = numbers(data.c_str(), data.size());
    } catch (const Broken& broken) {
      throw nb::value_error(broken.reason.c_str());
    }
    return nb::make_tuple(array(std::move(found.values)), found.largest);
  });
  m.def("id_keys", [](nb::bytes data) {
    nb::list keys;
    for (const std::string& key : id_keys(data.c_str(), data.size()))
      keys.append(key.empty() ? nb::object(nb::none()) : nb::object(nb::bytes(key.data(), key.size())));
    return keys;
  });
}
