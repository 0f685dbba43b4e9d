// Cuts a text into tokens: first it folds bytes and marks each with a bit, "inside a token"; then it finds the bits' edges.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels.hpp"

namespace telex::words {

enum class Mode { letters, alnum, blanks };

// The characters of a Python str, 1, 2 or 4 bytes wide; or UTF-8, of width 0, where `length` are its bytes.
struct Text {
  const void* data;
  size_t length;
  int width;
  bool ascii;
};

// A token of `length` bytes: its first 16 (zero behind the end), its place in the lexer's buffer, and its hash.
struct Token {
  uint64_t head, tail, hash;
  const uint8_t* at;
  uint32_t length;
  // Behind the bytes, `slack` bytes may be read.
  void read(const uint8_t* from, uint32_t size);
};

inline constexpr uint32_t longest_token = 100;  // characters
inline constexpr size_t slack = 64;             // bytes that may be read behind a token

uint64_t hash_rest(const Token& token);

// A text's tokens come in portions: call `begin(text)`, then `next()` until it returns that there are no more. The tokens
// of a portion are valid until the next call.
class Lexer {
 public:
  explicit Lexer(Mode mode) : mode_(mode) {}
  void begin(const Text& text);
  bool next();
  std::span<const Token> tokens() const { return {tokens_.data(), count_}; }
  // Frees the memory that a large text took.
  void rest();

 private:
  void need(size_t more);
  void append(uint64_t bits, unsigned count);
  void put(const uint8_t* bytes, unsigned count, bool in);
  void fold_ascii(const uint8_t* text, size_t length);
  void fold_utf8(const uint8_t* text, size_t length);
  template <class Unit>
  void fold(const Unit* text, size_t length);

  static constexpr size_t portion = 64;  // words of 64 bytes
  const Kernels& kernels_ = kernels();
  Mode mode_;
  size_t filled_ = 0;    // bytes of buffer_
  bool inside_ = false;  // whether the last of them is in a token
  std::vector<uint8_t> buffer_;
  std::vector<uint32_t> decoded_;  // of a text as UTF-8, if it is not all ASCII
  std::vector<uint64_t> bits_;
  std::vector<uint32_t> edges_ = std::vector<uint32_t>(64 * portion + 64);
  size_t word_ = 0;      // the first word of bits_ that was not searched yet
  uint64_t carry_ = 0;   // the bit before it
  size_t open_ = 0;      // 1 while edges_[0] is the beginning of an unfinished token
  std::vector<Token> tokens_ = std::vector<Token>(32 * portion + 1);
  size_t count_ = 0;     // how many of them belong to this portion
};

}  // namespace telex::words
