// Zero-filled memory for tables that grow: whole pages from the system when large, so that growing moves no bytes.
#pragma once
#include <cstdint>

namespace telex {

// Returns a block of `wanted` bytes that starts with what `block` held (`have` bytes), zeros behind; `block` is gone.
// Throws std::bad_alloc and leaves `block` as it was.
void* regrow(void* block, int64_t have, int64_t wanted);
void release(void* block, int64_t have) noexcept;

// From now on, for the whole process, freed blocks of a megabyte and more go back to the system. By default the C library
// keeps ever larger ones; a stream has blocks of every size, and many of those kept would fit no later one.
void give_back() noexcept;

}  // namespace telex
