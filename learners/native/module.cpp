// telex.learners._core: the binding, and the choice of the CPU level.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "binding.hpp"
#include "dicts.hpp"
#include "documents.hpp"
#include "judging.hpp"
#include "options.hpp"

using namespace nanobind::literals;

namespace telex {
namespace {

const Kernels& chosen() {
  static const Kernels& kernels = chosen_of<Kernels>(TELEX_TABLES(kernels));
  return kernels;
}

const Kernel& named(const std::string& name) {
  std::string all;
  for (const Kernel* const* one = chosen().learners; *one; ++one) {
    if (name == (*one)->name) return **one;
    all += (all.empty() ? "" : ", ") + std::string((*one)->name);
  }
  refuse("UsageError", ("there is no kernel '" + name + "'; choose one of " + all).c_str());
}

nb::dict copied(const nb::dict& from) { return nb::steal<nb::dict>(PyDict_Copy(from.ptr())); }

struct Core {
  const Kernel& kernel;
  nb::dict options;
  uint64_t seed;
  std::unique_ptr<Learner> learner;
  std::shared_ptr<Shelf> shelf = std::make_shared<Shelf>();
  bool whole = true;  // until memory runs out in the middle of a call
  int64_t turn = 0;   // of the iterators of each() only the newest continues, and only while no other call learns
  Core(const std::string& kernel, const nb::dict& options, uint64_t seed)
      : kernel(named(kernel)), options(copied(options)), seed(seed), learner(fresh()) {}
  std::unique_ptr<Learner> fresh() const {
    DictOptions given(kernel.name, options, seed);
    std::unique_ptr<Learner> made(kernel.make(given));
    given.done();
    return made;
  }
  Learner& get() const {
    if (!whole)
      refuse("StoppedError", "this learner ran out of memory in the midst of learning and is not whole any more; begin again "
                             "with fewer labels, fewer features or more memory");
    return *learner;
  }
  void progress(const Documents& documents, const Events& events, const Out& out) {
    try {
      learner->progress(documents, events, out);
    } catch (...) {
      whole = false;
      throw;
    }
  }
  void follow(const Documents& documents, const Events& events, const Out& out) {
    int64_t learnt = get().learnt();
    nb::gil_scoped_release release;
    progress(documents, events, out);
    turn += learner->learnt() != learnt;
  }
  nb::dict tell(void (Learner::*write)(Writer&) const, std::shared_ptr<Shelf> room, int64_t expected) const {
    const Learner& all = get();
    DictWriter out(std::move(room), expected);
    {
      nb::gil_scoped_release release;
      (all.*write)(out);
    }
    return out.dict();
  }
  void unpack(nb::dict arrays) {
    std::unique_ptr<Learner> made = fresh();
    DictReader in(std::move(arrays));
    made->unpack(in);
    in.done();
    learner = std::move(made);
    whole = true;
    ++turn;
  }
};

struct Asks {
  Square<float> scores;
  Square<uint8_t> relevant;
  InOut<int32_t> known;
  Out view() const { return {scores.data(), relevant.data(), known.data(), int64_t(scores.shape(1))}; }
};

// One Python call a document.
struct Each {
  nb::object core_object;
  Core& core;
  Batch batch;
  Asks asks;
  int64_t turn = ++core.turn, row = 0, forgotten = 0;
};

}  // namespace

NB_MODULE(_core, m) {
  m.attr("level") = chosen().name;
  m.def("levels", &levels);
  m.def("log", [](float x) { return chosen().log(x); }, "x"_a);
  m.def("judge",
        [](Square<const float> scores, Square<const uint8_t> relevant, In<int32_t> known, In<int32_t> rows, In<int32_t> columns,
           In<uint64_t> keys, uint64_t seed, In<int64_t> numbers, In<int64_t> label_indptr, In<int32_t> labels,
           In<uint8_t> labelled) {
          return judged(chosen(), {scores, relevant, known, rows, columns, keys, seed, numbers, label_indptr, labels, labelled});
        });
  // How many scores of known labels are NaN or infinite.
  m.def("count_not_finite", [](Square<const float> scores, In<int32_t> known) {
    std::size_t width = scores.shape(1), count = 0;
    for (std::size_t k = 0; k < scores.shape(0) && k < known.shape(0); ++k)
      for (std::size_t c = 0; c < width && int64_t(c) < known(k); ++c)
        count += (std::bit_cast<uint32_t>(scores.data()[k * width + c]) & 0x7F800000u) == 0x7F800000u;
    return count;
  });
  m.def("give_back", &give_back);
  m.def("limit_memory", &limit_memory, "limit"_a, "share"_a);
  m.def("memory_left", &memory_left);

  nb::class_<Batch>(m, "Batch")
      .def("__init__", [](Batch* self, In<int64_t> indptr, In<int32_t> features, In<float> values, In<int64_t> label_indptr,
                          In<int32_t> labels, In<uint8_t> labelled, In<int64_t> numbers, In<uint64_t> hashes,
                          InOut<int32_t> columns, In<int32_t> forget_rows, In<int32_t> forget_features) {
        Batch batch{indptr, features, values, label_indptr, labels, labelled,
                    numbers, hashes, columns, forget_rows, forget_features};
        check(batch);
        new (self) Batch(std::move(batch));
      }, "indptr"_a, "features"_a, "values"_a, "label_indptr"_a, "labels"_a, "labelled"_a, "numbers"_a, "hashes"_a,
           "columns"_a, "forget_rows"_a.none(), "forget_features"_a.none());
  nb::class_<Asks>(m, "Asks").def(nb::init<Square<float>, Square<uint8_t>, InOut<int32_t>>());
  nb::class_<Core>(m, "Core")
      .def(nb::init<const std::string&, const nb::dict&, uint64_t>(), "kernel"_a, "options"_a, "seed"_a)
      .def("progress",
           [](Core& self, const Batch& batch, const Asks& asks) {
             self.follow(batch.view(), {nullptr, 0, batch.forgotten()}, asks.view());
           })
      .def("follow",
           [](Core& self, const Batch& batch, In<int32_t> steps, const Asks& asks) {
             self.follow(batch.view(), {steps.data(), int64_t(steps.shape(0)), batch.forgotten()}, asks.view());
           })
      .def("reasons",
           [](const Core& self, const Batch& batch, int64_t row) {
             Documents all = batch.view();
             if (row < 0 || row >= all.rows) refuse("InputError", "the row is none of the batch's; count them from 0");
             const Learner& learner = self.get();
             std::size_t known = std::size_t(learner.known());
             std::vector<double> contributions(std::size_t(all.indptr[row + 1] - all.indptr[row]) * known), base(known);
             {
               nb::gil_scoped_release release;
               learner.reasons(all, row, {contributions.data(), base.data()});
             }
             return nb::make_tuple(owned(std::move(contributions)), owned(std::move(base)));
           })
      .def_prop_ro("known", [](const Core& self) { return self.get().known(); })
      .def_prop_ro("learnt", [](const Core& self) { return self.get().learnt(); })
      .def_prop_ro("bytes", [](const Core& self) { return self.get().bytes(); })
      .def_prop_ro("finite",
                   [](const Core& self) {
                     const Learner& learner = self.get();
                     nb::gil_scoped_release release;
                     return learner.finite();
                   })
      .def("save", [](const Core& self) { return self.tell(&Learner::save, std::make_shared<Shelf>(), 0); })
      .def("pack",
           [](const Core& self, bool keep) {
             if (!keep) return self.tell(&Learner::pack, std::make_shared<Shelf>(), 0);
             return self.tell(&Learner::pack, self.shelf, self.get().bytes());
           },
           "keep"_a = false)
      .def("has_room", [](const Core& self) { return self.shelf->holds(self.get().bytes()); })
      .def("make_room",
           [](const Core& self, int64_t bytes) {
             std::shared_ptr<Shelf> shelf = self.shelf;
             nb::gil_scoped_release release;
             shelf->make_room(bytes);
           })
      .def("unpack", &Core::unpack, "arrays"_a);
  nb::class_<Each>(m, "Each")
      .def("__init__",
           [](Each* self, nb::object core, const Batch& batch, const Asks& asks) {
             new (self) Each{core, nb::cast<Core&>(core), batch, asks};
           })
      .def("__iter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__next__", [](Each& self) {
        Documents all = self.batch.view();
        self.core.get();
        if (self.row >= all.rows) throw nb::stop_iteration();
        if (self.turn != self.core.turn)
          refuse("InputError", "the learner has learnt something else since this began; call each again for the other rows");
        int64_t row = self.row++;
        Out out = self.asks.view();
        Forgotten gone = self.batch.forgotten();
        int64_t first = self.forgotten;
        while (self.forgotten < gone.count && gone.rows[self.forgotten] <= row) ++self.forgotten;
        int32_t steps[2] = {int32_t(row), ~int32_t(row)};
        self.core.progress(all, {steps, all.labelled[row] ? 2 : 1, {gone.rows + first, gone.features + first, self.forgotten - first}},
                               {out.scores + row * out.width, out.relevant + row * out.width, out.known + row, out.width});
        return row;
      });
}

}  // namespace telex
