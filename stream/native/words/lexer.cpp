#include "lexer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "unicode.hpp"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace telex::words {
namespace {

static_assert(std::endian::native == std::endian::little, "tokens are cut by masks of little-endian words");

// UTF-8 has no byte 0xFF, so no text can make a factor of a hash 0.
constexpr uint64_t key0 = 0xFF51AFD7ED558CCDu, key1 = 0xFFCEB9FE1A85EC53u;

uint64_t mum(uint64_t a, uint64_t b) {
  __extension__ typedef unsigned __int128 Wide;
  Wide product = Wide{a} * b;
  return uint64_t(product) ^ uint64_t(product >> 64);
}

uint64_t word_at(const uint8_t* p) {
  uint64_t word;
  std::memcpy(&word, p, 8);
  return word;
}

struct Masks {
  uint64_t head[17], tail[17];
  constexpr Masks() : head(), tail() {
    for (unsigned i = 0; i <= 16; ++i) {
      head[i] = i >= 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * i) - 1;
      tail[i] = i <= 8 ? 0 : i == 16 ? ~uint64_t{0} : (uint64_t{1} << 8 * (i - 8)) - 1;
    }
  }
};
constexpr Masks masks;

bool ascii_in(uint8_t c, Mode mode) {
  uint8_t lower = c | 0x20;
  switch (mode) {
    case Mode::letters: return lower >= 'a' && lower <= 'z';
    case Mode::alnum: return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
    default: return !((c >= 9 && c <= 13) || (c >= 28 && c <= 32));
  }
}

// Folds 16 ASCII characters, and returns which are in tokens. Setting bit 5 makes letters lower-case and leaves digits as
// they are; it may change other characters, which are in no token.
#ifdef __SSE2__
__m128i between(__m128i v, char low, char high) {
  return _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8(char(low - 1))), _mm_cmpgt_epi8(_mm_set1_epi8(char(high + 1)), v));
}

template <Mode mode>
uint32_t fold16(const uint8_t* from, uint8_t* to) {
  __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)), in;
  if constexpr (mode == Mode::blanks) {
    in = _mm_or_si128(between(v, 9, 13), between(v, 28, 32));
    in = _mm_xor_si128(in, _mm_set1_epi8(-1));
  } else {
    __m128i lower = _mm_or_si128(v, _mm_set1_epi8(0x20));
    in = between(lower, 'a', 'z');
    if constexpr (mode == Mode::alnum) in = _mm_or_si128(in, between(v, '0', '9'));
    v = lower;
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), v);
  return uint32_t(_mm_movemask_epi8(in));
}
#else
template <Mode mode>
uint32_t fold16(const uint8_t* from, uint8_t* to) {
  uint32_t bits = 0;
  for (unsigned i = 0; i < 16; ++i) {
    bits |= uint32_t{ascii_in(from[i], mode)} << i;
    to[i] = mode == Mode::blanks ? from[i] : from[i] | 0x20;
  }
  return bits;
}
#endif

uint32_t fold16(Mode mode, const uint8_t* from, uint8_t* to) {
  switch (mode) {
    case Mode::letters: return fold16<Mode::letters>(from, to);
    case Mode::alnum: return fold16<Mode::alnum>(from, to);
    default: return fold16<Mode::blanks>(from, to);
  }
}

template <Mode mode>
void fold_words(const uint8_t* from, uint8_t* to, uint64_t* bits, size_t words) {
  for (size_t w = 0; w < words; ++w, from += 64, to += 64) {
    uint64_t word = fold16<mode>(from, to);
    word |= uint64_t{fold16<mode>(from + 16, to + 16)} << 16;
    word |= uint64_t{fold16<mode>(from + 32, to + 32)} << 32;
    word |= uint64_t{fold16<mode>(from + 48, to + 48)} << 48;
    bits[w] = word;
  }
}

void fold_words(Mode mode, const uint8_t* from, uint8_t* to, uint64_t* bits, size_t words) {
  switch (mode) {
    case Mode::letters: return fold_words<Mode::letters>(from, to, bits, words);
    case Mode::alnum: return fold_words<Mode::alnum>(from, to, bits, words);
    default: return fold_words<Mode::blanks>(from, to, bits, words);
  }
}

