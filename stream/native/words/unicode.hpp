// What the running interpreter says of characters: asked once a page of 256, remembered for good.
#pragma once
#include <cstdint>
#include <vector>

namespace telex::words {

enum : uint8_t { is_letter = 1, is_alnum = 2, is_mark = 4, is_blank = 8 };

// A case-folded character as UTF-8, and what it is; `is_blank` is said of the character before folding. Where a
// character folds to several, `several` is 1 + where they begin in the page's list, and `size` is how many.
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

// The page of code point c; takes the GIL where it has not been asked for yet.
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
