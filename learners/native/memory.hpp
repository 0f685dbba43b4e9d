// Zero-filled memory for tables that grow: whole pages from the system when large, so that growing moves no bytes.
#pragma once
#include <cstdint>

namespace telex {

// Returns a block of `wanted` bytes that starts with what `block` held (`have` bytes), zeros behind; `block` is gone.
// Throws std::bad_alloc and leaves `block` as it was.
void* regrow(void* block, int64_t have, int64_t wanted);
void release(void* block, int64_t have) noexcept;

// How much memory the process may take: `bytes` in all (0: as much as there is), and this share of what the machine, its
// control group and its own limits let it have.
void limit_memory(int64_t bytes, double share) noexcept;
// How many bytes more that is now; below 0 where it has more already.
int64_t memory_left() noexcept;
// Throws a std::bad_alloc that says so unless this many bytes more may be taken. regrow asks now and then; ask before much
// is taken bit by bit, as the system kills a process that takes more than there is.
void check_memory_left(int64_t more);

// From now on, for the whole process, freed blocks of a megabyte and more go back to the system. By default the C library
// keeps ever larger ones; a stream has blocks of every size, and many of those kept would fit no later one.
void give_back() noexcept;

}  // namespace telex
