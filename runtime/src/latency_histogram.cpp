// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/latency_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fixaccel {
namespace {

constexpr unsigned kExact = 11;  // bits of a duration that its bucket keeps

unsigned shift_of(std::uint64_t ns) {
    const auto width = static_cast<unsigned>(std::bit_width(ns));
    return width > kExact ? width - kExact : 0;
}

}  // namespace

void LatencyHistogram::record(std::int64_t ns) noexcept {
    ns = std::clamp(ns, std::int64_t{0}, kMost);
    const auto value = static_cast<std::uint64_t>(ns);
    const unsigned shift = shift_of(value);
    const std::size_t bucket = shift * kBlock + (value >> shift);
    ++counts_[bucket];
    ++blocks_[bucket / kBlock];
    least_ = count_ == 0 ? ns : std::min(least_, ns);
    most_ = std::max(most_, ns);
    sum_ += ns;
    ++count_;
}

std::int64_t LatencyHistogram::percentile(double hundredths) const {
    if (count_ == 0) return 0;
    const double rank = std::ceil(static_cast<double>(count_) * hundredths / 100);
    auto left = static_cast<std::uint64_t>(std::clamp(rank, 1.0, static_cast<double>(count_)));
    std::size_t block = 0;
    for (; left > blocks_[block]; ++block) left -= blocks_[block];
    std::size_t bucket = block * kBlock;
    for (; left > counts_[bucket]; ++bucket) left -= counts_[bucket];
    const std::size_t shift = block == 0 ? 0 : block - 1;
    const auto highest = static_cast<std::int64_t>(((bucket - shift * kBlock + 1) << shift) - 1);
    return std::clamp(highest, least_, most_);
}

std::uint64_t LatencyHistogram::below(unsigned power) const {
    std::uint64_t found = 0;
    if (power < 10) {
        for (std::size_t ns = 0; ns >> power == 0; ++ns) found += counts_[ns];
        return found;
    }
    for (unsigned block = 0; block + 9 < power && block < kBlocks; ++block) found += blocks_[block];
    return found;
}

std::vector<std::pair<std::int64_t, std::uint32_t>> LatencyHistogram::buckets() const {
    std::vector<std::pair<std::int64_t, std::uint32_t>> out;
    for (std::size_t block = 0; block < kBlocks; ++block) {
        if (blocks_[block] == 0) continue;
        const std::size_t shift = block == 0 ? 0 : block - 1;
        for (std::size_t bucket = block * kBlock; bucket < (block + 1) * kBlock; ++bucket)
            if (counts_[bucket] != 0)
                out.emplace_back(static_cast<std::int64_t>((bucket - shift * kBlock) << shift),
                                 counts_[bucket]);
    }
    return out;
}

}  // namespace fixaccel
