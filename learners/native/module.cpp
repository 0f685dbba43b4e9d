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
#include "lock.hpp"
#include "options.hpp"
#include "thresholding.hpp"
#include "watch.hpp"

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

// What `with lock.reading` and `with lock.writing` enter.
struct Section {
  nb::object owner;
  Lock& lock;
  bool write;

  void enter() const {
    Lock::Entry entry = lock.enter(write);
    if (entry != Lock::Entry::in) [[unlikely]] wait(entry);
  }
  [[gnu::noinline]] void wait(Lock::Entry entry) const {
    if (entry == Lock::Entry::busy) {
      Lock::Waiting waiting(lock, write);
      while (entry == Lock::Entry::busy) {
        int64_t seen = lock.left();
        {
          nb::gil_scoped_release release;
          lock.sleep(seen, std::chrono::milliseconds(100));
        }
        if (PyErr_CheckSignals()) throw nb::python_error();
        entry = lock.enter(write);
      }
    }
    if (entry == Lock::Entry::never)
      refuse("StoppedError", "a call that only asks is under way in this very thread; learn when it has returned, and not in a "
                             "signal handler");
    if (entry == Lock::Entry::torn)
      refuse("StoppedError", "another thread was learning when this process was forked, so that its copy of the learner is not "
                             "whole; copy learners before a fork, or begin again");
  }
};

// Calls come under the lock of the learner: those that are const beside each other, the others alone.
struct Core {
  const Kernel& kernel;
  nb::dict options;
  uint64_t seed;
  std::unique_ptr<Learner> learner;
  std::shared_ptr<Shelf> shelf = std::make_shared<Shelf>();
  State state = State::whole;
  bool busy = false;  // a signal handler runs in the middle of a call, and must not look at the learner
  bool counting = false;
  mutable Operations operations;
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
    if (busy) refuse("StoppedError", "this learner is in the midst of a document; a signal handler cannot use it");
    if (state == State::out_of_memory)
      refuse("StoppedError", "this learner ran out of memory in the midst of learning and is not whole any more; begin again "
                             "with fewer labels, fewer features or more memory");
    if (state == State::broken_off)
      refuse("StoppedError", "a signal ended this learner in the midst of a document, and it is not whole any more; load what "
                             "was saved before, or begin again");
    return *learner;
  }
  void progress(const Documents& documents, const Events& events, const Out& out) {
    get();
    ++turn;
    run([&](Watch& watch) {
      nb::gil_scoped_release release;
      learner->progress(documents, events, out, watch);
    });
  }
  // One document takes so little that other threads need not run beside it.
  void progress_one(const Documents& documents, const Events& events, const Out& out) {
    run([&](Watch& watch) { learner->progress(documents, events, out, watch); });
  }
  template <class Work>
  void run(const Work& work) {
    busy = true;
    try {
      watched([&](Watch& watch) {
        watch.operations = counting ? &operations : nullptr;
        work(watch);
      }, &state);
    } catch (...) {
      busy = false;
      throw;
    }
    busy = false;
  }
  void scores(const Documents& documents, const Out& out) const {
    const Learner& all = get();
    demand(out.width >= all.known(), "the room for scores is too narrow; give it a column for each known label");
    std::unique_ptr<Scratch> own = take_scratch();
    Operations done;  // other calls may ask beside this one
    watched([&](Watch& watch) {
      nb::gil_scoped_release release;
      watch.operations = counting ? &done : nullptr;
      own->watch = &watch;
      all.scores(documents, out, *own);
    });
    operations.predicted += done.predicted;
    scratch = std::move(own);
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
    state = State::whole;
    ++turn;
  }

 private:
  mutable std::unique_ptr<Scratch> scratch;  // of the last call that asked; the interpreter's lock guards it
  std::unique_ptr<Scratch> take_scratch() const {
    return scratch ? std::move(scratch) : std::unique_ptr<Scratch>(learner->scratch());
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
  nb::object core_object, lock_object;
  Core& core;
  Section writing;
  Batch batch;
  Asks asks;
  nb::object labels_learnt;  // called under the lock when labels are new
  int64_t turn = ++core.turn, row = 0, forgotten = 0;

  int64_t next() {
    Documents all = batch.view();
    core.get();
    if (row >= all.rows) throw nb::stop_iteration();
    if (turn != core.turn)
      refuse("InputError", "the learner has learnt something else since this began; call each again for the other rows");
    Out out = asks.view();
    Forgotten gone = batch.forgotten();
    int64_t now = row, first = forgotten, after = first;
    while (after < gone.count && gone.rows[after] <= now) ++after;
    int32_t steps[2] = {int32_t(now), ~int32_t(now)};
    core.progress_one(all, {steps, all.labelled[now] ? 2 : 1, {gone.rows + first, gone.features + first, after - first}},
                  {out.scores + now * out.width, out.relevant + now * out.width, out.known + now, out.width});
    row = now + 1;
    forgotten = after;
    if (core.learner->known() != out.known[now]) labels_learnt();
    return now;
  }
};

struct Leaving {
  Lock& lock;
  ~Leaving() { lock.leave(); }
};

}  // namespace

