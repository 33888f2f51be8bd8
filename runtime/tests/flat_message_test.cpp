// SPDX-License-Identifier: Apache-2.0
// What the FIX engine gets of a message of market data.
#include "flat_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace fixaccel {
namespace {

// `body` with | for SOH, between BeginString and CheckSum.
std::string around(std::string body, const std::string& length = "") {
    std::string text = "8=FIX.4.4|9=" + (length.empty() ? std::to_string(body.size()) : length) + "|" + body;
    std::replace(text.begin(), text.end(), '|', '\x01');
    unsigned sum = 0;
    for (const char c : text) sum += static_cast<unsigned char>(c);
    char check[16];
    std::snprintf(check, sizeof check, "10=%03u\x01", sum % 256);
    return text + check;
}

const std::string kHead = "35=W|34=2|49=VENUE|52=20260302-09:00:00.000|56=US|";

TEST(HeaderAlone, IsAMessageOfItsOwn) {
    const std::string entries = "262=R1|55=A|268=2|269=0|270=1.5|271=5|269=1|270=2|271=7|";
    std::string text = "what was there before";
    ASSERT_TRUE(header_alone(around(kHead + entries), text));
    EXPECT_EQ(text, around(kHead));
    const std::string again =
        "35=X|43=Y|122=20260302-08:59:00.000|34=2|49=VENUE|52=20260302-09:00:00.000|56=US|";
    ASSERT_TRUE(header_alone(around(again + "268=1|279=0|269=2|55=A|270=1|"), text));
    EXPECT_EQ(text, around(again));
    EXPECT_EQ(without_repeats(text), text);
}

TEST(HeaderAlone, NotOfWhatIsNoMarketData) {
    std::string text;
    for (const char* type : {"8", "0", "Y", "V", "WX", "A"})
        EXPECT_FALSE(header_alone(around("35=" + std::string(type) + "|34=2|49=VENUE|56=US|55=A|"), text))
            << type;
    EXPECT_FALSE(header_alone("", text));
    EXPECT_FALSE(header_alone("no FIX at all", text));
    EXPECT_FALSE(header_alone(around("34=2|" + kHead + "55=A|"), text));
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
    std::string text;
    for (const std::string& one : body) EXPECT_FALSE(header_alone(around(one), text)) << one;
    for (const char* length : {"5", "9999999999", "-1", "", "1x"})
        EXPECT_FALSE(header_alone(around(kHead + "55=A|", length[0] == 0 ? "|" : length), text)) << length;
}

TEST(HeaderAlone, NotWhereASingleByteHasChanged) {
    const std::string good = around(kHead + "55=A|269=0|270=1|");
    std::string text;
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1);
        EXPECT_FALSE(header_alone(bad, text)) << at;
        EXPECT_FALSE(header_alone(good.substr(0, at), text)) << at;
    }
}

}  // namespace
}  // namespace fixaccel
