// telex.stream._words: the binding. A thread releases the GIL before it waits for a core.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "../../../learners/native/levels.hpp"
#include "../array.hpp"
#include "cutter.hpp"
#include "kernels.hpp"
#include "ln.hpp"
#include "vocabulary.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace telex::words {

const Kernels& kernels() {
  static const Kernels& kernels = chosen_of<Kernels>(TELEX_TABLES(kernels));
  return kernels;
}

namespace {

template <class T>
void read(const nb::dict& state, const char* name, std::vector<T>& values) {
  auto given = nb::cast<nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(state[name]);
  values.assign(given.data(), given.data() + given.size());
}

Text text_of(nb::handle text) {
  if (!PyUnicode_Check(text.ptr())) throw nb::type_error("titles and texts must be str");
#if PY_VERSION_HEX < 0x030C0000
  if (PyUnicode_READY(text.ptr())) throw nb::python_error();
#endif
  return {PyUnicode_DATA(text.ptr()), size_t(PyUnicode_GET_LENGTH(text.ptr())), int(PyUnicode_KIND(text.ptr())),
          bool(PyUnicode_IS_ASCII(text.ptr()))};
}

using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ids = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Keys = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Text text_between(const Bytes& data, const Offsets& offsets, size_t i) {
  int64_t begin = offsets(i), end = offsets(i + 1);
  if (begin < 0 || end < begin || size_t(end) > data.size()) throw nb::value_error("the offsets do not fit the texts");
  return {data.data() + begin, size_t(end - begin), 0, false};
}

nb::object str(std::string_view text) {
  nb::object made = nb::steal(PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), "strict"));
  if (!made.is_valid()) throw nb::python_error();
  return made;
}

std::string_view utf8(nb::handle text) {
  Py_ssize_t size;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data) throw nb::python_error();
  return {data, size_t(size)};
}

// Calls Python's `stem(list of words)`.
Stemmer stemmer(const nb::object& stem) {
  if (stem.is_none()) return {};
  return [&stem](const Texts& words, Texts& stems) {
    nb::gil_scoped_acquire gil;
    nb::object asked = nb::steal(PyList_New(Py_ssize_t(words.size())));
    if (!asked.is_valid()) throw nb::python_error();
    for (size_t i = 0; i < words.size(); ++i) PyList_SET_ITEM(asked.ptr(), Py_ssize_t(i), str(words[i]).release().ptr());
    for (nb::handle one : nb::cast<nb::list>(stem(asked))) stems.add(utf8(one));
  };
}

// The terms of documents that were cut before.
struct Terms {
  std::shared_ptr<Cache> cache;
};

nb::list names_from(const Tokens& tokens, size_t first) {
  nb::list names;
  for (; first < tokens.known; ++first) names.append(str(tokens.cache->terms[first]));
  return names;
}

uint64_t next_serial() {
  static std::atomic<uint64_t> serial{0};
  return ++serial;
}

class Core {
 public:
  Core(int mode, const Settings& settings, const nb::list& stop, const nb::list& given, std::vector<double> values,
       size_t remembered)
      : serial_(next_serial()), cutter_(Mode(mode), serial_, remembered), vocabulary_(settings) {
    for (nb::handle line : stop) cutter_.stop(text_of(line));
    Texts terms;
    for (nb::handle term : given) terms.add(utf8(term));
    if (terms.size() != values.size()) throw nb::value_error("there must be as many values as terms");
    vocabulary_.give(std::move(terms), std::move(values));
  }

  Tokens tokenise(const nb::list& titles, const nb::list& texts, const nb::object& stem) {
    if (titles.size() != texts.size()) throw nb::value_error("there must be as many titles as texts");
    std::vector<nb::object> held;  // the lists may change while another thread has the GIL
    std::vector<Text> all;
    held.reserve(2 * texts.size());
    all.reserve(2 * texts.size());
    for (size_t i = 0; i < texts.size(); ++i)
      for (const nb::list* list : {&titles, &texts}) {
        held.emplace_back((*list)[i]);
        all.push_back(text_of(held.back()));
      }
    return cut(all, stem);
  }

  // The same of texts as UTF-8, each between two of its offsets.
  Tokens tokenise_utf8(const Bytes& titles, const Offsets& title_offsets, const Bytes& texts, const Offsets& text_offsets,
                       const nb::object& stem) {
    if (title_offsets.size() != text_offsets.size()) throw nb::value_error("there must be as many titles as texts");
    std::vector<Text> all;
    all.reserve(2 * text_offsets.size());
    for (size_t i = 0; i + 1 < text_offsets.size(); ++i) {
      all.push_back(text_between(titles, title_offsets, i));
      all.push_back(text_between(texts, text_offsets, i));
    }
    return cut(all, stem);
  }

