// SPDX-License-Identifier: Apache-2.0
// A venue on a free loopback port, with two instruments and two clients, and its record.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "venue/gateway.hpp"
#include "matching/decimal.hpp"
#include "session/session_host.hpp"
#include "tests/fix_client.hpp"

namespace fixaccel::exchange {

class VenueTest : public testing::Test {
  protected:
    static constexpr const char* kVenue = "SIMULATOR";

    explicit VenueTest(UpdateType update_type = UpdateType::kFullRefresh,
                       const std::string& market_client = "")
        : gateway(exchange, recorder, update_type, market_client) {
        open({});
    }
    ~VenueTest() override {
        gateway.detach();
        host.reset();
        gateway.stop();
        recorder.flush();
        // A failure is seldom understood without what the venue saw.
        if (HasFailure()) std::cerr << std::ifstream(record_path).rdbuf();
        std::filesystem::remove(record_path);
    }

    void open(const SessionConfig& base) {
        SessionConfig config = base;
        config.comp_id = kVenue;
        config.clients = {"CLIENT1", "CLIENT2"};
        gateway.detach();
        host.reset();
        host = std::make_unique<SessionHost>(config, gateway);
        gateway.attach(*host);
        host->start();
    }

    FixClient client(const std::string& name, int heartbeat_seconds = 30) {
        return FixClient(name, kVenue, host->port(), heartbeat_seconds);
    }

    // Orders entered so far, read while no message is being processed.
    std::size_t order_count() {
        std::size_t count = 0;
        gateway.act([&](Exchange& venue) {
            count = venue.orders().size();
            return std::vector<Execution>();
        });
        return count;
    }

    // The record's lines of one event, once there are `count` of them or patience has run out: a message may
    // reach the client before its line is written.
    std::vector<nlohmann::json> recorded(const std::string& event, std::size_t count) {
        std::vector<nlohmann::json> lines = recorded(event);
        for (int tries = 0; tries < 100 && lines.size() < count; ++tries) {
            gateway.clients().wait([] { return false; }, std::chrono::milliseconds(50));
            lines = recorded(event);
        }
        EXPECT_EQ(lines.size(), count) << event;
        lines.resize(count);
        return lines;
    }

    // The lines that there are by now.
    std::vector<nlohmann::json> recorded(const std::string& event) const {
        std::vector<nlohmann::json> result;
        std::ifstream file(record_path);
        for (std::string line; std::getline(file, line);) {
            // The last line may be half written.
            const nlohmann::json parsed = nlohmann::json::parse(line, nullptr, false);
            if (!parsed.is_discarded() && parsed["event"] == event) result.push_back(parsed);
        }
        return result;
    }

    static std::string fresh_path() {
        static std::atomic<int> count{0};
        const std::string name = "fixaccel-venue-" + std::to_string(getpid()) + "-" + std::to_string(++count);
        return (std::filesystem::temp_directory_path() / name).string();
    }

    static std::vector<Instrument> instruments() {
        const auto terms = [](const char* symbol) {
            return Instrument({.symbol = symbol,
                               .ticks = {{0, parse_decimal("0.01").value()}},
                               .lot = 1,
                               .lowest = parse_decimal("-100").value(),
                               .highest = parse_decimal("10000").value()});
        };
        return {terms("CLZ6"), terms("MSFT")};
    }

    const std::string record_path = fresh_path();
    Exchange exchange{instruments()};
    Recorder recorder{record_path};
    Gateway gateway;
    std::unique_ptr<SessionHost> host;
};

inline OutgoingMessage new_order(const std::string& id, const std::string& symbol, const std::string& side,
                                 const std::string& quantity, const std::string& price,
                                 const std::string& tif = "0") {
    OutgoingMessage order{"D",
                          {{tag::kAccount, "CLIENT1"},
                           {tag::kClOrdId, id},
                           {tag::kOrderQty, quantity},
                           {tag::kOrdType, price.empty() ? "1" : "2"},
                           {tag::kSide, side},
                           {tag::kSymbol, symbol},
                           {tag::kTimeInForce, tif},
                           {tag::kTransactTime, "20260101-12:00:00.000"}},
                          {}};
    if (!price.empty()) order.fields.push_back({tag::kPrice, price});
    return order;
}

inline OutgoingMessage cancel_order(const std::string& id, const std::string& original,
                                    const std::string& symbol, const std::string& side = "1") {
    return {"F",
            {{tag::kClOrdId, id},
             {tag::kOrigClOrdId, original},
             {tag::kSide, side},
             {tag::kSymbol, symbol},
             {tag::kTransactTime, "20260101-12:00:00.000"}},
            {}};
}

inline OutgoingMessage replace_order(const std::string& id, const std::string& original,
                                     const std::string& symbol, const std::string& quantity,
                                     const std::string& price) {
    OutgoingMessage message = cancel_order(id, original, symbol);
    message.type = "G";
    message.fields.push_back({tag::kOrderQty, quantity});
    message.fields.push_back({tag::kOrdType, "2"});
    message.fields.push_back({tag::kPrice, price});
    return message;
}

inline OutgoingMessage market_data_request(const std::string& id, const std::vector<std::string>& symbols,
                                           const std::string& request = "1", const std::string& depth = "0",
                                           const std::string& update_type = "") {
    OutgoingMessage message{
        "V", {{tag::kMdReqId, id}, {tag::kSubscriptionRequestType, request}, {tag::kMarketDepth, depth}}, {}};
    if (!update_type.empty()) message.fields.push_back({tag::kMdUpdateType, update_type});
    EntryGroup related{tag::kNoRelatedSym, {}};
    for (const std::string& symbol : symbols) related.entries.push_back({{tag::kSymbol, symbol}});
    message.groups.push_back(related);
    return message;
}

// The body of a message as TAG=TEXT joined by blanks, without header and checksum.
inline std::string body(const IncomingMessage& message) {
    std::string result;
    for (const Field& field : message.fields) {
        switch (field.tag) {
            case 8:
            case 9:
            case 10:
            case 34:
            case 35:
            case 49:
            case 52:
            case 56:
                continue;
            default:
                result += (result.empty() ? "" : " ") + std::to_string(field.tag) + "=" + field.text;
        }
    }
    return result;
}

}  // namespace fixaccel::exchange
