// Running scalers: each row is scaled by what came before it and itself. Sums are in double, in the order of the rows.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <vector>

#include "array.hpp"

namespace nb = nanobind;

namespace {

using Offsets = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ids = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Reals = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct Rows {
  const int64_t* indptr;
  const int32_t* features;
  const float* values;
  int64_t count;
  int64_t first() const { return indptr[0]; }
  int64_t entries() const { return indptr[count] - indptr[0]; }
};

Rows rows_of(const Offsets& indptr, const Ids& features, const Values& values) {
  if (indptr.size() < 1 || features.size() != values.size()) throw nb::value_error("the arrays do not fit");
  Rows rows{indptr.data(), features.data(), values.data(), int64_t(indptr.size()) - 1};
  for (int64_t i = 0; i < rows.count; ++i)
    if (rows.indptr[i] < 0 || rows.indptr[i + 1] < rows.indptr[i]) throw nb::value_error("the offsets do not ascend");
  if (rows.indptr[rows.count] > int64_t(features.size())) throw nb::value_error("the offsets do not fit the features");
  for (int64_t k = rows.first(); k < rows.indptr[rows.count]; ++k)
    if (rows.features[k] < 0) throw nb::value_error("a feature has a negative id");
  return rows;
}

float shortened(double x) { return static_cast<float>(std::clamp(x, -double(FLT_MAX), double(FLT_MAX))); }

// Rows of Euclidean length 1; a row of zeros stays.
nb::object unit(const Offsets& indptr, const Ids& features, const Values& values) {
  Rows rows = rows_of(indptr, features, values);
  std::vector<float> out(size_t(rows.entries()));
  {
    nb::gil_scoped_release release;
    for (int64_t i = 0; i < rows.count; ++i) {
      double sum = 0;
      for (int64_t k = rows.indptr[i]; k < rows.indptr[i + 1]; ++k) sum += double(rows.values[k]) * rows.values[k];
      double length = sum > 0 ? std::sqrt(sum) : 1;
      float* to = out.data() - rows.first();
      for (int64_t k = rows.indptr[i]; k < rows.indptr[i + 1]; ++k) to[k] = shortened(rows.values[k] / length);
    }
  }
  return telex::array(std::move(out));
}

// What is forgotten before each row, in the order of the rows.
struct Forgets {
  const Ids& rows;
  const Ids& features;
  size_t next = 0;
  Forgets(const Ids& before, const Ids& gone) : rows(before), features(gone) {
    if (rows.size() != features.size()) throw nb::value_error("the forgotten features do not fit their rows");
  }
  template <class F>
  void before(int64_t row, F&& forget) {
    for (; next < rows.size() && rows(next) <= row; ++next)
      if (features(next) >= 0) forget(size_t(features(next)));
  }
};

class MaxAbs {
 public:
  nb::object scale(const Offsets& indptr, const Ids& features, const Values& values, int64_t learn, const Ids& forget_rows,
                   const Ids& forget_features) {
    Rows rows = rows_of(indptr, features, values);
    Forgets forgets(forget_rows, forget_features);
    std::vector<float> out(size_t(rows.entries()));
    {
      nb::gil_scoped_release release;
      float* to = out.data() - rows.first();
      for (int64_t i = 0; i < rows.count; ++i) {
        forgets.before(i, [&](size_t f) { if (f < largest_.size()) largest_[f] = 0; });
        for (int64_t k = rows.indptr[i]; k < rows.indptr[i + 1]; ++k) {
          auto f = size_t(rows.features[k]);
          double x = rows.values[k];
          if (i < learn) {
            if (f >= largest_.size()) largest_.resize(f + 1);
            largest_[f] = std::max(largest_[f], std::fabs(x));
          }
          double most = f < largest_.size() && largest_[f] > 0 ? largest_[f] : 1;
          to[k] = shortened(x / most);
        }
      }
    }
    return telex::array(std::move(out));
  }
  nb::object save() const { return telex::array(std::vector<double>(largest_)); }
  void load(const Reals& largest) { largest_.assign(largest.data(), largest.data() + largest.size()); }

