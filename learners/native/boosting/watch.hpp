// Looks at Python's signals while kernels work without the interpreter's lock.
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace telex {

// Kernels ask it between two rounds whether to continue. Python runs signal handlers on its main thread alone, so only the
// calling thread looks, now and then: taking the lock each time would cost more than a small round.
class Watch {
 public:
  static bool go_on(void* self) { return static_cast<Watch*>(self)->look(); }

  // With the lock: throws what the signal's handler has raised.
  void settle() const {
    if (ended) throw nanobind::python_error();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds seldom{50};

  bool look() {
    if (ended.load(std::memory_order_relaxed)) return false;
    if (std::this_thread::get_id() != caller || Clock::now() - looked < seldom) return true;
    nanobind::gil_scoped_acquire lock;
    looked = Clock::now();
    if (PyErr_CheckSignals() != 0) ended = true;
    return !ended;
  }

  const std::thread::id caller = std::this_thread::get_id();
  Clock::time_point looked = Clock::now();
  std::atomic<bool> ended{false};
};

}  // namespace telex
