// Character properties from the running interpreter: asked once per page of 256 characters, then stored.
#pragma once
#include <cstdint>
#include <vector>

namespace telex::words {

enum : uint8_t { is_letter = 1, is_alnum = 2, is_mark = 4, is_blank = 8 };

// A case-folded character as UTF-8, and its properties; `is_blank` is that of the character before folding. If a
// character folds to several, `several` is 1 + their place in the page's list, and `size` their number.
// A lone surrogate, which has no UTF-8, is a blank.
struct Character {
  uint8_t utf8[4];
  uint8_t size, kind;
  uint16_t several;
};

struct Page {
  Character characters[256];
  std::vector<Character> several;
};

// The page of code point c; takes the GIL if the page is new.
const Page& page_of(uint32_t c);

inline uint8_t encode(uint32_t c, uint8_t* out) {
  if (c < 0x80) return out[0] = uint8_t(c), 1;
  if (c < 0x800) return out[0] = uint8_t(0xC0 | c >> 6), out[1] = uint8_t(0x80 | (c & 63)), 2;
  if (c < 0x10000) {
    out[0] = uint8_t(0xE0 | c >> 12), out[1] = uint8_t(0x80 | (c >> 6 & 63)), out[2] = uint8_t(0x80 | (c & 63));
    return 3;
  }
  out[0] = uint8_t(0xF0 | c >> 18), out[1] = uint8_t(0x80 | (c >> 12 & 63));
  out[2] = uint8_t(0x80 | (c >> 6 & 63)), out[3] = uint8_t(0x80 | (c & 63));
  return 4;
}

}  // namespace telex::words
