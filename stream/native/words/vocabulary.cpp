#include "vocabulary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "ln.hpp"

namespace telex::words {
namespace {

constexpr double brim = 0x1p256;  // decayed sums are rescaled when a document counts this much

double faded(double sum) { return sum * (1 / brim) < 1 / brim ? 0 : sum * (1 / brim); }

// FNV-1a, `name(label)` of docs/definitions.md.
uint64_t name_hash(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (char c : text) hash = (hash ^ uint8_t(c)) * 0x100000001B3u;
  return hash;
}

double damped(double tf) { return tf < 1 ? tf : 1 + ln(tf); }

// 1 + ln tf of small whole numbers, the most common ones.
struct Damped {
  double small[256];
  Damped() {
    for (int i = 0; i < 256; ++i) small[i] = i ? damped(i) : 0;
  }
  double operator()(double tf) const {
    auto whole = int64_t(tf);
    return whole < 256 && double(whole) == tf ? small[whole] : damped(tf);
  }
};
const Damped damp;

void require(bool good, const char* otherwise) {
  if (!good) throw std::invalid_argument(otherwise);
}

Texts cut(const std::vector<uint8_t>& data, const std::vector<int64_t>& ends) {
  Texts texts;
  int64_t start = 0;
  for (int64_t end : ends) {
    require(end >= start && end <= int64_t(data.size()), "its texts end where they cannot");
    texts.add({reinterpret_cast<const char*>(data.data()) + start, size_t(end - start)});
    start = end;
  }
  require(start == int64_t(data.size()), "its texts end where they cannot");
  return texts;
}

void join(std::string_view text, std::vector<uint8_t>& data, std::vector<int64_t>& ends) {
  data.insert(data.end(), text.begin(), text.end());
  ends.push_back(int64_t(data.size()));
}

bool sound(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return x >= 0 && std::isfinite(x); });
}

}  // namespace

Vocabulary::Vocabulary(const Settings& settings) : settings_(settings) {
  if (settings_.kind == Kind::hashed) of_bucket_.resize(size_t(settings_.size));
}

void Vocabulary::give(Texts terms, std::vector<double> values) {
  given_terms_ = std::move(terms);
  given_values_ = std::move(values);
  auto text_of = [this](int32_t id) { return given_terms_[size_t(id)]; };
  for (size_t i = 0; i < given_terms_.size(); ++i) {
    require(given_index_.find(given_terms_[i], text_of) < 0, "a term has two values");
    given_index_.put(given_terms_[i], int32_t(i));
  }
}

std::string Vocabulary::name(size_t id) const {
  return settings_.kind == Kind::hashed ? std::to_string(buckets_[id]) : terms_[id];
}

int32_t Vocabulary::given_of(std::string_view text) const {
  return given_index_.find(text, [this](int32_t id) { return given_terms_[size_t(id)]; });
}

int32_t Vocabulary::look_up(std::string_view text) const {
  if (settings_.kind == Kind::hashed) return of_bucket_[name_hash(text) % uint64_t(settings_.size)] - 1;
  return index_.find(text, [this](int32_t id) { return std::string_view(terms_[size_t(id)]); });
}

void Vocabulary::document(Cache& cache, const Document& document, bool counting, bool weighing, Rows& rows) {
  bool adding = counting && !settled_;
  if (adding) tick();
  gather(cache, document, adding);
  if (!newcomers_.empty()) admit(cache, int64_t(rows.indptr.size()) - 1, rows);
  ids_.clear();
  tf_.clear();
  times_.clear();
  sorted_.drain([this](uint32_t id) {
    Cell& cell = cells_[id];
    ids_.push_back(int32_t(id));
    tf_.push_back(double(cell.text) + settings_.title * double(cell.title));
    times_.push_back(cell.text + cell.title);
    cell.text = cell.title = 0;
  });
  if (adding) count();
  if (weighing) weigh(rows);
}

