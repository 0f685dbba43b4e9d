// Cuts the texts of a batch into terms; all new tokens are stemmed at once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "cache.hpp"
#include "index.hpp"
#include "lexer.hpp"

namespace telex::words {

// Documents as terms of a cache: the title of document i begins at bounds[2i], its text at bounds[2i + 1].
struct Tokens {
  std::shared_ptr<Cache> cache;
  size_t known = 0;  // terms that the cache had then
  std::vector<int32_t> terms;
  std::vector<size_t> bounds{0};
  std::vector<uint64_t> fingerprints;  // of all tokens, stop words included; 0 if there are none
  size_t size() const { return fingerprints.size(); }
};

// Writes the stems of the first argument into the second.
using Stemmer = std::function<void(const Texts&, Texts&)>;

class Cutter {
 public:
  // No more than about `remembered` tokens are remembered from one batch to the next.
  Cutter(Mode mode, uint64_t owner, size_t remembered)
      : lexer_(mode), owner_(owner), remembered_(remembered), cache_(std::make_shared<Cache>(owner)) {}
  // Makes the tokens of a text stop words.
  void stop(const Text& text);
  void stop(std::string_view token);
  const Texts& stopped() const { return stopped_; }
  // The texts are title and text of each document in turn. Without a stemmer a token is its own term.
  Tokens cut(const std::vector<Text>& texts, const Stemmer& stemmer);
  size_t bytes() const { return cache_->bytes() + stopped_.bytes() + stop_index_.bytes(); }

 private:
  bool is_stopped(std::string_view token) const;
  // Returns whether there was any token.
  bool take(const Text& text, bool stem, Tokens& tokens, uint64_t& print);
  // Gives a new token its term, or a place among the tokens that wait for their stems.
  int32_t meet(const Token& token, bool stem);
  void resolve(const Stemmer& stemmer, Tokens& tokens);
  Lexer lexer_;
  const uint64_t owner_;
  const size_t remembered_;
  std::shared_ptr<Cache> cache_;
  Texts stopped_;
  Index stop_index_;
  Texts fresh_;                   // tokens of the current batch that must be stemmed
  std::vector<uint64_t> hashes_;  // of each
  std::vector<size_t> pending_;   // their places in the batch's terms
};

}  // namespace telex::words
