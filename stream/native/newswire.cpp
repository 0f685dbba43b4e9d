// The writer of the newswire: a document depends on the world and its number alone, by integer arithmetic.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace nb = nanobind;

namespace {

using std::string;
using std::vector;

uint64_t mix(uint64_t z) {  // docs/definitions.md
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

struct Draws {
  uint64_t state;
  explicit Draws(uint64_t key) : state(mix(key)) {}
  uint64_t next() { return mix(state += 0x9E3779B97F4A7C15u); }
  uint64_t below(uint64_t n) { return (next() >> 32) * n >> 32; }
  bool chance(uint64_t share) { return next() >> 32 < share; }  // in units of 2^-32
  template <class T>
  const T& of(const vector<T>& table) {
    return table[below(table.size())];
  }
};

void upper(char& c) {
  if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
}

// A distribution over `size` ranks: the octave 2^k - 1 .. 2^(k+1) - 2 is drawn as often as k occurs in the table, all ranks
// of an octave equally often.
struct Ranks {
  vector<uint8_t> octaves;
  uint64_t size;
  uint64_t draw(Draws& draws) const {
    uint64_t low = uint64_t{1} << draws.of(octaves);
    return low - 1 + draws.below(std::min(low, size + 1 - low));
  }
};

// Up to four letters, written in one step.
struct Piece {
  char letters[4] = {};
  uint8_t length = 0;
  char* put(char* at) const {
    std::copy_n(letters, 4, at);
    return at + length;
  }
  static vector<Piece> all(const vector<string>& texts, size_t count) {
    if (texts.size() != count) throw nb::value_error("the language needs 64 syllables and 16 codas");
    vector<Piece> pieces(count);
    for (size_t i = 0; i < count; ++i) {
      pieces[i].length = static_cast<uint8_t>(std::min<size_t>(texts[i].size(), 4));
      std::copy_n(texts[i].data(), pieces[i].length, pieces[i].letters);
    }
    return pieces;
  }
};

// A sentence or headline: its beginning, and gaps (# a word, @ a name, % a number), each with the text behind it.
struct Frame {
  string start;
  vector<std::pair<char, string>> gaps;
  explicit Frame(const string& text) {
    for (char c : text)
      if (c == '#' || c == '@' || c == '%')
        gaps.emplace_back(c, "");
      else
        (gaps.empty() ? start : gaps.back().second) += c;
  }
};

struct Dispatch {
  string title, text;
  vector<int> topics;
  bool unlabelled = false;
};

// The subject of a document, or of several documents about the same story.
struct Plot {
  vector<int> topics;   // without those above them
  uint64_t cast[4];     // names
  uint64_t words[6];    // used in all documents of the story
  uint64_t city;
};

class Writer {
 public:
  explicit Writer(nb::handle world)
      : seed_(mix(one(world, "seed"))),
        drift_(one(world, "drift")),
        repeats_(one(world, "repeats")),
        unlabelled_(one(world, "unlabelled")),
        again_(one(world, "again")),
        stories_(one(world, "stories")),
        retold_(one(world, "retold")),
        more_(one(world, "more")),
        strangers_(one(world, "strangers")),
        passing_(one(world, "passing")),
        upwards_(one(world, "upwards")),
        parents_(all<int32_t>(world, "parents")),
        births_(all<int64_t>(world, "births")),
        spans_(all<int64_t>(world, "spans")),
        periods_(all<int64_t>(world, "periods")),
        picks_(all<int32_t>(world, "picks")),
        lengths_(all<int32_t>(world, "lengths")),
        grips_(all<int32_t>(world, "grips")),
        slots_{all<uint8_t>(world, "slots"), one(world, "keywords")},
        words_{all<uint8_t>(world, "words"), one(world, "vocabulary")},
        topical_{all<uint8_t>(world, "topical"), one(world, "vocabulary")},
        names_{all<uint8_t>(world, "names"), one(world, "people")},
        sentences_(frames(world, "sentences")),
        headlines_(frames(world, "headlines")),
        syllables_(Piece::all(nb::cast<vector<string>>(world.attr("syllables")), 64)),
        codas_(Piece::all(nb::cast<vector<string>>(world.attr("codas")), 16)) {}

  Dispatch write(uint64_t number) const {
    Dispatch out;
    Draws draws(seed_ ^ mix(number));
    out.unlabelled = draws.chance(unlabelled_);
    while (number > 0 && draws.chance(repeats_)) {
      number -= 1 + draws.below(std::min<uint64_t>(number, kReach));
      draws = Draws(seed_ ^ mix(number));
      draws.next();
    }
    bool told = draws.chance(stories_);
    Plot plot = told ? story(number, draws) : this->plot(number, draws);
    if (told && draws.chance(more_)) plot.topics.push_back(beside(plot.topics[0], number, draws));
    label(plot, out);

    uint64_t length = static_cast<uint64_t>(draws.of(lengths_));
    uint64_t grip = static_cast<uint64_t>(draws.of(grips_)) * kBrief / (length + kBrief / 2);
    Content content{*this, draws, plot, number, told, grip, draws.below(upwards_)};
    content.said.reserve(256);
    out.text.reserve(2048);
    content.fill(draws.of(headlines_), out.title);
    name(plot.city, out.text);
    for (char& c : out.text) upper(c);
    out.text += " - ";
    for (bool first = true; content.said.size() < length; first = false) {
      if (!first) out.text += draws.below(5) < 2 ? '\n' : ' ';
      content.fill(draws.of(sentences_), out.text);
    }
    return out;
  }

  size_t topics() const { return parents_.size(); }

  // The most frequent word of a topic at the start of the wire.
  string keyword(uint64_t topic) const {
    string out;
    word(topical(topic, 0, 0), out);
    return out;
  }

 private:
  static constexpr uint64_t kReach = 3000, kIssue = 128, kIssueStories = 3, kLongest = 64, kBrief = 160;

  static uint64_t one(nb::handle world, const char* name) { return nb::cast<uint64_t>(world.attr(name)); }
  template <class T>
  static vector<T> all(nb::handle world, const char* name) {
    auto array = nb::cast<nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(world.attr(name));
    return {array.data(), array.data() + array.size()};
  }

  static vector<Frame> frames(nb::handle world, const char* name) {
    auto texts = nb::cast<vector<string>>(world.attr(name));
    return {texts.begin(), texts.end()};
  }

  int above(int topic) const { return parents_[static_cast<size_t>(topic)]; }

  bool alive(size_t topic, uint64_t number) const {
    int64_t age = static_cast<int64_t>(number) - births_[topic];
    return age >= 0 && age % periods_[topic] < spans_[topic];
  }

  int pick(uint64_t number, Draws& draws) const {
    while (true) {
      int topic = draws.of(picks_);
      if (alive(static_cast<size_t>(topic), number)) return topic;
    }
  }

  // A further topic of a document is mostly one of three siblings of the first, if it has siblings.
  int beside(int topic, uint64_t number, Draws& draws) const {
    if (draws.chance(strangers_)) return pick(number, draws);
    Draws own(mix(seed_ + 5) ^ mix(static_cast<uint64_t>(topic) * 4 + draws.below(3)));
    int other = pick(number, own);
    for (int tries = 0; tries < 64 && (other == topic || above(other) != above(topic)); ++tries) other = pick(number, own);
    return other;
  }

  Plot plot(uint64_t number, Draws& draws) const {
    Plot plot;
    plot.topics.push_back(pick(number, draws));
    while (draws.chance(more_)) plot.topics.push_back(beside(plot.topics[0], number, draws));
    for (uint64_t& who : plot.cast) who = names_.draw(draws);
    for (uint64_t& what : plot.words) what = topical_.draw(draws);
    plot.city = draws.below(draws.below(256) + 1);
    return plot;
  }

  // One of the stories of this issue or the two before it; the first stories are drawn more often.
  Plot story(uint64_t number, Draws& draws) const {
    uint64_t issue = number / kIssue - std::min(number / kIssue, draws.below(3));
    uint64_t which = std::min(draws.below(kIssueStories), draws.below(kIssueStories));
    Draws own(mix(seed_ + 1) ^ mix(issue * kIssueStories + which));
    return plot(issue * kIssue, own);
  }

  void label(const Plot& plot, Dispatch& out) const {
    for (int topic : plot.topics)
      for (int each = topic; each >= 0; each = above(each)) out.topics.push_back(each);
    std::sort(out.topics.begin(), out.topics.end());
    out.topics.erase(std::unique(out.topics.begin(), out.topics.end()), out.topics.end());
  }

  // The word in a topic's slot. Drift replaces it again and again; each slot changes at its own time.
  uint64_t topical(uint64_t topic, uint64_t slot, uint64_t number) const {
    uint64_t key = mix(mix(seed_ + 2) ^ mix(topic * 65536 + slot));
    uint64_t turn = (number * drift_ + (key & 0xFFFFFFFFu)) >> 32;
    Draws draws(key + turn);
    return topical_.draw(draws);
  }

  // Permutes a rank within 2^bits, or within its octave if it is higher: neighbours do not look alike, no two are equal.
  uint64_t scrambled(uint64_t rank, int bits, uint64_t key) const {
    uint64_t base = rank + 1 < uint64_t{1} << bits ? 0 : std::bit_floor(rank + 1);
    uint64_t mask = base ? base - 1 : (uint64_t{1} << bits) - 1;
    return base + ((((rank + 1 - base) * 0x9E3779B97F4A7C15u) ^ mix(seed_ + key + base)) & mask);
  }
  // The digits are syllables, at least two.
  char* spell(uint64_t digits, char* at) const {
    for (int i = 0; i < 2 || digits > 0; ++i, digits /= 64) at = syllables_[digits % 64].put(at);
    return at;
  }
  void word(uint64_t rank, string& out) const {
    uint64_t digits = scrambled(rank, 16, 3);
    char spelt[kLongest];
    out.append(spelt, codas_[digits % 16].put(spell(digits / 16, spelt)));
  }
  void name(uint64_t rank, string& out) const {
    char spelt[kLongest];
    char* end = spell(scrambled(rank, 12, 4), spelt);
    upper(spelt[0]);
    out.append(spelt, end);
  }

  // The words that fill the gaps.
  struct Content {
    const Writer& writer;
    Draws& draws;
    const Plot& plot;
    uint64_t number;
    bool told;
    uint64_t grip;  // how many of 256 words are its topics' own: fewer in a long document
    uint64_t general;  // how often a word is of the topic above instead, in units of 2^-32
    vector<uint64_t> said = {};
    size_t before = 0;  // the number of words before this sentence

    uint64_t next() {
      uint64_t choice = draws.below(256);
      if (choice < writer.again_) {
        if (before > 0) return said[draws.below(before)];
      } else if ((choice -= writer.again_) < grip) {
        int topic = plot.topics[std::min(draws.below(plot.topics.size()), draws.below(plot.topics.size()))];
        while (writer.above(topic) >= 0 && draws.chance(general)) topic = writer.above(topic);
        return writer.topical(static_cast<uint64_t>(topic), writer.slots_.draw(draws), number);
      } else if (told && choice - grip < writer.retold_) {
        return plot.words[draws.below(6)];
      }
      return writer.words_.draw(draws);
    }

    void fill(const Frame& frame, string& out) {
      size_t begin = out.size();
      before = said.size();
      out += frame.start;
      for (const auto& [gap, after] : frame.gaps) {
        if (gap == '#') {
          said.push_back(next());
          writer.word(said.back(), out);
        } else if (gap == '@') {
          writer.name(draws.chance(writer.passing_) ? writer.names_.draw(draws) : plot.cast[draws.below(4)], out);
        } else {
          out += std::to_string(draws.below(draws.below(900) + 9) + 1);
        }
        out += after;
      }
      upper(out[begin]);
    }
  };

  uint64_t seed_, drift_, repeats_, unlabelled_, again_, stories_, retold_, more_, strangers_, passing_, upwards_;
  vector<int32_t> parents_;
  vector<int64_t> births_, spans_, periods_;
  vector<int32_t> picks_, lengths_, grips_;
  Ranks slots_, words_, topical_, names_;
  vector<Frame> sentences_, headlines_;
  vector<Piece> syllables_, codas_;
};

PyObject* ascii(const string& text) {
  PyObject* made = PyUnicode_New(static_cast<Py_ssize_t>(text.size()), 127);
  if (!made) throw nb::python_error();
  std::copy(text.begin(), text.end(), static_cast<char*>(PyUnicode_DATA(made)));
  return made;
}

nb::tuple stories(const Writer& writer, uint64_t first, uint64_t count, const nb::list& labels) {
  if (labels.size() != writer.topics()) throw nb::value_error("each topic needs a name");
  vector<Dispatch> dispatches(count);
  {
    nb::gil_scoped_release others_run;
    for (uint64_t i = 0; i < count; ++i) dispatches[i] = writer.write(first + i);
  }
  nb::list titles, texts, answers;
  for (const Dispatch& dispatch : dispatches) {
    titles.append(nb::steal(ascii(dispatch.title)));
    texts.append(nb::steal(ascii(dispatch.text)));
    if (dispatch.unlabelled) {
      answers.append(nb::none());
      continue;
    }
    nb::list answer;
    for (int topic : dispatch.topics) answer.append(labels[topic]);
    answers.append(answer);
  }
  return nb::make_tuple(titles, texts, answers);
}

}  // namespace

NB_MODULE(_newswire, m) {
  nb::set_leak_warnings(false);
  nb::class_<Writer>(m, "Writer")
      .def(nb::init<nb::handle>())
      .def("keyword", &Writer::keyword)
      .def("stories", &stories);
}
