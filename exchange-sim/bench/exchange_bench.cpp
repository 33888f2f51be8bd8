// SPDX-License-Identifier: Apache-2.0
// Messages a second of processor time of the venue without its wires: requests as clients write them, texts
// in, executions out, on one core.
//
// Usage: exchange-sim-exchange-bench RESTING INSTRUMENTS [MESSAGES] [SAMPLES]
// Prints one JSON object: millions of messages a second of each sample, of the exchange and of the same with
// its inputs logged. Exit status 1 if its trades are not those of the matching engine alone.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "bench/flow.hpp"
#include "matching/call_bytes.hpp"
#include "matching/decimal.hpp"
#include "matching/exchange.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::uint64_t kSeed = 1;
// As the venue looks ahead in what has come in.
constexpr std::size_t kFar = 8;
constexpr std::size_t kNear = 4;
constexpr std::size_t kBatch = 256;
constexpr Price kHighest = 1'000'000;

struct TradeSum {
    std::uint64_t sum = 0;
    std::uint64_t trades = 0;
    void add(std::uint64_t incoming, std::uint64_t resting, Price price, Quantity quantity) {
        for (const std::uint64_t value :
             {incoming, resting, static_cast<std::uint64_t>(price), static_cast<std::uint64_t>(quantity)})
            sum = (sum ^ value) * 0x100000001b3ULL;
        ++trades;
    }
    // Of the two sides of a trade the second one is the one that came.
    void add(const std::vector<Execution>& executions) {
        for (std::size_t at = 1; at < executions.size(); ++at) {
            const Execution& taker = executions[at];
            if (taker.type != ExecType::kTrade || executions[at - 1].order != taker.counterparty ||
                executions[at - 1].counterparty != taker.order)
                continue;
            add(taker.order - 1, taker.counterparty - 1, taker.last_price, taker.last_quantity);
            ++at;
        }
    }
};

std::vector<BookRules> rules(std::uint32_t instruments) {
    return std::vector<BookRules>(instruments, {1, 1, kHighest, {}});
}

// By number, so that they are sorted as they are counted.
std::string symbol_of(InstrumentIndex index) {
    std::string digits = std::to_string(index);
    return "S" + std::string(5 - digits.size(), '0') + digits;
}

std::vector<Instrument> instruments(std::uint32_t count) {
    std::vector<Instrument> result;
    result.reserve(count);
    for (InstrumentIndex index = 0; index < count; ++index)
        result.emplace_back(InstrumentTerms{.symbol = symbol_of(index),
                                            .ticks = {{0, kDecimalScale / 100}},
                                            .lot = 1,
                                            .lowest = kDecimalScale / 100,
                                            .highest = kHighest * (kDecimalScale / 100)});
    return result;
}

struct Request {
    MessageKind kind = MessageKind::kAdd;
    ReplaceTicket ticket;  // of all kinds: what they need of it
};

// The flow as clients would write it.
class Writer {
  public:
    Writer(std::uint32_t instruments, std::uint32_t resting)
        : engine_(rules(instruments), 2 * resting + 1024), flow_(instruments, resting, kSeed) {}

    Request next() {
        const Message message = flow_.next();
        const auto events = engine_.apply(message);
        engine_.clear_changed();
        for (const Event& event : events) {
            if (event.kind == EventKind::kTrade)
                sum_.add(event.reference, event.other_reference, event.price, event.quantity);
        }
        flow_.seen(events);
        Request request;
        request.kind = message.kind;
        if (message.kind == MessageKind::kAdd) {
            orders_.push_back({"", message.owner, message.instrument, message.side, 0});
        }
        Known& known = orders_[message.reference];
        OrderTicket& ticket = request.ticket.terms;
        request.ticket.orig_cl_ord_id = known.name;
        ticket.cl_ord_id = "ORD" + std::to_string(++names_);
        ticket.owner = "CLIENT" + std::to_string(known.owner);
        ticket.symbol = symbol_of(known.instrument);
        ticket.side = known.side == Side::kBuy ? "1" : "2";
        if (message.kind != MessageKind::kCancel) {
            ticket.ord_type = "2";
            ticket.tif = message.terms.tif == TimeInForce::kDay ? "0" : "3";
            ticket.quantity = std::to_string(message.terms.quantity);
            ticket.price = format_decimal(message.terms.price * (kDecimalScale / 100), 2);
            ticket.account = ticket.owner;
        }
        // An order goes by the name of what was done to it last.
        if (message.kind == MessageKind::kAdd || events.front().kind == EventKind::kReplaced)
            known.name = ticket.cl_ord_id;
        return request;
    }
    std::uint32_t resting() const { return engine_.order_count(); }
    const TradeSum& sum() const { return sum_; }

