// telex.learners._core: the binding, and the choice of the CPU level.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "binding.hpp"
#include "dicts.hpp"

using namespace nanobind::literals;

namespace telex {
namespace {

const Kernels& chosen() {
  static const Kernels& kernels = chosen_of<Kernels>(TELEX_TABLES(kernels));
  return kernels;
}

// ---- arrays out

template <class T>
nb::object owned(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  std::size_t shape[1] = {kept->size()};
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), 1, shape, owner));
}

// ---- documents

struct Batch {
  In<int64_t> indptr;
  In<int32_t> features;
  In<float> values;
  In<int64_t> label_indptr;
  In<int32_t> labels;
  In<uint8_t> labelled;
  In<int64_t> numbers;
  In<uint64_t> hashes;
  InOut<int32_t> columns;
  In<int32_t> forget_rows, forget_features;  // both invalid where nothing is forgotten
  Forgotten forgotten() const {
    if (!forget_rows.is_valid()) return {nullptr, nullptr, 0};
    return {forget_rows.data(), forget_features.data(), int64_t(forget_rows.shape(0))};
  }
  Documents view() const {
    return {int64_t(indptr.shape(0)) - 1, indptr.data(), features.data(), values.data(), label_indptr.data(),
            labels.data(), labelled.data(), numbers.data(), hashes.data(), columns.data()};
  }
};

// Kernels trust what they are given: a batch made by hand is looked through first.
void check(const Batch& b) {
  auto fail = [](bool wrong, const char* what) { demand(!wrong, what); };
  std::size_t n = b.labelled.shape(0);
  fail(b.indptr.shape(0) != n + 1 || b.label_indptr.shape(0) != n + 1 || b.numbers.shape(0) != n,
       "the arrays of the batch differ in length; give one offset more than documents, and one number a document");
  fail(b.features.shape(0) != b.values.shape(0), "the batch has not as many values as features; give one a feature");
  fail(b.hashes.shape(0) < b.columns.shape(0), "the batch's label table shrank; tables only grow");
  const int64_t *rows = b.indptr.data(), *answers = b.label_indptr.data();
  const int32_t *features = b.features.data(), *labels = b.labels.data();
  fail(rows[0] < 0 || rows[n] > int64_t(b.features.shape(0)) || answers[0] < 0 || answers[n] > int64_t(b.labels.shape(0)),
       "the offsets of the batch point outside its arrays; let them run from 0 to the arrays' length");
  for (std::size_t i = 0; i < n; ++i)
    fail(rows[i] > rows[i + 1] || answers[i] > answers[i + 1], "the offsets of the batch must not descend");
  for (std::size_t i = 0; i < n; ++i) {
    int32_t wrong = rows[i] < rows[i + 1] && features[rows[i]] < 0;  // as wide as an id, to be many at a time
    for (int64_t k = rows[i] + 1; k < rows[i + 1]; ++k) wrong |= features[k] <= features[k - 1];
    fail(wrong, "a document's feature ids must ascend; sort them with their values, or use BatchBuilder");
  }
  bool wrong = false;
  for (int64_t k = answers[0]; k < answers[n]; ++k) wrong |= uint32_t(labels[k]) >= b.columns.shape(0);
  fail(wrong, "a label id of the batch is not in its label table; use ids of label_names");
  std::vector<int64_t> last(b.columns.shape(0), -1);  // the document that had the label last
  for (std::size_t i = 0; i < n; ++i)
    for (int64_t k = answers[i]; k < answers[i + 1]; ++k) {
      wrong |= last[std::size_t(labels[k])] == int64_t(i);
      last[std::size_t(labels[k])] = int64_t(i);
    }
  fail(wrong, "a document has a label twice; leave one out");
  fail(b.forget_rows.is_valid() != b.forget_features.is_valid() ||
           (b.forget_rows.is_valid() && b.forget_rows.shape(0) != b.forget_features.shape(0)),
       "the batch forgets not as many features as it names rows for them; give one row a feature");
  Forgotten gone = b.forgotten();
  wrong = false;
  for (int64_t i = 0; i < gone.count; ++i)
    wrong |= gone.features[i] < 0 || gone.rows[i] < (i ? gone.rows[i - 1] : 0) || gone.rows[i] >= int64_t(n);
  fail(wrong, "what the batch forgets must name rows of its own, ascending, and features by ids from 0");
}

