#include "cutter.hpp"

#include <bit>
#include <stdexcept>

namespace telex::words {
namespace {

constexpr size_t most_bytes = size_t{1} << 28;
constexpr size_t ahead = 12;  // how many stems ahead memory is prefetched
constexpr uint64_t between = 0xA0761D6478BD642Fu;  // separates title and text

uint64_t then(uint64_t print, uint64_t hash) { return std::rotl(print ^ hash, 29) * 0x9E3779B97F4A7C15u; }

uint64_t closed(uint64_t print) {
  print = (print ^ print >> 32) * 0xBF58476D1CE4E5B9u;
  print ^= print >> 29;
  return print + (print == 0);
}

std::string_view view(const Token& token) { return {reinterpret_cast<const char*>(token.at), token.length}; }

}  // namespace

void Cutter::stop(const Text& text) {
  lexer_.begin(text);
  while (lexer_.next())
    for (const Token& token : lexer_.tokens()) stop(view(token));
}

void Cutter::stop(std::string_view token) {
  if (is_stopped(token)) return;
  stopped_.add(token);
  stop_index_.put(token, int32_t(stopped_.size() - 1));
}

bool Cutter::is_stopped(std::string_view token) const {
  return stop_index_.find(token, [this](int32_t id) { return stopped_[size_t(id)]; }) >= 0;
}

Tokens Cutter::cut(const std::vector<Text>& texts, const Stemmer& stemmer) {
  if (cache_->tokens() > remembered_ || cache_->bytes() > most_bytes) cache_ = std::make_shared<Cache>(owner_);
  Tokens tokens;
  tokens.cache = cache_;
  size_t characters = 0;
  for (const Text& text : texts) characters += text.length;
  tokens.terms.reserve(characters / 8);
  fresh_.clear();
  hashes_.clear();
  pending_.clear();
  try {
    for (size_t i = 0; i + 1 < texts.size(); i += 2) {
      if (i + 3 < texts.size())
        for (size_t at = 0; at < 512; at += 64) __builtin_prefetch(static_cast<const char*>(texts[i + 3].data) + at);
      uint64_t print = 0;
      bool any = take(texts[i], bool(stemmer), tokens, print);
      tokens.bounds.push_back(tokens.terms.size());
      print = then(print, between);
      any |= take(texts[i + 1], bool(stemmer), tokens, print);
      tokens.bounds.push_back(tokens.terms.size());
      tokens.fingerprints.push_back(any ? closed(print) : 0);
    }
    if (fresh_.size()) resolve(stemmer, tokens);
  } catch (...) {
    cache_ = std::make_shared<Cache>(owner_);  // the old cache holds tokens without stems
    throw;
  }
  lexer_.rest();
  tokens.known = cache_->terms.size();
  return tokens;
}

bool Cutter::take(const Text& text, bool stem, Tokens& tokens, uint64_t& print) {
  bool any = false;
  uint64_t running = print;  // in a register: each token depends on the one before
  Cache& cache = *cache_;
  lexer_.begin(text);
  while (lexer_.next()) {
    std::span<const Token> cut = lexer_.tokens();
    any |= !cut.empty();
    size_t at = tokens.terms.size();
    tokens.terms.resize(at + cut.size());
    int32_t* terms = tokens.terms.data();
    // All at once: memory serves many requests as fast as one.
    for (const Token& token : cut) cache.prefetch(token.hash);
    for (const Token& token : cut) {
      running = then(running, token.hash);
      const Cache::Slot& slot = cache.find(token);
      int32_t term = slot.length ? slot.term : meet(token, stem);
      if (term < no_term) pending_.push_back(at);
      terms[at] = term;
      at += term != no_term;
    }
    tokens.terms.resize(at);
  }
  print = running;
  return any;
}

int32_t Cutter::meet(const Token& token, bool stem) {
  std::string_view text = view(token);
  int32_t term = no_term;
  if (!is_stopped(text)) {
    term = stem ? -2 - int32_t(fresh_.size()) : cache_->term(text);
    if (stem) {
      fresh_.add(text);
      hashes_.push_back(token.hash);
    }
  }
  cache_->put(token, term);
  return term;
}

void Cutter::resolve(const Stemmer& stemmer, Tokens& tokens) {
  Texts stems;
  stemmer(fresh_, stems);
  if (stems.size() != fresh_.size()) throw std::invalid_argument("the stemmer has not as many stems as words");
  std::vector<int32_t> terms(stems.size());
  for (size_t i = 0; i < terms.size(); ++i) {
    if (i + ahead < terms.size()) cache_->prefetch(hashes_[i + ahead]);
    terms[i] = stems[i].empty() ? no_term : cache_->term(stems[i]);
    cache_->holder(hashes_[i], -2 - int32_t(i)).term = terms[i];
  }
  for (size_t at : pending_) tokens.terms[at] = terms[size_t(-2 - tokens.terms[at])];
}

}  // namespace telex::words
