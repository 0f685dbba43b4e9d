// telex.adapters._messages: the binding of predictions as messages, and of messages as records of a batch.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../stream/native/array.hpp"
#include "best_labels.hpp"
#include "json_text.hpp"
#include "packed.hpp"
#include "record_writer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace telex::messages {
namespace {

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Ends = Column<int64_t>;

template <class T>
void check(const Column<T>& column, size_t count) {
  if (column.shape(0) != count) throw nb::value_error("the columns are not of one length");
}

// Pieces of bytes that lie one behind the other.
class Pieces {
 public:
  Pieces(const Column<uint8_t>& data, const Ends& ends) : data_(reinterpret_cast<const char*>(data.data())), ends_(ends) {
    int64_t before = 0;
    for (size_t k = 0; k < size(); before = ends(k++))
      if (ends(k) < before || ends(k) > int64_t(data.shape(0))) throw nb::value_error("a piece lies outside of the data");
  }
  size_t size() const { return ends_.shape(0); }
  std::string_view operator[](size_t k) const {
    int64_t begin = k ? ends_(k - 1) : 0;
    return {data_ + begin, size_t(ends_(k) - begin)};
  }
  Packed message(size_t k) const {
    if (k >= size()) throw nb::value_error("there are not so many messages");
    std::string_view piece = (*this)[k];
    Packed found;
    if (!Unpacker(piece.data(), piece.data() + piece.size()).message(found))
      throw nb::value_error("this is no message");
    return found;
  }

 private:
  const char* data_;
  Ends ends_;
};

nb::object bytes_and_ends(const std::string& made, std::vector<int64_t>&& ends) {
  std::vector<uint8_t> bytes(made.begin(), made.end());
  return nb::make_tuple(array(std::move(bytes)), array(std::move(ends)));
}

std::string_view text_of(nb::handle text) {
  Py_ssize_t size;
  const char* at = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!at) throw nb::python_error();
  return {at, size_t(size)};
}

// What a learner predicted, as JSON: two pieces for each document, its set and its best labels.
template <class Score>
nb::object predicted_labels(const Table<Score>& scores, const Table<bool>& relevant, const Column<int32_t>& known,
                            const Ends& numbers, const Column<uint64_t>& keys, uint64_t seed, size_t top,
                            const Column<uint8_t>& names, const Ends& name_ends, const Column<int32_t>& ranks) {
  size_t count = scores.shape(0), width = scores.shape(1);
  Pieces labels(names, name_ends);
  if (relevant.shape(0) != count || relevant.shape(1) != width) throw nb::value_error("the tables are not of one shape");
  check(known, count), check(numbers, count), check(ranks, labels.size());
  for (size_t k = 0; k < count; ++k)
    if (known(k) < 0 || size_t(known(k)) > width || size_t(known(k)) > std::min(labels.size(), keys.shape(0)))
      throw nb::value_error("there are not so many labels");
  std::string made;
  std::vector<int64_t> ends;
  {
    nb::gil_scoped_release release;
    BestLabels best(top);
    std::vector<int32_t> set;
    for (size_t k = 0; k < count; ++k) {
      predicted(relevant.data() + k * width, known(k), ranks.data(), set);
      made += '[';
      for (int32_t column : set) (made += labels[size_t(column)]) += ',';
      set.empty() ? void(made += ']') : void(made.back() = ']');
      ends.push_back(int64_t(made.size()));
      const Score* row = scores.data() + k * width;
      const auto& found = best.of(row, known(k), Ties(seed, numbers(k), keys.data()));
      made += '[';
      for (const Candidate& one : found) {
        ((made += '[') += labels[size_t(one.column)]) += ',';
        put_number(made, double(row[one.column]));
        made += "],";
      }
      found.empty() ? void(made += ']') : void(made.back() = ']');
      ends.push_back(int64_t(made.size()));
    }
  }
  return bytes_and_ends(made, std::move(ends));
}

// Headers of a message, packed one behind the other, and the number of their own bytes.
struct Headers {
  Headers() = default;
  explicit Headers(const nb::tuple& given)
      : count(nb::cast<size_t>(given[1])), size(nb::cast<size_t>(given[2])) {
    auto bytes = nb::borrow<nb::bytes>(given[0]);  // the caller keeps it
    packed = {bytes.c_str(), bytes.size()};
  }
  std::string_view packed;
  size_t count = 0, size = 0;
};

