// SPDX-License-Identifier: Apache-2.0
#include "matching/book_update.hpp"

#include <gtest/gtest.h>

#include "tests/random_orders.hpp"

namespace fixaccel::exchange {
namespace {

std::string text(const std::vector<LevelChange>& changes) {
    std::string result;
    for (const LevelChange& change : changes) {
        result += change.action == UpdateAction::kNew      ? "+"
                  : change.action == UpdateAction::kChange ? "~"
                                                           : "-";
        result += std::to_string(change.position);
        if (change.action != UpdateAction::kDelete)
            result += "=" + std::to_string(change.level.price) + "x" + std::to_string(change.level.quantity);
        result += " ";
    }
    return result;
}

Level level(Price price, Quantity quantity, std::size_t orders = 1) { return {price, quantity, orders}; }

TEST(BookUpdate, SaysWhatStandsAtEachPositionThatChanged) {
    EXPECT_EQ(text(level_changes({}, {}, 0)), "");
    EXPECT_EQ(text(level_changes({}, {level(100, 5), level(99, 7)}, 0)), "+1=100x5 +2=99x7 ");
    EXPECT_EQ(text(level_changes({level(100, 5), level(99, 7)}, {level(100, 4), level(99, 7)}, 0)),
              "~1=100x4 ");
    EXPECT_EQ(text(level_changes({level(100, 5)}, {}, 0)), "-1 ");
}

TEST(BookUpdate, ALevelThatComesOrGoesMovesThoseBehindIt) {
    const std::vector<Level> few = {level(100, 5), level(99, 7)};
    const std::vector<Level> more = {level(101, 1), level(100, 5), level(99, 7), level(98, 2)};
    EXPECT_EQ(text(level_changes(few, more, 0)), "~1=101x1 ~2=100x5 +3=99x7 +4=98x2 ");
    EXPECT_EQ(text(level_changes(more, few, 0)), "~1=100x5 ~2=99x7 -4 -3 ");
}

TEST(BookUpdate, DepthHidesWhatLiesBehind) {
    const std::vector<Level> one = {level(100, 5)};
    const std::vector<Level> two = {level(100, 5), level(99, 7)};
    EXPECT_EQ(text(level_changes(one, two, 1)), "");
    EXPECT_EQ(text(level_changes(two, one, 1)), "");
    EXPECT_EQ(text(level_changes(two, {level(99, 7)}, 1)), "~1=99x7 ");
    EXPECT_EQ(text(level_changes(two, {}, 1)), "-1 ");
    EXPECT_EQ(text(level_changes(two, {}, 9)), "-2 -1 ");
}

TEST(BookUpdate, TheNumberOfOrdersIsNoNews) {
    EXPECT_EQ(text(level_changes({level(100, 5, 1)}, {level(100, 5, 2)}, 0)), "");
}

// What a client does that closes gaps, and one that does not: to both the changes must mean the same.
void apply(std::vector<Level>& levels, const LevelChange& change) {
    const auto at = static_cast<std::ptrdiff_t>(change.position) - 1;
    ASSERT_LE(change.position, levels.size() + 1);
    switch (change.action) {
        case UpdateAction::kNew:
            levels.insert(levels.begin() + at, change.level);
            break;
        case UpdateAction::kChange:
            levels.at(change.position - 1) = change.level;
            break;
        case UpdateAction::kDelete:
            levels.erase(levels.begin() + at);
            break;
    }
}

void overwrite(std::vector<Level>& places, const LevelChange& change) {
    if (places.size() < change.position) places.resize(change.position);
    places[change.position - 1] = change.action == UpdateAction::kDelete ? Level{} : change.level;
}

std::vector<Level> occupied(const std::vector<Level>& places) {
    std::vector<Level> result;
    for (const Level& level : places) {
        if (level.quantity > 0) result.push_back(level);
    }
    return result;
}

TEST(BookUpdateProperty, ChangesMakeTheOldBookTheNewOne) {
    for (unsigned seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomOrders random(seed);
        Engine book({{1, -100, 100, {}}});
        std::vector<OrderId> ids;
        const auto depth = static_cast<std::size_t>(random.below(4));
        const Side side = random.below(2) == 0 ? Side::kBuy : Side::kSell;
        std::vector<Level> before;
        std::vector<Level> shown;
        std::vector<Level> places;
        for (int step = 0; step < 100; ++step) {
            Message message;
            if (random.below(3) == 0 && !ids.empty()) {
                message.kind = MessageKind::kCancel;
                message.order = ids[static_cast<std::size_t>(random.below(static_cast<int>(ids.size())))];
            } else {
                const RandomOrder order = random.next();
                message.side = order.side;
                message.terms = {
                    .type = order.type, .tif = order.tif, .price = order.price, .quantity = order.quantity};
            }
            const auto events = book.apply(message);
            if (!events.empty() && events.front().kind == EventKind::kAccepted)
                ids.push_back(events.front().order);
            if (random.below(3) == 0) continue;  // several in a step
            const std::vector<Level> now = book.levels(0, side);
            for (const LevelChange& change : level_changes(before, now, depth)) {
                apply(shown, change);
                overwrite(places, change);
            }
            std::vector<Level> expected = book.levels(0, side, depth);
            // How many orders there are may lag: it is not published.
            for (std::size_t at = 0; at < expected.size() && at < shown.size(); ++at)
                shown[at].orders = expected[at].orders;
            ASSERT_EQ(shown, expected);
            std::vector<Level> kept = occupied(places);
            for (std::size_t at = 0; at < expected.size() && at < kept.size(); ++at)
                kept[at].orders = expected[at].orders;
            ASSERT_EQ(kept, expected);
            before = now;
        }
    }
}

}  // namespace
}  // namespace fixaccel::exchange