bool is_ascii(const uint8_t* text, size_t length) {
  uint64_t high = 0;
  size_t i = 0;
  for (; i + 8 <= length; i += 8) high |= word_at(text + i);
  for (; i < length; ++i) high |= text[i];
  return !(high & 0x8080808080808080u);
}

bool too_long(const uint8_t* at, uint32_t length) {
  return std::count_if(at, at + length, [](uint8_t c) { return (c & 0xC0) != 0x80; }) > longest_token;
}

}  // namespace

uint64_t hash_rest(const Token& token) {
  uint64_t hash = mum(token.head ^ key0, (token.tail ^ key1) + token.length);
  for (uint32_t i = 16; i < token.length; i += 16) {
    unsigned left = std::min<uint32_t>(token.length - i, 16);
    hash = mum((word_at(token.at + i) & masks.head[left]) ^ hash ^ key0, (word_at(token.at + i + 8) & masks.tail[left]) ^ key1);
  }
  return hash;
}

void Token::read(const uint8_t* from, uint32_t size) {
  unsigned first = std::min<uint32_t>(size, 16);
  head = word_at(from) & masks.head[first];
  tail = word_at(from + 8) & masks.tail[first];
  at = from;
  length = size;
  hash = size <= 16 ? mum(head ^ key0, (tail ^ key1) + size) : hash_rest(*this);
}

void Lexer::need(size_t more) {
  if (filled_ + more + slack > buffer_.size()) {
    size_t size = std::max(filled_ + more + slack, 2 * buffer_.size());
    if (size >> 32) throw std::length_error("a text has more than 4 GiB; cut it");
    buffer_.resize(size);
  }
  if (buffer_.size() / 64 + 2 > bits_.size()) bits_.resize(buffer_.size() / 64 + 2);
}

void Lexer::append(uint64_t bits, unsigned count) {
  unsigned at = filled_ & 63;
  bits_[filled_ >> 6] |= bits << at;
  if (at + count > 64) bits_[(filled_ >> 6) + 1] |= bits >> (64 - at);
  filled_ += count;
}

void Lexer::put(const uint8_t* bytes, unsigned count, bool in) {
  std::memcpy(&buffer_[filled_], bytes, 4);
  append(in ? (1u << count) - 1 : 0, count);
  inside_ = in;
}

void Lexer::fold_ascii(const uint8_t* text, size_t length) {
  need(length);
  fold_words(mode_, text, buffer_.data(), bits_.data(), length / 64);
  uint8_t last[64] = {};
  size_t done = length / 64 * 64;
  std::memcpy(last, text + done, length - done);
  fold_words(mode_, last, &buffer_[done], &bits_[done / 64], 1);
  bits_[done / 64] &= (uint64_t{1} << (length & 63)) - 1;
  filled_ = length;
}

