// SPDX-License-Identifier: Apache-2.0
// Runs the program of a feed over datagrams, as the fabric's engine does. A datagram allocates nothing and
// throws nothing.
//
// What it finds goes to a sink, a class of the caller's with these members; `at` is the address of the word:
//   void message(int routine)                             a message of that routine begins
//   void number(unsigned at, const Word&, std::uint64_t)  a value; two's complement where the type is signed
//   void decimal(unsigned at, const Word&, int exponent, std::int64_t mantissa)
//   void text(unsigned at, const Word&, std::span<const std::uint8_t>)  valid during the call
//   void group(unsigned at)                               one is there
//   void sequence(unsigned at, std::uint32_t length)
//   void element(unsigned at)                             an element, or a group with a map, has ended
//   void call(unsigned at, int routine)                   a dynamic reference
//   void leave(unsigned at)                               it has ended
//   void end(unsigned at)                                 the message has ended
// A datagram counts whole or not at all: what the sink was told is void where `decode` returns a fault.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fixaccel/feed_cursor.hpp"
#include "fixaccel/feed_program.hpp"
#include "fixaccel/feed_values.hpp"

namespace fixaccel::feed {

// Instruments of a venue, by number or by symbol; of each list in order, each once.
struct Instruments {
    std::vector<std::uint64_t> numbers;
    std::vector<std::string> symbols;
};

inline constexpr std::size_t kDatagramBytes = 65'535;  // the longest there is

// What became of a datagram. With a fault: its code, byte and word, and the references around it.
struct Outcome {
    std::uint32_t fault = 0;  // the map's code_ constants; 0: none
    std::uint32_t byte = 0;
    std::uint32_t at = 0;
    int routine = -1;  // the innermost that had begun; -1: between messages
    std::uint32_t calls = 0;
    std::array<std::uint16_t, references> call{};  // addresses of `call`, the outermost first
    Counts counts;
};

class Interpreter {
  public:
    // `program` is sound, and outlives this. A message of market data may name so many of `known`.
    explicit Interpreter(const Program& program, Instruments known = {})
        : program_(program), known_(std::move(known)), values_(program, kDatagramBytes) {}

    // Decodes a datagram of kDatagramBytes at most, its raw bytes in front.
    template <class Sink>
    Outcome decode(std::span<const std::uint8_t> data, Sink&& sink) {
        cursor_ = Cursor(data);
        values_.begin();
        id_known_ = false;
        depth_ = 0;
        blocks_ = 0;
        routine_ = -1;
        Fault fault;
        std::uint32_t at = 0;
        while (at != kDone) {
            here_ = at;
            fault = step(at, sink);
            if (fault.code != 0) return stopped(fault);
        }
        Outcome outcome;
        outcome.counts = cursor_.counts;
        return outcome;
    }

  private:
    static constexpr std::uint32_t kDone = ~0U;
    struct Block {
        Map map;  // of what is around it
        std::uint32_t left;
    };
    struct Call {
        Map map;
        std::uint32_t back;
        std::uint32_t blocks;
        int routine;
    };

    [[nodiscard]] Outcome stopped(const Fault& fault) const {
        Outcome outcome;
        outcome.fault = fault.code;
        outcome.byte = fault.byte;
        outcome.at = here_;
        outcome.routine = routine_;
        outcome.calls = depth_;
        for (std::uint32_t place = 0; place < depth_; ++place)
            outcome.call[place] = static_cast<std::uint16_t>(calls_[place].back - 1);
        outcome.counts = cursor_.counts;
        return outcome;
    }

    template <class Sink>
    Fault step(std::uint32_t& at, Sink& sink) {
        const Word& word = program_.words[at];
        switch (word.op) {
            case Op::field:
                if (const Fault fault = field(at, word, sink); fault.code != 0) return fault;
                break;
            case Op::skip:
                if (const Fault fault = skip(word); fault.code != 0) return fault;
                break;
            case Op::initial:
                break;
            case Op::raw:
                if (const Fault fault = raw(at, word, sink); fault.code != 0) return fault;
                break;
            case Op::group:
                return group(at, word, sink);
            case Op::loop:
                return loop(at, word, sink);
            case Op::next:
                return next(at, word, sink);
            case Op::call:
                return call(at, sink);
            case Op::end:
                return end(at, word, sink);
        }
        ++at;
        return {};
    }

    // Looks at the instruments that are told to a sink.
    template <class Sink>
    struct Naming {
        Interpreter& engine;
        Sink& sink;
        void number(unsigned at, const Word& word, std::uint64_t value) {
            if (word.is_unsigned() || static_cast<std::int64_t>(value) >= 0)
                engine.name(engine.known_.numbers, value);
            sink.number(at, word, value);
        }
        void decimal(unsigned at, const Word& word, int exponent, std::int64_t mantissa) {
            sink.decimal(at, word, exponent, mantissa);
        }
        void text(unsigned at, const Word& word, std::span<const std::uint8_t> bytes) {
            engine.name(engine.known_.symbols,
                        std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
            sink.text(at, word, bytes);
        }
    };

    template <class Sink>
    Fault field(std::uint32_t at, const Word& word, Sink& sink) {
        if (word.role != role_instrument || !observed_) return values_.field(at, word, cursor_, map_, sink);
        const std::uint32_t byte = cursor_.at();
        Naming<Sink> naming{*this, sink};
        const Fault fault = values_.field(at, word, cursor_, map_, naming);
        return fault.code == 0 && named_ > message_instruments ? Fault{code_u4, byte} : fault;
    }

