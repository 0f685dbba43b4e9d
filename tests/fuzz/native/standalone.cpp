// Stands in for libFuzzer where there is none: mutates the files it is given, blindly, and takes libFuzzer's options
// -max_total_time, -max_len, -seed and -artifact_prefix. No coverage guides it.
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

using Bytes = std::vector<uint8_t>;
static Bytes now;
static std::string crash;

static void keep() {
  if (FILE* out = std::fopen(crash.c_str(), "wb")) {
    std::fwrite(now.data(), 1, now.size(), out);
    std::fclose(out);
    std::fprintf(stderr, "Test unit written to %s\n", crash.c_str());
  }
}

static void died(int number) {
  keep();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

extern "C" void __asan_set_death_callback(void (*)()) __attribute__((weak));

int main(int count, char** words) {
  std::vector<Bytes> seeds{{}};
  double most = 10;
  size_t longest = 4096;
  uint64_t seed = 0, runs = 0;
  for (int i = 1; i < count; ++i) {
    std::string word = words[i];
    auto value = [&](const char* name) { return word.rfind(name, 0) == 0 ? words[i] + std::strlen(name) : nullptr; };
    if (const char* v = value("-max_total_time=")) most = std::atof(v);
    else if (const char* v = value("-max_len=")) longest = std::strtoull(v, nullptr, 10);
    else if (const char* v = value("-seed=")) seed = std::strtoull(v, nullptr, 10);
    else if (const char* v = value("-artifact_prefix=")) crash = std::string(v) + "crash-" + std::to_string(getpid());
    else if (word[0] != '-' && std::filesystem::is_directory(word))
      for (const auto& entry : std::filesystem::directory_iterator(word)) {
        std::ifstream in(entry.path(), std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
      }
  }
  if (__asan_set_death_callback) __asan_set_death_callback(keep);
  std::signal(SIGABRT, died);
  std::mt19937_64 random(seed);
  auto below = [&](size_t n) { return n ? static_cast<size_t>(random() % n) : 0; };
  auto start = std::chrono::steady_clock::now();
  auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  for (size_t i = 0; seconds() < most; ++i, ++runs) {
    now = seeds[i < seeds.size() ? i : below(seeds.size())];
    for (size_t times = i < seeds.size() ? 0 : 1 + below(8); times; --times) {
      size_t at = below(now.size() + 1), length = std::min(now.size() - at, below(32));
      auto place = now.begin() + static_cast<std::ptrdiff_t>(at);
      switch (below(4)) {
        case 0: now.insert(place, static_cast<uint8_t>(random())); break;
        case 1: now.erase(place, place + static_cast<std::ptrdiff_t>(length)); break;
        case 2: if (at < now.size()) now[at] ^= static_cast<uint8_t>(1 << below(8)); break;
        default: {
          const Bytes& other = seeds[below(seeds.size())];
          size_t from = below(other.size() + 1), size = std::min(other.size() - from, below(64));
          Bytes piece(other.begin() + static_cast<std::ptrdiff_t>(from), other.begin() + static_cast<std::ptrdiff_t>(from + size));
          now.insert(place, piece.begin(), piece.end());
        }
      }
    }
    if (now.size() > longest) now.resize(longest);
    LLVMFuzzerTestOneInput(now.data(), now.size());
  }
  std::fprintf(stderr, "stat::number_of_executed_units: %llu\n", static_cast<unsigned long long>(runs));
}
