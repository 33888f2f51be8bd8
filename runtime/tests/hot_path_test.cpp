// SPDX-License-Identifier: Apache-2.0
// Market data that fire nothing allocate nothing, once everything has the room that it needs: from the bytes
// of the connection to rules and books.
#include <gtest/gtest.h>

#include "allocations.hpp"
#include "books.hpp"
#include "fix_text.hpp"
#include "fixaccel/framer.hpp"
#include "market_data.hpp"
#include "table_builder.hpp"

namespace fixaccel {
namespace {

std::string framed(const std::string& body) { return test::framed(test::fix_of(body)); }

class HotPath : public ::testing::Test {
  protected:
    HotPath()
        : table_(test::TableBuilder().stops({100, 200, 300}).table()),
          interpreter_(table_.columns()),
          reader_({"MSFT"}) {}

    // As FixChannel and MarketFeed do it.
    void see(const std::string& bytes) {
        framer_.feed(bytes);
        while (framer_.next(message_)) {
            text_.read(message_);
            ASSERT_TRUE(reader_.read(text_, 1, messages_));
            for (const MarketMessage& each : messages_) interpreter_.process(each, sink_);
            books_.see(text_);
        }
    }

    void allocates_nothing(const std::string& bytes) {
        see(bytes + bytes);
        const std::size_t before = test::allocations();
        for (int i = 0; i < 1000; ++i) see(bytes);
        EXPECT_EQ(test::allocations() - before, 0U);
        EXPECT_TRUE(sink_.fires.empty());
    }

    SoftwareTable table_;
    TableInterpreter interpreter_;
    MarketReader reader_;
    test::Recorder sink_;
    FixFramer framer_;
    std::string message_;
    MarketText text_;
    std::vector<MarketMessage> messages_;
    Books books_;
};

TEST_F(HotPath, ASnapshotThatFiresNothing) {
    allocates_nothing(
        framed("35=W|34=8|55=MSFT|268=3|269=0|270=12.10|271=5|290=1|269=1|270=12.20|271=7|290=1|"
               "269=2|270=12.15|271=1|"));
}

TEST_F(HotPath, AnUpdateThatFiresNothing) {
    allocates_nothing(
        framed("35=X|34=8|268=2|279=1|269=0|55=MSFT|270=12.10|271=5|290=1|279=0|269=2|270=12.15|271=1|"));
}

// That what is counted is what happens.
TEST_F(HotPath, AFireIsNoted) {
    const std::size_t before = test::allocations();
    see(framed("35=W|34=8|55=MSFT|268=1|269=2|270=1.00|271=1|"));
    EXPECT_EQ(sink_.fires.size(), 3U);
    EXPECT_GT(test::allocations() - before, 0U);
}

}  // namespace
}  // namespace fixaccel
