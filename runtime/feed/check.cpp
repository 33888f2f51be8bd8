// SPDX-License-Identifier: Apache-2.0
// Whether a program is sound: the same rules as fixaccel.fast.program.check.
#include <algorithm>
#include <vector>

#include "fixaccel/feed_program.hpp"

namespace fixaccel::feed {

namespace {

struct Open {
    std::size_t at;
    std::size_t closes;  // where one ends that has no `next`; 0: it has one
};

class Check {
  public:
    explicit Check(const Program& program) : program_(program), words_(program.words) {}

    std::string flaw() {
        if (words_.empty() || words_.back().op != Op::end) return "a program ends with `end`";
        for (const Routine& routine : program_.routines)
            if (routine.target == 0 || routine.target >= words_.size() ||
                words_[routine.target - 1U].op != Op::end)
                return "a template begins where no routine begins";
        if (!structure()) return text_;
        for (std::size_t at = 0; at < words_.size(); ++at)
            if (const char* const wrong = word(at); wrong != nullptr) return told(at, wrong);
        return {};
    }

  private:
    static std::string told(std::size_t at, const char* what) {
        return "word " + std::to_string(at) + ": " + what;
    }
    bool fails(std::size_t at, const char* what) {
        text_ = told(at, what);
        return false;
    }

    bool structure() {
        std::vector<Open> stack;
        bool raw = true;  // in front of the FAST bytes
        for (std::size_t at = 0; at < words_.size(); ++at) {
            const Word& word = words_[at];
            while (!stack.empty() && stack.back().closes == at && at != 0) stack.pop_back();
            if ((word.op == Op::raw) != raw && (!raw || word.op != Op::end))
                return fails(at, "`raw` stands in front of the first `end`, and nothing else does");
            if (word.op == Op::next) {
                if (stack.empty() || stack.back().closes != 0) return fails(at, "`next` ends no block");
                if (!closed(stack.back().at, at)) return false;
                stack.pop_back();
            } else if (word.op == Op::group || word.op == Op::loop) {
                if (!opened(stack, at)) return false;
            } else if (word.op == Op::end) {
                raw = false;
                if (!stack.empty()) return fails(stack.back().at, "a block does not end in its routine");
            }
        }
        return true;
    }

    bool opened(std::vector<Open>& stack, std::size_t at) {
        const Word& word = words_[at];
        if (word.op == Op::group && !word.map) {
            const auto outer =
                std::find_if(stack.rbegin(), stack.rend(), [](const Open& one) { return one.closes != 0; });
            if (word.target <= at || word.target >= words_.size() ||
                (outer != stack.rend() && word.target > outer->closes))
                return fails(at, "`group` goes on at what is not behind it in the same block");
            if (continues(words_[word.target])) return fails(at, "`group` goes on in the middle of a field");
            stack.push_back({at, word.target});
        } else {
            stack.push_back({at, 0});
        }
        return stack.size() <= nesting || fails(at, "blocks stand in each other too deep");
    }

    // Whether a word goes on with what those in front of it have read: whoever jumps there has not read that.
    static bool continues(const Word& word) {
        return word.op == Op::initial || word.op == Op::loop ||
               (word.op == Op::field && word.type == Type::mantissa);
    }

    bool closed(std::size_t begin, std::size_t at) {
        const Word& word = words_[begin];
        const Word& end = words_[at];
        if (word.target != at + 1) return fails(begin, "it does not go on behind its `next`");
        if (end.target != (word.op == Op::loop ? begin + 1 : at))
            return fails(at, "`next` goes to no element");
        if (end.map != word.map || end.observe != word.observe)
            return fails(at, "`next` and what it ends differ in `map` or `observe`");
        if (word.op == Op::loop && !word.map && !takes_byte(begin + 1, at))
            return fails(begin, "an element takes no byte, so any number of them would fit anywhere");
        return true;
    }

    [[nodiscard]] bool takes_byte(std::size_t first, std::size_t last) const {
        for (std::size_t at = first; at < last; ++at) {
            const Word& word = words_[at];
            const bool field = word.op == Op::field && word.type != Type::mantissa &&
                               (word.oper == Operator::none || word.oper == Operator::delta);
            if (field || (word.op == Op::skip && word.entities != 0) || word.op == Op::call) return true;
            if (word.op == Op::group && word.map && !word.optional) return true;
            if (word.op == Op::group || word.op == Op::loop)
                at = std::max<std::size_t>(word.target, at + 1) - 1;
        }
        return false;
    }