NB_MODULE(_core, m) {
  m.attr("level") = chosen().name;
  m.def("levels", &levels);
  m.def("log", [](float x) { return chosen().log(x); }, "x"_a);
  m.def("logs", [](In<float> x) {
    std::vector<float> found(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) found[i] = chosen().log(x.data()[i]);
    return owned(std::move(found));
  }, "x"_a);
  m.def("judge",
        [](Square<const float> scores, Square<const uint8_t> relevant, In<int32_t> known, In<int32_t> rows, In<int32_t> columns,
           In<uint64_t> keys, uint64_t seed, In<int64_t> numbers, In<int64_t> label_indptr, In<int32_t> labels,
           In<uint8_t> labelled) {
          return judged(chosen(), {scores, relevant, known, rows, columns, keys, seed, numbers, label_indptr, labels, labelled});
        });
  nb::class_<Predicted>(m, "Predicted")
      .def(nb::init<Square<const float>, Square<const uint8_t>, In<int32_t>, In<int32_t>, In<int32_t>, In<uint64_t>, uint64_t,
                    In<int64_t>, In<int64_t>, In<int32_t>, In<uint8_t>>());
  m.def("set_by_bins",
        [](const Predicted& predicted, In<int32_t> steps, InOut<float> counts, InOut<float> positives, InOut<float> f1,
           InOut<float> rates, InOut<double> common, InOut<double> totals, InOut<int64_t> clock, int decision,
           Square<uint8_t> relevant, Square<float> probabilities, Square<float> cuts) {
          set_by_bins(chosen(), predicted, steps, {counts, positives, f1, rates, common, totals, clock}, decision, relevant,
                      probabilities, cuts);
        });
  m.def("reliability", [](const Predicted& predicted, Square<const float> probabilities) {
    return reliability(chosen(), predicted, probabilities);
  });
  m.def("probabilities_of", [](Square<const float> log_odds, Square<float> probabilities) {
    demand(log_odds.size() == probabilities.size(), "probabilities have another shape than the log odds; give each a place");
    chosen().probabilities_of(log_odds.data(), probabilities.data(), int64_t(log_odds.size()));
  });
  m.def("set_best", [](const Predicted& predicted, In<int32_t> sizes, Square<uint8_t> relevant) {
    set_best(chosen(), predicted, sizes, relevant);
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
                          InOut<int32_t> columns, In<int32_t> forget_rows, In<int32_t> forget_features, In<float> counts,
                          In<int32_t> parents, In<uint8_t> inner) {
        Batch batch{indptr, features, values, label_indptr, labels, labelled,
                    numbers, hashes, columns, forget_rows, forget_features, counts, parents, inner};
        check(batch);
        new (self) Batch(std::move(batch));
      }, "indptr"_a, "features"_a, "values"_a, "label_indptr"_a, "labels"_a, "labelled"_a, "numbers"_a, "hashes"_a,
           "columns"_a, "forget_rows"_a.none(), "forget_features"_a.none(), "counts"_a.none(),
           "parents"_a.none(), "inner"_a.none());
  nb::class_<Asks>(m, "Asks").def(nb::init<Square<float>, Square<uint8_t>, InOut<int32_t>>());
  nb::class_<Lock>(m, "Lock")
      .def(nb::init<>())
      .def_prop_ro("reading", [](nb::object self) { return Section{self, nb::cast<Lock&>(self), false}; })
      .def_prop_ro("writing", [](nb::object self) { return Section{self, nb::cast<Lock&>(self), true}; })
      .def("__reduce__", [](nb::object self) { return nb::make_tuple(self.type(), nb::tuple()); });
  nb::class_<Section>(m, "Section")
      .def("__enter__", &Section::enter)
      .def("__exit__", [](const Section& self, nb::args) { self.lock.leave(); });
  nb::class_<Core>(m, "Core")
      .def(nb::init<const std::string&, const nb::dict&, uint64_t>(), "kernel"_a, "options"_a, "seed"_a)
      .def("progress",
           [](Core& self, const Batch& batch, const Asks& asks) {
             self.progress(batch.view(), {nullptr, 0, batch.forgotten()}, asks.view());
           })
      .def("follow",
           [](Core& self, const Batch& batch, In<int32_t> steps, const Asks& asks) {
             self.progress(batch.view(), {steps.data(), int64_t(steps.shape(0)), batch.forgotten()}, asks.view());
           })
      .def("scores", [](const Core& self, const Batch& batch, const Asks& asks) { self.scores(batch.view(), asks.view()); })
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
      .def_prop_ro("whole", [](const Core& self) { return self.state == State::whole && !self.busy; })
      .def("end_each", [](Core& self) { ++self.turn; })
      .def("count_operations",
           [](Core& self) {
             self.counting = true;
             self.operations = {};
           })
      .def_prop_ro("operations",
                   [](const Core& self) {
                     const Operations& done = self.operations;
                     return nb::make_tuple(self.counting, done.predicted, done.tried, done.moved);
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
           [](Each* self, nb::object core, nb::object lock, const Batch& batch, const Asks& asks, nb::object labels_learnt) {
             new (self) Each{core, lock, nb::cast<Core&>(core), {lock, nb::cast<Lock&>(lock), true}, batch, asks, labels_learnt};
           })
      .def("__iter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__next__", [](Each& self) {
        self.writing.enter();
        Leaving leaving{self.writing.lock};
        return self.next();
      });
}

}  // namespace telex
