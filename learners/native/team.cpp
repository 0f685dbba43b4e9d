#include "team.hpp"

#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

#include "interface.hpp"

namespace telex {

Team::~Team() = default;
Learner::~Learner() = default;
Scratch::~Scratch() = default;
void Learner::pack(Writer& out) const { save(out); }
bool Learner::finite() const { return true; }

namespace {

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

struct Threads final : Team {
  const uint32_t parts;
  void (*const job)(void*, int);
  void* const context;
  // The round in the upper half, the next part to take in the lower: taking one is one addition, and a thread that comes
  // late finds parts of the present round or none.
  std::atomic<uint64_t> tickets;
  std::atomic<uint32_t> done{0};
  std::atomic<bool> ended{false};
  std::vector<std::thread> threads;

  Threads(int count, int parts, void (*job)(void*, int), void* context)
      : parts(uint32_t(parts)), job(job), context(context), tickets(uint64_t(parts)) {
    // Any number of threads will do: the caller alone is a team.
    try {
      for (int i = 1; i < count; ++i) threads.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
    }
  }
  void take() {
    for (;;) {
      uint32_t part = uint32_t(tickets.fetch_add(1, std::memory_order_acq_rel));
      if (part >= parts) return;
      job(context, int(part));
      done.fetch_add(1, std::memory_order_release);
    }
  }
  void serve() {
    while (!ended.load(std::memory_order_acquire)) {
      uint64_t seen = tickets.load(std::memory_order_acquire);
      for (int i = 0; uint32_t(seen) >= parts && i < 5000; ++i) {
        relax();
        seen = tickets.load(std::memory_order_acquire);
      }
      if (uint32_t(seen) < parts) take();
      else if (!ended.load(std::memory_order_acquire)) tickets.wait(seen, std::memory_order_acquire);
    }
  }
  void begin() {
    done.store(0, std::memory_order_relaxed);
    tickets.store(((tickets.load(std::memory_order_relaxed) >> 32) + 1) << 32, std::memory_order_release);
    tickets.notify_all();
  }
  void round() override {
    begin();
    take();
    for (int i = 0; done.load(std::memory_order_acquire) < parts; ++i) {
      if (i < 5000) relax();
      else std::this_thread::yield();
    }
  }
  ~Threads() override {
    ended.store(true, std::memory_order_release);
    // A round without work: the tickets are gone before anyone can take one.
    tickets.store((((tickets.load() >> 32) + 1) << 32) | parts, std::memory_order_release);
    tickets.notify_all();
    for (std::thread& thread : threads) thread.join();
  }
};

}  // namespace

Team* make_team(int threads, int parts, void (*job)(void*, int), void* context) {
  return new Threads(threads, parts, job, context);
}
int processors() { return int(std::thread::hardware_concurrency()); }

}  // namespace telex
