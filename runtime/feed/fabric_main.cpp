// SPDX-License-Identifier: Apache-2.0
// The Verilated decoder of feeds behind standard input and output: the lines of fixaccel-feed-decode
// (decode_main.cpp), and the same answers. Those to a datagram say also how many `cycles` passed from its
// first byte to its last field, both counted.
//
// With `--gaps SEED` bytes come with gaps between them, and each datagram is decoded with and without: the
// answers must be the same.
#include <verilated.h>

#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "Vdecoder_ports.h"
#include "answers.hpp"
#include "fixaccel/feed_load.hpp"
#include "fixaccel/feed_program.hpp"

using namespace fixaccel::feed;

namespace {

constexpr int kSeed = 1;      // of values that the RTL leaves undefined, fixed so that runs repeat
constexpr int kBetween = 66;  // preamble, headers, FCS and gap of frames, which have no FAST bytes
constexpr std::uint64_t kStuck = 100'000;  // cycles in which nothing was told and no byte taken

// As feed_pkg.sv's tells_t.
enum class Tells : std::uint8_t {
    number,
    decimal,
    text,
    message,
    group,
    sequence,
    element,
    call,
    leave,
    end,
    fault,
    done
};

class Fabric {
  public:
    Fabric() {
        context_.randReset(2);
        context_.randSeed(kSeed);
        core_ = std::make_unique<Vdecoder_ports>(&context_);
        core_->enable = 0;
        core_->load_write = 0;
        core_->in_valid = 0;
        core_->rst = 1;
        for (int cycle = 0; cycle < 8; ++cycle) step();
        core_->rst = 0;
        step();
    }

    void load(std::span<const std::uint8_t> file) {
        core_->enable = 0;
        core_->in_valid = 0;
        for (int cycle = 0; cycle < 16; ++cycle) step();
        for (const Write& write : writes_of(file)) {
            core_->load_write = 1;
            core_->load_into = static_cast<std::uint8_t>(write.into);
            core_->load_at = write.at;
            core_->load_low = write.low;
            core_->load_high = write.high;
            step();
        }
        core_->load_write = 0;
        core_->enable = 1;
        for (int cycle = 0; cycle < 16; ++cycle) step();
    }

    // Decodes; `gap` says before each byte whether none comes in this cycle. Between datagrams pass the
    // cycles that a wire has between two of them at least.
    template <class Gap>
    std::string decode(const Program& program, std::span<const std::uint8_t> data, Gap&& gap) {
        for (int idle = 0; idle < kBetween && !gap(); ++idle) step();
        Reader reader(program);
        std::size_t at = 0;
        std::uint64_t cycle = 0;
        std::uint64_t first = 0;
        std::uint64_t last = 0;
        std::uint64_t quiet = 0;
        while (true) {
            const bool offered = at <= data.size() && !gap();
            core_->in_valid = offered;
            core_->in_last = at == data.size();
            core_->in_data = at < data.size() ? data[at] : 0;
            core_->clk = 0;
            core_->eval();
            ++quiet;
            if (offered && core_->in_ready != 0) {
                if (at++ == 0) first = cycle;
                quiet = 0;
            }
            reader.count(core_->counted);
            if (core_->field_valid != 0) {
                quiet = 0;
                const auto tells = static_cast<Tells>(core_->field_tells);
                if (tells == Tells::done) break;
                if (tells == Tells::number || tells == Tells::decimal || tells == Tells::text) last = cycle;
                reader.take(*core_);
            }
            if (quiet == kStuck) return "stuck";
            core_->clk = 1;
            core_->eval();
            ++cycle;
        }
        core_->in_valid = 0;
        step();
        cycles_ = last < first ? 0 : last - first + 1;
        return answer_of(reader.outcome, reader.events.json);
    }
    [[nodiscard]] std::uint64_t cycles() const { return cycles_; }

  private:
    // What was told of one datagram.
    class Reader {
      public:
        explicit Reader(const Program& program) : program_(program) { outcome.routine = -1; }
        Outcome outcome;
        Events events;