constexpr int64_t none = INT64_MIN;

// Predictions as messages. Those that are longer than `longest` have no best labels, or are left out: their number is
// the last of what is returned.
nb::object predictions(const std::string& topic, const nb::list& ids, const Column<int32_t>& rows,
                       const Column<int32_t>& whose, const std::vector<std::pair<Column<uint8_t>, Ends>>& made_by,
                       const std::vector<nb::bytes>& learners, const Ends& positions, const std::string& moment,
                       const std::vector<std::string>& from, const Column<int32_t>& places,
                       const Column<int32_t>& partitions, const Ends& offsets, const Ends& stamps,
                       const Column<double>& times, const nb::dict& texts, const nb::dict& revises,
                       const nb::tuple& common, const nb::dict& carried, size_t longest, size_t envelope) {
  size_t count = ids.size();
  check(whose, rows.shape(0)), check(positions, count), check(places, count), check(partitions, count);
  check(offsets, count), check(stamps, count), check(times, count);
  std::vector<Pieces> fragments;
  for (const auto& [data, ends] : made_by) {
    check(ends, 2 * count);
    fragments.emplace_back(data, ends);
  }
  if (learners.size() != fragments.size()) throw nb::value_error("each learner has a name and predictions");
  Headers of_all(common);
  std::vector<Headers> own(count);
  for (auto [row, headers] : carried)
    if (size_t at = nb::cast<size_t>(row); at < count) own[at] = Headers(nb::cast<nb::tuple>(headers));
  std::vector<std::string_view> names, moments(count), older(count);
  for (size_t k = 0; k < count; ++k) names.push_back(text_of(ids[k]));
  for (auto [row, text] : texts)
    if (size_t at = nb::cast<size_t>(row); at < count) moments[at] = text_of(text);
  for (auto [row, place] : revises)
    if (size_t at = nb::cast<size_t>(row); at < count) older[at] = text_of(place);
  for (size_t k = 0; k < count; ++k)
    if (places(k) < 0 || size_t(places(k)) >= from.size()) throw nb::value_error("there are not so many topics");
  std::string made, value;
  std::vector<int64_t> ends;
  int64_t left_out = 0;
  {
    nb::gil_scoped_release release;
    std::string origin;
    for (size_t k = 0; k < rows.shape(0); ++k) {
      if (rows(k) < 0 || size_t(rows(k)) >= count || whose(k) < 0 || size_t(whose(k)) >= fragments.size())
        throw nb::value_error("there are not so many documents or learners");
      auto row = size_t(rows(k)), learner = size_t(whose(k));
      bool fits = false;
      for (int attempt = 0; attempt < 2 && !fits; ++attempt) {
        value = "{\"id\":";
        put_string(value, names[row]);
        (value += ",\"labels\":") += fragments[learner][2 * row];
        value += ",\"top\":";
        attempt ? value += "[]" : value += fragments[learner][2 * row + 1];
        (value += ",\"learner\":").append(learners[learner].c_str(), learners[learner].size());
        value += ",\"position\":", put_integer(value, positions(row));
        value += ",\"predicted\":", put_string(value, moment);
        value += ",\"topic\":", put_string(value, from[size_t(places(row))]);
        value += ",\"partition\":", put_integer(value, partitions(row));
        value += ",\"offset\":", put_integer(value, offsets(row));
        if (moments[row].data() || !std::isnan(times(row))) {
          value += ",\"time\":";
          if (moments[row].data()) put_string(value, moments[row]);
          else value += '"', put_moment(value, times(row)), value += '"';
        }
        if (older[row].data()) (value += ",\"revises\":") += older[row];
        value += '}';
        fits = names[row].size() + value.size() + of_all.size + own[row].size + envelope <= longest;
      }
      if (!fits) {
        ++left_out;
        continue;
      }
      pack_array(made, 6);
      pack_text(made, topic);
      pack_bytes(made, names[row]);
      pack_bytes(made, value);
      if (stamps(row) == none) made += '\xC0';
      else pack_integer(made, stamps(row));
      pack_array(made, of_all.count + own[row].count);
      (made += of_all.packed) += own[row].packed;
      pack_array(made, 3);
      pack_text(made, from[size_t(places(row))]);
      pack_integer(made, partitions(row));
      pack_integer(made, offsets(row));
      ends.push_back(int64_t(made.size()));
    }
  }
  nb::object found = bytes_and_ends(made, std::move(ends));
  return nb::make_tuple(found[0], found[1], left_out);
}

