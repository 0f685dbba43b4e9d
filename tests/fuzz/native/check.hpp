// What a harness does where a property does not hold: it says so and aborts, which a fuzzer takes for a crash.
#pragma once
#include <cstdio>
#include <cstdlib>

#define CHECK(holds)                                                            \
  do {                                                                          \
    if (!(holds)) {                                                             \
      std::fprintf(stderr, "%s:%d: this does not hold: %s\n", __FILE__, __LINE__, #holds); \
      std::abort();                                                             \
    }                                                                           \
  } while (0)
