// Looks at Python's signals while kernels work without the interpreter's lock.
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "interface.hpp"

namespace telex {

// What `leave` throws. It passes through kernels, which have no exceptions of their own, as std::bad_alloc does.
struct Interrupted {
  bool whole;
};

// Python runs signal handlers on its main thread alone, so only the calling thread looks, now and then: taking the lock each
// time would cost more than a small piece of work.
class SignalWatch final : public Watch {
 public:
  SignalWatch() { left = much; }
  bool ended(bool whole) noexcept override {
    if (over.load(std::memory_order_relaxed)) return true;
    if (std::this_thread::get_id() != caller) return false;
    left = much;
    if (!raised) look();
    if (raised && (whole || Clock::now() - raised_at > patience)) over.store(true, std::memory_order_relaxed);
    return over.load(std::memory_order_relaxed);
  }
  void leave(bool whole) override { throw Interrupted{whole}; }
  // With the lock: throws what the signal's handler has raised.
  void settle() const {
    if (raised) throw nanobind::python_error();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int64_t much = int64_t(1) << 22;
  static constexpr std::chrono::milliseconds seldom{100}, patience{400};

  void look() {
    Clock::time_point now = Clock::now();
    if (!begun) looked = now;  // short calls read no clock
    begun = true;
    if (now - looked < seldom) return;
    looked = now;
    if (!is_main_thread()) return;
    nanobind::gil_scoped_acquire lock;
    raised = PyErr_CheckSignals() != 0;
    raised_at = looked = Clock::now();
  }
  static bool is_main_thread() {
#if defined(__linux__)
    return syscall(SYS_gettid) == getpid();  // elsewhere the look costs a little for nothing
#else
    return true;
#endif
  }

  const std::thread::id caller = std::this_thread::get_id();
  Clock::time_point looked, raised_at;
  bool begun = false, raised = false;
  std::atomic<bool> over{false};
};

// How a call has left the learner.
enum class State { whole, broken_off, out_of_memory };

// Calls `work(watch)`, and throws what a signal's handler has raised meanwhile.
template <class Work>
void watched(const Work& work, State* left = nullptr) {
  SignalWatch watch;
  State ignored;
  State& state = left ? *left : ignored;
  try {
    work(static_cast<Watch&>(watch));
  } catch (const Interrupted& end) {
    if (!end.whole) state = State::broken_off;
  } catch (...) {
    state = State::out_of_memory;
    throw;
  }
  watch.settle();
}

}  // namespace telex
