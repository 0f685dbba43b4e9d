#include "team.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include "interface.hpp"

namespace telex {

Team::~Team() = default;
Learner::~Learner() = default;

namespace {

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// A document's work lasts microseconds: workers spin for a while before they sleep.
template <class Done>
void spin(const std::atomic<int>& value, Done done) {
  for (int i = 0; i < 20000; ++i) {
    if (done(value.load(std::memory_order_acquire))) return;
    relax();
  }
  for (int seen = value.load(std::memory_order_acquire); !done(seen); seen = value.load(std::memory_order_acquire))
    value.wait(seen, std::memory_order_acquire);
}

struct Threads final : Team {
  std::vector<std::thread> threads;
  std::atomic<int> round{0}, left{0};
  void (*job)(void*, int) = nullptr;
  void* context = nullptr;
  bool ended = false;

  explicit Threads(int size) {
    for (int part = 1; part < size; ++part)
      threads.emplace_back([this, part] {
        for (int seen = 0;;) {
          spin(round, [seen](int now) { return now != seen; });
          seen = round.load(std::memory_order_acquire);
          if (ended) return;
          job(context, part);
          if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) left.notify_one();
        }
      });
  }
  void start() {
    round.fetch_add(1, std::memory_order_acq_rel);
    round.notify_all();
  }
  void run(void (*work)(void*, int), void* with) override {
    job = work;
    context = with;
    left.store(int(threads.size()), std::memory_order_relaxed);
    start();
    work(with, 0);
    spin(left, [](int now) { return now == 0; });
  }
  ~Threads() override {
    ended = true;
    start();
    for (std::thread& thread : threads) thread.join();
  }
};

}  // namespace

Team* make_team(int size) { return new Threads(size); }
int processors() { return int(std::thread::hardware_concurrency()); }

}  // namespace telex
