// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "fixaccel/bundle.hpp"
#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel::test {
namespace {

using Numbers = std::map<std::string, std::uint32_t>;

// Of symbols of one letter, which each of an instrument's tables holds.
Bundle bundle_of(const std::vector<std::string>& symbols) {
    Bundle bundle;
    bundle.capacity["instruments"] = 16;
    bundle.banked = true;
    BundleMemory directory{"directory", hwmap::memory::directory.base, 0, {}};
    BundleMemory symbol{"symbol", hwmap::memory::symbol.base, 0, {}};
    BundleMemory chain{"chain", hwmap::memory::chain.base, 0, {}};
    BundleMemory left{"quantity_left", hwmap::memory::quantity_left.base, 0, {}};
    for (std::uint32_t i = 0; i < symbols.size(); ++i) {
        bundle.instruments.push_back({symbols[i], i, "1"});
        hwmap::directory_record slot;
        slot.set_instrument(i);
        slot.set_valid(1);
        directory.words.insert(directory.words.end(), {0, slot.words[0]});  // every other slot
        const auto letter = static_cast<std::uint32_t>(symbols[i][0]);
        symbol.words.insert(symbol.words.end(), {letter, 0, 0, 0});
        chain.words.resize(i * 16);
        chain.words.push_back(letter);  // the first of its chains, zero words behind it left out
        left.words.resize(i * hwmap::quantity_left_record::kStride);
        left.words.push_back(letter);
    }
    symbol.records = static_cast<std::uint32_t>(symbols.size());
    bundle.memories = {directory, symbol, chain, left};
    return bundle;
}

Numbers numbers_of(const Bundle& bundle) {
    Numbers numbers;
    for (const BundleInstrument& instrument : bundle.instruments)
        numbers[instrument.symbol] = *instrument.index;
    return numbers;
}

// What the fabric knows of an instrument it knows by its number.
TEST(Instruments, KeepTheirNumbers) {
    Bundle next = bundle_of({"A", "B", "C", "D"});
    ASSERT_TRUE(keep_numbers(bundle_of({"C", "X", "A"}), next));
    Numbers numbers = numbers_of(next);
    EXPECT_EQ(numbers, (Numbers{{"A", 2}, {"B", 3}, {"C", 0}, {"D", 4}}));
    for (std::uint32_t i = 0; i < 4; ++i) {
        hwmap::directory_record slot;
        slot.words[0] = next.memories[0].words[2 * i + 1];
        const auto letter = static_cast<std::uint32_t>('A') + i;
        const std::uint64_t number = slot.instrument();
        EXPECT_EQ(number, numbers[std::string(1, static_cast<char>(letter))]);
        EXPECT_EQ(next.memories[1].words[4 * number], letter);
        EXPECT_EQ(next.memories[2].words[16 * number], letter);
        EXPECT_EQ(next.memories[3].words[hwmap::quantity_left_record::kStride * number], letter);
        EXPECT_EQ(next.memories[0].words[2 * i], 0U) << "a slot that is not in use stays so";
    }
    EXPECT_EQ(next.memories[1].records, 5U);
}

// What was known of it is old by then.
TEST(Instruments, GetNoNumberThatWasAnothersOrTheirOwnOnce) {
    Bundle second = bundle_of({"A", "C"});
    ASSERT_TRUE(keep_numbers(bundle_of({"A", "B"}), second));
    EXPECT_EQ(numbers_of(second), (Numbers{{"A", 0}, {"C", 2}}));
    EXPECT_EQ(second.retired, (std::vector<std::uint32_t>{1}));
    Bundle third = bundle_of({"B", "C"});
    ASSERT_TRUE(keep_numbers(second, third));
    EXPECT_EQ(numbers_of(third), (Numbers{{"B", 3}, {"C", 2}}));
    EXPECT_EQ(third.retired, (std::vector<std::uint32_t>{1, 0}));
}

TEST(Instruments, RunOutOfNumbers) {
    Bundle last = bundle_of({"A"});
    for (const char* symbol : {"B", "A", "B", "A", "B", "A", "B"}) {
        Bundle next = bundle_of({symbol});
        ASSERT_TRUE(keep_numbers(last, next)) << last.retired.size();
        last = next;
    }
    Bundle next = bundle_of({"A"});
    EXPECT_FALSE(keep_numbers(last, next)) << "8 of a bank";
    Bundle same = bundle_of({"B"});
    EXPECT_TRUE(keep_numbers(last, same));
}

// The fabric has one set of windows of time for both banks.
TEST(Windows, KeepTheirNumbers) {
    const std::vector<DayWindow> morning{{.start = 540, .end = 720}}, evening{{.start = 1080, .end = 1320}};
    const auto bundle_of = [](std::vector<std::vector<DayWindow>> windows) {
        Bundle bundle;
        bundle.windows = std::move(windows);
        bundle.memories.push_back({"chain", hwmap::memory::chain.base, 3, {}});
        for (const std::uint32_t window : {0U, 1U, 2U}) {
            hwmap::chain_record record;
            record.set_first(window);
            record.set_window(window);
            bundle.memories[0].words.insert(bundle.memories[0].words.end(), record.words.begin(),
                                            record.words.end());
        }
        return bundle;
    };
    Bundle next = bundle_of({evening, morning});
    EXPECT_FALSE(keep_windows(bundle_of({morning, morning}), next));
    ASSERT_TRUE(keep_windows(bundle_of({morning, evening}), next));
    std::vector<std::uint64_t> named;
    for (std::size_t i = 0; i < 3; ++i) {
        hwmap::chain_record record;
        std::copy_n(next.memories[0].words.begin() + static_cast<std::ptrdiff_t>(i * record.words.size()),
                    record.words.size(), record.words.begin());
        EXPECT_EQ(record.first(), i);
        named.push_back(record.window());
    }
    EXPECT_EQ(named, (std::vector<std::uint64_t>{0, 2, 1}));
    EXPECT_EQ(next.windows[0], morning);
    next.zone.start_s = {0};
    EXPECT_FALSE(keep_windows(bundle_of({morning, evening}), next)) << "another zone's morning";
}

}  // namespace
}  // namespace fixaccel::test
