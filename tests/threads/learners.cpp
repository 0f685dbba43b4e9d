// Learners of the native core, called from several threads under their lock, for ThreadSanitizer: what CPython does beside them
// it cannot see. A mutex stands for the interpreter's lock.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "../../learners/native/interface.hpp"
#include "../../learners/native/lock.hpp"

using namespace telex;

namespace {

std::mutex interpreter;

struct Section {
  Lock& lock;
  Section(Lock& lock, bool write) : lock(lock) {
    std::unique_lock hold(interpreter);
    if (lock.enter(write) == Lock::Entry::in) return;
    Lock::Waiting waiting(lock, write);
    do {
      int64_t seen = lock.left();
      hold.unlock();
      lock.sleep(seen, std::chrono::milliseconds(100));
      hold.lock();
    } while (lock.enter(write) != Lock::Entry::in);
  }
  ~Section() {
    std::lock_guard hold(interpreter);
    lock.leave();
  }
};

struct Defaults final : Options {
  bool set;
  int threads;
  Defaults(bool set, int threads) : Options(7), set(set), threads(threads) {}
  bool given(const char*) const override { return false; }
  bool flag(const char*) override { return set; }
  int choice(const char*, const char* const* allowed) override { return set && allowed[1]; }
  int64_t number(const char*, int64_t least, int64_t, const char*) override { return threads < least ? least : threads; }
  double real(const char*, double least, double most, const char*) override { return least < 1 && most >= 1 ? 1 : least; }
};

struct Quiet final : Watch {
  bool ended(bool) override { return left = 1 << 20, false; }
  void leave(bool) override { std::abort(); }
};

struct Copies final : Writer {
  std::vector<std::vector<char>> all;
  void* room(const char*, char, int64_t rows, int64_t columns) override {
    all.emplace_back(std::size_t((rows < 0 ? 1 : rows) * columns * 8 + 64));
    return all.back().data();
  }
};

constexpr int documents = 24, features = 60, labels = 90, per_document = 8;

struct Arrays {
  std::vector<int64_t> indptr, label_indptr, numbers;
  std::vector<int32_t> terms, answers, columns;
  std::vector<float> values;
  std::vector<uint8_t> labelled;
  std::vector<uint64_t> hashes;
  Arrays(unsigned seed, int known_terms) {
    std::mt19937 draw(seed);
    for (int i = 0; i <= documents; ++i) {
      indptr.push_back(i * per_document);
      label_indptr.push_back(i * 3);
    }
    for (int i = 0; i < documents; ++i) {
      int32_t term = int32_t(draw() % unsigned(known_terms));
      for (int k = 0; k < per_document; ++k, term += 1 + int32_t(draw() % 5)) {
        terms.push_back(term);
        values.push_back(1);
      }
      int32_t label = int32_t(draw() % (labels - 9));
      for (int k = 0; k < 3; ++k) answers.push_back(label + 3 * k);
      labelled.push_back(1);
      numbers.push_back(i);
    }
    for (int c = 0; c < labels; ++c) hashes.push_back(draw());
    columns.assign(labels, -1);
  }
  Documents view(std::vector<int32_t>& of_learner) {
    return {documents, indptr.data(), terms.data(), values.data(), label_indptr.data(), answers.data(), labelled.data(),
            numbers.data(), hashes.data(), of_learner.data()};
  }
};

struct Room {
  std::vector<float> scores = std::vector<float>(documents * labels);
  std::vector<uint8_t> relevant = std::vector<uint8_t>(documents * labels);
  std::vector<int32_t> known = std::vector<int32_t>(documents);
  Out view() { return {scores.data(), relevant.data(), known.data(), labels}; }
};

void shake(const Kernel& kernel, bool set, int threads, int rounds) {
  Defaults options(set, threads);
  std::unique_ptr<Learner> learner(kernel.make(options));
  Lock lock;
  std::vector<int32_t> columns(labels, -1);
  std::mutex idle;
  std::unique_ptr<Scratch> kept;
  std::atomic<int> left{rounds};
  auto work = [&](unsigned seed) {
    std::mt19937 draw(seed);
    for (int round = 0; left-- > 0; ++round) {
      Arrays arrays(unsigned(draw()), features + round % 40);
      Room room;
      Quiet watch;
      switch (draw() % 6) {
        case 0: {
          Section alone(lock, true);
          learner->progress(arrays.view(columns), {nullptr, 0, {nullptr, nullptr, 0}}, room.view(), watch);
          break;
        }
        case 1: {
          Section beside(lock, false);
          Copies copies;
          learner->pack(copies);
          break;
        }
        case 2: {
          Section beside(lock, false);
          std::vector<double> contributions(std::size_t(per_document * learner->known())), base(std::size_t(learner->known()));
          learner->reasons(arrays.view(columns), 1, {contributions.data(), base.data()});
          break;
        }
        default: {
          Section beside(lock, false);
          std::unique_ptr<Scratch> own;
          {
            std::lock_guard hold(interpreter);
            own = kept ? std::move(kept) : std::unique_ptr<Scratch>(learner->scratch());
          }
          own->watch = &watch;
          learner->scores(arrays.view(columns), room.view(), *own);
          std::lock_guard hold(interpreter);
          kept = std::move(own);
        }
      }
    }
  };
  std::vector<std::thread> team;
  for (unsigned i = 0; i < 4; ++i) team.emplace_back(work, i + 1);
  for (std::thread& thread : team) thread.join();
}

}  // namespace

int main(int count, char** arguments) {
  double seconds = count > 1 ? std::atof(arguments[1]) : 5;
  auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  int times = 0;
  do {
    for (const Kernel* const* one = kernels_base.learners; *one; ++one)
      for (bool set : {false, true})
        for (int threads : {1, 2}) {
          shake(**one, set, threads, 60);
          if (std::strcmp((*one)->name, "mlpp")) break;
        }
    ++times;
  } while (std::chrono::steady_clock::now() < end);
  std::printf("%d rounds of every learner\n", times);
}