 private:
  std::vector<double> largest_;
};

// Mean and deviation of each feature over all rows, in which a feature that a row does not have is 0. A centred row is divided by the
// root of the number of features that have varied too: its length is about 1, which the steps of learners are for. Kept are the count,
// the mean and the sum of squares around it of the values that rows have (Welford); zeros are merged in on use (Chan).
class Standard {
 public:
  explicit Standard(bool centred) : centred_(centred) {}

  nb::tuple scale(const Offsets& indptr, const Ids& features, const Values& values, int64_t learn, const Ids& forget_rows,
                  const Ids& forget_features) {
    Rows rows = rows_of(indptr, features, values);
    Forgets forgets(forget_rows, forget_features);
    std::vector<int64_t> ends{0};
    std::vector<int32_t> ids;
    std::vector<float> out;
    {
      nb::gil_scoped_release release;
      ends.reserve(size_t(rows.count) + 1);
      if (!centred_) out.resize(size_t(rows.entries()));
      for (int64_t i = 0; i < rows.count; ++i) {
        forgets.before(i, [&](size_t f) { forget(f); });
        const int32_t* f = rows.features + rows.indptr[i];
        const float* x = rows.values + rows.indptr[i];
        int64_t entries = rows.indptr[i + 1] - rows.indptr[i];
        bool learning = i < learn;
        documents_ += learning;
        if (centred_ && learning && whole(f, entries)) {
          whole_row(x, ids, out);
          ends.push_back(int64_t(ids.size()));
          continue;
        }
        whole_ = false;
        if (learning)
          for (int64_t k = 0; k < entries; ++k) meet(size_t(f[k]), x[k]);
        if (centred_) {
          centre(f, x, entries, ids, out);
          ends.push_back(int64_t(ids.size()));
        } else {
          float* to = out.data() - rows.first() + rows.indptr[i];
          for (int64_t k = 0; k < entries; ++k) to[k] = shortened(x[k] / moments(size_t(f[k])).deviation);
        }
      }
    }
    return nb::make_tuple(telex::array(std::move(ends)), telex::array(std::move(ids)), telex::array(std::move(out)));
  }

  nb::tuple save() const {
    return nb::make_tuple(documents_, telex::array(std::vector<int64_t>(counts_)), telex::array(std::vector<double>(means_)),
                          telex::array(std::vector<double>(squares_)));
  }
  void load(int64_t documents, const Offsets& counts, const Reals& means, const Reals& squares) {
    if (counts.size() != means.size() || counts.size() != squares.size()) throw nb::value_error("the arrays do not fit");
    for (size_t f = 0; f < counts.size(); ++f)
      if (counts(f) < 0 || counts(f) > documents) throw nb::value_error("a feature has more values than there were rows");
    documents_ = documents;
    counts_.assign(counts.data(), counts.data() + counts.size());
    means_.assign(means.data(), means.data() + means.size());
    squares_.assign(squares.data(), squares.data() + squares.size());
    whole_ = false;
  }

 private:
  struct Moments {
    double mean, deviation;
    bool varied;
  };
  static float shorter(int64_t varied) { return varied ? float(1 / std::sqrt(double(varied))) : 1; }
  size_t size() const { return counts_.size(); }