        void count(unsigned bits) {
            outcome.counts.r6 += bits >> 3 & 1U;
            outcome.counts.r7 += bits >> 2 & 1U;
            outcome.counts.r8 += bits >> 1 & 1U;
            outcome.counts.r9 += bits & 1U;
        }

        void take(const Vdecoder_ports& core) {
            const unsigned at = core.field_at;
            const Word& word = program_.words.at(at);
            const std::uint64_t value = core.field_value;
            switch (static_cast<Tells>(core.field_tells)) {
                case Tells::number:
                    return events.number(at, word, value);
                case Tells::decimal:
                    return events.decimal(at, word, static_cast<std::int8_t>(core.field_exponent << 1) / 2,
                                          static_cast<std::int64_t>(value));
                case Tells::text:
                    for (unsigned place = core.field_count; place-- != 0;)
                        text_.push_back(static_cast<std::uint8_t>(value >> (8 * place)));
                    if (core.field_last == 0) return;
                    events.text(at, word, text_);
                    return text_.clear();
                case Tells::message:
                    routine_ = program_.find(value & ~std::uint32_t{0});
                    return events.message(routine_);
                case Tells::group:
                    return events.group(at);
                case Tells::sequence:
                    return events.sequence(at, static_cast<std::uint32_t>(value));
                case Tells::element:
                    return events.element(at);
                case Tells::call:
                    calls_.push_back({at, routine_});
                    routine_ = program_.find(value & ~std::uint32_t{0});
                    return events.call(at, routine_);
                case Tells::leave:
                    routine_ = calls_.back().routine;
                    calls_.pop_back();
                    return events.leave(at);
                case Tells::end:
                    routine_ = -1;
                    return events.end(at);
                case Tells::fault:
                    outcome.fault = core.field_code;
                    outcome.byte = core.field_offset;
                    outcome.at = at;
                    outcome.routine = routine_;
                    for (const Call& call : calls_)
                        outcome.call[outcome.calls++] = static_cast<std::uint16_t>(call.at);
                    return;
                case Tells::done:
                    return;
            }
        }

      private:
        struct Call {
            unsigned at;
            int routine;
        };
        const Program& program_;
        std::vector<std::uint8_t> text_;
        std::vector<Call> calls_;
        int routine_ = -1;
    };

    void step() {
        core_->clk = 0;
        core_->eval();
        core_->clk = 1;
        core_->eval();
    }

    VerilatedContext context_;
    std::unique_ptr<Vdecoder_ports> core_;
    std::uint64_t cycles_ = 0;
};

int converse(const char* gaps) {
    Fabric fabric;
    std::unique_ptr<Program> program;
    std::minstd_rand chance(gaps == nullptr ? 0 : static_cast<unsigned>(std::stoul(gaps)));
    for (std::string line; std::getline(std::cin, line);) {
        if (!line.starts_with("program") && !line.starts_with("data")) {
            std::cout << "{}\n" << std::flush;  // instruments, which the decoder does not know
            continue;
        }
        const std::size_t space = line.find(' ');
        const auto bytes = bytes_of(std::string_view(line).substr(std::min(space + 1, line.size())));
        if (line.starts_with("program")) {
            try {
                program = std::make_unique<Program>(read_program(bytes));
                fabric.load(bytes);
                std::cout << "{}\n" << std::flush;
            } catch (const ProgramError& error) {
                std::cout << R"({"refused":")" << error.what() << "\"}\n" << std::flush;
            }
        } else if (program) {
            std::string answer = fabric.decode(*program, bytes, [] { return false; });
            if (gaps != nullptr) {
                const unsigned often = chance() % 8;
                if (fabric.decode(*program, bytes, [&] { return chance() % 8 < often; }) != answer)
                    answer = R"({"events":[["gaps make a difference",0]],"counts":[0,0,0,0]})";
            }
            answer.back() = ',';
            std::cout << answer << R"("cycles":)" << fabric.cycles() << "}\n" << std::flush;
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return converse(argc == 3 && std::string_view(argv[1]) == "--gaps" ? argv[2] : nullptr);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
