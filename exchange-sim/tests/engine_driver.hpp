// SPDX-License-Identifier: Apache-2.0
// Drives an engine of one instrument in few words. Orders have names; what happens comes back as lines.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "matching/engine.hpp"

namespace fixaccel::exchange {

class EngineTest : public testing::Test {
  protected:
    using Lines = std::vector<std::string>;

    static Terms limit(Quantity quantity, Price price, TimeInForce tif = TimeInForce::kDay) {
        return {.tif = tif, .price = price, .quantity = quantity};
    }
    static Terms market(Quantity quantity, TimeInForce tif = TimeInForce::kDay) {
        return {.type = OrderType::kMarket, .tif = tif, .quantity = quantity};
    }
    static Terms stop(Quantity quantity, Price trigger) {
        return {.type = OrderType::kStop, .trigger = trigger, .quantity = quantity};
    }
    static Terms stop_limit(Quantity quantity, Price trigger, Price price) {
        return {.type = OrderType::kStopLimit, .price = price, .trigger = trigger, .quantity = quantity};
    }
    static Terms touched(Quantity quantity, Price trigger) {
        return {.type = OrderType::kMarketIfTouched, .trigger = trigger, .quantity = quantity};
    }
    static Terms iceberg(Quantity quantity, Price price, Quantity display) {
        return {.price = price, .quantity = quantity, .display = display};
    }
    static Terms own(Terms terms, SelfTrade mode) {
        terms.self_trade = mode;
        return terms;
    }

    Lines buy(const std::string& name, const Terms& terms, Owner owner = kNobody) {
        return add(Side::kBuy, name, terms, owner);
    }
    Lines sell(const std::string& name, const Terms& terms, Owner owner = kNobody) {
        return add(Side::kSell, name, terms, owner);
    }
    Lines cancel(const std::string& name) { return named(MessageKind::kCancel, name, {}); }
    Lines replace(const std::string& name, const Terms& terms) {
        return named(MessageKind::kReplace, name, terms);
    }
    Lines phase(Phase phase) {
        Message message = of(MessageKind::kPhase);
        message.phase = phase;
        return play(message);
    }
    Lines print(Price price, Quantity quantity = 1) {
        Message message = of(MessageKind::kPrint, price);
        message.quantity = quantity;
        return play(message);
    }
    Lines reference(Price price) { return play(of(MessageKind::kReference, price)); }
    Lines breaker(Price distance, std::int64_t halt_time = 0) {
        Message message = of(MessageKind::kBreaker, distance);
        message.time = halt_time;
        return play(message);
    }
    Lines limits(Price down, Price up) {
        Message message = of(MessageKind::kLimits, down);
        message.other_price = up;
        return play(message);
    }
    Lines time(std::int64_t now) {
        Message message = of(MessageKind::kTime);
        message.time = now;
        return play(message);
    }
    Lines mass_cancel(Owner owner) {
        Message message = of(MessageKind::kMassCancel);
        message.owner = owner;
        return play(message);
    }
    Lines end_of_day() { return play(of(MessageKind::kEndOfDay)); }

    // Bids and asks, the best of each in the middle: "99x3 100x5 | 101x2".
    std::string book() const {
        std::string result;
        for (const Level& level : engine.levels(0, Side::kBuy)) result.insert(0, text(level) + " ");
        result += "|";
        for (const Level& level : engine.levels(0, Side::kSell)) result += " " + text(level);
        return result;
    }

    Lines play(const Message& message) {
        Lines lines;
        for (const Event& event : engine.apply(message)) {
            if (event.kind == EventKind::kAccepted) ids[event.reference] = event.order;
            if (const std::string line = text(event); !line.empty()) lines.push_back(line);
        }
        return lines;
    }

    static Message of(MessageKind kind, Price price = 0) {
        Message message;
        message.kind = kind;
        message.price = price;
        return message;
    }

    // Ticks of 1, of 5 from 1000 on.
    Engine engine{{{1, -100, 10'000, {{-100, 1}, {1000, 5}}}}, 4096};

  private:
    Lines add(Side side, const std::string& name, const Terms& terms, Owner owner) {
        Message message = of(MessageKind::kAdd);
        message.side = side;
        message.owner = owner;
        message.reference = number(name);
        message.terms = terms;
        return play(message);
    }
    Lines named(MessageKind kind, const std::string& name, const Terms& terms) {
        Message message = of(kind);
        message.reference = number(name);
        message.order = ids.contains(message.reference) ? ids[message.reference] : 99'999;
        message.terms = terms;
        return play(message);
    }

    std::uint64_t number(const std::string& name) {
        for (std::size_t at = 0; at < names.size(); ++at) {
            if (names[at] == name) return at + 1;
        }
        names.push_back(name);
        return names.size();
    }
    std::string name(std::uint64_t reference) const { return reference == 0 ? "" : names[reference - 1]; }
    static std::string text(const Level& level) {
        return std::to_string(level.price) + "x" + std::to_string(level.quantity);
    }
    // Nothing for what was asked for and done.
    std::string text(const Event& event) const {
        const std::string what = name(event.reference);
        const std::string why = ": " + std::string(to_text(event.reason));
        const std::string deal = std::to_string(event.quantity) + " at " + std::to_string(event.price);
        switch (event.kind) {
            case EventKind::kAccepted:
            case EventKind::kPrinted:
            case EventKind::kReplaced:
                return "";
            case EventKind::kTrade:
                return what + " meets " + name(event.other_reference) + ", " + deal;
            case EventKind::kCanceled:
                return what + " ends with " + std::to_string(event.quantity) + why;
            case EventKind::kReduced:
                return what + " loses " + std::to_string(event.quantity) + why;
            case EventKind::kTriggered:
                return what + " is set off at " + std::to_string(event.price);
            case EventKind::kAuction:
                return "auction: " + deal + ", surplus " + std::to_string(event.leaves);
            case EventKind::kPhase:
                return std::string(to_text(event.phase)) + why;
            case EventKind::kRejected:
            case EventKind::kRefused:
                return what + " is refused" + why;
        }
        return "";
    }

    std::vector<std::string> names;
    std::map<std::uint64_t, OrderId> ids;
};

}  // namespace fixaccel::exchange
