// SPDX-License-Identifier: Apache-2.0
// What may be asked on the control socket, and what is refused with the way out.
#include "control_fixture.hpp"

namespace fixaccel::exchange {
namespace {

using nlohmann::json;

TEST_F(ControlTest, StatusNamesInstrumentsAndSessions) {
    ControlUser user(path);
    const json status = user.ask({{"do", "status"}});
    EXPECT_EQ(status["id"], "asked");
    EXPECT_TRUE(status["ok"]);
    EXPECT_EQ(status["venue"], "SIMULATOR");
    EXPECT_EQ(status["version"], "1.2.3");
    EXPECT_EQ(status["instruments"][0],
              json({{"symbol", "MSFT"}, {"tick", "0.05"}, {"lot", "1"}, {"phase", "continuous"}}));
    EXPECT_EQ(status["instruments"][1]["lot"], "100");
    EXPECT_EQ(status["sessions"][1]["client"], "CLIENT1-MD");
    EXPECT_TRUE(status["sessions"][1]["market_data"]);
    EXPECT_EQ(status["sessions"][0]["next_sender"], 7);
}

TEST_F(ControlTest, HouseOrderRestsIsListedAndCanceled) {
    ControlUser user(path);
    const json placed = user.ask({{"do", "order"},
                                  {"symbol", "MSFT"},
                                  {"side", "buy"},
                                  {"type", "limit"},
                                  {"qty", "5"},
                                  {"price", "410.05"}});
    ASSERT_TRUE(placed["ok"]) << placed;
    const json open = user.ask({{"do", "orders"}, {"open", true}});
    ASSERT_EQ(open["orders"].size(), 1U);
    const json order = open["orders"][0];
    EXPECT_EQ(order["order"], placed["order"]);
    EXPECT_EQ(order["client"], "house");
    EXPECT_EQ(order["price"], "410.05");
    EXPECT_EQ(order["leaves_qty"], "5");
    EXPECT_EQ(order["status"], "new");
    EXPECT_TRUE(user.ask({{"do", "cancel"}, {"order", placed["order"]}})["ok"]);
    EXPECT_TRUE(user.ask({{"do", "orders"}, {"open", true}})["orders"].empty());
    EXPECT_EQ(user.ask({{"do", "orders"}})["orders"][0]["status"], "canceled");
    EXPECT_EQ(user.ask({{"do", "cancel"}, {"order", placed["order"]}})["error"],
              "order " + placed["order"].get<std::string>() + " is canceled");
}

TEST_F(ControlTest, WaitingOrderShowsItsTrigger) {
    ControlUser user(path);
    ASSERT_TRUE(user.ask({{"do", "order"},
                          {"symbol", "MSFT"},
                          {"side", "buy"},
                          {"type", "stop"},
                          {"qty", 5},
                          {"stop_price", "420"}})["ok"]);
    const json order = user.ask({{"do", "orders"}})["orders"][0];
    EXPECT_EQ(order["type"], "stop");
    EXPECT_EQ(order["stop_price"], "420.00");
    EXPECT_EQ(order["price"], "");
}

TEST_F(ControlTest, OrderOfAClientIsCanceledWithForceOnly) {
    const std::string order = "O" + std::to_string(venue.enter("CLIENT1", "a", "1", "5", "410"));
    ControlUser user(path);
    const json refused = user.ask({{"do", "cancel"}, {"order", order}});
    EXPECT_FALSE(refused["ok"]);
    EXPECT_EQ(refused["error"], "order " + order + " is CLIENT1's");
    EXPECT_NE(refused["help"].get<std::string>().find("force"), std::string::npos);
    EXPECT_TRUE(user.ask({{"do", "cancel"}, {"order", order}, {"force", true}})["ok"]);
    EXPECT_EQ(user.ask({{"do", "orders"}, {"client", "CLIENT1"}})["orders"][0]["status"], "canceled");
    EXPECT_TRUE(user.ask({{"do", "orders"}, {"client", "CLIENT1-MD"}})["orders"].empty());
}

TEST_F(ControlTest, ListOfOrdersIsBoundedByTheNewest) {
    for (int i = 0; i < 10; ++i) venue.enter("CLIENT1", std::to_string(i), "1", "1", "400");
    ControlUser user(path);
    const json some = user.ask({{"do", "orders"}, {"limit", 3}});
    ASSERT_EQ(some["orders"].size(), 3U);
    EXPECT_EQ(some["orders"][0]["cl_ord_id"], "7");
    EXPECT_EQ(some["orders"][2]["cl_ord_id"], "9");
    EXPECT_FALSE(some["all"]);
    EXPECT_TRUE(user.ask({{"do", "orders"}})["all"]);
}

TEST_F(ControlTest, QuoteTradeAndPhaseMoveTheMarket) {
    ControlUser user(path);
    ASSERT_TRUE(user.ask({{"do", "watch"}, {"what", {"books"}}})["ok"]);
    ASSERT_TRUE(user.ask({{"do", "quote"},
                          {"symbol", "MSFT"},
                          {"bid", "410.00"},
                          {"bid_size", "10"},
                          {"ask", "410.05"},
                          {"ask_size", "20"}})["ok"]);
    ASSERT_TRUE(user.ask({{"do", "trade"}, {"symbol", "MSFT"}, {"price", "410"}, {"qty", "3"}})["ok"]);
    ASSERT_TRUE(user.ask({{"do", "phase"}, {"symbol", "MSFT"}, {"phase", "halted"}})["ok"]);
    venue.act([](Exchange& exchange) { return exchange.quote("MSFT", std::nullopt, std::nullopt); });
    ASSERT_TRUE(user.ask({{"do", "quote"}, {"symbol", "MSFT"}, {"bid", "409"}, {"bid_size", "1"}})["ok"]);
    for (json book = user.next("book");; book = user.next("book")) {
        if (book["symbol"] != "MSFT" || book["bids"] != json({{"409.00", "1", 1}})) continue;
        EXPECT_EQ(book["phase"], "halted");
        EXPECT_EQ(book["last"], json({"410.00", "3"}));
        break;
    }
}

TEST_F(ControlTest, SessionsAreActedOn) {
    ControlUser user(path);
    for (const json& request :
         {json{{"do", "logout"}, {"client", "CLIENT1"}, {"text", "go"}},
          json{{"do", "resend"}, {"client", "CLIENT1"}, {"begin", 3}, {"end", 5}},
          json{{"do", "test_request"}, {"client", "CLIENT1"}},
          json{{"do", "fault"}, {"client", "CLIENT1"}, {"kind", "delay"}, {"time_ms", 250}, {"count", 2}},
          json{{"do", "fault"}, {"client", "CLIENT1"}, {"kind", "drop"}, {"types", "8 9"}},
          json{{"do", "fault"}, {"client", "CLIENT1-MD"}, {"kind", "sequence-jump"}}})
        EXPECT_TRUE(user.ask(request)["ok"]) << request;
    EXPECT_EQ(venue.done, (std::vector<std::string>{
                              "logout CLIENT1: go", "send CLIENT1 35=2 7=3 16=5",
                              "send CLIENT1 35=1 112=CONTROL", "fault CLIENT1 delay 250 2 ''",
                              "fault CLIENT1 drop 0 0 '8 9'", "fault CLIENT1-MD sequence-jump 0 1 ''"}));
}

struct Wrong {
    json request;
    std::string error;
    std::string help;
};

TEST_F(ControlTest, RefusalsSayWhatIsWrongAndWhatWouldBeRight) {
    const json order{{"do", "order"}, {"symbol", "MSFT"}, {"side", "buy"}, {"qty", "5"}, {"price", "410"}};
    const auto with = [&](const char* key, const json& value) {
        json out = order;
        out[key] = value;
        return out;
    };
    const std::vector<Wrong> cases{
        {json{{"do", "dance"}}, "unknown request \"dance\"", "status"},
        {json{{"do", 5}}, "\"do\" must be a text", ""},
        {json::object(), "\"do\" is missing", ""},
        {json{{"do", "status"}, {"whatever", 1}}, "unknown field \"whatever\"", "none"},
        {with("symbol", "IBM"), "unknown symbol 'IBM'", "MSFT or TOYOTA"},
        {with("side", "long"), "\"side\" is 'long'", "buy or sell"},
        {with("type", "peg"), "\"type\" is 'peg'", "stop_limit"},
        {with("tif", "never"), "\"tif\" is 'never'", "gtc"},
        {with("qty", "0"), "\"qty\"", ""},
        {with("qty", "9223372036854775908"), "\"qty\"", ""},
        {with("qty", 1.5), "must be a decimal in quotes", ""},
        {with("price", "410.01"), "\"price\"", ""},
        {with("stop_price", "410"), "no \"stop_price\"", ""},
        {with("as", "CLIENT1"), "\"as\" is 'house'", ""},
        {with("quantity", "5"), "unknown field \"quantity\"", "qty"},
        {json{{"do", "order"}, {"symbol", "MSFT"}, {"side", "buy"}, {"qty", "5"}}, "\"price\" is missing",
         ""},
        {json{{"do", "quote"},
              {"symbol", "MSFT"},
              {"bid", "411"},
              {"bid_size", "1"},
              {"ask", "411"},
              {"ask_size", "1"}},
         "bid is not below the ask", ""},
        {json{{"do", "quote"}, {"symbol", "MSFT"}, {"bid", "411"}}, "\"bid_size\" is missing", ""},
        {json{{"do", "phase"}, {"symbol", "MSFT"}, {"phase", "party"}}, "\"phase\" is 'party'", "halted"},
        {json{{"do", "cancel"}, {"order", "O999"}}, "there is no order O999", ""},
        {json{{"do", "cancel"}, {"order", "xyz"}}, "'xyz' is no order", ""},
        {json{{"do", "cancel"}, {"order", "O99999999999999999999"}}, "is no order", ""},
        {json{{"do", "orders"}, {"limit", 0}}, "\"limit\" must be a whole number from 1 to", ""},
        {json{{"do", "orders"}, {"open", "yes"}}, "true or false", ""},
        {json{{"do", "logout"}, {"client", "NOBODY"}}, "unknown client 'NOBODY'", "CLIENT1 or CLIENT1-MD"},
        {json{{"do", "logout"},
              {"client", "CLIENT1"},
              {"text",
               "a\x01"
               "b"}},
         "printable", ""},
        {json{{"do", "fault"}, {"client", "CLIENT1"}, {"kind", "sabotage"}}, "unknown fault",
         "sequence-jump"},
        {json{{"do", "fault"}, {"client", "CLIENT1"}, {"kind", "delay"}, {"time_ms", -1}}, "\"time_ms\"", ""},
        {json{{"do", "resend"}, {"client", "CLIENT1"}, {"begin", 0}}, "\"begin\"", ""},
        {json{{"do", "watch"}, {"what", "books"}}, "\"what\" must be a list", ""},
        {json{{"do", "watch"}, {"what", {"weather"}}}, "'weather' can be watched", "books"},
        {json{{"do", "watch"}, {"what", json::array()}}, "\"what\" is empty", ""},
        {json{{"do", "watch"}, {"what", {"books"}}, {"interval_ms", 0}}, "\"interval_ms\"", ""}};
    ControlUser user(path);
    for (const Wrong& each : cases) {
        const json answer = user.ask(each.request);
        EXPECT_FALSE(answer["ok"]) << each.request;
        EXPECT_NE(answer["error"].get<std::string>().find(each.error), std::string::npos)
            << each.request << answer;
        EXPECT_NE(answer.value("help", "").find(each.help), std::string::npos) << each.request << answer;
    }
    EXPECT_TRUE(user.ask({{"do", "orders"}})["orders"].empty());
}

TEST_F(ControlTest, WhatIsNoRequestIsRefusedAndTheNextIsAnswered) {
    ControlUser user(path);
    for (const char* const line :
         {"nonsense", "[]", "5", "{\"do\": ", "{\"id\": [1], \"do\": \"status\"}", "\xff\xfe"}) {
        user.say(std::string(line) + "\n");
        const auto answer = user.line();
        ASSERT_TRUE(answer);
        EXPECT_FALSE((*answer)["ok"]) << line;
        EXPECT_TRUE((*answer)["id"].is_null()) << line;
    }
    EXPECT_TRUE(user.ask({{"do", "status"}})["ok"]);
}

TEST_F(ControlTest, RequestsOneBehindTheOtherAreAnsweredInOrder) {
    ControlUser user(path);
    std::string all;
    for (int i = 0; i < 1000; ++i) all += R"({"do":"status","id":)" + std::to_string(i) + "}\n\n";
    user.say(all);
    user.end_of_requests();
    for (int i = 0; i < 1000; ++i) EXPECT_EQ((*user.line())["id"], i);
    EXPECT_FALSE(user.line());
}

TEST_F(ControlTest, TooLongARequestEndsTheConnectionWithAWord) {
    ControlUser user(path);
    user.say(std::string(ControlClient::kMostLine + 2, 'x'));
    const auto answer = user.line();
    ASSERT_TRUE(answer);
    EXPECT_NE((*answer)["error"].get<std::string>().find("longer than"), std::string::npos);
    EXPECT_FALSE(user.line());
    EXPECT_TRUE(ControlUser(path).ask({{"do", "status"}})["ok"]);
}

}  // namespace
}  // namespace fixaccel::exchange
