// A kernel's options as a dict of Python, in the binding.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "binding.hpp"
#include "interface.hpp"

namespace telex {
namespace {

struct DictOptions final : Options {
  const std::string kernel;
  const nb::dict options;
  std::vector<std::string> asked;
  std::string wrong;  // the first thing that was

  DictOptions(std::string kernel, nb::dict options, uint64_t seed)
      : Options(seed), kernel(std::move(kernel)), options(std::move(options)) {}

  bool given(const char* name) const override { return PyDict_GetItemString(options.ptr(), name) != nullptr; }
  bool flag(const char* name) override {
    nb::handle value = find(name);
    if (value.is_valid() && !PyBool_Check(value.ptr())) note(name, value, "give True or False");
    return value.ptr() == Py_True;
  }
  int choice(const char* name, const char* const* allowed) override {
    nb::handle value = find(name);
    if (!value.is_valid()) return 0;
    std::string all;
    for (int i = 0; allowed[i]; ++i) {
      if (PyUnicode_Check(value.ptr()) && PyUnicode_CompareWithASCIIString(value.ptr(), allowed[i]) == 0) return i;
      all += (i ? ", " : "choose one of ") + std::string(allowed[i]);
    }
    note(name, value, all);
    return 0;
  }
  int64_t number(const char* name, int64_t least, int64_t most, const char* expected) override {
    nb::handle value = find(name);
    if (!value.is_valid()) return least;
    if (PyIndex_Check(value.ptr()) && !PyBool_Check(value.ptr())) {
      int overflow = 0;
      nb::object whole = nb::steal(PyNumber_Index(value.ptr()));
      long long number = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
      if (!overflow && number >= least && number <= most) return number;
    }
    note(name, value, "give " + std::string(expected));
    return least;
  }
  double real(const char* name, double least, double most, const char* expected) override {
    nb::handle value = find(name);
    if (!value.is_valid()) return least;
    if (!PyBool_Check(value.ptr()) && nb::isinstance(value, nb::module_::import_("numbers").attr("Real"))) {
      double number = PyFloat_AsDouble(value.ptr());
      if (number >= least && number <= most && !PyErr_Occurred()) return number;
      PyErr_Clear();
    }
    note(name, value, "give " + std::string(expected));
    return least;
  }
  // Refuses wrong options, and those that the kernel did not read.
  void done() const {
    std::string why = wrong;
    for (auto [key, value] : options) {
      std::string name = nb::cast<std::string>(nb::str(key));
      if (why.empty() && std::find(asked.begin(), asked.end(), name) == asked.end())
        why = "the kernel " + kernel + " has no option '" + name + "'; " + known();
    }
    if (!why.empty()) refuse("UsageError", why.c_str());
  }

 private:
  nb::handle find(const char* name) {
    if (std::find(asked.begin(), asked.end(), name) == asked.end()) asked.push_back(name);
    nb::handle value = PyDict_GetItemString(options.ptr(), name);
    if (!value.is_valid() && wrong.empty()) wrong = "the kernel " + kernel + " needs the option '" + name + "'; give it a value";
    return value;
  }
  void note(const char* name, nb::handle value, const std::string& expected) {
    if (wrong.empty()) wrong = name + (" is " + std::string(nb::repr(value).c_str())) + "; " + expected;
  }
  std::string known() const {
    std::string all;
    for (const std::string& name : asked) all += (all.empty() ? "choose one of " : ", ") + name;
    return all.empty() ? "it has none" : all;
  }
};

}  // namespace
}  // namespace telex
