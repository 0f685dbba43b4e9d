// A weight is the float32 nearest to the double that strtod reads, or refused where the text is no decimal number.
#include <cstring>
#include <memory>
#include <string>

#include "check.hpp"
#include "decimal.hpp"

static const char* digits(const char* p, bool& any) {
  for (; *p >= '0' && *p <= '9'; ++p) any = true;
  return p;
}

static bool decimal(const char* p) {
  bool any = false, power = false;
  if (*p == '-' || *p == '+') ++p;
  p = digits(p, any);
  if (*p == '.') p = digits(p + 1, any);
  if (any && (*p == 'e' || *p == 'E')) {
    ++p;
    if (*p == '-' || *p == '+') ++p;
    p = digits(p, power);
    if (!power) return false;
  }
  return any && *p == 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // exactly as long as the input: AddressSanitizer sees whoever reads behind it
  std::unique_ptr<char[]> word(new char[size]);
  if (size) std::memcpy(word.get(), data, size);
  std::string text(word.get(), size);
  bool sound = text.find('\0') == text.npos && decimal(text.c_str());
  double wanted = sound ? std::strtod(text.c_str(), nullptr) : 0;
  try {
    float found = telex::vectors::weight({word.get(), size});
    CHECK(sound);
    CHECK(found == static_cast<float>(wanted) && std::signbit(found) == std::signbit(wanted));
  } catch (telex::vectors::Broken& broken) {
    CHECK(!sound || !(std::fabs(wanted) < telex::vectors::kTooBig));
    CHECK(!broken.reason.empty());
  }
  return 0;
}
