// SPDX-License-Identifier: Apache-2.0
// What an exchange file says of the day, of halts, of copies, and what it adds to a strategy's venue file.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "config/venue_config.hpp"

namespace fixaccel::exchange {
namespace {

constexpr const char* kSettings = R"(fixaccel-exchange: 1
comp_id: SIMULATOR
listen: 127.0.0.1:0
clients: [CLIENT1, CLIENT2]
market_data: {message: incremental, conflate: 50ms, subscriptions: 7}
drop_copy: {DROP1: [CLIENT1], DROP2: all}
cancel_on_disconnect: [CLIENT2]
day: {opening_call: "09:00", continuous: "09:30:30", closed: "16:00"}
time_zone: America/New_York
kept_orders: 10
sync: true
log_bytes: 20000
validate: false
instruments:
  MSFT: {tick: 0.01, price_range: 0.01..10000, reference: 100.00, limits: 90..110, breaker: {distance: 5, halt: 2m}}
)";

VenueConfig read_settings_of(const std::string& text) {
    YamlSource source("v.yaml", text);
    return read_venue_config(source);
}

std::string problems_of(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    try {
        read_settings_of(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(VenueSettings, AreRead) {
    const VenueConfig config = read_settings_of(kSettings);
    EXPECT_EQ(config.clients, (std::vector<std::string>{"CLIENT1", "CLIENT2", "DROP1", "DROP2"}));
    EXPECT_EQ(config.conflate, std::chrono::milliseconds(50));
    EXPECT_EQ(config.subscriptions, 7U);
    EXPECT_EQ(config.drop_copy.at("DROP1"), std::vector<std::string>{"CLIENT1"});
    EXPECT_TRUE(config.drop_copy.at("DROP2").empty());
    EXPECT_EQ(config.cancel_on_disconnect, std::vector<std::string>{"CLIENT2"});
    ASSERT_EQ(config.day.size(), 3U);
    EXPECT_EQ(config.day[1].second, 9 * 3600 + 30 * 60 + 30);
    EXPECT_EQ(config.day[2].phase, Phase::kClosed);
    EXPECT_EQ(config.time_zone, "America/New_York");
    EXPECT_EQ(config.kept_orders, 10U);
    EXPECT_TRUE(config.sync);
    EXPECT_EQ(config.log_bytes, 20'000U);
    EXPECT_FALSE(config.validate);
    ASSERT_EQ(config.settings.size(), 1U);
    EXPECT_EQ(config.settings[0].reference, 10000);
    EXPECT_EQ(config.settings[0].limits, (std::pair<Price, Price>{9000, 11000}));
    EXPECT_EQ(config.settings[0].breaker, 500);
    EXPECT_EQ(config.settings[0].halt, std::chrono::minutes(2));
}

TEST(VenueSettings, SayWhatIsWrongWithThem) {
    const auto wrong = [](const std::string& from, const std::string& to, const std::string& text) {
        const std::string problems = problems_of(kSettings, from, to);
        EXPECT_NE(problems.find(text), std::string::npos) << problems;
        EXPECT_NE(problems.find("v.yaml:"), std::string::npos) << problems;
        EXPECT_NE(problems.find("help: "), std::string::npos) << problems;
    };
    wrong("[CLIENT1], DROP2", "[CLIENT9], DROP2", "'CLIENT9' of 'drop_copy' is no client of this venue");
    wrong("[CLIENT2]\nday", "[CLIENT9]\nday", "'CLIENT9' of 'cancel_on_disconnect' is no client");
    wrong("cancel_on_disconnect: [CLIENT2]", "cancel_on_disconnect: maybe", "write one of: false, true");
    wrong("\"09:30:30\"", "\"9:30\"", "is not a time of the day");
    wrong("\"09:30:30\"", "\"24:00\"", "is not a time of the day");
    wrong("\"09:30:30\"", "\"08:30\"", "continuous begins before the phase that comes before it");
    wrong(", closed: \"16:00\"", "", "a day needs its 'continuous' and its 'closed'");
    wrong("America/New_York", "Atlantis", "time_zone 'Atlantis' is not known on this machine");
    wrong("America/New_York", "../../etc/passwd", "is not known on this machine");
    wrong("distance: 5", "distance: 0.001", "distance '0.001' is not a number of ticks");
    wrong("reference: 100.00, ", "", "a breaker of MSFT needs its 'reference'");
    wrong("90..110", "110..90", "limits '110..90' are not DOWN..UP");
    wrong("conflate: 50ms", "conflate: often", "conflate 'often' is not a duration");
    wrong("breaker:", "braeker:", "did you mean 'breaker'?");
}

TEST(VenueSettings, AddToAStrategysVenueFile) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("fixaccel-settings-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "venue.yaml") << "fixaccel-venue: 1\ntime_zone: America/New_York\n"
                                            "session: {begin_string: FIX.4.4, sender_comp_id: CLIENT1, "
                                            "target_comp_id: SIMULATOR, connect: 127.0.0.1:9878}\n"
                                            "market_data: {message: incremental}\n"
                                            "instruments:\n  MSFT: {tick: 0.01, price_range: 0.01..10000}\n";
    const auto read = [&](const std::string& text) {
        std::ofstream(folder / "exchange.yaml") << text;
        YamlSource source = YamlSource::open((folder / "exchange.yaml").string());
        return read_venue_config(source);
    };
    const VenueConfig config = read(
        "fixaccel-exchange: 1\nvenue: venue.yaml\nclients: [CLIENT2]\nmarket_data: {conflate: 20ms}\n"
        "instruments:\n  MSFT: {reference: 100.00}\n");
    EXPECT_EQ(config.comp_id, "SIMULATOR");
    EXPECT_EQ(config.port, 9878);
    EXPECT_EQ(config.clients, (std::vector<std::string>{"CLIENT1", "CLIENT2"}));
    EXPECT_EQ(config.update_type, UpdateType::kIncrementalRefresh);
    EXPECT_EQ(config.conflate, std::chrono::milliseconds(20));
    EXPECT_EQ(config.time_zone, "America/New_York");
    ASSERT_EQ(config.instruments.size(), 1U);
    EXPECT_EQ(config.settings.at(0).reference, 10000);
    EXPECT_THROW(read("fixaccel-exchange: 1\nvenue: exchange.yaml\n"), InputError) << "itself";
    EXPECT_THROW(read("fixaccel-exchange: 1\nvenue: missing.yaml\n"), InputError);
    EXPECT_THROW(read("fixaccel-exchange: 1\nvenue: venue.yaml\ncomp_id: OTHER\n"), InputError);
    EXPECT_THROW(read("fixaccel-exchange: 1\nvenue: venue.yaml\ninstruments: {IBM: {reference: 1}}\n"),
                 InputError);
    EXPECT_THROW(read("fixaccel-exchange: 1\nvenue: venue.yaml\ninstruments: {MSFT: {tick: 1}}\n"),
                 InputError);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fixaccel::exchange
