// JSON lines of documents in the usual form. It reads up to the first line that is out of the ordinary; what that says, or
// what is wrong with it, another reader finds.
#pragma once
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "moment.hpp"

namespace telex::plain {

// The names of the fields, as between quotes in UTF-8; with an empty body, that field is ignored.
struct Fields {
  std::string id, time, title, text, labels, body;
};

// An unescaped string.
struct Piece {
  const char* at = nullptr;
  size_t size = 0;
  bool ascii = true, escaped = false;
  std::string_view view() const { return {at, size}; }
};

struct Document {
  Piece id, title, text;
  double time = NAN;
  size_t labels_end = 0, foreign_end = 0;  // of all labels, and of all `foreign`, those of this document end here
  const char* end = nullptr;               // of its line
  bool labelled = false;
};

struct Documents {
  std::vector<Document> rows;
  std::vector<Piece> labels, foreign;  // foreign: ignored, but must be UTF-8
  std::unique_ptr<char[]> room;        // for unescaped strings: none is longer than its escaped form
  size_t roomy = 0;                    // bytes of it
  // Empties it, and keeps its memory.
  void clear() {
    rows.clear();
    labels.clear();
    foreign.clear();
  }
};

// Without `keep` only ids and times are read: texts may be missing then, and bytes need not be UTF-8.
template <bool keep>
class Reader {
 public:
  Reader(const Fields& fields, const char* data, size_t size, Documents& all)
      : fields_(fields), at_(data), end_(data + size), all_(all) {
    if (!keep) return;
    if (all.roomy < size + 16) all.room.reset(new char[all.roomy = size + 16]);
    room_ = all.room.get();
  }

  // Takes up to `most` lines, up to the first that is not plain; tells whether there is none of those, and more than none.
  bool read(size_t most = SIZE_MAX) {
    do
      if (!line(all_.rows.emplace_back())) return all_.rows.pop_back(), false;
    while (at_ < end_ && --most);
    return true;
  }
  bool done() const { return at_ == end_; }

 private:
  enum Field : unsigned { id, time, title, text, labels, body, other };

  bool line(Document& document) {
    unsigned seen = 0;
    if (!take('{')) return false;
    do {
      Piece key;
      blanks();
      if (!take('"')) return false;
      const char* begin = at_;
      if (!string(key, false) || key.escaped) return false;
      std::string_view name(begin, size_t(at_ - 1 - begin));
      blanks();
      if (!take(':')) return false;
      blanks();
      unsigned field = place(name);
      if (field == other) {
        if (!key.ascii) pass_over({begin, name.size()});
        if (!value(0)) return false;
      } else if (seen >> field & 1 || !field_of(document, field)) {
        return false;
      }
      seen |= 1u << field;
      blanks();
    } while (take(','));
    if (!take('}') || !(seen & 1) || (keep && !document.text.at)) return false;
    document.labels_end = all_.labels.size();
    document.foreign_end = all_.foreign.size();
    blanks();
    if (at_ != end_ && !take('\n')) return false;
    document.end = at_;
    return true;
  }

  unsigned place(std::string_view name) const {
    const std::string* names[] = {&fields_.id, &fields_.time, &fields_.title, &fields_.text, &fields_.labels, &fields_.body};
    unsigned field = 0;
    while (field < other && *names[field] != name) ++field;
    return field == body && fields_.body.empty() ? unsigned(other) : field;
  }

  bool field_of(Document& document, unsigned field) {
    switch (field) {
      case id: return name(document.id);
      case time: return moment(document.time);
      case title: return text_or_null(document.title);
      case labels: return answer(document);
      default: break;
    }
    Piece piece;
    if (!text_or_null(piece)) return false;
    if (field == text ? piece.at != nullptr : !document.text.at) std::swap(piece, document.text);  // a text, else a body
    if (keep && !piece.ascii) all_.foreign.push_back(piece);
    return true;
  }

  bool name(Piece& piece) {
    if (take('"')) return string(piece, keep) && piece.ascii && piece.size;
    piece.at = at_;
    if (!whole(18) || *piece.at == '-') return false;
    piece.size = size_t(at_ - piece.at);
    return true;
  }

  bool moment(double& seconds) {
    if (word("null")) return true;
    const char* begin = at_;
    if (take('"')) {
      Piece piece;
      return string(piece, false) && !piece.escaped && seconds_of({begin + 1, size_t(at_ - begin - 2)}, seconds);
    }
    if (!number()) return false;
    std::string_view written(begin, size_t(at_ - begin));
    if (written.find_first_of(".eE") != written.npos) {
      if (!real(written, seconds)) return false;
    } else {
      if (written.size() > 16) return false;
      bool minus = written[0] == '-';
      int64_t number = 0;
      for (char c : written.substr(minus)) number = 10 * number + (c - '0');
      seconds = double(minus ? -number : number);
    }
    return first_second <= seconds && seconds < last_second;
  }

  // The nearest double; not every standard library reads one.
  static bool real([[maybe_unused]] std::string_view written, [[maybe_unused]] double& number) {
#ifdef __cpp_lib_to_chars
    return std::from_chars(written.data(), written.data() + written.size(), number).ec == std::errc();
#else
    return false;
#endif
  }

  bool text_or_null(Piece& piece) { return word("null") || (take('"') && string(piece, keep)); }

  bool answer(Document& document) {
    if (word("null")) return true;
    document.labelled = true;
    if (take('"')) return label(0);
    if (!take('[')) return false;
    blanks();
    if (take(']')) return true;
    size_t count = 0;
    do {
      blanks();
      if (count == 64 || !take('"') || !label(count++)) return false;
      blanks();
    } while (take(','));
    return take(']');
  }

