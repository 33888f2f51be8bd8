// SPDX-License-Identifier: Apache-2.0
// A subscriber that does not read holds up nobody; when it reads again, it gets the newest book.
#include <gtest/gtest.h>

#include "tests/raw_client.hpp"
#include "tests/venue_fixture.hpp"

namespace fixaccel::exchange {
namespace {

constexpr int kLevels = 400;
// With books of this size: many times what sockets hold.
constexpr int kChanges = 1'500;

class VenueSlow : public VenueTest, public testing::WithParamInterface<UpdateType> {
  protected:
    VenueSlow() : VenueTest(GetParam()) {
        // On a busy machine the changes take longer than a client may be silent.
        SessionConfig patient;
        patient.bounds.stalled_peer = std::chrono::minutes(10);
        open(patient);
        gateway.act([](Exchange& venue) {
            for (Price price = 1; price <= kLevels; ++price)
                venue.house_order("MSFT", Side::kBuy, OrderType::kLimit, TimeInForce::kDay, price, 5);
            return std::vector<Execution>();
        });
    }
};

TEST_P(VenueSlow, HarmsOnlyItself) {
    const bool whole = GetParam() == UpdateType::kFullRefresh;
    RawClient slow(host->port(), "CLIENT1");
    slow.log_on("98=0|108=3000|141=Y");  // it says nothing for as long as the changes take
    ASSERT_TRUE(slow.next("A"));
    slow.send("V", "262=md|263=1|264=0|267=2|269=0|269=1|146=1|55=MSFT");
    ASSERT_TRUE(slow.next("W"));
    slow.shrink_window();
    FixClient trader = client("CLIENT2");
    ASSERT_TRUE(trader.log_on());
    for (int change = 1; change <= kChanges; ++change) {
        gateway.act([&](Exchange& venue) {
            // An update is small: so that it fills sockets, all levels change.
            if (!whole) {
                venue.cancel_house("MSFT");
                for (Price price = 1; price <= kLevels; ++price)
                    venue.house_order("MSFT", Side::kBuy, OrderType::kLimit, TimeInForce::kDay, price,
                                      5 + change % 2);
            }
            return venue.quote("MSFT", std::nullopt, Quote{1000 + change, 5});
        });
        if (change % 500 != 0) continue;
        trader.send(new_order(std::to_string(change), "CLZ6", "1", "5", "1"));
        ASSERT_EQ(trader.next("8").text(tag::kExecType), "0") << "after " << change << " changes";
    }
    const std::string newest = exchange.find("MSFT")->format_price(1000 + kChanges);
    const FeedStats stats = gateway.feed_stats("CLIENT1");
    EXPECT_GT(stats.conflated, 0U);
    EXPECT_LT(stats.messages, static_cast<std::uint64_t>(kChanges));
    bool seen = false;
    while (!seen) {
        const auto message = slow.next(std::chrono::minutes(2));
        ASSERT_TRUE(message) << "the newest book never came";
        for (const std::string& price : message->all(tag::kMdEntryPx)) seen = seen || price == newest;
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, VenueSlow,
                         testing::Values(UpdateType::kFullRefresh, UpdateType::kIncrementalRefresh));

}  // namespace
}  // namespace fixaccel::exchange
