// SPDX-License-Identifier: Apache-2.0
// Two link_units back to back in one process, Verilated, and between them a wire of 1 Gb/s that loses frames:
// cycles of a record and of its acknowledgement, and what share of the wire records have. Figures are a line
// of JSON.
//
// Every record that is sent has to arrive once and in order, or the exit status is 1.
#include <verilated.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <vector>

#include "Vlink_unit.h"
#include "fixaccel/gen/link.hpp"

namespace {

namespace map = fixaccel::link;
constexpr int kChannels = map::channels;

constexpr int kSeed = 1;  // of values that the RTL leaves undefined, fixed so that runs repeat
constexpr int kGap = 20;  // cycles between two frames: preamble and the least gap
constexpr std::uint64_t kStuck = 2'000'000;  // cycles without a record
constexpr std::size_t kHelloWords = 10;      // of 32 bits, as both ends say
constexpr std::uint32_t kBeat = 1'000'000;   // cycles; a lease is no matter here
constexpr std::array<std::uint64_t, 2> kMacs = {0x02FACC00000A, 0x02FACC00000B};
constexpr std::array<std::uint16_t, 2> kIncarnations = {0x1111, 0x2222};

using Word = std::uint64_t;

// A frame's bytes, of which those of a lost one reach nobody.
class Wire {
  public:
    Wire(double loss, std::uint64_t seed) : random_(seed), loss_(loss) {}

    bool ready() const { return pause_ == 0; }

    // A cycle of its sender: whether a byte of it is taken.
    void step(bool valid, bool last) {
        if (pause_ > 0)
            --pause_;
        else if (valid) {
            if (!within_) lost_ = std::bernoulli_distribution(loss_)(random_);
            within_ = !last;
            if (last) pause_ = kGap;
        }
    }

    // Of the byte that has just been taken.
    bool lost() const { return lost_; }

  private:
    std::mt19937_64 random_;
    double loss_;
    int pause_ = 0;
    bool within_ = false, lost_ = false;
};

struct Stream {
    std::deque<std::vector<Word>> records;  // to be sent
    std::size_t at = 0;                     // word of the first of them
    std::deque<Word> under_way;             // words that have been taken and not given on
    std::uint64_t given = 0;                // words
    bool urgent = false;
};

// One unit, its clock driven from outside.
class End {
  public:
    explicit End(int number) {
        context_.randReset(2);
        context_.randSeed(kSeed + number);
        unit_ = std::make_unique<Vlink_unit>(&context_);
        unit_->own_mac = kMacs.at(number);
        unit_->other_mac = kMacs.at(1 - number);
        unit_->beat_cycles = kBeat;
        unit_->out_ready = (1U << map::channels) - 1;
        unit_->own = kIncarnations.at(number);
        for (std::size_t word = 0; word < kHelloWords; ++word) unit_->hello[word] = 0;
        unit_->state = 0;
        unit_->rst = 1;
    }

    Vlink_unit& operator*() { return *unit_; }
    Vlink_unit* operator->() { return unit_.get(); }

    void edge() {
        unit_->clk = 1;
        unit_->eval();
        unit_->clk = 0;
        unit_->eval();
    }

    std::array<Stream, kChannels> streams;

  private:
    VerilatedContext context_;
    std::unique_ptr<Vlink_unit> unit_;
};

class Pair {
  public:
    Pair(double loss, std::uint64_t seed) : wires_{Wire(loss, seed), Wire(loss, seed + 1)} {
        for (int cycle = 0; cycle < 8; ++cycle) step();
        for (End& end : ends_) {
            end->rst = 0;
            end->own_set = 1;
        }
        step();
        for (End& end : ends_) end->own_set = 0;
        const std::uint64_t began = cycle_;
        while (!(ends_[0]->up && ends_[1]->up)) {
            if (cycle_ - began > 10 * std::uint64_t{kBeat})
                throw std::runtime_error("the link does not come up");
            step();
        }
        for (int cycle = 0; cycle < 1000; ++cycle) step();
    }

    std::uint64_t cycle() const { return cycle_; }
    End& end(int number) { return ends_.at(number); }

