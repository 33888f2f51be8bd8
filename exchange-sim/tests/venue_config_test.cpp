// SPDX-License-Identifier: Apache-2.0
#include "config/venue_config.hpp"

#include <gtest/gtest.h>

namespace fixaccel::exchange {
namespace {

constexpr const char* kVenue = R"(fixaccel-venue: 1
name: simulator
time_zone: America/New_York
session:
  begin_string: FIX.4.4
  sender_comp_id: CLIENT1
  target_comp_id: SIMULATOR
  connect: 10.77.0.1:9878
  heartbeat: 30s
market_data: {message: snapshot}
instruments:
  MSFT: {tick: 0.01, lot: 1, price_range: 0.01..10000}
  "7203":
    tick: {0: 0.1, 1000: 0.5, 5000: 1}
    lot: 100
    price_range: 0.1..100000
  CLZ6: {tick: 0.01, lot: 1, multiplier: 1000, price_range: -100..500}
)";

constexpr const char* kExchange = R"(fixaccel-exchange: 1
comp_id: SIMULATOR
listen: 127.0.0.1:0
clients: [CLIENT1, CLIENT2]
heartbeat: 10s
self_trade: cancel_oldest
store: sessions
instruments:
  MSFT: {tick: 0.01, price_range: 0.01..10000}
)";

VenueConfig read_venue(const std::string& text) {
    YamlSource source("v.yaml", text);
    return read_venue_config(source);
}

