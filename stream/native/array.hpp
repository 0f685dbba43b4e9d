// Hands a vector to numpy without a copy.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <utility>
#include <vector>

namespace telex {

template <class T>
nanobind::object array(std::vector<T>&& values) {
  namespace nb = nanobind;
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  owned->reserve(1);  // numpy needs an address even for an empty array
  T* data = owned->data();
  size_t size = owned->size();
  nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner));
}

}  // namespace telex