    [[nodiscard]] std::size_t slots(const Word& word) const {
        return word.is_text() ? program_.texts.size() : program_.numbers.size();
    }

    // What is wrong with the word by itself and with its neighbours; null: nothing.
    [[nodiscard]] const char* word(std::size_t at) const {
        const Word& word = words_[at];
        switch (word.op) {
            case Op::field:
                return field(at);
            case Op::initial:
                return word.slot >= slots(words_[at - 1]) ? "its slot is beyond those of the program"
                                                          : nullptr;
            case Op::skip:
                if (word.bits > word_skip::taken.width) return "it takes too many bits";
                return (word.taken >> word.bits) != 0 || (word.twice & ~word.taken) != 0
                           ? "`twice` must be of `taken`, and `taken` of the bits"
                           : nullptr;
            case Op::raw:
                if (word.role > role_processed) return "it has a role that there is not";
                return word.bytes == 0 || (word.told && word.bytes > 8) ? "`raw` has too many bytes, or none"
                                                                        : nullptr;
            case Op::loop:
                if (!follows(at, Type::length)) return "`loop` stands behind the `length` of its sequence";
                return word.optional ? "only a group is `optional` by itself" : nullptr;
            case Op::next:
                return word.optional ? "only a group is `optional` by itself" : nullptr;
            case Op::group:
                return word.observe ? "a group is no sequence of entries" : nullptr;
            case Op::call:
                return word.reset ? "a reference resets nothing" : nullptr;
            case Op::end:
                return nullptr;
        }
        return nullptr;
    }

    [[nodiscard]] const char* field(std::size_t at) const {
        const Word& word = words_[at];
        const bool part = word.type >= Type::exponent;
        if (word.oper == Operator::increment && (word.type == Type::decimal || word.is_text()))
            return "`increment` is for integers";
        if (word.oper == Operator::tail && !word.is_text()) return "`tail` is for strings and bytes";
        const bool needs =
            word.oper == Operator::constant || (word.oper == Operator::default_ && !word.optional);
        if (needs && !word.has_initial && !word.passed) return "it needs an initial value";
        if ((word.has_initial || word.has_entry()) && !word.passed && word.slot >= slots(word))
            return "its slot is beyond those of the program";
        if (word.passed && (word.told || word.has_initial || part))
            return "a field that is passed over has no tag, role or initial value, and is no part of "
                   "something";
        if (word.apart && (!word.has_initial || behind(at) != Op::initial))
            return "behind a field that is `apart` stands its `initial`";
        if (word.tag > last_tag) return "its tag is beyond the last one";
        if (word.role > role_processed) return "it has a role that there is not";
        if (word.type == Type::mantissa && (word.optional || !follows(at, Type::exponent)))
            return "`mantissa` stands behind its `exponent`, and is not optional";
        if (word.type == Type::exponent && !leads(at, Op::field))
            return "behind `exponent` stands its `mantissa`";
        if (word.type == Type::length && !leads(at, Op::loop)) return "behind `length` stands `loop`";
        if ((word.type == Type::exponent || word.type == Type::length) && word.told)
            return "an exponent or a length is told with what it belongs to";
        return nullptr;
    }

    [[nodiscard]] Op behind(std::size_t at) const {
        return at + 1 < words_.size() ? words_[at + 1].op : Op::end;
    }

    // Whether a `loop`, or a mantissa, follows, perhaps behind an initial value.
    [[nodiscard]] bool leads(std::size_t at, Op op) const {
        const std::size_t next = at + (behind(at) == Op::initial ? 2 : 1);
        if (next >= words_.size() || words_[next].op != op) return false;
        return op != Op::field || words_[next].type == Type::mantissa;
    }

    [[nodiscard]] bool follows(std::size_t at, Type type) const {
        if (at != 0 && words_[at - 1].op == Op::initial) --at;
        return at != 0 && words_[at - 1].op == Op::field && words_[at - 1].type == type;
    }

    const Program& program_;
    const std::vector<Word>& words_;
    std::string text_;
};

}  // namespace

std::string program_flaw(const Program& program) { return Check(program).flaw(); }

}  // namespace fixaccel::feed
