// telex.adapters._plain: the binding of the fast reader for plain JSON lines.
#include "plain.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>

#include "../../stream/native/array.hpp"
#include "columns.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace telex::plain {
namespace {

std::string_view view(const nb::bytes& text) { return {text.c_str(), text.size()}; }

// Adds a str; a lone surrogate has no UTF-8, and is written as if it had.
void add(Column<uint8_t>& column, const nb::str& text) {
  Py_ssize_t size = 0;
  if (const char* at = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) return Collector::add(column, {at, size_t(size)});
  PyErr_Clear();
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
  if (!bytes.is_valid()) throw nb::python_error();
  Collector::add(column, view(nb::borrow<nb::bytes>(bytes)));
}

template <class T>
nb::object pair(Column<T>&& column) {
  return nb::make_tuple(array(std::move(column.data)), array(std::move(column.offsets)));
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
nb::object lend(const std::shared_ptr<Pool>& pool, std::vector<uint8_t>&& bytes) {
  auto owned = std::make_unique<Lent>(pool, std::move(bytes));
  owned->bytes.reserve(1);  // numpy needs an address even for an empty array
  uint8_t* data = owned->bytes.data();
  size_t size = owned->bytes.size();
  nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<Lent*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>(data, {size}, owner));
}

class Plain {
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

  void append(const nb::str& id, double time, const nb::str& title, const nb::str& text,
              const std::vector<int32_t>& labels, bool labelled) {
    auto hold = locked();
    for (int32_t label : labels)
      if (label < 0 || size_t(label) >= collector_.names.size()) throw nb::index_error("there is no such label");
    Columns& columns = collector_.columns;
    plain::add(columns.ids, id);
    plain::add(columns.titles, title);
    plain::add(columns.texts, text);
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

  // The first time from `start` to `stop`, the last, and whether they ascend; missing times are NaN.
  nb::object times(const nb::bytes& data, size_t start, size_t stop) const {
    double first = NAN, last = NAN;
    bool ascend = true;
    Documents all;
    if (start > stop || stop > data.size()) throw nb::index_error("the lines end before that");
    std::string_view lines = view(data).substr(start, stop - start);
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
  std::unique_lock<std::mutex> locked() {
    nb::gil_scoped_release release;
    return std::unique_lock(mutex_);
  }

  const Fields fields_;
  const std::shared_ptr<Pool> pool_ = std::make_shared<Pool>();
  std::mutex mutex_;  // guards the members below
  Collector collector_;
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
      .def("__len__", &Plain::size)
      .def("add", &Plain::add, "data"_a, "start"_a, "length"_a, "labels"_a)
      .def("append", &Plain::append, "id"_a, "time"_a, "title"_a, "text"_a, "labels"_a, "labelled"_a)
      .def("label", &Plain::label, "name"_a)
      .def("take", &Plain::take, "count"_a)
      .def("cut", &Plain::cut, "count"_a)
      .def("times", &Plain::times, "data"_a, "start"_a, "stop"_a);
}
