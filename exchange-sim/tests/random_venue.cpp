// SPDX-License-Identifier: Apache-2.0
#include "tests/random_venue.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <sstream>

#include "tests/plain_venue.hpp"

namespace fixaccel::exchange {
namespace {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : random_(seed) {}
    std::int64_t below(std::int64_t limit) {
        return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(limit));
    }
    bool once_in(std::int64_t times) { return below(times) == 0; }
    template <typename Value>
    Value of(std::initializer_list<Value> values) {
        return values.begin()[below(static_cast<std::int64_t>(values.size()))];
    }

    Price price(InstrumentIndex instrument) {
        if (once_in(60)) return below(20'000) - 10'000;  // far away, or out of range
        return instrument == 0 ? below(13) - 6 : 190 + below(21);
    }

    Terms terms(InstrumentIndex instrument) {
        const Quantity lot = instrument == 0 ? 1 : 10;
        Terms terms;
        terms.type = once_in(3) ? of({OrderType::kMarket, OrderType::kStop, OrderType::kStopLimit,
                                      OrderType::kMarketIfTouched})
                                : OrderType::kLimit;
        if (once_in(3))
            terms.tif = of({TimeInForce::kGoodTillCancel, TimeInForce::kImmediateOrCancel,
                            TimeInForce::kFillOrKill, TimeInForce::kAtTheOpen, TimeInForce::kAtTheClose});
        terms.self_trade = static_cast<SelfTrade>(below(5));
        if (has_price(terms.type) || once_in(50)) terms.price = price(instrument);
        if (has_trigger(terms.type) || once_in(50)) terms.trigger = price(instrument);
        terms.quantity = once_in(50) ? below(30) - 5 : lot * (1 + below(20));
        if (once_in(6)) terms.display = once_in(9) ? below(9) : lot * (1 + below(4));
        if (terms.tif == TimeInForce::kImmediateOrCancel ? once_in(3) : once_in(50))
            terms.minimum = lot * (1 + below(9));
        return terms;
    }

  private:
    std::mt19937_64 random_;
};

template <typename Levels>
std::string show(const Levels& levels) {
    std::ostringstream out;
    for (const Level& level : levels)
        out << level.price << "x" << level.quantity << "/" << level.orders << " ";
    return out.str();
}

// What holds whatever the messages were.
std::string broken_law(const Engine& engine) {
    for (InstrumentIndex next = 0; next < engine.instrument_count(); ++next) {
        if (engine.phase(next) != Phase::kContinuous) continue;
        const auto bids = engine.levels(next, Side::kBuy, 1);
        const auto asks = engine.levels(next, Side::kSell, 1);
        if (!bids.empty() && !asks.empty() && bids.front().price >= asks.front().price)
            return "the book is crossed: " + show(bids) + "against " + show(asks);
    }
    return "";
}

}  // namespace

std::vector<BookRules> random_rules() {
    return {{1, -5000, 5000, {}}, {10, 10, 9000, {{0, 1}, {200, 2}, {205, 5}}}};
}

std::vector<Message> random_messages(std::uint64_t seed, std::size_t count) {
    Dice dice(seed);
    std::vector<Message> messages;
    std::int64_t time = 0;
    Phase phases[2] = {};
    // Some runs are all trading; in others phases come and go.
    const std::int64_t calm = dice.of<std::int64_t>({12, 40, 400});
    while (messages.size() < count) {
        Message message;
        message.instrument = static_cast<InstrumentIndex>(dice.below(2));
        message.side = dice.of({Side::kBuy, Side::kSell});
        message.owner = static_cast<Owner>(dice.below(4));
        message.reference = messages.size() + 1;
        message.price = dice.price(message.instrument);
        // Mostly one of late: of old ones few are left.
        const auto earlier = [&] {
            const auto count = static_cast<std::int64_t>(messages.size());
            const std::int64_t back = 1 + dice.below(dice.once_in(4) ? count + 1 : 25);
            message.reference = static_cast<std::uint64_t>(std::max<std::int64_t>(1, count + 1 - back));
        };
        if (dice.once_in(calm)) {
            message.kind =
                dice.once_in(2)
                    ? MessageKind::kPhase
                    : dice.of({MessageKind::kReference, MessageKind::kLimits, MessageKind::kBreaker,
                               MessageKind::kPrint, MessageKind::kSweep, MessageKind::kTime,
                               MessageKind::kEndOfDay, MessageKind::kMassCancel});
            // Calls and trading in turn: what a call has collected is for its auction to show.
            Phase& phase = phases[message.instrument];
            phase = phase != Phase::kContinuous
                        ? dice.once_in(6) ? Phase::kClosed : Phase::kContinuous
                        : dice.of({Phase::kOpeningCall, Phase::kClosingCall, Phase::kHalted});
            message.phase = phase;
            message.other_price = message.price + dice.below(12) - 1;
            message.quantity = dice.below(9);
            if (dice.once_in(5)) message.instrument = dice.of({kAllInstruments, InstrumentIndex{7}});
            if (message.kind == MessageKind::kTime) message.time = time += dice.below(20);
            if (message.kind == MessageKind::kBreaker) {
                message.price = dice.below(7);
                message.time = dice.below(15);
            }
            // Limits that shut the market out for good would show little.
            if (message.kind == MessageKind::kLimits && dice.once_in(2)) {
                message.price = -9000;
                message.other_price = 9000;
            }
        } else if (dice.once_in(5)) {
            message.kind = MessageKind::kCancel;
            earlier();
        } else if (dice.once_in(6)) {
            message.kind = MessageKind::kReplace;
            earlier();
            message.instrument =
                message.reference <= messages.size() ? messages[message.reference - 1].instrument : 0;
            message.terms = dice.once_in(3) || message.reference > messages.size()
                                ? dice.terms(message.instrument == 1 ? 1 : 0)
                                : messages[message.reference - 1].terms;
            if (dice.once_in(2))
                message.terms.quantity += (dice.below(7) - 4) * (message.instrument == 1 ? 10 : 1);
        } else {
            if (dice.once_in(200)) message.instrument = 9;
            message.terms = dice.terms(message.instrument == 1 ? 1 : 0);
        }
        messages.push_back(message);
    }
    return messages;
}

