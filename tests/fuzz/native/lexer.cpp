// A text's tokens are those that a plain loop over its characters finds, and the cache gives each of them one term.
//
// The first byte says how: bits 0-1 the mode, bits 2-3 how wide characters are, bit 4 whether they come as UTF-8; the rest
// is the text, which is valid only as far as its width goes. It is also read as UTF-8 as it is, which may be refused. What Python says of characters comes from the file that TELEX_FUZZ_UNICODE names, six numbers a
// character: what it is (letter 1, alnum 2, mark 4, blank 8), how many it folds to, these three, and what they are.
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "cache.hpp"
#include "check.hpp"
#include "kernels.hpp"
#include "lexer.hpp"
#include "unicode.hpp"

using namespace telex::words;

const Kernels& telex::words::kernels() { return kernels_base; }

namespace {

struct Folded {
  uint32_t kind, count, to[3], kinds;
};

const std::vector<Folded>& table() {
  static const std::vector<Folded> read = [] {
    const char* name = std::getenv("TELEX_FUZZ_UNICODE");
    CHECK(name);
    std::ifstream in(name, std::ios::binary);
    std::vector<Folded> all(0x110000);
    CHECK(in.read(reinterpret_cast<char*>(all.data()), static_cast<std::streamsize>(all.size() * sizeof(Folded))));
    return all;
  }();
  return read;
}

bool surrogate(uint32_t c) { return c >= 0xD800 && c < 0xE000; }

Character character(uint32_t c, uint32_t kind) {
  Character made{};
  made.size = encode(c, made.utf8);
  made.kind = static_cast<uint8_t>(kind);
  return made;
}

std::vector<std::string> plain(const std::vector<uint32_t>& text, Mode mode) {
  std::vector<std::string> tokens;
  std::string token;
  size_t length = 0;
  auto end = [&] {
    if (length && length <= longest_token) tokens.push_back(token);
    token.clear();
    length = 0;
  };
  auto put = [&](uint32_t c) {
    uint8_t bytes[4];
    token.append(reinterpret_cast<char*>(bytes), encode(c, bytes));
    ++length;
  };
  uint32_t kept = mode == Mode::letters ? is_letter : is_alnum;
  for (uint32_t c : text) {
    const Folded& folded = table()[c];
    if (surrogate(c)) {
      end();
    } else if (mode == Mode::blanks) {
      folded.kind & is_blank ? end() : put(c);
    } else {
      for (uint32_t i = 0; i < folded.count; ++i) {
        uint32_t kind = folded.kinds >> (8 * i);
        kind & kept || (kind & is_mark && length) ? put(folded.to[i]) : end();
      }
    }
  }
  end();
  return tokens;
}

}  // namespace

namespace telex::words {

const Page& page_of(uint32_t c) {
  static std::unique_ptr<Page> pages[0x110000 / 256];
  std::unique_ptr<Page>& page = pages[c >> 8];
  if (!page) {
    page = std::make_unique<Page>();
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t one = (c & ~255u) + i;
      const Folded& folded = table()[one];
      Character& to = page->characters[i];
      if (surrogate(one)) {
        to = {{' '}, 1, is_blank, 0};
        continue;
      }
      if (folded.count == 1) {
        to = character(folded.to[0], folded.kinds & 7);
      } else {
        to.several = static_cast<uint16_t>(page->several.size() + 1);
        to.size = static_cast<uint8_t>(folded.count);
        for (uint32_t j = 0; j < folded.count; ++j)
          page->several.push_back(character(folded.to[j], folded.kinds >> (8 * j) & 7));
      }
      to.kind |= static_cast<uint8_t>(folded.kind & is_blank);
    }
  }
  return *page;
}

}  // namespace telex::words

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* input, size_t size) {
  if (size == 0) return 0;
  uint8_t how = input[0];
  ++input, --size;
  auto mode = static_cast<Mode>((how & 3) % 3);
  int width = how & 8 ? 4 : how & 4 ? 2 : 1;
  size_t length = size / static_cast<size_t>(width);
  std::unique_ptr<uint8_t[]> data(new uint8_t[length * static_cast<size_t>(width)]);
  std::vector<uint32_t> text;
  bool ascii = width == 1;
  for (size_t i = 0; i < length; ++i) {
    uint32_t c = 0;
    std::memcpy(&c, input + i * static_cast<size_t>(width), static_cast<size_t>(width));
    if (width == 4) c %= 0x110000;
    std::memcpy(data.get() + i * static_cast<size_t>(width), &c, static_cast<size_t>(width));
    text.push_back(c);
    ascii &= c < 0x80;
  }
  Lexer lexer(mode);
  std::unique_ptr<uint8_t[]> raw(new uint8_t[size]);
  std::memcpy(raw.get(), input, size);
  try {
    lexer.begin({raw.get(), size, 0, false});
    while (lexer.next()) CHECK(lexer.tokens().size() <= size);
  } catch (const std::invalid_argument&) {
  }
  if (how & 16) {
    std::vector<uint8_t> bytes;
    for (uint32_t c : text) {
      uint8_t one[4];
      bytes.insert(bytes.end(), one, one + encode(c, one));
    }
    length = bytes.size();
    width = 0;
    data.reset(new uint8_t[length]);
    std::copy(bytes.begin(), bytes.end(), data.get());
  }
  Cache cache(0);
  std::vector<std::string> found;
  std::unordered_map<std::string, int32_t> terms;
  for (int again = 0; again < 2; ++again) {
    found.clear();
    lexer.begin({data.get(), length, width, ascii});
    while (lexer.next())
      for (const Token& token : lexer.tokens()) {
        std::string one(reinterpret_cast<const char*>(token.at), token.length);
        bool fresh = cache.find(token).length == 0;
        CHECK(fresh == !terms.count(one));
        if (fresh) cache.put(token, terms[one] = cache.term(one));
        int32_t term = cache.find(token).term;
        CHECK(term == terms[one] && cache.terms[static_cast<size_t>(term)] == one);
        found.push_back(std::move(one));
      }
    CHECK(found == plain(text, mode));
  }
  return 0;
}
