// SPDX-License-Identifier: Apache-2.0
// The path of a message takes nothing from the heap, and a day's orders leave nothing behind.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "bench/flow.hpp"
#include "matching/engine.hpp"

namespace {

std::atomic<std::uint64_t> allocations{0};

void* counted(std::size_t bytes) {
    ++allocations;
    if (void* memory = std::malloc(bytes)) return memory;
    throw std::bad_alloc();
}

}  // namespace

// All of the test program goes through these.
void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace fixaccel::exchange {
namespace {

constexpr std::uint32_t kInstruments = 20;
constexpr std::uint32_t kResting = 2'000;

// Messages with stops and icebergs among them, and what the engine calls their orders.
class Day {
  public:
    explicit Day(std::uint64_t seed) : flow_(kInstruments, kResting, seed) {}

    std::vector<Message> messages(Engine& engine, std::size_t count) {
        std::vector<Message> result;
        for (std::size_t at = 0; at < count; ++at) {
            Message message = flow_.next();
            if (message.kind == MessageKind::kAdd && at % 10 == 0) {
                message.terms.type = OrderType::kStopLimit;
                message.terms.tif = TimeInForce::kDay;
                message.terms.trigger = message.terms.price;
            } else if (message.kind == MessageKind::kAdd && at % 10 == 1 &&
                       message.terms.tif == TimeInForce::kDay) {
                message.terms.display = 1 + message.terms.quantity / 4;
            }
            flow_.seen(engine.apply(message));
            result.push_back(message);
        }
        return result;
    }

  private:
    Flow flow_;
};

std::vector<BookRules> rules() { return std::vector<BookRules>(kInstruments, {1, 1, 1'000'000, {}}); }

TEST(Memory, NothingIsTakenFromTheHeapOnceWarm) {
    Engine recorder(rules(), 2 * kResting);
    const auto messages = Day(1).messages(recorder, 60'000);
    Engine engine(rules(), 2 * kResting);
    std::uint64_t events = 0;
    const auto count = [&](std::span<const Event> all) { events += all.size(); };
    const std::span all(messages);
    engine.apply_all(all.first(30'000), count);
    engine.clear_changed();
    const std::uint64_t before = allocations;
    engine.apply_all(all.subspan(30'000), count);
    engine.clear_changed();
    EXPECT_EQ(allocations - before, 0U);
    EXPECT_GT(events, messages.size());
    const auto probe = std::make_unique<int>(1);
    EXPECT_EQ(allocations - before, 1U) << "the counter counts";
}

TEST(Memory, ADayOfOrdersLeavesNothingBehind) {
    // Its capacity is a bit more than rests: were one record not given back with each order, it would be full
    // soon.
    Engine engine(rules(), 2 * kResting);
    Message end;
    end.kind = MessageKind::kEndOfDay;
    for (std::uint64_t day = 1; day <= 3; ++day) {
        Day(day).messages(engine, 40'000);
        EXPECT_GE(engine.order_count(), kResting / 2);
        EXPECT_LT(engine.order_count(), 2 * kResting);
        engine.apply(end);
        EXPECT_EQ(engine.order_count(), 0U);
        for (InstrumentIndex next = 0; next < kInstruments; ++next)
            EXPECT_TRUE(engine.levels(next, Side::kBuy).empty() && engine.levels(next, Side::kSell).empty());
    }
}

TEST(Memory, AFullVenueRejectsAndGoesOn) {
    Engine engine({{1, 1, 100, {}}}, 2);
    Message message;
    message.terms = {.price = 10, .quantity = 1};
    const OrderId first = engine.apply(message).front().order;
    engine.apply(message);
    EXPECT_EQ(engine.apply(message).front().reason, Reason::kVenueFull);
    Message cancel;
    cancel.kind = MessageKind::kCancel;
    cancel.order = first;
    engine.apply(cancel);
    const OrderId again = engine.apply(message).front().order;
    EXPECT_NE(again, first) << "a number of before names no order";
    EXPECT_EQ(engine.apply(cancel).front().reason, Reason::kUnknownOrder);
}

}  // namespace
}  // namespace fixaccel::exchange