  bool label(size_t before) {
    Piece piece;
    if (!string(piece, keep)) return false;
    if (!keep) return true;
    auto same = [&](const Piece& known) { return known.view() == piece.view(); };
    if (!piece.size || std::any_of(all_.labels.end() - std::ptrdiff_t(before), all_.labels.end(), same)) return false;
    all_.labels.push_back(piece);
    return true;
  }

  // Any JSON value of moderate depth.
  bool value(unsigned depth) {
    if (depth == 8) return false;
    const char* begin = at_;
    if (take('"')) {
      Piece piece;
      if (!string(piece, false)) return false;
      if (!piece.ascii) pass_over({begin + 1, size_t(at_ - begin - 2)});
      return true;
    }
    bool object = take('{');
    if (!object && !take('[')) return word("null") || word("true") || word("false") || number();
    char closing = object ? '}' : ']';
    blanks();
    if (take(closing)) return true;
    do {
      blanks();
      if (object) {
        if (at_ == end_ || *at_ != '"' || !value(depth + 1)) return false;
        blanks();
        if (!take(':')) return false;
        blanks();
      }
      if (!value(depth + 1)) return false;
      blanks();
    } while (take(','));
    return take(closing);
  }

  bool number() {
    if (!whole(30)) return false;
    if (take('.') && !digits(30)) return false;
    if (!take('e') && !take('E')) return true;
    if (!take('+')) take('-');
    return digits(3);
  }
  bool whole(unsigned most) {
    take('-');
    return take('0') || digits(most);
  }
  bool digits(unsigned most) {
    const char* begin = at_;
    while (at_ < end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return at_ > begin && size_t(at_ - begin) <= most;
  }

  bool take(char c) { return at_ < end_ && *at_ == c ? ++at_, true : false; }
  bool word(std::string_view text) {
    if (size_t(end_ - at_) < text.size() || std::string_view(at_, text.size()) != text) return false;
    at_ += text.size();
    return true;
  }
  void blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }
  void pass_over(std::string_view raw) {
    if (keep) all_.foreign.push_back({raw.data(), raw.size(), false});
  }

  // Reads from after the opening quote to after the closing one.
  bool string(Piece& piece, bool store) {
    const char* p = at_;
    size_t to = to_;
    piece.at = store ? room_ + to : p;
    unsigned high = 0;
    for (;;) {
      unsigned stop = 0;
#ifdef __SSE2__
      for (; end_ - p >= 16; p += 16, to += 16) {
        __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)), low = _mm_set1_epi8(0x1F);
        __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"')), slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
        if (store) _mm_storeu_si128(reinterpret_cast<__m128i*>(room_ + to), v);
        stop = unsigned(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, slash), _mm_cmpeq_epi8(_mm_min_epu8(v, low), v))));
        auto highs = unsigned(_mm_movemask_epi8(v));
        if (stop) {
          int before = std::countr_zero(stop);
          high |= highs & ((1u << before) - 1);
          p += before, to += size_t(before);
          break;
        }
        high |= highs;
      }
#endif
      while (!stop && p < end_ && *p != '"' && *p != '\\' && uint8_t(*p) >= 0x20) {
        high |= *p & 0x80;
        if (store) room_[to] = *p;
        ++p, ++to;
      }
      if (p == end_) return false;
      if (*p == '"') break;
      if (*p != '\\') return false;
      piece.escaped = true;
      if (!escape(p, to, store, high)) return false;
    }
    piece.size = store ? to - to_ : size_t(p - piece.at);
    piece.ascii = !high;
    at_ = p + 1;
    if (store) to_ = to;
    return true;
  }

  bool escape(const char*& p, size_t& to, bool store, unsigned& high) const {
    constexpr std::string_view letters = "\"\\/bfnrt", mean = "\"\\/\b\f\n\r\t";
    if (end_ - p < 2) return false;
    uint32_t c = 0;
    if (p[1] != 'u') {
      size_t i = letters.find(p[1]);
      if (i == letters.npos) return false;
      c = uint8_t(mean[i]);
      p += 2;
    } else {
      if (!unit(p, c) || c >> 10 == 0x37) return false;
      if (c >> 10 == 0x36) {
        uint32_t second;
        if (!unit(p, second) || second >> 10 != 0x37) return false;
        c = 0x10000 + ((c & 0x3FF) << 10 | (second & 0x3FF));
      }
    }
    high |= c >= 0x80;
    char bytes[4] = {char(c)};
    unsigned size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (unsigned i = size; size > 1 && i-- > 0; c >>= 6) bytes[i] = char(i ? 0x80 | (c & 0x3F) : (0xF00 >> size) | c);
    if (store) std::memcpy(room_ + to, bytes, size);
    to += size;
    return true;
  }
  // One \uXXXX.
  bool unit(const char*& p, uint32_t& c) const {
    if (end_ - p < 6 || p[0] != '\\' || p[1] != 'u') return false;
    c = 0;
    for (const char* stop = (p += 2) + 4; p < stop; ++p) {
      unsigned lower = uint8_t(*p) | 0x20u;
      unsigned digit = *p >= '0' && *p <= '9' ? unsigned(*p - '0') : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
      if (digit == 16) return false;
      c = c << 4 | digit;
    }
    return true;
  }

  const Fields& fields_;
  const char *at_, *const end_;
  Documents& all_;
  char* room_ = nullptr;
  size_t to_ = 0;  // how much of it is used
};

}  // namespace telex::plain