template <class Unit>
void Lexer::fold(const Unit* text, size_t length) {
  constexpr size_t step = 4096;
  uint8_t kept = mode_ == Mode::letters ? is_letter : is_alnum;
  const Page* page = nullptr;
  uint32_t page_number = ~0u;
  bits_[0] = 0;
  for (size_t start = 0; start < length; start += step) {
    const Unit* p = text + start;
    const Unit* end = text + std::min(length, start + step);
    size_t most = 12 * size_t(end - p);  // a character folds to at most 3 characters of 4 bytes
    need(most);
    std::fill_n(&bits_[filled_ / 64 + 1], most / 64 + 1, 0);
    while (p < end) {
      if (end - p >= 16) {
        Unit any = 0;
        for (unsigned i = 0; i < 16; ++i) any |= p[i];
        if (any < 0x80) {
          uint8_t block[16];
          for (unsigned i = 0; i < 16; ++i) block[i] = uint8_t(p[i]);
          uint32_t in = fold16(mode_, block, &buffer_[filled_]);
          append(in, 16);
          inside_ = in >> 15;
          p += 16;
          continue;
        }
      }
      // do not search what follows again for each character
      const Unit* stop = std::min(p + 16, end);
      for (; p < stop; ++p) {
        uint32_t c = *p;
        if (c < 0x80) {
          uint8_t bytes[4] = {uint8_t(mode_ == Mode::blanks ? c : c | 0x20)};
          put(bytes, 1, ascii_in(uint8_t(c), mode_));
          continue;
        }
        if (c >> 8 != page_number) page = &page_of(c), page_number = c >> 8;
        const Character& one = page->characters[c & 255];
        if (mode_ == Mode::blanks) {
          uint8_t bytes[4] = {' '};
          bool blank = one.kind & is_blank;
          unsigned size = blank ? 1 : encode(c, bytes);
          put(bytes, size, !blank);
        } else if (!one.several) {
          put(one.utf8, one.size, one.kind & kept || (one.kind & is_mark && inside_));
        } else {
          for (unsigned i = 0; i < one.size; ++i) {
            const Character& part = page->several[one.several - 1u + i];
            put(part.utf8, part.size, part.kind & kept || (part.kind & is_mark && inside_));
          }
        }
      }
    }
  }
}

void Lexer::fold_utf8(const uint8_t* text, size_t length) {
  if (is_ascii(text, length)) return fold_ascii(text, length);
  decoded_.clear();
  for (size_t i = 0; i < length;) {
    uint32_t c = text[i++];
    unsigned more = c < 0x80 ? 0 : c < 0xC2 ? 9 : c < 0xE0 ? 1 : c < 0xF0 ? 2 : c < 0xF5 ? 3 : 9;
    if (more) c &= 0x3Fu >> more;
    if (more > length - i) throw std::invalid_argument("a text is not UTF-8");
    for (; more; --more, ++i) {
      if ((text[i] & 0xC0) != 0x80) throw std::invalid_argument("a text is not UTF-8");
      c = c << 6 | (text[i] & 0x3Fu);
    }
    if (c > 0x10FFFF) throw std::invalid_argument("a text is not UTF-8");
    decoded_.push_back(c);
  }
  fold(decoded_.data(), decoded_.size());
}

void Lexer::begin(const Text& text) {
  filled_ = word_ = open_ = 0;
  carry_ = 0;
  inside_ = false;
  need(0);
  bits_[0] = 0;
  if (text.width == 0) {
    fold_utf8(static_cast<const uint8_t*>(text.data), text.length);
  } else if (text.ascii) {
    fold_ascii(static_cast<const uint8_t*>(text.data), text.length);
  } else if (text.width == 1) {
    fold(static_cast<const uint8_t*>(text.data), text.length);
  } else if (text.width == 2) {
    fold(static_cast<const uint16_t*>(text.data), text.length);
  } else {
    fold(static_cast<const uint32_t*>(text.data), text.length);
  }
}

bool Lexer::next() {
  size_t words = filled_ / 64 + 1;  // the bit behind the last byte is 0, which ends the last token
  if (word_ >= words) return false;
  size_t stop = std::min(words, word_ + portion);
  const uint32_t* end = kernels_.edges(bits_.data(), word_, stop, &carry_, &edges_[open_]);
  word_ = stop;
  auto count = size_t(end - edges_.data());
  Token* token = tokens_.data();
  for (size_t i = 0; i + 1 < count; i += 2) {
    const uint8_t* at = &buffer_[edges_[i]];
    uint32_t length = edges_[i + 1] - edges_[i];
    if (length > longest_token && too_long(at, length)) continue;
    token++->read(at, length);
  }
  count_ = size_t(token - tokens_.data());
  open_ = count & 1;
  if (open_) edges_[0] = edges_[count - 1];
  return true;
}

void Lexer::rest() {
  constexpr size_t kept = size_t{1} << 20;
  if (buffer_.size() + decoded_.capacity() <= kept) return;
  buffer_ = {};
  decoded_ = {};
  bits_ = {};
}

}  // namespace telex::words