struct Core {
  Kind kind;
  Options options;
  std::unique_ptr<Learner> learner;
  std::shared_ptr<Shelf> shelf = std::make_shared<Shelf>();
  bool whole = true;  // until memory ends in the midst of a call
  int64_t turn = 0;   // of callers of one document at a time only the newest goes on, and only while nobody else teaches
  Core(int kind, uint64_t seed, bool averaged, bool random_init, int loss, int penalty, int decode, int threads)
      : kind(Kind(kind)), options{seed, averaged, random_init, loss, penalty, decode, threads}, learner(fresh()) {}
  std::unique_ptr<Learner> fresh() const { return std::unique_ptr<Learner>(chosen().make(kind, options)); }
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

nb::tuple judge(Square<const float> scores, Square<const uint8_t> relevant, In<int32_t> known, In<int32_t> rows,
                In<int32_t> columns, In<uint64_t> keys, uint64_t seed, In<int64_t> numbers, In<int64_t> label_indptr,
                In<int32_t> labels, In<uint8_t> labelled) {
  std::size_t n = known.shape(0), width = scores.shape(1), documents_there = labelled.shape(0), truth = 0, chosen_labels = 0;
  bool wrong = scores.shape(0) < n || relevant.shape(0) < n || relevant.shape(1) != width || rows.shape(0) != n ||
               numbers.shape(0) != n || label_indptr.shape(0) != documents_there + 1;
  for (std::size_t k = 0; k < n && !wrong; ++k) {
    wrong = known(k) < 0 || std::size_t(known(k)) > std::min(width, keys.shape(0)) || rows(k) < 0 || std::size_t(rows(k)) >= documents_there;
    if (wrong) break;
    int64_t first = label_indptr(rows(k)), last = label_indptr(rows(k) + 1);
    wrong = first < 0 || last < first || last > int64_t(labels.shape(0));
    for (int64_t i = first; i < last && !wrong; ++i) wrong = labels(i) < 0;
  }
  if (wrong)
    refuse("InputError", "the predictions are not about this batch: let rows and known have one entry an ask, rows be the batch's, "
                         "and known be no more labels than scores and keys have");
  for (std::size_t k = 0; k < n; ++k) truth += std::size_t(label_indptr(rows(k) + 1) - label_indptr(rows(k)));
  const uint8_t* flags = relevant.data();
  for (std::size_t k = 0; k < n; ++k)
    for (int32_t c = 0; c < known(k); ++c) chosen_labels += flags[k * width + std::size_t(c)];
  std::vector<int32_t> label_of_column(keys.shape(0), -1);
  for (std::size_t id = 0; id < columns.shape(0); ++id)
    if (columns(id) >= 0 && std::size_t(columns(id)) < label_of_column.size()) label_of_column[std::size_t(columns(id))] = int32_t(id);
  auto ints = [&] { return std::vector<int32_t>(n); };
  std::vector<int32_t> row = ints(), m = ints(), rest = ints(), best = ints(), worst = ints(), gap = ints(), tp = ints(),
                       fp = ints(), fn = ints(), ranks(truth), marks(truth + chosen_labels);
  std::vector<int64_t> sum(n), rank_indptr(n + 1), mark_indptr(n + 1);
  std::vector<double> precision(n);
  Judgement out{row.data(), m.data(), rest.data(), best.data(), worst.data(), gap.data(), tp.data(), fp.data(), fn.data(),
                ranks.data(), marks.data(), sum.data(), rank_indptr.data(), mark_indptr.data(), precision.data(), 0};
  Asked asked{scores.data(), relevant.data(), known.data(), rows.data(), int64_t(n), int64_t(width),
              columns.data(), int64_t(columns.shape(0)), keys.data(), label_of_column.data(), seed, numbers.data()};
  Documents documents{int64_t(labelled.shape(0)), nullptr, nullptr, nullptr, label_indptr.data(), labels.data(),
                      labelled.data(), nullptr, nullptr, nullptr};
  {
    nb::gil_scoped_release release;
    chosen().judge(asked, documents, out);
  }
  std::size_t kept = std::size_t(out.documents);
  for (auto* v : {&row, &m, &rest, &best, &worst, &gap, &tp, &fp, &fn}) v->resize(kept);
  sum.resize(kept);
  precision.resize(kept);
  rank_indptr.resize(kept + 1);
  mark_indptr.resize(kept + 1);
  ranks.resize(std::size_t(rank_indptr.back()));
  marks.resize(std::size_t(mark_indptr.back()));
  return nb::make_tuple(owned(std::move(row)), owned(std::move(m)), owned(std::move(rest)), owned(std::move(best)),
                        owned(std::move(worst)), owned(std::move(sum)), owned(std::move(gap)), owned(std::move(precision)),
                        owned(std::move(tp)), owned(std::move(fp)), owned(std::move(fn)), owned(std::move(ranks)),
                        owned(std::move(rank_indptr)), owned(std::move(marks)), owned(std::move(mark_indptr)));
}

}  // namespace

NB_MODULE(_core, m) {
  m.attr("level") = chosen().name;
  m.def("levels", &levels);
  m.def("log", [](float x) { return chosen().log(x); }, "x"_a);
  m.def("judge", &judge);
  m.def("give_back", &give_back);

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
      .def(nb::init<int, uint64_t, bool, bool, int, int, int, int>(), "kind"_a, "seed"_a, "averaged"_a = false,
           "random_init"_a = false, "loss"_a = 0, "penalty"_a = 0, "decode"_a = 0, "threads"_a = 0)
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