std::string difference(std::vector<Message> messages, std::map<std::string, std::uint64_t>* seen_kinds) {
    Engine engine(random_rules(), 4096);
    PlainVenue plain(random_rules());
    std::map<std::uint64_t, OrderId> names;
    for (std::size_t at = 0; at < messages.size(); ++at) {
        Message& message = messages[at];
        if (message.kind == MessageKind::kCancel || message.kind == MessageKind::kReplace) {
            const auto known = names.find(message.reference);
            message.order = known == names.end() ? 0xffff : known->second;
        }
        const auto events = engine.apply(message);
        for (const Event& event : events) {
            if (seen_kinds != nullptr)
                ++(*seen_kinds)[std::string(to_text(event.kind)) + ": " + std::string(to_text(event.reason))];
            if (event.kind == EventKind::kAccepted) names[event.reference] = event.order;
        }
        std::vector<Event> seen(events.begin(), events.end());
        for (Event& event : seen) event.order = 0;
        const std::vector<Event>& expected = plain.apply(message);
        std::ostringstream out;
        if (seen != expected) {
            out << "events differ; the engine:\n";
            for (const Event& event : seen) out << "  " << to_text(event) << "\n";
            out << "the plain one:\n";
            for (const Event& event : expected) out << "  " << to_text(event) << "\n";
        }
        for (InstrumentIndex next = 0; next < engine.instrument_count(); ++next) {
            for (const Side side : {Side::kBuy, Side::kSell}) {
                const auto shown = engine.levels(next, side);
                const auto wanted = plain.levels(next, side);
                if (shown != wanted)
                    out << "levels of " << next << " " << to_text(side) << " differ: " << show(shown)
                        << "and " << show(wanted) << "\n";
            }
            if (engine.last(next) != plain.last(next)) out << "last trades of " << next << " differ\n";
        }
        if (engine.order_count() != plain.order_count())
            out << engine.order_count() << " and " << plain.order_count() << " orders\n";
        out << broken_law(engine);
        if (!out.str().empty())
            return "message " + std::to_string(at) + ": " + to_text(message) + "\n" + out.str();
    }
    return "";
}

std::string shrunk(std::vector<Message> messages) {
    for (std::size_t size = messages.size() / 2; size > 0; size /= 2) {
        for (std::size_t at = 0; at + size <= messages.size();) {
            std::vector<Message> without = messages;
            without.erase(without.begin() + static_cast<std::ptrdiff_t>(at),
                          without.begin() + static_cast<std::ptrdiff_t>(at + size));
            if (difference(without).empty()) {
                at += size;
            } else {
                messages = without;
            }
        }
    }
    std::string result;
    for (const Message& message : messages) result += to_text(message) + "\n";
    return result + difference(messages);
}

std::string to_text(const Message& message) {
    std::ostringstream out;
    const Terms& terms = message.terms;
    out << to_text(message.kind) << " #" << message.reference << " of " << message.owner << " in "
        << message.instrument << " " << to_text(message.side);
    if (message.kind == MessageKind::kAdd || message.kind == MessageKind::kReplace)
        out << " " << to_text(terms.type) << " " << to_text(terms.tif) << " " << terms.quantity << " at "
            << terms.price << " trigger " << terms.trigger << " shows " << terms.display << " minimum "
            << terms.minimum << " " << to_text(terms.self_trade);
    else
        out << " " << to_text(message.phase) << " price " << message.price << " to " << message.other_price
            << " x " << message.quantity << " time " << message.time;
    return out.str();
}

std::string to_text(const Event& event) {
    std::ostringstream out;
    out << to_text(event.kind) << " #" << event.reference << " with #" << event.other_reference << " in "
        << event.instrument << " " << to_text(event.side) << " " << event.quantity << " at " << event.price
        << " leaves " << event.leaves << " and " << event.other_leaves << " " << to_text(event.phase) << " "
        << to_text(event.reason);
    return out.str();
}

}  // namespace fixaccel::exchange