std::string venue_problems(const std::string& text) {
    try {
        read_venue(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(VenueConfig, TakesTheOtherEndOfAStrategysVenue) {
    const VenueConfig config = read_venue(kVenue);
    EXPECT_EQ(config.comp_id, "SIMULATOR");
    EXPECT_EQ(config.clients, std::vector<std::string>{"CLIENT1"});
    EXPECT_EQ(config.host, "10.77.0.1");
    EXPECT_EQ(config.port, 9878);
    ASSERT_EQ(config.instruments.size(), 3U);
    std::string why;
    EXPECT_EQ(config.instruments[1].symbol(), "7203");
    EXPECT_EQ(config.instruments[1].lot(), 100);
    EXPECT_EQ(config.instruments[1].parse_price("1000.5", why), 10005);
    EXPECT_EQ(config.instruments[1].parse_price("1000.4", why), std::nullopt);
    EXPECT_EQ(config.instruments[2].parse_price("-99.99", why), -9999);
}

TEST(VenueConfig, MayHaveASessionForMarketDataAlone) {
    EXPECT_FALSE(read_venue(kVenue).market);
    const std::string both = replaced(kVenue, "{message: snapshot}", R"(
  message: snapshot
  session:
    begin_string: FIX.4.4
    sender_comp_id: CLIENT1-MD
    target_comp_id: SIMULATOR-MD
    connect: 10.77.0.1:9879
    heartbeat: 30s)");
    const auto market = read_venue(both).market;
    ASSERT_TRUE(market);
    EXPECT_EQ(market->client, "CLIENT1-MD");
    EXPECT_EQ(market->comp_id, "SIMULATOR-MD");
    EXPECT_EQ(market->host, "10.77.0.1");
    EXPECT_EQ(market->port, 9879);
    EXPECT_NE(venue_problems(replaced(both, "CLIENT1-MD", "CLIENT1"))
                  .find("both sessions have the sender_comp_id CLIENT1"),
              std::string::npos);
}

TEST(VenueConfig, ReadsAnExchangeFile) {
    const VenueConfig config = read_venue(kExchange);
    EXPECT_EQ(config.begin_string, "FIX.4.4");
    EXPECT_EQ(config.clients, (std::vector<std::string>{"CLIENT1", "CLIENT2"}));
    EXPECT_EQ(config.heartbeat_seconds, 10);
    EXPECT_EQ(config.store_path, "sessions");
    EXPECT_EQ(config.self_trade, SelfTrade::kCancelOldest);
    EXPECT_EQ(config.port, 0);
}

TEST(VenueConfig, SaysHowMarketDataIsUpdated) {
    EXPECT_EQ(read_venue(kVenue).update_type, UpdateType::kFullRefresh);
    EXPECT_EQ(read_venue(replaced(kVenue, "message: snapshot", "message: incremental")).update_type,
              UpdateType::kIncrementalRefresh);
    EXPECT_EQ(read_venue(kExchange).update_type, UpdateType::kFullRefresh);
    EXPECT_EQ(read_venue(kExchange + std::string("market_data: {message: incremental}\n")).update_type,
              UpdateType::kIncrementalRefresh);
}

TEST(VenueConfig, PointsAtWhatIsWrong) {
    const auto in_venue = [](const char* from, const char* to) {
        return venue_problems(replaced(kVenue, from, to));
    };
    EXPECT_EQ(in_venue("0.01..10000", "0.01-10000"),
              "v.yaml:12:43: error: price_range '0.01-10000' is not LOW..HIGH\n"
              "      MSFT: {tick: 0.01, lot: 1, price_range: 0.01-10000}\n"
              "                                              ^\n"
              "  help: write it as 0.01..10000\n");
    EXPECT_NE(in_venue("tick: 0.01", "tick: 1e-2").find("v.yaml:12:16: error: tick '1e-2' is not a decimal"),
              std::string::npos);
    EXPECT_NE(in_venue("0: 0.1,", "0: 0.3,").find("tick 0.5 is not a multiple of the finest tick 0.3"),
              std::string::npos);
    EXPECT_NE(in_venue("CLZ6", "MSFT").find("v.yaml:17:3: error: key 'MSFT' appears twice"),
              std::string::npos);
    EXPECT_NE(
        in_venue("10.77.0.1:9878", "simulator:9878").find("v.yaml:8:12: error: connect 'simulator:9878'"),
        std::string::npos);
    EXPECT_NE(in_venue("FIX.4.4", "FIX.4.2").find("begin_string FIX.4.2 is not spoken here"),
              std::string::npos);
    EXPECT_EQ(in_venue("message: snapshot", "message: increments"),
              "v.yaml:10:24: error: message 'increments' is unknown\n"
              "    market_data: {message: increments}\n"
              "                           ^\n"
              "  help: write one of: snapshot, incremental\n");
    EXPECT_NE(venue_problems(kExchange + std::string("market_data: {mesage: incremental}\n"))
                  .find("did you mean 'message'?"),
              std::string::npos);
    EXPECT_NE(in_venue("lot: 100", "lot: 1.5").find("lot '1.5' is not a whole number"), std::string::npos);
    EXPECT_NE(in_venue("fixaccel-venue: 1", "fixaccel-venue: 2").find("write one of: 1"), std::string::npos);
    EXPECT_NE(in_venue("  target_comp_id: SIMULATOR\n", "").find("needs the key 'target_comp_id'"),
              std::string::npos);
    EXPECT_NE(venue_problems(replaced(kExchange, "clients:", "clinets:")).find("did you mean 'clients'?"),
              std::string::npos);
    EXPECT_NE(
        venue_problems(replaced(kExchange, "heartbeat: 10s", "heartbeat: 1500ms")).find("whole seconds"),
        std::string::npos);
    EXPECT_NE(venue_problems(replaced(kExchange, "[CLIENT1, CLIENT2]", "CLIENT1")).find("must be a list"),
              std::string::npos);
}

TEST(VenueConfig, EndpointsAreIpv4AndPort) {
    std::string host;
    std::uint16_t port = 0;
    parse_endpoint("127.0.0.1:9878", host, port);
    EXPECT_EQ(host, "127.0.0.1");
    EXPECT_EQ(port, 9878);
    for (const char* text :
         {"", "127.0.0.1", "127.0.0.1:", "localhost:1", "1.2.3.4:65536", "1.2.3.4:-1", ":1"}) {
        EXPECT_THROW(parse_endpoint(text, host, port), InputError) << text;
    }
}

}  // namespace
}  // namespace fixaccel::exchange
