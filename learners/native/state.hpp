// How a kernel writes its state and reads one: it checks a state before it uses it.
#pragma once
#include "level.hpp"

namespace telex::TELEX_LEVEL {

template <class T> inline constexpr char code = 0;
template <> inline constexpr char code<float> = 'f';
template <> inline constexpr char code<double> = 'd';
template <> inline constexpr char code<int64_t> = 'i';
template <> inline constexpr char code<uint64_t> = 'u';
template <> inline constexpr char code<int32_t> = 'c';
template <> inline constexpr char code<uint8_t> = 'b';

// Arrays to be filled: a plain one, and a table.
template <class T>
inline T* room(Writer& out, const char* name, int64_t size) {
  return static_cast<T*>(out.room(name, code<T>, -1, size));
}
inline float* room_for_table(Writer& out, const char* name, int64_t rows, int64_t columns) {
  return static_cast<float*>(out.room(name, code<float>, rows, columns));
}
template <class T>
inline void put(Writer& out, const char* name, const T* data, int64_t size) {
  copy(room<T>(out, name, size), data, size);
}

constexpr int64_t most_features = int64_t(1) << 31, most_known = int64_t(1) << 24;
constexpr int64_t most_learnt = int64_t(1) << 53;  // what a double counts

// Ends the loading of a state that cannot be right.
inline void expect(Reader& in, bool right, const char* why) {
  if (!right) in.refuse(why);
}

template <class T>
struct Given {
  const T* data;
  int64_t rows, size;  // size: of a row, where there are rows
  const T& operator[](int64_t i) const { return data[i]; }
};
constexpr int64_t any = -1;
// A plain array of a size, and a table of some rows and columns.
template <class T>
inline Given<T> given(Reader& in, const char* name, int64_t size = any) {
  Given<T> found{nullptr, -1, 0};
  found.data = static_cast<const T*>(in.get(name, code<T>, &found.rows, &found.size));
  if (found.rows >= 0 || (size != any && found.size != size)) in.refuse_array(name);
  return found;
}
inline Given<float> given_table(Reader& in, const char* name, int64_t rows, int64_t columns) {
  Given<float> found{nullptr, 0, 0};
  found.data = static_cast<const float*>(in.get(name, code<float>, &found.rows, &found.size));
  if (found.rows < 0 || (rows != any && found.rows != rows) || found.size != columns || found.rows > most_features)
    in.refuse_array(name);
  return found;
}

}  // namespace telex::TELEX_LEVEL