  void forget(size_t f) {
    if (f >= size()) return;
    counts_[f] = 0;
    means_[f] = squares_[f] = 0;
    whole_ = false;
  }
  void meet(size_t f, double x) {
    if (f >= size()) {
      counts_.resize(f + 1);
      means_.resize(f + 1);
      squares_.resize(f + 1);
    }
    double d = x - means_[f];
    means_[f] += d / double(++counts_[f]);
    squares_[f] += d * (x - means_[f]);
  }
  Moments moments(size_t f) const {
    if (f >= size() || counts_[f] == 0) return {0, 1, false};
    double n = double(documents_), c = double(counts_[f]), mean = means_[f], squares = squares_[f];
    if (counts_[f] < documents_) {
      squares += mean * mean * c * (n - c) / n;
      mean = mean * c / n;
    }
    double variance = squares / n;
    return {mean, variance > 0 ? std::sqrt(variance) : 1, squares > 0};
  }
  void centre(const int32_t* f, const float* x, int64_t entries, std::vector<int32_t>& ids, std::vector<float>& out) const {
    int64_t k = 0, varied = 0;
    size_t before = out.size();
    for (size_t at = 0; at < size(); ++at) {
      bool given = k < entries && size_t(f[k]) == at;
      if (!given && !counts_[at]) continue;
      Moments of = moments(at);
      ids.push_back(int32_t(at));
      out.push_back(shortened(((given ? double(x[k]) : 0) - of.mean) / of.deviation));
      varied += of.varied;
      k += given;
    }
    for (size_t i = before; i < out.size(); ++i) out[i] *= shorter(varied);
    for (; k < entries; ++k) {  // unknown, which only a row that is not learnt may have
      ids.push_back(f[k]);
      out.push_back(x[k]);
    }
  }

  // Whether each row so far, this one included, has the same features 0, 1, 2 and so on, as vectors have.
  bool whole(const int32_t* f, int64_t entries) {
    if (documents_ == 1) {
      for (int64_t k = 0; k < entries; ++k)
        if (f[k] != k) return false;
      counts_.assign(size_t(entries), 0);
      means_.assign(size_t(entries), 0);
      squares_.assign(size_t(entries), 0);
      varied_ = 0;
      whole_ = true;
    } else if (!whole_) {
      varied_ = 0;
      whole_ = std::all_of(counts_.begin(), counts_.end(), [&](int64_t c) { return c == documents_ - 1; });
    }
    return whole_ && size_t(entries) == size() && (!entries || size_t(f[entries - 1]) == size() - 1);
  }
  // The same arithmetic as above, a loop that the compiler makes a vector loop of.
  void whole_row(const float* __restrict x, std::vector<int32_t>& ids, std::vector<float>& out) {
    size_t before = ids.size(), width = size();
    ids.resize(before + width);
    out.resize(before + width);
    int32_t* __restrict id = ids.data() + before;
    float* __restrict to = out.data() + before;
    double *__restrict means = means_.data(), *__restrict squares = squares_.data();
    double n = double(documents_), most = double(FLT_MAX);
    for (size_t f = 0; f < width; ++f) {
      id[f] = int32_t(f);
      double d = double(x[f]) - means[f];
      double mean = means[f] + d / n, rest = double(x[f]) - mean;
      means[f] = mean;
      squares[f] += d * rest;
      double variance = squares[f] / n, deviation = std::sqrt(variance);
      double scaled = rest / (variance > 0 ? deviation : 1);
      scaled = scaled > most ? most : scaled;
      to[f] = float(scaled < -most ? -most : scaled);
    }
    if (varied_ < int64_t(width))  // once a feature has varied, it has
      varied_ = std::count_if(squares_.begin(), squares_.end(), [](double s) { return s > 0; });
    const float by = shorter(varied_);
    for (size_t f = 0; f < width; ++f) to[f] *= by;
    std::fill(counts_.begin(), counts_.end(), documents_);
  }

  bool centred_, whole_ = false;
  int64_t documents_ = 0, varied_ = 0;  // varied_: of whole rows
  std::vector<int64_t> counts_;
  std::vector<double> means_, squares_;
};

}  // namespace

NB_MODULE(_scaling, m) {
  // A thread that waits in a pipe when the interpreter ends may still hold an object, which is no leak.
  nb::set_leak_warnings(false);
  m.def("unit", &unit);
  nb::class_<MaxAbs>(m, "MaxAbs")
      .def(nb::init<>())
      .def("scale", &MaxAbs::scale)
      .def("save", &MaxAbs::save)
      .def("load", &MaxAbs::load);
  nb::class_<Standard>(m, "Standard")
      .def(nb::init<bool>())
      .def("scale", &Standard::scale)
      .def("save", &Standard::save)
      .def("load", &Standard::load);
}