  // `offsets` say where each term begins in `data`, and where the last one ends.
  Terms terms(const Bytes& data, const Offsets& offsets) const {
    auto cache = std::make_shared<Cache>(serial_);
    for (size_t i = 0; i + 1 < offsets.size(); ++i) {
      int64_t start = offsets(i), end = offsets(i + 1);
      if (start < 0 || end < start || end > int64_t(data.size())) throw nb::value_error("its terms end where they cannot");
      cache->terms.add({reinterpret_cast<const char*>(data.data()) + start, size_t(end - start)});
    }
    return {std::move(cache)};
  }

  // The title of document i begins at bounds[2i] of `ids`, its text at bounds[2i + 1].
  Tokens cut_before(const Terms& terms, const Ids& ids, const Offsets& bounds,
                    const Keys& fingerprints) const {
    if (bounds.size() != 2 * fingerprints.size() + 1) throw nb::value_error("there must be two bounds for each fingerprint");
    Tokens tokens;
    tokens.cache = terms.cache;
    tokens.known = terms.cache->terms.size();
    int64_t first = bounds(0), last = first;
    for (size_t i = 1; i < bounds.size(); ++i, last = bounds(i - 1))
      if (first < 0 || bounds(i) < last || bounds(i) > int64_t(ids.size())) throw nb::value_error("its texts end where they cannot");
    tokens.bounds.resize(bounds.size());
    for (size_t i = 0; i < bounds.size(); ++i) tokens.bounds[i] = size_t(bounds(i) - first);
    tokens.terms.assign(ids.data() + first, ids.data() + last);
    tokens.fingerprints.assign(fingerprints.data(), fingerprints.data() + fingerprints.size());
    for (int32_t id : tokens.terms)
      if (id < no_term || id >= int64_t(tokens.known)) throw nb::value_error("a term is none");
    return tokens;
  }

  nb::tuple features(const Tokens& tokens, size_t start, size_t stop, bool counting) {
    Rows rows;
    go(tokens, start, stop, counting, true, rows);
    return nb::make_tuple(array(std::move(rows.indptr)), array(std::move(rows.features)), array(std::move(rows.values)),
                          array(std::move(rows.forget_rows)), array(std::move(rows.forget_features)), array(std::move(rows.counts)));
  }

  void count(const Tokens& tokens, size_t start, size_t stop) {
    Rows rows;
    go(tokens, start, stop, true, false, rows);
  }

  // The names of new ids since the last call, and (id, name) of ids that were given to other terms.
  nb::tuple news() {
    auto hold = locked();
    nb::list fresh, replaced;
    for (int32_t id : vocabulary_.take_replaced())
      if (size_t(id) < told_) replaced.append(nb::make_tuple(id, str(vocabulary_.name(size_t(id)))));
    for (; told_ < vocabulary_.size(); ++told_) fresh.append(str(vocabulary_.name(told_)));
    return nb::make_tuple(fresh, replaced);
  }

  void settle(size_t terms) {
    auto hold = locked();
    vocabulary_.settle(terms);
  }

  bool settled() {
    auto hold = locked();
    return vocabulary_.settled();
  }
  size_t bytes() {
    nb::gil_scoped_release release;
    std::scoped_lock hold(cutting_, counting_);
    return cutter_.bytes() + vocabulary_.bytes();
  }

  nb::dict save() {
    auto hold = locked();
    State state = vocabulary_.save();
    std::vector<uint8_t> stop;
    std::vector<int64_t> stop_ends;
    for (size_t i = 0; i < cutter_.stopped().size(); ++i) {
      std::string_view text = cutter_.stopped()[i];
      stop.insert(stop.end(), text.begin(), text.end());
      stop_ends.push_back(int64_t(stop.size()));
    }
    nb::dict saved;
    each(state, [&](const char* name, auto& values) { saved[name] = array(std::move(values)); });
    saved["stop"] = array(std::move(stop));
    saved["stop_ends"] = array(std::move(stop_ends));
    return saved;
  }

  // Call before any text is cut.
  void load(const nb::dict& saved) {
    auto hold = locked();
    if (vocabulary_.size()) throw nb::value_error("it is not new");
    State state;
    each(state, [&](const char* name, auto& values) { read(saved, name, values); });
    std::vector<uint8_t> stop;
    std::vector<int64_t> ends;
    read(saved, "stop", stop);
    read(saved, "stop_ends", ends);
    int64_t start = 0;
    for (int64_t end : ends) {
      if (end < start || end > int64_t(stop.size())) throw nb::value_error("its stop words end where they cannot");
      cutter_.stop(std::string_view(reinterpret_cast<const char*>(stop.data()) + start, size_t(end - start)));
      start = end;
    }
    vocabulary_.load(state);
  }

 private:
  Tokens cut(const std::vector<Text>& all, const nb::object& stem) {
    nb::gil_scoped_release release;
    std::lock_guard hold(cutting_);
    return cutter_.cut(all, stemmer(stem));
  }

  // Locks the vocabulary, without the GIL; other threads may cut tokens meanwhile.
  std::unique_lock<std::mutex> locked() {
    nb::gil_scoped_release release;
    return std::unique_lock(counting_);
  }

