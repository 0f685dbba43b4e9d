// Which CPU levels this processor has, and which of them to use: the best, or the one that TELEX_CPU names.
#pragma once
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

namespace telex {

// From the one that every processor has to the best.
inline std::vector<std::string> levels() {
  std::vector<std::string> names{"base"};
#ifdef TELEX_X86
  if (__builtin_cpu_supports("x86-64-v3")) names.push_back("v3");
  if (__builtin_cpu_supports("x86-64-v4")) names.push_back("v4");
#endif
  return names;
}

// A table of functions for each level, in the order of `levels`: NAME_base and so on.
#ifdef TELEX_X86
#define TELEX_TABLES(name) {&name##_base, &name##_v3, &name##_v4}
#else
#define TELEX_TABLES(name) {&name##_base}
#endif

// Of such tables the one to use.
template <class Kernels>
const Kernels& chosen_of(std::initializer_list<const Kernels*> tables) {
  std::vector<std::string> names = levels();
  auto at = names.end() - 1;
  const char* wanted = std::getenv("TELEX_CPU");
  if (wanted && *wanted) at = std::find(names.begin(), names.end(), wanted);
  if (at != names.end()) return *tables.begin()[at - names.begin()];
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  throw nanobind::import_error(
      ("TELEX_CPU=" + std::string(wanted) + " is no level of this processor; unset it, or choose one of " + all).c_str());
}

}  // namespace telex