  private:
    struct Known {
        std::string name;
        Owner owner = 0;
        InstrumentIndex instrument = 0;
        Side side = Side::kBuy;
        int spare = 0;
    };
    Engine engine_;
    Flow flow_;
    std::vector<Known> orders_;
    std::uint64_t names_ = 0;
    TradeSum sum_;
};

class Taker {
  public:
    Taker(std::uint32_t instrument_count, std::uint32_t resting, bool logs)
        : exchange_(instruments(instrument_count), 2 * resting + 1024) {
        if (logs) exchange_.add_journal(log_);
    }
    void expect(const Request& request) const {
        const OrderTicket& terms = request.ticket.terms;
        exchange_.prefetch_id(terms.owner, terms.cl_ord_id);
        if (request.kind != MessageKind::kAdd)
            exchange_.prefetch_id(terms.owner, request.ticket.orig_cl_ord_id);
    }
    void expect_order(const Request& request) const {
        if (request.kind != MessageKind::kAdd)
            exchange_.prefetch_order(request.ticket.terms.owner, request.ticket.orig_cl_ord_id);
    }
    void take(const Request& request) {
        if (request.kind == MessageKind::kAdd) {
            sum_.add(exchange_.enter(request.ticket.terms));
        } else if (request.kind == MessageKind::kCancel) {
            const OrderTicket& terms = request.ticket.terms;
            exchange_.cancel(
                {terms.owner, terms.cl_ord_id, request.ticket.orig_cl_ord_id, terms.symbol, terms.side});
        } else {
            sum_.add(exchange_.replace(request.ticket).executions);
        }
        for (const InstrumentIndex index : exchange_.changed()) exchange_.prints(index).clear();
        exchange_.clear_changed();
        if (log_.bytes.size() > (std::size_t{1} << 16U)) log_.bytes.clear();
    }
    const TradeSum& sum() const { return sum_; }

  private:
    Exchange exchange_;
    CallLog log_;
    TradeSum sum_;
};

// Of this thread: what others do on the machine takes caches, but no time.
double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// What has come in is in the cache: a gateway has just read it.
std::size_t touch(const std::vector<Request>& requests, std::size_t from, std::size_t to) {
    std::size_t sum = 0;
    for (std::size_t at = from; at < to; ++at) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(&requests[at]);
        for (std::size_t offset = 0; offset < sizeof(Request); offset += 64) sum += bytes[offset];
    }
    return sum;
}

double rate(Taker& taker, const std::vector<Request>& requests) {
    double seconds = 0;
    std::size_t touched = 0;
    for (std::size_t from = 0; from < requests.size(); from += kBatch) {
        const std::size_t to = std::min(requests.size(), from + kBatch);
        touched += touch(requests, from, to);
        const double start = processor_seconds();
        for (std::size_t at = from; at < to; ++at) {
            if (at + kFar < to) taker.expect(requests[at + kFar]);
            if (at + kNear < to) taker.expect_order(requests[at + kNear]);
            taker.take(requests[at]);
        }
        seconds += processor_seconds() - start;
    }
    return touched == 0 ? 0 : static_cast<double>(requests.size()) / seconds / 1e6;
}

int run(std::uint32_t resting, std::uint32_t instrument_count, std::size_t messages, std::size_t samples) {
    Writer writer(instrument_count, resting);
    Taker plain(instrument_count, resting, false);
    Taker logged(instrument_count, resting, true);
    const auto both = [&] {
        const Request request = writer.next();
        plain.take(request);
        logged.take(request);
    };
    while (writer.resting() < resting) both();
    for (std::size_t warm = 0; warm < messages / 4; ++warm) both();
    std::vector<double> rates[2];
    std::vector<Request> requests;
    for (std::size_t sample = 0; sample < samples; ++sample) {
        requests.clear();
        while (requests.size() < messages) requests.push_back(writer.next());
        rates[0].push_back(rate(plain, requests));
        rates[1].push_back(rate(logged, requests));
    }
    std::cout << "{\"resting\": " << writer.resting() << ", \"instruments\": " << instrument_count
              << ", \"messages\": " << messages << ", \"trades\": " << writer.sum().trades;
    for (const int which : {0, 1}) {
        std::cout << (which == 0 ? ", \"exchange\": [" : ", \"logged\": [");
        for (std::size_t at = 0; at < samples; ++at) std::cout << (at == 0 ? "" : ", ") << rates[which][at];
        std::cout << "]";
    }
    std::cout << "}\n";
    return plain.sum().sum == writer.sum().sum && logged.sum().sum == writer.sum().sum ? 0 : 1;
}

}  // namespace
}  // namespace fixaccel::exchange

int main(int argc, char** argv) {
    const auto argument = [&](int at, std::uint64_t otherwise) {
        return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
    };
    return fixaccel::exchange::run(static_cast<std::uint32_t>(argument(1, 1'000'000)),
                                   static_cast<std::uint32_t>(argument(2, 1000)), argument(3, 200'000),
                                   argument(4, 5));
}