    // Enters an instrument that the message names, if it is a known one.
    template <class Known, class Value>
    void name(const Known& known, const Value& value) {
        const auto found = std::lower_bound(known.begin(), known.end(), value);
        if (found == known.end() || *found != value) return;
        const auto index = static_cast<std::uint32_t>(found - known.begin());
        const auto end = names_.begin() + named_;
        if (std::find(names_.begin(), end, index) == end) names_[named_++] = index;
    }

    Fault skip(const Word& word) {
        std::uint32_t count = word.entities;
        for (std::uint32_t place = 0; place < word.bits; ++place)
            if (map_.take())
                count += (static_cast<std::uint32_t>(word.taken) >> place & 1U) +
                         (static_cast<std::uint32_t>(word.twice) >> place & 1U);
        bool null = false;
        for (; count != 0; --count)
            if (const Fault fault = cursor_.pass(null); fault.code != 0) return fault;
        return {};
    }

    template <class Sink>
    Fault raw(std::uint32_t at, const Word& word, Sink& sink) {
        if (cursor_.left() < word.bytes) return {code_u1, cursor_.size()};
        const std::uint8_t* const bytes = cursor_.take(word.bytes);
        if (!word.told) return {};
        std::uint64_t value = 0;
        for (std::size_t place = 0; place < word.bytes; ++place)
            value = value << 8 | bytes[word.big ? place : word.bytes - 1U - place];
        sink.number(at, word, value);
        return {};
    }

    template <class Sink>
    Fault group(std::uint32_t& at, const Word& word, Sink& sink) {
        if (word.optional && !map_.take()) {
            at = word.target;
            return {};
        }
        sink.group(at);
        if (word.map) {
            Map own;
            if (const Fault fault = cursor_.map(own); fault.code != 0) return fault;
            stack_[blocks_++] = {map_, 1};
            map_ = own;
        }
        ++at;
        return {};
    }

    template <class Sink>
    Fault loop(std::uint32_t& at, const Word& word, Sink& sink) {
        if (values_.absent()) {
            at = word.target;
            return {};
        }
        const std::uint32_t length = values_.length();
        sink.sequence(at, length);
        if (length == 0) {
            at = word.target;
            return {};
        }
        Map own;
        if (word.map)
            if (const Fault fault = cursor_.map(own); fault.code != 0) return fault;
        stack_[blocks_++] = {map_, length};
        map_ = own;
        ++at;
        return {};
    }

    template <class Sink>
    Fault next(std::uint32_t& at, const Word& word, Sink& sink) {
        Block& block = stack_[blocks_ - 1];
        cursor_.close(map_);
        sink.element(at);
        if (--block.left != 0) {
            if (word.map)
                if (const Fault fault = cursor_.map(map_); fault.code != 0) return fault;
            at = word.target;
            return {};
        }
        map_ = block.map;
        --blocks_;
        ++at;
        return {};
    }

    template <class Sink>
    Fault call(std::uint32_t& at, Sink& sink) {
        if (depth_ >= references) return {code_u5, cursor_.at()};
        Map own;
        int index = -1;
        if (const Fault fault = begin(own, index); fault.code != 0) return fault;
        calls_[depth_++] = {map_, at + 1, blocks_, routine_};
        map_ = own;
        routine_ = index;
        sink.call(at, index);
        at = program_.routines[static_cast<std::size_t>(index)].target;
        return {};
    }

    template <class Sink>
    Fault end(std::uint32_t& at, const Word& word, Sink& sink) {
        if (routine_ >= 0) cursor_.close(map_);
        if (depth_ != 0) {
            const Call& back = calls_[--depth_];
            sink.leave(at);
            map_ = back.map;
            blocks_ = back.blocks;
            routine_ = back.routine;
            at = back.back;
            return {};
        }
        if (routine_ >= 0) sink.end(at);
        routine_ = -1;
        if (cursor_.left() == 0) {
            at = kDone;
            return {};
        }
        if (word.reset) {
            values_.forget();
            id_known_ = false;
        }
        int index = -1;
        if (const Fault fault = begin(map_, index); fault.code != 0) return fault;
        routine_ = index;
        observed_ = program_.routines[static_cast<std::size_t>(index)].kind != kind_none;
        named_ = 0;
        sink.message(index);
        at = program_.routines[static_cast<std::size_t>(index)].target;
        return {};
    }

    // A map, an identifier, and the routine that it names.
    Fault begin(Map& own, int& index) {
        if (const Fault fault = cursor_.map(own); fault.code != 0) return fault;
        const std::uint32_t byte = cursor_.at();
        if (own.take()) {
            Int128 number = 0;
            if (const Fault fault = cursor_.integer(false, number); fault.code != 0) return fault;
            id_ = number > std::numeric_limits<std::uint32_t>::max() ? kNoId
                                                                     : static_cast<std::uint64_t>(number);
            id_known_ = true;
        }
        if (!id_known_) return {code_d5, byte};
        index = id_ == kNoId ? -1 : program_.find(id_);
        if (index < 0) return {code_d9, byte};
        if (program_.routines[static_cast<std::size_t>(index)].reset) values_.forget();
        return {};
    }

    static constexpr std::uint64_t kNoId = ~0ULL;
    static constexpr std::size_t kBlocks = static_cast<std::size_t>(nesting) * (references + 1);

    const Program& program_;
    Instruments known_;
    Values values_;
    Cursor cursor_;
    Map map_;
    std::array<Block, kBlocks> stack_{};
    std::array<Call, references> calls_{};
    std::uint64_t id_ = 0;
    std::uint32_t here_ = 0;
    std::uint32_t depth_ = 0;
    std::uint32_t blocks_ = 0;
    int routine_ = -1;
    bool id_known_ = false;
    bool observed_ = false;  // the message is market data
    std::uint32_t named_ = 0;
    std::array<std::uint32_t, message_instruments + 1> names_{};  // places among those known
};

}  // namespace fixaccel::feed
