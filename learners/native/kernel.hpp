// How a file of kernels/ registers its learner with the core.
#pragma once
#include "level.hpp"

namespace telex::TELEX_LEVEL {

template <class Type>
inline Learner* make(Options& options) {
  if constexpr (requires { new Type(options); }) return new Type(options);
  else return new Type;
}

}  // namespace telex::TELEX_LEVEL

// Ends kernels/NAME.cpp. CMake lists the folder, so that there is no other line to add. A constant, not an object that puts
// itself on a list: no code compiled for a newer processor may run before the level is chosen.
#define TELEX_KERNEL(name, Type)                                  \
  namespace telex::TELEX_LEVEL {                                  \
  extern const Kernel kernel_##name;                              \
  constinit const Kernel kernel_##name = {#name, &make<Type>};    \
  }