void Vocabulary::gather(Cache& cache, const Document& document, bool adding) {
  strange_.clear();
  newcomers_.clear();
  const Memo* memos = cache.memos.data();
  auto take = [&](int32_t term, bool title) {
    if (term < 0) return;
    Memo memo = memos[term];
    // Ids beyond the end are from before a choice of terms.
    if (uint32_t(memo.feature) < uint32_t(cells_.size()) && cells_[size_t(memo.feature)].version == memo.version) {
      Cell& cell = cells_[size_t(memo.feature)];
      ++(title ? cell.title : cell.text);
      sorted_.add(uint32_t(memo.feature));
    } else if (memo.feature != foreign && (adding || memo.feature != absent || memo.version != version_)) {
      strange_.emplace_back(term, title);
    }
  };
  if (settings_.title > 0)
    for (const int32_t* p = document.title; p < document.text; ++p) take(*p, true);
  for (const int32_t* p = document.text; p < document.end; ++p) take(*p, false);

  std::sort(strange_.begin(), strange_.end());
  for (size_t i = 0; i < strange_.size();) {
    Newcomer one{strange_[i].first, 0, 0};
    for (; i < strange_.size() && strange_[i].first == one.term; ++i) ++(strange_[i].second ? one.title : one.text);
    std::string_view text = cache.terms[size_t(one.term)];
    Memo& memo = cache.memos[size_t(one.term)];
    int32_t id = look_up(text);
    if (id >= 0) {
      Cell& cell = cells_[size_t(id)];
      cell.text += one.text;
      cell.title += one.title;
      memo = {id, cell.version};
      sorted_.add(uint32_t(id));
    } else if (!adding) {
      memo = {absent, version_};
    } else if (settings_.idf == Idf::given && given_of(text) < 0) {
      memo = {foreign, 0};
    } else {
      newcomers_.push_back(one);
    }
  }
}

void Vocabulary::admit(Cache& cache, int64_t row, Rows& rows) {
  auto text = [&](const Newcomer& one) { return cache.terms[size_t(one.term)]; };
  std::sort(newcomers_.begin(), newcomers_.end(), [&](auto& a, auto& b) { return text(a) < text(b); });
  for (const Newcomer& one : newcomers_) {
    int32_t id = place_for(text(one), row, rows);
    if (id < 0) continue;
    Cell& cell = cells_[size_t(id)];
    cell.text += one.text;
    cell.title += one.title;
    cache.memos[size_t(one.term)] = {id, cell.version};
    sorted_.add(uint32_t(id));
  }
}

int32_t Vocabulary::place_for(std::string_view term, int64_t row, Rows& rows) {
  if (settings_.kind == Kind::hashed) {
    // another new term of this document may have added the bucket
    int32_t id = look_up(term);
    return id >= 0 ? id : append(term, int64_t(name_hash(term) % uint64_t(settings_.size)));
  }
  if (settings_.kind == Kind::growing || cells_.size() < size_t(settings_.size)) return append(term, 0);
  int32_t id = useful_.take([this](int32_t held) {
    const Cell& cell = cells_[size_t(held)];
    return cell.text + cell.title > 0;
  });
  if (id < 0) return id;
  auto i = size_t(id);
  index_.take(terms_[i], [this](int32_t other) { return std::string_view(terms_[size_t(other)]); });
  terms_[i] = term;
  index_.put(terms_[i], id);
  cells_[i] = {0, 0, cells_[i].version + 1, 0, 0};
  ++version_;
  if (settings_.idf == Idf::given) given_[i] = given_values_[size_t(given_of(term))];
  if (settings_.idf == Idf::windowed) since_[i] = documents_;
  useful_.enter(id, 0, documents_);
  rows.forget_rows.push_back(int32_t(row));
  rows.forget_features.push_back(id);
  if (!is_replaced_[i]) replaced_.push_back(id);
  is_replaced_[i] = 1;
  return id;
}

int32_t Vocabulary::append(std::string_view term, int64_t bucket) {
  if (cells_.size() >= size_t(std::numeric_limits<int32_t>::max()))
    throw std::length_error("there are 2^31 terms; give vocabulary=bounded or vocabulary=hashed");
  auto id = int32_t(cells_.size());
  cells_.emplace_back().version = epoch_;
  sorted_.hold(cells_.size());
  ++version_;
  if (settings_.kind == Kind::hashed) {
    buckets_.push_back(bucket);
    of_bucket_[size_t(bucket)] = id + 1;
  } else {
    terms_.emplace_back(term);
    index_.put(terms_.back(), id);
  }
  if (settings_.idf == Idf::given) given_.push_back(given_values_[size_t(given_of(term))]);
  if (settings_.kind == Kind::bounded) {
    is_replaced_.push_back(0);
    if (settings_.idf == Idf::windowed) since_.push_back(documents_);
    useful_.enter(id, 0, documents_);
  }
  return id;
}

void Vocabulary::tick() {
  ++documents_;
  if (!settings_.fading()) return;
  now_ *= settings_.growth;
  if (now_ < brim) return;
  now_ *= 1 / brim;
  if (settings_.kind == Kind::bounded) useful_.scale(faded);
  if (settings_.idf != Idf::decayed) return;
  n_ = faded(n_);
  m_ = faded(m_);
  for (Cell& cell : cells_) {
    cell.df = faded(cell.df);
    cell.occurrences = faded(cell.occurrences);
  }
}

