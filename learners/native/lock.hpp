// The lock of a learner: calls that only ask run beside each other, those that change it alone.
#pragma once
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <vector>

namespace telex {

// A thread may enter again what it is in. Readers wait while a writer waits, so that they cannot keep it out for ever.
//
// Whoever waits for it must not hold the interpreter's lock: then a thread inside may wait for that one.
class Lock {
 public:
  using Wait = std::chrono::milliseconds;
  // `never`: this thread reads, and would wait for itself. `torn`: another thread was writing when this process was forked.
  enum class Entry { in, busy, never, torn };

  Lock() {
    std::lock_guard hold(every().mutex);
    every().locks.push_back(this);
  }
  Lock(const Lock&) = delete;
  ~Lock() {
    std::lock_guard hold(every().mutex);
    auto& locks = every().locks;
    *std::find(locks.begin(), locks.end(), this) = locks.back();
    locks.pop_back();
  }

  Entry enter(bool write, Wait patience = Wait::zero()) {
    if (torn) return Entry::torn;
    if (writer.load(std::memory_order_relaxed) == &mine) {
      ++depth;
      return Entry::in;
    }
    if (!take(write)) {
      if (reads()) {
        if (write) return Entry::never;
        ++gate;  // open for readers, as this thread is in
      } else if (patience == Wait::zero() || !wait(write, patience)) {
        return Entry::busy;
      }
    }
    if (write) {
      writer.store(&mine, std::memory_order_relaxed);
      depth = 1;
    } else {
      mine.push_back(this);
    }
    return Entry::in;
  }
  void leave() {
    if (writer.load(std::memory_order_relaxed) == &mine) {
      if (--depth) return;
      writer.store(nullptr, std::memory_order_relaxed);
      gate = 0;
    } else {
      *std::find(mine.rbegin(), mine.rend(), this) = mine.back();
      mine.pop_back();
      if (--gate) return;
    }
    if (!waiting) return;
    { std::lock_guard hold(mutex); }  // whoever counts itself as waiting sleeps, or sees that the gate is open
    changed.notify_all();
  }

 private:
  inline static thread_local std::vector<const Lock*> mine;  // what this thread reads, as often as it has entered
  bool reads() const { return std::find(mine.begin(), mine.end(), this) != mine.end(); }

  bool take(bool write) {
    int now = 0;
    if (write) return gate.compare_exchange_strong(now, writing);
    for (now = gate; now != writing && !writers_waiting;)
      if (gate.compare_exchange_weak(now, now + 1)) return true;
    return false;
  }
  bool wait(bool write, Wait patience) {
    std::unique_lock hold(mutex);
    writers_waiting += write;
    ++waiting;
    bool came = changed.wait_until(hold, std::chrono::system_clock::now() + patience, [&] { return take(write); });
    --waiting;
    writers_waiting -= write;
    if (!came && write && waiting) changed.notify_all();  // readers who waited for us
    return came;
  }

  // All locks: a fork copies them as they are, held by threads that the child has not.
  struct Every {
    std::mutex mutex;
    std::vector<Lock*> locks;
    Every() {
      pthread_atfork([] { every().mutex.lock(); }, [] { every().mutex.unlock(); },
                     [] {
                       for (Lock* lock : every().locks) lock->begin_anew();
                       every().mutex.unlock();
                     });
    }
  };
  static Every& every() {
    static Every& all = *new Every;  // for as long as the process
    return all;
  }
  void begin_anew() {
    new (&mutex) std::mutex;
    new (&changed) std::condition_variable;
    bool own = writer == &mine;
    torn = gate == writing && !own;
    if (!own) gate = int(std::count(mine.begin(), mine.end(), this));
    waiting = writers_waiting = 0;
  }

  static constexpr int writing = -1;
  std::atomic<int> gate{0}, waiting{0}, writers_waiting{0};  // gate: how many readers are in
  std::atomic<const void*> writer{nullptr};  // by the address of its `mine`
  int depth = 0;  // how often the writer has entered
  bool torn = false;
  std::mutex mutex;
  std::condition_variable changed;
};

}  // namespace telex
