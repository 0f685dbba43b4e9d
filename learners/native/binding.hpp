// What the bindings of learners share: arrays from numpy, and how they refuse wrong ones.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <utility>
#include <vector>

#include "levels.hpp"

namespace telex {
namespace {

namespace nb = nanobind;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using InOut = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Square = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

[[noreturn]] void refuse(const char* error, const char* why) {
  PyErr_SetString(nb::module_::import_("telex.learners.base.errors").attr(error).ptr(), why);
  throw nb::python_error();
}

void demand(bool right, const char* what) {
  if (!right) refuse("InputError", what);
}

// Hands an array over to numpy.
template <class T>
nb::object owned(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  std::size_t shape[1] = {kept->size()};
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), 1, shape, owner));
}

}  // namespace
}  // namespace telex
