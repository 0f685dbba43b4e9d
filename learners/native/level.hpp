// What every kernel of a level shares: its vector, its growing array, the summation that all scores go through.
#pragma once
#include <stdlib.h>
#include <string.h>

#include "interface.hpp"
#include "memory.hpp"

namespace telex::TELEX_LEVEL {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif
typedef float Vector __attribute__((vector_size(vector_bytes), may_alias));
typedef int32_t Integers __attribute__((vector_size(vector_bytes), may_alias));
typedef uint32_t Words __attribute__((vector_size(vector_bytes), may_alias));
constexpr int lanes = vector_bytes / 4;
constexpr int line = 16;  // floats a cache line: rows start at one

constexpr int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

// An empty range may have a null address.
template <class T>
inline void clear(T* to, int64_t count) {
  if (count) memset(to, 0, size_t(count) * sizeof(T));
}
template <class T>
inline void copy(T* to, const void* from, int64_t count) {
  if (count) memcpy(to, from, size_t(count) * sizeof(T));
}

// Calls `work` with the place of each 1 among bytes of 0 and 1.
template <class Work>
inline void each_set(const uint8_t* flags, int64_t count, const Work& work) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t eight;
    memcpy(&eight, flags + i, 8);
    for (; eight; eight &= eight - 1) work(i + __builtin_ctzll(eight) / 8);
  }
  for (; i < count; ++i)
    if (flags[i]) work(i);
}

// NaN and the infinities have all bits of the exponent.
inline uint32_t not_finite(float x) { return (__builtin_bit_cast(uint32_t, x) & 0x7F800000u) == 0x7F800000u; }
inline bool all_finite(const float* x, int64_t count) {
  uint32_t wrong = 0;
  for (int64_t i = 0; i < count; ++i) wrong |= not_finite(x[i]);
  return !wrong;
}

// A zero-filled array of plain values that only grows; aligned to a cache line.
template <class T>
struct Array {
  T* data = nullptr;
  int64_t size = 0, capacity = 0;
  Array() = default;
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { release(data, capacity * int64_t(sizeof(T))); }
  T& operator[](int64_t i) { return data[i]; }
  const T& operator[](int64_t i) const { return data[i]; }
  void reserve(int64_t n) {
    if (n <= capacity) return;
    // Large blocks grow without being copied: in small steps, so that little memory is unused.
    int64_t wanted = capacity + (capacity * int64_t(sizeof(T)) < (int64_t(64) << 20) ? capacity : capacity / 8);
    if (wanted < n) wanted = n;
    data = static_cast<T*>(regrow(data, capacity * int64_t(sizeof(T)), wanted * int64_t(sizeof(T))));
    capacity = wanted;
  }
  void resize(int64_t n) {
    reserve(n);
    if (n > size) size = n;
  }
  void push(T value) {
    resize(size + 1);
    data[size - 1] = value;
  }
  void free() {
    release(data, capacity * int64_t(sizeof(T)));
    data = nullptr;
    size = capacity = 0;
  }
  void swap(Array& other) {
    T* d = data; data = other.data; other.data = d;
    int64_t s = size; size = other.size; other.size = s;
    int64_t c = capacity; capacity = other.capacity; other.capacity = c;
  }
};

// Counts work, and after much of it looks whether a signal wants to end the call: at a point where the learner is whole, as it
// is between two documents or before the one in hand has changed anything, and in the midst of a change.
inline bool used_up(Watch* watch, int64_t work) { return watch && (watch->left -= work) <= 0; }
inline void pause(Watch* watch, int64_t work) {
  if (used_up(watch, work) && watch->ended(true)) watch->leave(true);
}
inline void pause_within(Watch* watch, int64_t work) {
  if (used_up(watch, work) && watch->ended(false)) watch->leave(false);
}

// Counts what a document had perceptrons do, where somebody asked.
inline void tally(Watch* watch, int64_t predicted, int64_t tried, int64_t moved) {
  if (!watch || !watch->operations) return;
  watch->operations->predicted += predicted;
  watch->operations->tried += tried;
  watch->operations->moved += moved;
}

struct Document {
  const int32_t* features;
  const float* values;
  int64_t size, reach;  // reach: features up to the end of the batch, the next document's first
  float bias = 0;       // not 0: the value of one more feature, which comes first; its row is 0
  int64_t base = 0;     // the row of feature 0
  int64_t row(int64_t k) const { return base + features[k]; }
  int64_t end() const { return size ? row(size - 1) + 1 : base; }  // beyond its last row
};
inline Document document(const Documents& d, int64_t row, float bias = 0) {
  int64_t first = d.indptr[row];
  return {d.features + first, d.values + first, d.indptr[row + 1] - first, d.indptr[d.rows] - first, bias, bias != 0};
}

}  // namespace telex::TELEX_LEVEL