void Vocabulary::count() {
  double one = unit();
  n_ += one;
  m_ += one * double(ids_.size());
  for (size_t i = 0; i < ids_.size(); ++i) {
    Cell& cell = cells_[size_t(ids_[i])];
    cell.df += one;
    cell.occurrences += one * double(times_[i]);
  }
  if (settings_.kind == Kind::bounded) {
    for (int32_t id : ids_) useful_.seen(id, now_, documents_);
    useful_.settle();
  }
  if (settings_.idf != Idf::windowed) return;
  ring_.push(ids_, times_);
  if (ring_.size() <= size_t(settings_.window)) return;
  int64_t oldest = documents_ - settings_.window;
  n_ -= 1;
  m_ -= double(ring_.pop([&](int32_t id, uint32_t times) {
    if (settings_.kind == Kind::bounded && since_[size_t(id)] > oldest) return;  // it belongs to a term that has left
    Cell& cell = cells_[size_t(id)];
    cell.df -= 1;
    cell.occurrences -= double(times);
  }));
}

void Vocabulary::weigh(Rows& rows) {
  size_t size = ids_.size();
  rows.features.insert(rows.features.end(), ids_.begin(), ids_.end());
  rows.indptr.push_back(int64_t(rows.features.size()));
  weight_.resize(size);
  double* weight = weight_.data();
  const double* tf = tf_.data();
  switch (settings_.first) {
    case 'n': std::copy_n(tf, size, weight); break;
    case 'b': std::fill_n(weight, size, 1.0); break;
    default:
      for (size_t i = 0; i < size; ++i) weight[i] = damp(tf[i]);
  }
  if (settings_.first == 'L' && size) {
    double sum = 0;
    for (size_t i = 0; i < size; ++i) sum += tf[i];
    double mean = damp(sum / double(size));
    for (size_t i = 0; i < size; ++i) weight[i] /= mean;
  }
  if (settings_.second != 'n' && settings_.idf == Idf::given) {
    for (size_t i = 0; i < size; ++i) weight[i] *= given_[size_t(ids_[i])];
  } else if (settings_.second != 'n') {
    double one = unit(), all = settled_ ? n_ : n_ + one;
    bool seen = settings_.second == 'o';
    df_.assign((size + wide - 1) / wide * wide, 1.0);
    double* df = df_.data();
    for (size_t i = 0; i < size; ++i) {
      const Cell& cell = cells_[size_t(ids_[i])];
      df[i] = seen ? cell.occurrences : cell.df;
    }
    kernels_.logs(df, df_.size(), all, one);
    if (seen)
      for (size_t i = 0; i < size; ++i) df[i] = df[i] < 0 ? 0 : df[i];
    for (size_t i = 0; i < size; ++i) weight[i] *= df[i];
  }
  double by = 1;
  if (settings_.third == 'c') {
    double squares = 0;
    for (size_t i = 0; i < size; ++i) squares += weight[i] * weight[i];
    if (squares > 0) by = std::sqrt(squares);
  } else if (settings_.third == 'u' && m_ > 0) {
    by = (1 - settings_.slope) + settings_.slope * (double(size) / (m_ / n_));
  }
  size_t start = rows.values.size();
  rows.values.resize(start + size);
  float* values = rows.values.data() + start;
  for (size_t i = 0; i < size; ++i) values[i] = float(weight[i] / by);
  rows.counts.insert(rows.counts.end(), tf_.begin(), tf_.end());
}

void Vocabulary::settle(size_t terms) {
  if (terms && terms < cells_.size()) choose(terms);
  settled_ = true;
  ring_ = {};
  since_ = {};
  given_index_ = {};
}

