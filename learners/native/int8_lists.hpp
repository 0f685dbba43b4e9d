// The weights in bytes of a feature that is still rare: a segment for each tile that has some. A segment is the tile's number and
// the count of weights, in three bytes; the weights' columns, a byte each, or one bit of 64 where there are more than eight; and
// the weights.
#pragma once
#include "int8_weights.hpp"

namespace telex::TELEX_LEVEL {

constexpr int64_t most_tiles = int64_t(1) << 18;  // that a segment can number
constexpr int64_t longest_segment = 3 + 8 + tile_size;

struct Segment {
  int64_t tile;
  int count;
  explicit Segment(const uint8_t* at) : tile(at[0] | at[1] << 8 | (at[2] >> 6) << 16), count(1 + (at[2] & 63)) {}
  bool listed() const { return count <= 8; }
  int64_t bytes() const { return 3 + (listed() ? count : 8) + count; }
};
// A bit for each of 64 weights that is not zero; others than those `among` are.
inline uint64_t moved_among(const int8_t* row, uint64_t among) {
  uint64_t all = 0;
  if (__builtin_popcountll(among) < 16) {
    for (uint64_t left = among; left; left &= left - 1) all |= row[__builtin_ctzll(left)] ? left & -left : 0;
    return all;
  }
  for (int part = 0; part < 8; ++part) {
    uint64_t w;
    memcpy(&w, row + 8 * part, 8);
    w = (w | ((w & 0x7F7F7F7F7F7F7F7Fu) + 0x7F7F7F7F7F7F7F7Fu)) >> 7 & 0x0101010101010101u;
    all |= (w * 0x0102040810204080u >> 56) << 8 * part;
  }
  return all;
}
// Writes a tile's weights, some of which are not zero, and returns the end.
inline uint8_t* write_segment(uint8_t* to, int64_t tile, const int8_t* row, uint64_t moved) {
  int count = __builtin_popcountll(moved);
  *to++ = uint8_t(tile);
  *to++ = uint8_t(tile >> 8);
  *to++ = uint8_t((count - 1) | (tile >> 16) << 6);
  if (count > 8) {
    memcpy(to, &moved, 8);
    to += 8;
  } else {
    for (uint64_t left = moved; left; left &= left - 1) *to++ = uint8_t(__builtin_ctzll(left));
  }
  for (uint64_t left = moved; left; left &= left - 1) *to++ = uint8_t(row[__builtin_ctzll(left)]);
  return to;
}
// Writes a segment's weights into a row of zeros, and where they are, if wanted; returns the segment's end.
inline const uint8_t* read_segment(const uint8_t* at, int8_t* row, uint64_t* moved) {
  Segment one(at);
  const uint8_t *where = at + 3, *weight = at + one.bytes() - one.count;
  uint64_t all = 0;
  if (one.listed()) {
    for (int i = 0; i < one.count; ++i) {
      row[where[i]] = int8_t(weight[i]);
      all |= uint64_t(1) << where[i];
    }
  } else {
    memcpy(&all, where, 8);
    for (uint64_t left = all; left; left &= left - 1) row[__builtin_ctzll(left)] = int8_t(*weight++);
  }
  if (moved) *moved = all;
  return at + one.bytes();
}

struct Int8List {
  Array<uint8_t> segments;  // tiles ascend
  int64_t bytes() const { return segments.capacity; }
  // The first segment of a tile or one behind it.
  const uint8_t* find(int64_t tile) const {
    const uint8_t *at = segments.data, *end = at + segments.size;
    for (; at < end; at += Segment(at).bytes())
      if (Segment(at).tile >= tile) break;
    return at;
  }
  void replace(const uint8_t* from, int64_t size) {
    segments.free();  // no more room than it needs
    segments.resize(size);
    copy(segments.data, from, size);
  }
};

}  // namespace telex::TELEX_LEVEL