  void go(const Tokens& tokens, size_t start, size_t stop, bool counting, bool weighing, Rows& rows) {
    if (tokens.cache->owner != serial_) throw nb::value_error("these tokens were cut by other Words, or before a load");
    if (start > stop || stop > tokens.size()) throw nb::index_error("there are no such documents");
    nb::gil_scoped_release release;
    std::lock_guard hold(counting_);
    std::vector<Memo>& memos = tokens.cache->memos;
    if (memos.size() < tokens.known) memos.resize(tokens.known);
    const int32_t* terms = tokens.terms.data();
    if (weighing && start < stop) {
      size_t most = tokens.bounds[2 * stop] - tokens.bounds[2 * start];
      rows.features.reserve(most);
      rows.values.reserve(most);
      rows.counts.reserve(most);
    }
    for (size_t i = start; i < stop; ++i) {
      const size_t* bound = &tokens.bounds[2 * i];
      vocabulary_.document(*tokens.cache, {terms + bound[0], terms + bound[1], terms + bound[2]}, counting, weighing, rows);
    }
  }

  template <class Use>
  static void each(State& state, const Use& use) {
    use("names", state.data);
    use("name_ends", state.ends);
    use("buckets", state.buckets);
    use("df", state.df);
    use("occurrences", state.occurrences);
    use("sums", state.sums);
    use("useful", state.useful);
    use("last", state.last);
    use("since", state.since);
    use("ring_sizes", state.ring_sizes);
    use("ring_features", state.ring_features);
    use("ring_counts", state.ring_counts);
    use("given", state.given);
    use("given_names", state.given_data);
    use("given_ends", state.given_ends);
  }

  const uint64_t serial_;
  std::mutex cutting_, counting_;  // each guards the members below it; one thread may cut while another counts
  Cutter cutter_;
  Vocabulary vocabulary_;
  size_t told_ = 0;
};

}  // namespace
}  // namespace telex::words

NB_MODULE(_words, m) {
  using namespace telex::words;
  // A thread that waits in a pipe when the interpreter ends may still hold an object, which is no leak.
  nb::set_leak_warnings(false);
  m.attr("level") = kernels().name;
  m.def("ln", &ln);
  nb::class_<Tokens>(m, "Tokens")
      .def("__len__", &Tokens::size)
      .def_prop_ro("terms", [](const Tokens& tokens) { return telex::array(std::vector<int32_t>(tokens.terms)); })
      .def_prop_ro("bounds", [](const Tokens& tokens) { return telex::array(std::vector<int64_t>(tokens.bounds.begin(), tokens.bounds.end())); })
      .def("names", &names_from, "first"_a)
      .def("continues", [](const Tokens& tokens, const Tokens& before) { return tokens.cache == before.cache; }, "before"_a)
      .def_prop_ro("fingerprints", [](const Tokens& tokens) { return telex::array(std::vector<uint64_t>(tokens.fingerprints)); });
  nb::class_<Terms>(m, "Terms");
  nb::class_<Core>(m, "Core")
      .def("__init__",
           [](Core* core, int mode, int kind, int64_t size, const std::string& weight, int idf, double growth,
              int64_t window, double title, double slope, const nb::list& stop, const nb::list& given,
              std::vector<double> values, size_t remembered) {
             if (weight.size() != 3 || mode < 0 || mode > 2 || kind < 0 || kind > 2 || idf < 0 || idf > 3 || size < 0 ||
                 window < 1)
               throw nb::value_error("there is no such setting");
             Settings settings{Kind(kind), size, weight[0], weight[1], weight[2], Idf(idf), growth, window, title, slope};
             new (core) Core(mode, settings, stop, given, std::move(values), remembered);
           },
           nb::kw_only(), "tokens"_a, "vocabulary"_a, "size"_a, "weight"_a, "idf"_a, "growth"_a, "window"_a, "title"_a,
           "slope"_a, "stop"_a, "given"_a, "values"_a, "remembered"_a)
      .def("tokenise", &Core::tokenise, "titles"_a, "texts"_a, "stem"_a.none())
      .def("terms", &Core::terms, "data"_a, "offsets"_a)
      .def("cut_before", &Core::cut_before, "terms"_a, "ids"_a, "bounds"_a, "fingerprints"_a)
      .def("tokenise_utf8", &Core::tokenise_utf8, "titles"_a, "title_offsets"_a, "texts"_a, "text_offsets"_a, "stem"_a.none())
      .def("features", &Core::features, "tokens"_a, "start"_a, "stop"_a, "counting"_a)
      .def("count", &Core::count, "tokens"_a, "start"_a, "stop"_a)
      .def("news", &Core::news)
      .def("settle", &Core::settle, "terms"_a)
      .def("save", &Core::save)
      .def("load", &Core::load, "state"_a)
      .def_prop_ro("settled", &Core::settled)
      .def_prop_ro("bytes", &Core::bytes);
}