void Vocabulary::choose(size_t terms) {
  std::vector<int32_t> order(cells_.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = int32_t(i);
  std::sort(order.begin(), order.end(), [this](int32_t a, int32_t b) {
    const Cell &x = cells_[size_t(a)], &y = cells_[size_t(b)];
    return x.df != y.df ? x.df > y.df : terms_[size_t(a)] < terms_[size_t(b)];
  });
  order.resize(terms);
  std::sort(order.begin(), order.end());
  index_ = {};
  m_ = 0;
  ++epoch_;
  ++version_;
  for (size_t i = 0; i < terms; ++i) {
    auto from = size_t(order[i]);
    cells_[i] = cells_[from];
    cells_[i].version = epoch_;
    m_ += cells_[i].df;
    if (i != from) terms_[i] = std::move(terms_[from]);
    if (!given_.empty()) given_[i] = given_[from];
    index_.put(terms_[i], int32_t(i));
  }
  cells_.resize(terms);
  terms_.resize(terms);
  cells_.shrink_to_fit();
  terms_.shrink_to_fit();
  if (!given_.empty()) given_.resize(terms);
}

std::vector<int32_t> Vocabulary::take_replaced() {
  for (int32_t id : replaced_) is_replaced_[size_t(id)] = 0;
  return std::exchange(replaced_, {});
}

size_t Vocabulary::bytes() const {
  size_t sum = cells_.capacity() * sizeof(Cell) + terms_.capacity() * sizeof(std::string) + 8 * buckets_.capacity() +
               4 * of_bucket_.capacity() + index_.bytes() + given_terms_.bytes() + 8 * given_values_.capacity() +
               given_index_.bytes() + 8 * given_.capacity() + ring_.bytes() + useful_.bytes() + 8 * since_.capacity() +
               sorted_.bytes();
  for (const std::string& term : terms_)
    if (term.capacity() > std::string().capacity()) sum += term.capacity() + 1;
  return sum;
}

State Vocabulary::save() const {
  State state;
  for (const std::string& term : terms_) join(term, state.data, state.ends);
  for (size_t i = 0; i < given_terms_.size(); ++i) join(given_terms_[i], state.given_data, state.given_ends);
  state.given = given_values_;
  state.buckets = buckets_;
  for (const Cell& cell : cells_) {
    state.df.push_back(cell.df);
    state.occurrences.push_back(cell.occurrences);
  }
  state.useful = useful_.useful;
  state.last = useful_.last;
  state.since = since_;
  ring_.save(state.ring_sizes, state.ring_features, state.ring_counts);
  state.sums = {double(documents_), now_, n_, m_, double(settled_)};
  return state;
}

void Vocabulary::load(const State& state) {
  bool hashed = settings_.kind == Kind::hashed, bounded = settings_.kind == Kind::bounded;
  bool windowed = settings_.idf == Idf::windowed;
  size_t n = hashed ? state.buckets.size() : state.ends.size();
  Texts terms = cut(state.data, state.ends);
  Texts given = cut(state.given_data, state.given_ends);
  require(hashed ? state.ends.empty() : state.buckets.empty(), "its vocabulary is of another kind");
  require(settings_.kind == Kind::growing || n <= size_t(settings_.size), "it has more terms than there may be");
  require(n < size_t(std::numeric_limits<int32_t>::max()), "it has more terms than there may be");
  require(state.df.size() == n && state.occurrences.size() == n, "it has not as many counts as terms");
  require(state.useful.size() == (bounded ? n : 0) && state.last.size() == state.useful.size(),
          "it has not as many counts as terms");
  require(state.given.size() == given.size(), "it has not as many values as terms");
  require(sound(state.df) && sound(state.occurrences) && sound(state.useful) && sound(state.sums), "a count is no count");
  require(std::all_of(state.given.begin(), state.given.end(), [](double x) { return std::isfinite(x); }), "a value is none");
  require(state.sums.size() == 5 && state.sums[0] < 0x1p53 && state.sums[1] >= 1 && state.sums[1] < brim, "its sums are none");
  documents_ = int64_t(state.sums[0]);
  now_ = state.sums[1];
  n_ = state.sums[2];
  m_ = state.sums[3];
  settled_ = state.sums[4] != 0;
  bool ringed = windowed && !settled_;
  require(state.since.size() == (ringed && bounded ? n : 0), "it has not as many counts as terms");
  require(state.ring_sizes.size() <= size_t(ringed ? settings_.window : 0) &&
              state.ring_sizes.size() <= size_t(documents_) && state.ring_features.size() == state.ring_counts.size(),
          "its window is of another size");
  give(std::move(given), state.given);
  for (size_t i = 0; i < n; ++i) {
    std::string_view term = hashed ? std::string_view() : terms[i];
    if (hashed) {
      require(state.buckets[i] >= 0 && state.buckets[i] < settings_.size && !of_bucket_[size_t(state.buckets[i])],
              "a bucket is none, or comes twice");
    } else {
      require(look_up(term) < 0, "a term comes twice");
    }
    require(settings_.idf != Idf::given || given_of(term) >= 0, "a term has no value");
    append(term, hashed ? state.buckets[i] : 0);
    cells_[i].df = state.df[i];
    cells_[i].occurrences = state.occurrences[i];
  }
  useful_.useful = state.useful;
  useful_.last = state.last;
  useful_.rebuild();
  since_ = state.since;
  size_t at = 0;
  for (int64_t size : state.ring_sizes) {
    require(size >= 0 && uint64_t(size) <= state.ring_features.size() - at, "its window breaks off");
    ids_.assign(state.ring_features.data() + at, state.ring_features.data() + at + size);
    times_.assign(state.ring_counts.data() + at, state.ring_counts.data() + at + size);
    for (int32_t id : ids_) require(id >= 0 && size_t(id) < n, "its window has a feature that is none");
    ring_.push(ids_, times_);
    at += size_t(size);
  }
  require(at == state.ring_features.size(), "its window goes on behind its end");
}

}  // namespace telex::words
