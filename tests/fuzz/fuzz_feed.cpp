// SPDX-License-Identifier: Apache-2.0
// A program of a feed and a datagram: the program is taken, and then any datagram ends, with no more elements
// than it has bytes, and a fault inside it; or the program is refused with a ProgramError.
//
// The input begins with the length of the program's file, two bytes, the highest first.
#include "fixaccel/feed_interpreter.hpp"
#include "sums.hpp"

using namespace fixaccel;

namespace {

// Counts, and looks at all that it is told.
struct Seen {
    std::uint64_t elements = 0;
    std::uint64_t sum = 0;
    int open = 0;
    void message(int routine) { require_routine(routine); }
    void number(unsigned /*at*/, const feed::Word& /*word*/, std::uint64_t value) { sum += value; }
    void decimal(unsigned /*at*/, const feed::Word& /*word*/, int exponent, std::int64_t /*mantissa*/) {
        fuzz::require(exponent >= -64 && exponent <= 63, "an exponent is small");
    }
    void text(unsigned /*at*/, const feed::Word& /*word*/, std::span<const std::uint8_t> bytes) {
        for (const std::uint8_t byte : bytes) sum += byte;
    }
    void group(unsigned /*at*/) {}
    void sequence(unsigned /*at*/, std::uint32_t /*length*/) {}
    void element(unsigned /*at*/) { ++elements; }
    void call(unsigned /*at*/, int routine) {
        require_routine(routine);
        ++open;
    }
    void leave(unsigned /*at*/) { fuzz::require(open-- > 0, "what ends has begun"); }
    void end(unsigned /*at*/) { fuzz::require(open == 0, "a message ends behind its references"); }

  private:
    static void require_routine(int routine) { fuzz::require(routine >= 0, "a routine is one"); }
};

// More of them than a message may name.
feed::Instruments instruments() {
    feed::Instruments known;
    for (std::uint64_t number = 0; number < 2ULL * feed::message_instruments; ++number) {
        known.numbers.push_back(number);
        known.symbols.emplace_back(1, static_cast<char>('A' + number));
    }
    return known;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::span<const std::uint8_t> rest(data + 2, size - 2);
    const std::size_t length =
        std::min<std::size_t>(static_cast<std::size_t>(data[0]) << 8 | data[1], rest.size());
    try {
        const feed::Program program = feed::read_program(rest.first(length));
        feed::Interpreter interpreter(program, instruments());
        const auto datagram =
            rest.subspan(length).first(std::min(rest.size() - length, feed::kDatagramBytes));
        for (int again = 0; again < 2; ++again) {
            Seen seen;
            const feed::Outcome outcome = interpreter.decode(datagram, seen);
            fuzz::require(seen.elements <= static_cast<std::uint64_t>(feed::nesting) * (datagram.size() + 1),
                          "an element takes a byte");
            fuzz::require(outcome.byte <= datagram.size(), "a fault is of a byte");
            fuzz::require(outcome.at < program.words.size(), "a fault is of a word");
        }
    } catch (const feed::ProgramError& error) {
        fuzz::require(error.what()[0] != '\0', "a refusal has a text");
    }
    return 0;
}
