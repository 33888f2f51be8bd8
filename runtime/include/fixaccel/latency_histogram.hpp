// SPDX-License-Identifier: Apache-2.0
// Durations in the buckets of HdrHistogram with three significant digits: up to 2,048 ns each nanosecond has
// its own, above that no bucket is wider than a thousandth of what it holds. To count one takes no memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fixaccel {

class LatencyHistogram {
  public:
    // The most that has a bucket; what is longer counts there. About 69 s.
    static constexpr std::int64_t kMost = (std::int64_t{1} << 36) - 1;

    LatencyHistogram() : counts_(kBlocks * kBlock) {}

    // What is below zero counts as zero.
    void record(std::int64_t ns) noexcept;

    std::uint64_t count() const { return count_; }
    std::int64_t sum() const { return sum_; }
    std::int64_t least() const { return least_; }  // 0 while there is none, as all that follow
    std::int64_t most() const { return most_; }
    // That many hundredths of all are at most this long; exact to a thousandth, and never above most().
    std::int64_t percentile(double hundredths) const;
    // How many are shorter than 2^`power` ns, up to 2^36.
    std::uint64_t below(unsigned power) const;
    // What is in each bucket that is not empty, shortest first: its least ns, and how many.
    std::vector<std::pair<std::int64_t, std::uint32_t>> buckets() const;

  private:
    static constexpr std::size_t kBlock = 1024;  // buckets from a power of two to the next
    static constexpr std::size_t kBlocks = 27;   // the first is of all below the first such power

    std::vector<std::uint32_t> counts_;
    std::array<std::uint64_t, kBlocks> blocks_{};  // the same by block, so that nobody has to look at all
    std::uint64_t count_ = 0;
    std::int64_t sum_ = 0;
    std::int64_t least_ = 0, most_ = 0;
};

}  // namespace fixaccel
