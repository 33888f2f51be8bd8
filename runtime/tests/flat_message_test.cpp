// SPDX-License-Identifier: Apache-2.0
// What the FIX engine gets of a message of market data.
#include "flat_message.hpp"

#include <gtest/gtest.h>

#include "fix_text.hpp"

namespace fixaccel {
namespace {

std::string around(const std::string& body, const std::string& length = "") {
    return test::framed(test::fix_of(body), length);
}

// The engine's message in the place of `message`; empty: it gets the whole of it.
std::string alone(const std::string& message) {
    const MarketHeader header = market_header(message);
    return header.plain ? header_alone(message, header) : "";
}

const std::string kHead = "35=W|34=2|49=VENUE|52=20260302-09:00:00.000|56=US|";

TEST(HeaderAlone, IsAMessageOfItsOwn) {
    const std::string entries = "262=R1|55=A|268=2|269=0|270=1.5|271=5|269=1|270=2|271=7|";
    EXPECT_EQ(alone(around(kHead + entries)), around(kHead));
    const std::string again =
        "35=X|43=Y|122=20260302-08:59:00.000|34=2|49=VENUE|52=20260302-09:00:00.000|56=US|";
    EXPECT_EQ(alone(around(again + "268=1|279=0|269=2|55=A|270=1|")), around(again));
    EXPECT_EQ(without_repeats(around(again)), around(again));
}

TEST(HeaderAlone, NotOfWhatIsNoMarketData) {
    for (const char* type : {"8", "0", "Y", "V", "WX", "A"})
        EXPECT_EQ(alone(around("35=" + std::string(type) + "|34=2|49=VENUE|56=US|55=A|")), "") << type;
    EXPECT_EQ(alone(""), "");
    EXPECT_EQ(alone("no FIX at all"), "");
    EXPECT_EQ(alone(around("34=2|" + kHead + "55=A|")), "");
}

TEST(HeaderAlone, NotWhereAnythingIsOdd) {
    const std::string body[] = {
        kHead,                                   // nothing behind it
        kHead + "49=OTHER|55=A|",                // twice
        kHead + "55=A|43=Y|",                    // behind the rest
        kHead + "55=A|93=1|89=a|58=x|",          // of the trailer
        kHead + "55=A|10=000|58=x|",             //
        kHead + "55=A|354=9|355=a|58=b|c|",      // data
        kHead + "90=4|91=a|5=|55=A|",            //
        kHead + "55=|",                          // no value
        kHead + "49=|55=A|",                     //
        kHead + "55=A|x|",                       // no field
        kHead + "55=A|5a=5|",                    //
        kHead + "55=A|-5=5|",                    //
        kHead + "55=A|0=5|",                     //
        kHead + "55=A|99999999999999999999=5|",  //
        kHead + "55=A|58=x",                     // no end
    };
    for (const std::string& one : body) EXPECT_EQ(alone(around(one)), "") << one;
    for (const char* length : {"5", "9999999999", "-1", "\x01", "1x"})
        EXPECT_EQ(alone(around(kHead + "55=A|", length)), "") << length;
}

TEST(HeaderAlone, NotWhereASingleByteHasChanged) {
    const std::string good = around(kHead + "55=A|269=0|270=1|");
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1);
        EXPECT_EQ(alone(bad), "") << at;
        EXPECT_EQ(alone(good.substr(0, at)), "") << at;
    }
}

TEST(MarketHeader, HasTheFieldsOfEachMessageAndNoOther) {
    const std::string head = "35=W|49=VENUE|56=US|34=17|52=20260302-09:00:00.000|", rest = "55=A|";
    const std::string message = around(head + rest);
    const MarketHeader header = market_header(message);
    ASSERT_TRUE(header.usual);
    const auto text = [&](const MessagePart& part) { return message.substr(part.at, part.size); };
    EXPECT_EQ(text(header.begin_string), "FIX.4.4");
    EXPECT_EQ(header.type, 'W');
    EXPECT_EQ(header.number, 17);
    EXPECT_EQ(text(header.sender), "VENUE");
    EXPECT_EQ(text(header.sending_time), "20260302-09:00:00.000");
    EXPECT_EQ(text(header.target), "US");
    for (const std::string& other :
         {head + "43=Y|",                           // one more
          head.substr(0, head.find("52=")),         // one less
          std::string("35=W|49=V|34=7|52=X|9=5|"),  // another in its place
          std::string("35=W|49=V|56=US|34=017|52=X|"), std::string("35=W|49=V|56=US|034=17|52=X|"),
          std::string("35=W|49=V|56=US|34=1x|52=X|"), std::string("35=W|49=V|56=US|34=1234567890|52=X|")}) {
        const MarketHeader unusual = market_header(around(other + rest));
        EXPECT_TRUE(unusual.plain) << other;
        EXPECT_FALSE(unusual.usual) << other;
    }
    std::string nameless = message.substr(0, message.rfind("10=")).erase(2, 7);
    nameless += test::check_sum(nameless);
    EXPECT_TRUE(market_header(nameless).plain);
    EXPECT_FALSE(market_header(nameless).usual);
}

TEST(HighestNumber, OfAllThatAMessageMayBeTakenToHave) {
    EXPECT_EQ(highest_number(test::message("W", 7, "58=34=99\x01")), 7);
    EXPECT_EQ(highest_number(test::message("W", 7, "34=12\x01")), 12);
    EXPECT_EQ(highest_number("34=7"), 0);
}

}  // namespace
}  // namespace fixaccel