    // A cycle; what the units show counts as it stood ahead of the edge.
    void step() {
        for (int n = 0; n < 2; ++n) {
            End& end = ends_.at(n);
            end->tx_ready = wires_.at(n).ready();
            offer(end);
            end->eval();
        }
        std::array<bool, 2> arrives{};
        for (int n = 0; n < 2; ++n) {
            End& end = ends_.at(n);
            const bool taken = end->tx_valid && end->tx_ready;
            if (taken && !within_.at(n)) first_byte.at(n) = cycle_;
            if (taken) within_.at(n) = !end->tx_last;
            wires_.at(n).step(end->tx_valid, end->tx_last);
            again += static_cast<std::uint64_t>(std::popcount(static_cast<unsigned>(end->again)));
            arrives.at(n) = taken && !wires_.at(n).lost();
        }
        for (int n = 0; n < 2; ++n) {
            End &from = ends_.at(n), &to = ends_.at(1 - n);
            to->rx_valid = arrives.at(n);
            to->rx_data = from->tx_data;
            to->rx_last = from->tx_last;
            to->rx_err = 0;  // a wrong FCS tells as much
        }
        for (int n = 0; n < 2; ++n) account(ends_.at(n), ends_.at(1 - n), 1 - n);
        for (End& end : ends_) end.edge();
        ++cycle_;
    }

    std::array<std::uint64_t, 2> first_byte{};  // of the newest frame of each
    std::array<std::uint64_t, 2> given_at{};    // when each end gave its newest word on
    std::uint64_t taken_at = 0;                 // when the newest word was taken by one of them
    std::uint64_t again = 0;

  private:
    static void offer(End& end) {
        unsigned valid = 0, last = 0, urgent = 0;
        for (int c = 0; c < kChannels; ++c) {
            Stream& stream = end.streams.at(c);
            if (stream.records.empty()) continue;
            const std::vector<Word>& record = stream.records.front();
            const Word word = record.at(stream.at);
            end->in_word[2 * c] = static_cast<std::uint32_t>(word);
            end->in_word[2 * c + 1] = static_cast<std::uint32_t>(word >> 32);
            valid |= 1U << c;
            last |= static_cast<unsigned>(stream.at + 1 == record.size()) << c;
            urgent |= static_cast<unsigned>(stream.urgent) << c;
        }
        end->in_valid = static_cast<std::uint8_t>(valid);
        end->in_last = static_cast<std::uint8_t>(last);
        end->in_urgent = static_cast<std::uint8_t>(urgent);
    }

    void account(End& end, End& other, int other_number) {
        for (int c = 0; c < kChannels; ++c) {
            Stream& stream = end.streams.at(c);
            if ((end->in_valid & end->in_ready) >> c & 1U) {
                stream.under_way.push_back(stream.records.front().at(stream.at));
                taken_at = cycle_;
                if (++stream.at == stream.records.front().size()) {
                    stream.records.pop_front();
                    stream.at = 0;
                }
            }
            if ((other->out_valid & other->out_ready) >> c & 1U) {
                const Word word = other->out_word[2 * c] | static_cast<Word>(other->out_word[2 * c + 1])
                                                               << 32;
                if (stream.under_way.empty() || stream.under_way.front() != word)
                    throw std::runtime_error("a record is lost, doubled or out of order");
                stream.under_way.pop_front();
                ++stream.given;
                given_at.at(other_number) = cycle_;
            }
        }
    }

    std::array<End, 2> ends_{End(0), End(1)};
    std::array<Wire, 2> wires_;
    std::array<bool, 2> within_{};
    std::uint64_t cycle_ = 0;
};

std::vector<Word> record(std::mt19937_64& random, std::size_t words, bool alone) {
    std::vector<Word> made(words);
    for (Word& word : made) word = random();
    made[0] &= ~(Word{0xFF} << 48);
    if (!alone) made[0] |= static_cast<Word>(words) << 48;
    return made;
}

struct Spread {
    std::vector<std::uint64_t> all;

