// SPDX-License-Identifier: Apache-2.0
// Random messages of all kinds: the engine does what the slow and obvious one does, event by event and level
// by level. A failure names its seed and shows the fewest messages that still fail.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/random_venue.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::uint64_t kRuns = 1000;
constexpr std::size_t kMessages = 250;

TEST(EngineProperty, DoesWhatThePlainOneDoes) {
    for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
        const auto messages = random_messages(seed, kMessages);
        ASSERT_EQ(difference(messages), "") << "seed " << seed << ", the fewest messages:\n"
                                            << shrunk(messages);
    }
}

TEST(EngineProperty, TheSameMessagesGiveTheSameBytes) {
    for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
        Engine first(random_rules(), 4096);
        Engine second(random_rules(), 4096);
        const auto messages = random_messages(seed, kMessages);
        std::vector<std::vector<Event>> singly;
        for (const Message& message : messages) {
            const auto events = first.apply(message);
            singly.emplace_back(events.begin(), events.end());
        }
        // One at a time or many at once is the same as well.
        std::size_t next = 0;
        second.apply_all(messages, [&](std::span<const Event> events) {
            const auto& known = singly[next++];
            ASSERT_EQ(events.size(), known.size());
            if (known.empty()) return;
            ASSERT_EQ(std::memcmp(events.data(), known.data(), events.size_bytes()), 0) << "seed " << seed;
        });
        ASSERT_EQ(next, messages.size());
    }
}

}  // namespace
}  // namespace fixaccel::exchange
