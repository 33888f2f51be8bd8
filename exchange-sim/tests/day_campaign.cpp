// SPDX-License-Identifier: Apache-2.0
// Days at the venue, as fast as it takes them: a random market and clients who enter, cancel and replace
// orders, through the gateway's own thread. Exits with 0 only if the memory at the end of each day is that of
// the second one, and if what the exchange was told gives the same again.
//
//   exchange-sim-day-campaign SEED [DAYS [MESSAGES]]
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "matching/decimal.hpp"
#include "matching/exchange_journal.hpp"
#include "scenario/flow/flow.hpp"
#include "scenario/gateway_stage.hpp"

namespace fixaccel::exchange {
namespace {

constexpr int kInstruments = 20;
constexpr int kClients = 4;
constexpr int kTurnsAtOnce = 256;
constexpr int kClientMessagesAtOnce = 64;
// What allocators hold back, and what a table takes when it grows at a moment that chance decides.
constexpr long kToleranceKiB = 4L * 1024;

long resident_kib() {
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;) {
        long value = 0;
        if (word == "VmRSS:" && file >> value) return value;
    }
    return 0;
}

std::vector<Instrument> instruments() {
    std::vector<Instrument> result;
    for (int number = 0; number < kInstruments; ++number)
        result.emplace_back(InstrumentTerms{"S" + std::to_string(number),
                                            {{0, parse_decimal("0.01").value()}},
                                            1,
                                            0,
                                            parse_decimal("10000").value()});
    return result;
}

FlowSettings settings(std::uint64_t seed) {
    FlowSettings result;
    result.seed = seed;
    for (int number = 0; number < kInstruments; ++number)
        result.instruments.push_back({"S" + std::to_string(number), 10'000});
    result.maker.emplace();
    result.noise.emplace();
    result.momentum.emplace();
    return result;
}

// Takes everything to a second exchange as well, and compares.
class Twin : public ExchangeJournal {
  public:
    Twin() : exchange_(instruments(), 1U << 16U) { exchange_.set_kept_finished(1000); }
    void on_call(const CallView& call) override {
        std::visit([this](const auto* held) { apply_call(exchange_, *held); }, call);
        // Nobody is told of them.
        for (const Instrument* changed : exchange_.take_changed()) exchange_.take_prints(changed->symbol());
        exchange_.take_phases();
        exchange_.take_printed();
    }
    const Exchange& exchange() const { return exchange_; }

  private:
    Exchange exchange_;
};

bool same(const Exchange& one, const Exchange& other) {
    if (one.executions() != other.executions()) return false;
    for (const std::string& symbol : one.symbols()) {
        const MarketSnapshot here = one.snapshot(symbol);
        const MarketSnapshot there = other.snapshot(symbol);
        if (here.bids != there.bids || here.asks != there.asks || here.last != there.last) return false;
    }
    return true;
}

class Campaign {
  public:
    explicit Campaign(std::uint64_t seed) : random_(seed), seed_(seed) {
        exchange_.set_kept_finished(1000);
        exchange_.add_journal(twin_);
    }

    // False: the two exchanges are not the same.
    bool day(int number, long messages) {
        std::optional<Flow> flow;
        stage_.act([&](Exchange& exchange) {
            flow.emplace(settings(seed_ * 1000 + static_cast<std::uint64_t>(number)), exchange);
            return std::vector<Execution>();
        });
        for (long done = 0; done < messages; done += kTurnsAtOnce + kClientMessagesAtOnce) {
            stage_.act([&](Exchange& exchange) {
                std::vector<Execution> all;
                for (int turn = 0; turn < kTurnsAtOnce; ++turn) {
                    const auto some = flow->turn(exchange);
                    all.insert(all.end(), some.begin(), some.end());
                }
                return all;
            });
            for (int next = 0; next < kClientMessagesAtOnce; ++next)
                gateway_.on_application(client_message());
        }
        bool good = true;
        stage_.act([&](Exchange& exchange) {
            good = same(exchange, twin_.exchange());
            Message message;
            message.kind = MessageKind::kEndOfDay;
            message.instrument = kAllInstruments;
            return exchange.say(message);
        });
        stage_.act([&](Exchange& exchange) {
            exchange.forget_finished();
            return std::vector<Execution>();
        });
        return good;
    }

    void end() {
        gateway_.stop();
        exchange_.remove_journal(twin_);
    }

  private:
    IncomingMessage client_message() {
        const std::string client = "CLIENT" + std::to_string(random_.below(kClients));
        const std::string id = std::to_string(++orders_);
        const std::string symbol = "S" + std::to_string(random_.below(kInstruments));
        const auto kind = random_.below(3);
        const char* const type = kind == 0 ? "F" : kind == 1 ? "G" : "D";
        const std::string price = std::to_string(95 + random_.below(11));
        IncomingMessage message{client, {{tag::kMsgType, type}}};
        message.fields.push_back({tag::kClOrdId, id});
        if (kind < 2)
            message.fields.push_back({tag::kOrigClOrdId, std::to_string(orders_ - random_.between(1, 20))});
        message.fields.push_back({tag::kSymbol, symbol});
        message.fields.push_back({tag::kSide, random_.one_in(2) ? "1" : "2"});
        message.fields.push_back({tag::kTransactTime, "20260101-12:00:00.000"});
        message.fields.push_back({tag::kOrderQty, std::to_string(random_.between(1, 20))});
        message.fields.push_back({tag::kOrdType, "2"});
        message.fields.push_back({tag::kPrice, price});
        return message;
    }

    Random random_;
    const std::uint64_t seed_;
    std::int64_t orders_ = 20;
    Twin twin_;
    Exchange exchange_{instruments(), 1U << 16U};
    Recorder recorder_{""};
    Gateway gateway_{exchange_, recorder_, UpdateType::kFullRefresh};
    GatewayStage stage_{gateway_};
};

int run(std::uint64_t seed, int days, long messages) {
    Campaign campaign(seed);
    long second = 0;
    long most = 0;
    for (int day = 1; day <= days; ++day) {
        if (!campaign.day(day, messages)) {
            std::printf("day %d: the same calls gave something else, seed %llu\n", day,
                        static_cast<unsigned long long>(seed));
            return 1;
        }
        const long now = resident_kib();
        if (day == 2) second = now;
        most = std::max(most, day > 2 ? now - second : 0);
    }
    campaign.end();
    std::printf("%ld messages in %d days, %ld MiB at the end of the second, at most %ld KiB more later\n",
                messages * days, days, second / 1024, most);
    return most > kToleranceKiB ? 1 : 0;
}

}  // namespace
}  // namespace fixaccel::exchange

int main(int argc, char** argv) {
    const auto argument = [&](int at, long standard) { return argc > at ? std::atol(argv[at]) : standard; };
    return fixaccel::exchange::run(static_cast<std::uint64_t>(argument(1, 1)),
                                   static_cast<int>(argument(2, 4)), argument(3, 50'000));
}
