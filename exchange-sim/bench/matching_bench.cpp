// SPDX-License-Identifier: Apache-2.0
// Messages a second of processor time of the matching engine alone, on one core, beside books of standard
// containers on the same flow.
//
// Usage: exchange-sim-matching-bench RESTING INSTRUMENTS [MESSAGES] [SAMPLES]
// Prints one JSON object: millions of messages a second of each sample, of the engine, of the engine with one
// message at a time, and of the containers. Exit status 1 if their trades differ.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "bench/container_books.hpp"
#include "bench/flow.hpp"
#include "matching/engine.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::uint64_t kSeed = 1;
// A gateway hands over what has come in since it looked last.
constexpr std::size_t kBatch = 256;

// Of all trades in their order.
struct TradeSum {
    std::uint64_t sum = 0;
    std::uint64_t trades = 0;
    void add(std::uint64_t incoming, std::uint64_t resting, Price price, Quantity quantity) {
        for (const std::uint64_t value :
             {incoming, resting, static_cast<std::uint64_t>(price), static_cast<std::uint64_t>(quantity)})
            sum = (sum ^ value) * 0x100000001b3ULL;
        ++trades;
    }
    void add(std::span<const Event> events) {
        for (const Event& event : events) {
            if (event.kind == EventKind::kTrade)
                add(event.reference, event.other_reference, event.price, event.quantity);
        }
    }
};

std::vector<BookRules> rules(std::uint32_t instruments) {
    return std::vector<BookRules>(instruments, {1, 1, 1'000'000, {}});
}

struct Recorded {
    std::vector<Message> fill;
    std::vector<std::vector<Message>> samples;
};

Recorded record(std::uint32_t resting, std::uint32_t instruments, std::size_t messages, std::size_t samples) {
    Engine engine(rules(instruments), 2 * resting + 1024);
    Flow flow(instruments, resting, kSeed);
    Recorded result;
    const auto take = [&](std::vector<Message>& out) {
        out.push_back(flow.next());
        flow.seen(engine.apply(out.back()));
    };
    while (engine.order_count() < resting) take(result.fill);
    // Not measured: until the flow is as it stays.
    for (std::size_t warm = 0; warm < messages / 4; ++warm) take(result.fill);
    result.samples.resize(samples);
    for (auto& sample : result.samples) {
        sample.reserve(messages);
        while (sample.size() < messages) take(sample);
    }
    return result;
}

// Of this thread: what others do on the machine takes caches, but no time.
double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

template <typename Work>
double rate(const std::vector<Message>& messages, Work&& work) {
    const double start = processor_seconds();
    work();
    return static_cast<double>(messages.size()) / (processor_seconds() - start) / 1e6;
}

void print(const char* name, const std::vector<double>& rates) {
    std::cout << ", \"" << name << "\": [";
    for (std::size_t next = 0; next < rates.size(); ++next)
        std::cout << (next == 0 ? "" : ", ") << rates[next];
    std::cout << "]";
}

int run(std::uint32_t resting, std::uint32_t instruments, std::size_t messages, std::size_t samples) {
    const Recorded flow = record(resting, instruments, messages, samples);
    Engine batched(rules(instruments), 2 * resting + 1024);
    Engine single(rules(instruments), 2 * resting + 1024);
    ContainerBooks containers(instruments);
    TradeSum sums[3];
    const auto by_container = [&](std::uint64_t a, std::uint64_t b, Price price, Quantity quantity) {
        sums[2].add(a, b, price, quantity);
    };
    for (const Message& message : flow.fill) {
        sums[0].add(batched.apply(message));
        sums[1].add(single.apply(message));
        containers.apply(message, by_container);
    }
    std::vector<double> rates[3];
    for (const auto& sample : flow.samples) {
        rates[0].push_back(rate(sample, [&] {
            for (std::size_t at = 0; at < sample.size(); at += kBatch) {
                const std::span batch(&sample[at], std::min(kBatch, sample.size() - at));
                batched.apply_all(batch, [&](std::span<const Event> events) { sums[0].add(events); });
                batched.clear_changed();
            }
        }));
        rates[1].push_back(rate(sample, [&] {
            for (const Message& message : sample) {
                sums[1].add(single.apply(message));
                single.clear_changed();
            }
        }));
        rates[2].push_back(rate(sample, [&] {
            for (const Message& message : sample) containers.apply(message, by_container);
        }));
    }
    std::cout << "{\"resting\": " << batched.order_count() << ", \"instruments\": " << instruments
              << ", \"messages\": " << messages << ", \"trades\": " << sums[0].trades;
    print("engine", rates[0]);
    print("one at a time", rates[1]);
    print("containers", rates[2]);
    std::cout << "}\n";
    return sums[0].sum == sums[1].sum && sums[0].sum == sums[2].sum ? 0 : 1;
}

}  // namespace
}  // namespace fixaccel::exchange

int main(int argc, char** argv) {
    const auto argument = [&](int at, std::uint64_t otherwise) {
        return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
    };
    return fixaccel::exchange::run(static_cast<std::uint32_t>(argument(1, 1'000'000)),
                                   static_cast<std::uint32_t>(argument(2, 1000)), argument(3, 1'000'000),
                                   argument(4, 5));
}
