// A level's table of functions.
#include "kernel.hpp"
#include "level_table.hpp"
#include "log.hpp"

namespace telex::TELEX_LEVEL {

// TELEX_KERNELS is KERNEL(br) KERNEL(last) and so on: the files of kernels/, as CMake lists them.
#define KERNEL(name) extern const Kernel kernel_##name;
TELEX_KERNELS
#undef KERNEL
#define KERNEL(name) &kernel_##name,
static constexpr const Kernel* kernels[] = {TELEX_KERNELS nullptr};
#undef KERNEL

void judge(const Asked&, const Documents&, Judgement&, Watch&);
void set_by_bins(const Asked&, const Documents&, const int32_t*, int64_t, const ScoreBins&, Decision, uint8_t*, float*,
                 float*, int32_t*, Watch&);
void reliability(const Asked&, const Documents&, const float*, int64_t*, Watch&);
void probabilities_of(const float*, float*, int64_t);
void set_best(const Asked&, const int32_t*, uint8_t*, int32_t*, Watch&);

}  // namespace telex::TELEX_LEVEL

namespace telex {
constinit const Kernels TELEX_NAMED(kernels_) = {TELEX_LEVEL_NAME, TELEX_LEVEL::kernels, TELEX_LEVEL::judge,
                                                    TELEX_LEVEL::log_of, TELEX_LEVEL::set_by_bins, TELEX_LEVEL::reliability,
                                                    TELEX_LEVEL::probabilities_of, TELEX_LEVEL::set_best};
}  // namespace telex