    nlohmann::ordered_json told() {
        std::sort(all.begin(), all.end());
        return {{"min", all.front()}, {"median", all[all.size() / 2]}, {"max", all.back()}};
    }
};

// One record at a time over an idle link.
nlohmann::ordered_json latency(std::size_t words, int count, std::uint64_t seed) {
    Pair pair(0, seed);
    std::mt19937_64 random(seed);
    Spread first, there, answered;
    Stream& fires = pair.end(0).streams[0];
    fires.urgent = true;
    for (int n = 0; n < count; ++n) {
        for (std::uint64_t wait = random() % 300 + 100; wait > 0; --wait) pair.step();
        fires.records.push_back(record(random, words, false));
        const std::uint64_t given = fires.given;
        while (!fires.records.empty()) pair.step();
        const std::uint64_t ready = pair.taken_at;
        while (fires.given < given + 1) pair.step();
        there.all.push_back(pair.given_at[1] - ready);
        first.all.push_back(pair.first_byte[0] - ready);
        while (!(pair.end(0)->idle & 1U)) pair.step();
        answered.all.push_back(pair.cycle() - ready);
    }
    return {{"first_byte", first.told()}, {"there", there.told()}, {"acknowledged", answered.told()}};
}

// The share of the wire's bytes, of preamble and gap as well, that acknowledged records have.
nlohmann::ordered_json goodput(std::size_t words, int frames, double loss, bool both, std::uint64_t seed) {
    Pair pair(loss, seed);
    std::mt19937_64 random(seed);
    const int channel = map::channel_host - 1;
    for (int n = 0; n < (both ? 2 : 1); ++n)
        for (int i = 0; i < frames; ++i)
            pair.end(n).streams.at(channel).records.push_back(record(random, words, true));
    const std::uint64_t began = pair.cycle();
    std::uint64_t last = 0, given = 0;
    auto busy = [&](int n) {
        return !pair.end(n).streams.at(channel).records.empty() || !(pair.end(n)->idle >> channel & 1U);
    };
    while (busy(0) || (both && busy(1))) {
        pair.step();
        std::uint64_t now = 0;
        for (int n = 0; n < 2; ++n) now += pair.end(n).streams.at(channel).given;
        if (now != given) last = pair.cycle();
        given = now;
        if (pair.cycle() - std::max(last, began) > kStuck)
            throw std::runtime_error("nothing arrives any more");
    }
    const auto cycles = static_cast<double>(pair.cycle() - began);
    const double bytes = static_cast<double>(given) * map::word_bytes / (both ? 2 : 1);
    return {{"goodput", bytes / cycles}, {"again", pair.again}, {"cycles", pair.cycle() - began}};
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Two of the link's units back to back: cycles of a record, or the share of the wire that records "
        "have."};
    std::size_t words = 3;
    int count = 100;
    double loss = 0;
    std::uint64_t seed = 1;
    bool both = false;
    app.add_option("--words", words, "Of a record; those of `goodput` have a frame of their own [3]")
        ->check(CLI::Range(1, 496));
    app.add_option("--count", count, "Records [100]")->check(CLI::Range(1, 10'000'000));
    app.add_option("--seed", seed, "Of everything random [1]");
    app.fallthrough();
    CLI::App* cycles = app.add_subcommand("latency", "One record of fires at a time, over an idle link");
    CLI::App* share = app.add_subcommand("goodput", "As many as go, over the host's channel");
    share->add_option("--loss", loss, "Share of frames that get lost, either way [0]")
        ->check(CLI::Range(0.0, 0.9));
    share->add_flag("--both", both, "Both ways at once");
    app.require_subcommand(1);
    app.footer(
        "Examples:\n  fixaccel-link-pair latency --count 1000\n  fixaccel-link-pair goodput --words 496 "
        "--count 500 --loss 0.01\n");
    CLI11_PARSE(app, argc, argv);
    try {
        const auto found = cycles->parsed()
                               ? latency(std::min<std::size_t>(words, map::record_words), count, seed)
                               : goodput(words, count, loss, both, seed);
        std::cout << found.dump() << "\n";
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