// For each message the number of its topic among `topics`, -1 if it is another, and the partition that its key belongs
// to, -1 without a key.
nb::object places(const Column<uint8_t>& data, const Ends& ends, const std::vector<std::string>& topics,
                  const std::vector<int32_t>& counts) {
  Pieces messages(data, ends);
  if (counts.size() != topics.size()) throw nb::value_error("the columns are not of one length");
  for (int32_t count : counts)
    if (count < 1) throw nb::value_error("a topic has at least one partition");
  std::vector<int32_t> found(messages.size()), partitions(messages.size());
  {
    nb::gil_scoped_release release;
    for (size_t k = 0; k < messages.size(); ++k) {
      Packed message = messages.message(k);
      std::string_view topic(message.topic.at, message.topic.size);
      size_t at = 0;
      while (at < topics.size() && topics[at] != topic) ++at;
      bool known = at < topics.size();
      found[k] = known ? int32_t(at) : -1;
      partitions[k] = known && message.key.at ? int32_t(murmur2(message.key) & 0x7FFFFFFF) % counts[at] : -1;
    }
  }
  return nb::make_tuple(array(std::move(found)), array(std::move(partitions)));
}

// The messages of `rows`, from `start` on, as records of a batch that has `offset` records before them, the first of
// them at `first` unless there is none. It ends before a record with which it would have more than `room` bytes; the first
// record of a batch always comes in. Returns the records, how many there are, the first timestamp and the latest.
nb::object records(const Column<uint8_t>& data, const Ends& ends, const Ends& rows, size_t start, int64_t offset,
                   std::optional<int64_t> first, int64_t now, size_t room) {
  Pieces messages(data, ends);
  std::string made, body;
  int64_t latest = 0;
  size_t at = start;
  {
    nb::gil_scoped_release release;
    for (; at < rows.shape(0); ++at, ++offset) {
      if (rows(at) < 0) throw nb::value_error("there are not so many messages");
      Packed message = messages.message(size_t(rows(at)));
      int64_t stamp = message.timed ? message.timestamp : now;
      body.clear();
      put_body(body, message, first ? stamp - *first : 0, offset);
      size_t before = made.size();
      put_varint(made, int64_t(body.size()));
      if (first && made.size() + body.size() > room) {
        made.resize(before);
        break;
      }
      made += body;
      latest = at == start ? stamp : std::max(latest, stamp);
      if (!first) first = stamp;
    }
  }
  return nb::make_tuple(nb::bytes(made.data(), made.size()), at - start, first, latest);
}

}  // namespace
}  // namespace telex::messages

NB_MODULE(_messages, m) {
  using namespace telex::messages;
  nb::set_leak_warnings(false);
  m.def("predicted_labels", &predicted_labels<float>, "scores"_a, "relevant"_a, "known"_a, "numbers"_a, "keys"_a,
        "seed"_a, "top"_a, "names"_a, "name_ends"_a, "ranks"_a);
  m.def("predicted_labels", &predicted_labels<double>, "scores"_a, "relevant"_a, "known"_a, "numbers"_a, "keys"_a,
        "seed"_a, "top"_a, "names"_a, "name_ends"_a, "ranks"_a);
  m.def("predictions", &predictions, "topic"_a, "ids"_a, "rows"_a, "whose"_a, "made_by"_a, "learners"_a, "positions"_a,
        "moment"_a, "origin_topics"_a, "places"_a, "partitions"_a, "offsets"_a, "stamps"_a, "times"_a, "texts"_a,
        "revises"_a, "common"_a, "carried"_a, "longest"_a, "envelope"_a);
  m.def("places", &places, "data"_a, "ends"_a, "topics"_a, "counts"_a);
  m.def("records", &records, "data"_a, "ends"_a, "rows"_a, "start"_a, "offset"_a, "first"_a.none(), "now"_a, "room"_a);
}
