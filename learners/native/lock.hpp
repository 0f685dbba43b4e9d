// The lock of a learner: calls that only ask run beside each other, those that change it alone.
#pragma once
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <new>
#include <vector>

namespace telex {

// The interpreter's lock guards its counts, so that entering costs no atomic operation, which would wait for all weights that
// the processor has not written yet: call everything but `sleep` with it, and `sleep` without, or a thread inside could never
// leave. A thread may enter again what it is in. Readers wait while a writer waits, so that they cannot keep it out for ever.
class Lock {
 public:
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

  Entry enter(bool write) {
    if (torn) return Entry::torn;
    if (depth && writer == &mine) {
      ++depth;
      return Entry::in;
    }
    bool blocked = depth || (write ? readers > 0 : writers_waiting > 0);
    if (blocked && reads()) {
      if (write) return Entry::never;
    } else if (blocked) {
      return Entry::busy;
    }
    if (write) {
      writer = &mine;
      depth = 1;
    } else {
      mine.push_back(this);
      ++readers;
    }
    return Entry::in;
  }
  void leave() {
    if (depth) {
      if (--depth) return;
    } else {
      *std::find(mine.rbegin(), mine.rend(), this) = mine.back();
      mine.pop_back();
      if (--readers) return;
    }
    wake();
  }

  // For as long as a thread waits to enter.
  struct Waiting {
    Lock& lock;
    bool write;
    Waiting(Lock& lock, bool write) : lock(lock), write(write) {
      ++lock.waiting;
      lock.writers_waiting += write;
    }
    ~Waiting() {
      --lock.waiting;
      lock.writers_waiting -= write;
      if (write) lock.wake();  // readers that waited for it
    }
  };
  // How often someone has left; and a wait until that has changed.
  int64_t left() const { return changes; }
  void sleep(int64_t seen, std::chrono::milliseconds most) {
    std::unique_lock hold(mutex);
    changed.wait_until(hold, std::chrono::system_clock::now() + most, [&] { return changes != seen; });
  }

 private:
  inline static thread_local std::vector<const Lock*> mine;  // what this thread reads, as often as it has entered
  bool reads() const { return std::find(mine.begin(), mine.end(), this) != mine.end(); }
  void wake() {
    if (!waiting) return;
    {
      std::lock_guard hold(mutex);
      ++changes;
    }
    changed.notify_all();
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
    torn = torn || (depth && writer != &mine);
    readers = int(std::count(mine.begin(), mine.end(), this));
    waiting = writers_waiting = 0;
  }

  int readers = 0, depth = 0;  // depth: how often the writer has entered
  int waiting = 0, writers_waiting = 0;
  const void* writer = nullptr;  // the address of its `mine`
  bool torn = false;
  int64_t changes = 0;
  std::mutex mutex;
  std::condition_variable changed;
};

}  // namespace telex
