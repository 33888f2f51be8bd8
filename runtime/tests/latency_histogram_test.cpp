// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/latency_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace fixaccel {
namespace {

TEST(LatencyHistogram, WithoutAnyAllIsZero) {
    const LatencyHistogram none;
    EXPECT_EQ(none.count(), 0U);
    EXPECT_EQ(none.percentile(50), 0);
    EXPECT_EQ(none.most(), 0);
    EXPECT_EQ(none.below(36), 0U);
}

TEST(LatencyHistogram, EveryNanosecondBelow2048HasABucketOfItsOwn) {
    LatencyHistogram histogram;
    for (int ns = 0; ns < 2048; ++ns) histogram.record(ns);
    for (int ns = 0; ns < 2048; ++ns) ASSERT_EQ(histogram.percentile((ns + 1) / 20.48), ns);
}

// Of values whose whole list is known, by the nearest rank.
TEST(LatencyHistogram, PercentilesAreExactToAThousandth) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> powers(0, 35.9);
    LatencyHistogram histogram;
    std::vector<std::int64_t> all;
    for (int i = 0; i < 19'999; ++i) {
        all.push_back(static_cast<std::int64_t>(std::exp2(powers(random))));
        histogram.record(all.back());
    }
    std::sort(all.begin(), all.end());
    for (const double hundredths : {0.0, 0.1, 10.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0}) {
        const auto rank =
            static_cast<std::size_t>(std::ceil(static_cast<double>(all.size()) * hundredths / 100));
        const std::int64_t exact = all[std::max<std::size_t>(rank, 1) - 1];
        EXPECT_GE(histogram.percentile(hundredths), exact) << hundredths;
        EXPECT_LE(histogram.percentile(hundredths) - exact, exact / 1000) << hundredths;
    }
    EXPECT_EQ(histogram.percentile(100), all.back());
    for (unsigned power = 0; power <= 36; ++power)
        EXPECT_EQ(histogram.below(power),
                  static_cast<std::uint64_t>(
                      std::lower_bound(all.begin(), all.end(), std::int64_t{1} << power) - all.begin()))
            << power;
}

// The least of a bucket is counted in it again, and nowhere else.
TEST(LatencyHistogram, BucketsTellAllThatIsIn) {
    LatencyHistogram histogram;
    const std::vector<std::int64_t> all{0, 5, 5, 2047, 2048, 2049, 1'000'000, 68'719'476'735};
    for (const std::int64_t ns : all) histogram.record(ns);
    const auto buckets = histogram.buckets();
    const std::vector<std::pair<std::int64_t, std::uint32_t>> expected{
        {0, 1}, {5, 2}, {2047, 1}, {2048, 2}, {999'936, 1}, {68'685'922'304, 1}};
    EXPECT_EQ(buckets, expected);
    LatencyHistogram again;
    for (const auto& [least, count] : buckets)
        for (std::uint32_t i = 0; i < count; ++i) again.record(least);
    EXPECT_EQ(again.buckets(), buckets);
}

TEST(LatencyHistogram, WhatHasNoBucketCountsInTheNearest) {
    LatencyHistogram histogram;
    histogram.record(-5);
    histogram.record(LatencyHistogram::kMost + 1);
    EXPECT_EQ(histogram.count(), 2U);
    EXPECT_EQ(histogram.least(), 0);
    EXPECT_EQ(histogram.most(), LatencyHistogram::kMost);
    EXPECT_EQ(histogram.sum(), LatencyHistogram::kMost);
    EXPECT_EQ(histogram.percentile(100), LatencyHistogram::kMost);
}

}  // namespace
}  // namespace fixaccel
