#include "unicode.hpp"

#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>

namespace nb = nanobind;

namespace telex::words {
namespace {

std::atomic<const Page*> pages[0x110000 / 256];

uint8_t kind_of(uint32_t c, const nb::object& category) {
  uint8_t kind = 0;
  if (Py_UNICODE_ISALPHA(c)) kind |= is_letter;
  if (Py_UNICODE_ISALNUM(c)) kind |= is_alnum;
  nb::object name = category(nb::steal(PyUnicode_FromOrdinal(int(c))));
  if (PyUnicode_READ_CHAR(name.ptr(), 0) == 'M') kind |= is_mark;
  return kind;
}

Character character(uint32_t c, const nb::object& category) {
  Character made{};
  made.size = encode(c, made.utf8);
  made.kind = kind_of(c, category);
  return made;
}

const Page* ask(uint32_t first) {
  nb::object category = nb::module_::import_("unicodedata").attr("category");
  auto page = std::make_unique<Page>();
  for (uint32_t c = first; c < first + 256; ++c) {
    Character& to = page->characters[c - first];
    if (c >= 0xD800 && c < 0xE000) {
      to = {{' '}, 1, is_blank, 0};
      continue;
    }
    nb::object folded = nb::steal(PyUnicode_FromOrdinal(int(c))).attr("casefold")();
    Py_ssize_t count = PyUnicode_GET_LENGTH(folded.ptr());
    if (count == 1) {
      to = character(PyUnicode_READ_CHAR(folded.ptr(), 0), category);
    } else {
      to.several = uint16_t(page->several.size() + 1);
      to.size = uint8_t(count);
      for (Py_ssize_t i = 0; i < count; ++i)
        page->several.push_back(character(PyUnicode_READ_CHAR(folded.ptr(), i), category));
    }
    if (Py_UNICODE_ISSPACE(c)) to.kind |= is_blank;
  }
  return page.release();
}

}  // namespace

const Page& page_of(uint32_t c) {
  std::atomic<const Page*>& place = pages[c >> 8];
  const Page* page = place.load(std::memory_order_acquire);
  if (page) return *page;
  nb::gil_scoped_acquire gil;
  const Page* asked = ask(c & ~uint32_t{255});
  if (place.compare_exchange_strong(page, asked, std::memory_order_acq_rel)) return *asked;
  delete asked;  // another thread was faster
  return *page;
}

}  // namespace telex::words
