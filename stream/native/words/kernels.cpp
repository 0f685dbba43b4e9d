#include "kernels.hpp"

#include "ln.hpp"
#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace telex::TELEX_LEVEL {

#ifdef __AVX512F__
static uint32_t* edges_of(uint64_t edge, uint32_t base, uint32_t* out) {
  const __m512i places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (uint32_t i = 0; i < 64; i += 16) {
    auto some = __mmask16(edge >> i);
    // through a register: some processors are slow to compress straight into memory
    __m512i found = _mm512_maskz_compress_epi32(some, _mm512_add_epi32(places, _mm512_set1_epi32(int32_t(base + i))));
    _mm512_storeu_si512(out, found);
    out += __builtin_popcount(some);
  }
  return out;
}
#else
// Counts bits, without an instruction that old processors lack.
static unsigned ones(uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555u;
  bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
  return unsigned(((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
}

static uint32_t* edges_of(uint64_t edge, uint32_t base, uint32_t* out) {
  uint32_t* end = out + ones(edge);
  // Eight at a time, even if some are too many: branches on the exact number are hard to predict, on eights easy.
  for (; out < end; out += 8)
    for (unsigned i = 0; i < 8; ++i) {
      out[i] = base + uint32_t(__builtin_ctzll(edge | uint64_t{1} << 63));
      edge &= edge - 1;
    }
  return end;
}
#endif

static uint32_t* edges(const uint64_t* bits, size_t first, size_t end, uint64_t* carry, uint32_t* out) {
  uint64_t before = *carry;
  for (size_t i = first; i < end; ++i) {
    out = edges_of(bits[i] ^ (bits[i] << 1 | before), uint32_t(64 * i), out);
    before = bits[i] >> 63;
  }
  *carry = before;
  return out;
}

static void logs(double* counts, size_t size, double all, double one) {
  // Whole vectors at every level, without a remainder: a few numbers one by one would take as long as the vectors.
  for (size_t i = 0; i < size; i += words::wide)
    for (size_t j = i; j < i + words::wide; ++j) counts[j] = words::ln(all / (counts[j] == 0 ? one : counts[j]));
}

}  // namespace telex::TELEX_LEVEL

#define TELEX_PASTE(a, b) a##b
#define TELEX_NAMED(level) TELEX_PASTE(kernels_, level)
#define TELEX_TEXT(level) #level
#define TELEX_STRING(level) TELEX_TEXT(level)

namespace telex::words {
const Kernels TELEX_NAMED(TELEX_LEVEL) = {TELEX_STRING(TELEX_LEVEL), TELEX_LEVEL::edges, TELEX_LEVEL::logs};
}  // namespace telex::words
