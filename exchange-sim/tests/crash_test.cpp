// SPDX-License-Identifier: Apache-2.0
// A venue that is killed again and again in the middle of its clients' traffic. Each request is answered,
// none is done twice, no ID is given twice, and in the end both sides agree on what is open.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>

#include "tests/program.hpp"

namespace fixaccel::exchange {
namespace {

constexpr int kClients = 3;
constexpr int kBurst = 150;  // requests of each client in a life of the venue
// A log of that many bytes gives way to a new state: several in each life.
constexpr const char* kCrashVenue = R"(fixaccel-exchange: 1
comp_id: SIMULATOR
listen: 127.0.0.1:0
clients: [CLIENT0, CLIENT1, CLIENT2]
log_bytes: 8000
instruments:
  AAA: {tick: 1, lot: 1, price_range: 1..1000}
  BBB: {tick: 1, lot: 1, price_range: 1..1000}
)";

unsigned setting(const char* name, unsigned otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

// What one client has asked for and been told.
class Trader {
  public:
    Trader(int number, std::uint16_t port, unsigned seed)
        : name("CLIENT" + std::to_string(number)), client(name, "SIMULATOR", port), random_(seed) {}

    void burst() {
        for (int request = 0; request < kBurst; ++request) send();
    }

    // Takes all that has come until each request is answered, or nothing comes any more.
    void settle() {
        // Answered behind all that was asked before.
        const std::string last = "last" + std::to_string(++names_);
        client.send({"H", {{tag::kClOrdId, last}, {tag::kSymbol, "AAA"}, {tag::kSide, "1"}}, {}});
        while (true) {
            const IncomingMessage report = client.next("8", std::chrono::seconds(10));
            ASSERT_NE(report.text(tag::kMsgType), "") << name << ": the last request is not answered";
            if (report.text(tag::kClOrdId) == last) break;
            take(report);
        }
        for (const char* type : {"9", "r"}) {
            while (client.waiting(type) > 0) {
                const IncomingMessage answer = client.next(type);
                EXPECT_NE(answer.text(tag::kCxlRejReason), "6")
                    << answer.text(tag::kClOrdId) << " was taken twice";
                answered_.insert(answer.text(tag::kClOrdId));
            }
        }
        for (const std::string& request : asked_)
            EXPECT_TRUE(answered_.contains(request)) << name << ": " << request << " was lost";
    }

    // The venue's open orders are those that the reports say.
    void compare_open() {
        const std::string id = "all" + std::to_string(++names_);
        client.send({"AF", {{584, id}, {585, "7"}}, {}});
        std::map<std::string, std::string> there;
        while (true) {
            const IncomingMessage report = client.next("8", std::chrono::seconds(10));
            ASSERT_NE(report.text(tag::kMsgType), "") << name;
            if (report.text(584) != id) continue;
            if (report.text(tag::kOrderId) != "NONE")
                there[report.text(tag::kOrderId)] = report.text(tag::kLeavesQty);
            if (report.text(912) == "Y") break;
        }
        std::map<std::string, std::string> told;
        for (const auto& [order, state] : orders_) {
            EXPECT_EQ(state.filled, state.cum) << name << ": fills of " << order << " do not add up";
            if (state.leaves != 0) told[order] = std::to_string(state.leaves);
        }
        EXPECT_EQ(there, told) << name;
    }

    const std::string name;
    FixClient client;
    std::map<std::string, std::string> executions;  // by ExecID, what it said

  private:
    struct State {
        long filled = 0;
        long cum = 0;
        long leaves = 0;
        std::uint64_t last = 0;  // ExecID
    };

    long below(long count) { return static_cast<long>(random_() % static_cast<unsigned long>(count)); }

    void send() {
        const std::string id = name.substr(6) + "-" + std::to_string(++names_);
        const std::string symbol = below(2) == 0 ? "AAA" : "BBB";
        const std::string side = below(2) == 0 ? "1" : "2";
        const std::string price = std::to_string(95 + below(11));
        const std::string quantity = std::to_string(1 + below(9));
        Fields fields = {{tag::kClOrdId, id},
                         {tag::kSymbol, symbol},
                         {tag::kSide, side},
                         {tag::kTransactTime, "20260101-12:00:00.000"}};
        const long kind = below(20);
        asked_.insert(id);
        if (kind == 0) {
            client.send({"H", {{tag::kClOrdId, id}, {tag::kSymbol, symbol}, {tag::kSide, side}}, {}});
            return;
        }
        if (kind == 1) {
            fields.push_back({530, "1"});
            client.send({"q", fields, {}});
            return;
        }
        if (kind < 10 && !recent_.empty()) {
            const auto at = static_cast<std::size_t>(below(static_cast<long>(recent_.size())));
            fields[1].text = recent_[at].second;
            fields.push_back({tag::kOrigClOrdId, recent_[at].first});
        }
        const bool names_one = fields.size() == 5;
        const bool cancels = names_one && kind < 6;
        if (!cancels) {
            fields.insert(fields.end(), {{tag::kOrderQty, quantity},
                                         {tag::kOrdType, "2"},
                                         {tag::kPrice, price},
                                         {tag::kTimeInForce, below(4) == 0 ? "0" : "1"}});
            recent_.emplace_back(id, fields[1].text);
            if (recent_.size() > 30) recent_.erase(recent_.begin());
        }
        if (names_one) fields[2].text = "1";  // of half of them: the others are refused
        client.send({cancels ? "F" : names_one ? "G" : "D", fields, {}});
    }

    void take(const IncomingMessage& report) {
        const std::string id = report.text(tag::kExecId);
        answered_.insert(report.text(tag::kClOrdId));
        if (id == "0") return;
        EXPECT_NE(report.text(tag::kOrdRejReason), "6") << report.text(tag::kClOrdId) << " was taken twice";
        std::string said;
        for (const int each : {tag::kOrderId, tag::kClOrdId, tag::kOrigClOrdId, tag::kExecType,
                               tag::kOrdStatus, tag::kLastQty, tag::kLastPx, tag::kCumQty, tag::kLeavesQty})
            said += std::to_string(each) + "=" + report.text(each) + "|";
        const auto [known, fresh] = executions.emplace(id, said);
        EXPECT_EQ(known->second, said) << "ExecID " << id << " twice, for different things";
        if (!fresh) {
            EXPECT_TRUE(report.text(tag::kPossResend) == "Y" || report.text(tag::kPossDupFlag) == "Y")
                << said;
            return;
        }
        if (report.text(tag::kExecType) == "0" || report.text(tag::kExecType) == "8") {
            EXPECT_TRUE(entered_.insert(report.text(tag::kClOrdId)).second)
                << report.text(tag::kClOrdId) << " was entered twice";
        }
        State& state = orders_[report.text(tag::kOrderId)];
        if (report.text(tag::kExecType) == "F") state.filled += std::stol(report.text(tag::kLastQty));
        const std::uint64_t number = std::stoull(id.substr(id.find_first_of("0123456789")));
        if (number < state.last) return;  // came again, late
        state.last = number;
        state.cum = std::stol(report.text(tag::kCumQty));
        state.leaves = std::stol(report.text(tag::kLeavesQty));
    }

    std::mt19937 random_;
    int names_ = 0;
    std::vector<std::pair<std::string, std::string>> recent_;  // ClOrdID and symbol
    std::set<std::string> asked_;
    std::set<std::string> answered_;
    std::set<std::string> entered_;
    std::map<std::string, State> orders_;  // by OrderID
};

class Crash : public ProgramTest {
  protected:
    // One in two lives waits for the disk.
    std::unique_ptr<Program> begin(std::uint16_t port) {
        write("crash.yaml", std::string(kCrashVenue) + (++lives_ % 2 == 0 ? "sync: true\n" : ""));
        auto program = std::make_unique<Program>(
            std::vector<std::string>{"--venue", path("crash.yaml"), "--store", path("store"), "--listen",
                                     "127.0.0.1:" + std::to_string(port)});
        port_ = port_of(*program);
        return program;
    }

    std::uint16_t port_ = 0;
    int lives_ = 0;
};

TEST_F(Crash, NothingIsLostAndNothingDoneTwice) {
    const unsigned seed = setting("VENUE_CRASH_SEED", 1);
    const unsigned kills = setting("VENUE_CRASH_KILLS", 5);
    SCOPED_TRACE("VENUE_CRASH_SEED=" + std::to_string(seed));
    std::mt19937 random(seed);
    auto venue = begin(0);
    std::vector<std::unique_ptr<Trader>> traders;
    for (int number = 0; number < kClients; ++number)
        traders.push_back(std::make_unique<Trader>(number, port_, seed * 10 + static_cast<unsigned>(number)));
    for (unsigned kill = 0; kill <= kills; ++kill) {
        for (auto& trader : traders)
            ASSERT_TRUE(trader->client.log_on()) << trader->name << " behind kill " << kill;
        std::vector<std::thread> senders;
        senders.reserve(traders.size());
        for (auto& trader : traders) senders.emplace_back([&trader] { trader->burst(); });
        if (kill < kills) {
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
            venue->signal(SIGKILL);
            EXPECT_EQ(venue->wait(), -1);
        }
        for (std::thread& sender : senders) sender.join();
        if (kill == kills) break;
        for (auto& trader : traders) trader->client.log_out();
        // Once in a while before it is quite there.
        if (random() % 4 == 0) {
            begin(port_)->signal(SIGKILL);
        }
        venue = begin(port_);
    }
    for (auto& trader : traders) trader->settle();
    // What one does later may still change another's orders: the questions come when all is answered.
    for (auto& trader : traders) trader->settle();
    for (auto& trader : traders) trader->compare_open();
    std::map<std::string, std::string> all;
    for (auto& trader : traders) {
        for (const auto& [id, said] : trader->executions)
            EXPECT_TRUE(all.emplace(id, said).second) << "ExecID " << id << " of two clients";
    }
    EXPECT_GT(all.size(), traders.size() * kBurst);
    venue->signal(SIGTERM);
    EXPECT_EQ(venue->wait(), 0);
}

}  // namespace
}  // namespace fixaccel::exchange
