// SPDX-License-Identifier: Apache-2.0
#include "stage.hpp"

#include <algorithm>
#include <set>

namespace fixaccel::hostile {
namespace {

constexpr int kReach = 30;  // ticks from the middle to the farthest threshold

}  // namespace

std::string Stage::stop_that(const Fits& fits) {
    Quotes& quotes = episode_.venue().quotes();
    // Trades first, then bids and offers.
    for (const char type : {'2', '0', '1'})
        for (const Instrument& instrument : episode_.rules().instruments())
            for (int distance = 1; distance <= kReach; ++distance)
                for (const int sign : {-1, 1}) {
                    const Scaled price = instrument.middle + sign * distance * instrument.tick;
                    std::string message = quotes.snapshot(instrument.symbol, {{type, decimal_text(price)}});
                    RuleStates states = states_;
                    const std::vector<Fire> fires = episode_.rules().fires(message, states);
                    if (fits(instrument, fires, states)) {
                        states_ = states;
                        promised_ += fires.size();
                        return message;
                    }
                    quotes.skip_numbers(0U - 1U);
                }
    throw Failure("scenario", "no rule is left to fire");
}

std::string Stage::stop(std::size_t least) {
    return stop_that([&](const Instrument&, const std::vector<Fire>& fires, const RuleStates&) {
        return fires.size() >= least;
    });
}

std::string Stage::parent() {
    return stop_that([&](const Instrument&, const std::vector<Fire>&, const RuleStates& behind) {
        return behind.newly_armed() > states_.newly_armed();
    });
}

std::string Stage::child() {
    const auto& children = episode_.rules().links().disarmed;
    return stop_that([&](const Instrument&, const std::vector<Fire>& fires, const RuleStates&) {
        return std::any_of(fires.begin(), fires.end(),
                           [&](const Fire& fire) { return children.contains(fire.rule); });
    });
}

std::string Stage::stop_alone() {
    std::set<std::string> arms;
    for (const BundleRule& rule : episode_.rules().bundle().rules)
        if (episode_.rules().links().children.contains(rule.index)) arms.insert(rule.instrument);
    return stop_that([&](const Instrument& instrument, const std::vector<Fire>& fires, const RuleStates&) {
        return !fires.empty() && !arms.contains(instrument.symbol);
    });
}

std::string Stage::bait() {
    std::string message = stop();
    episode_.venue().quotes().skip_numbers(0U - 1U);
    return message;
}

std::string Stage::stop_with(const std::function<void(Fields&)>& edit) {
    Fields fields = fix_fields(stop()).value();
    fields.erase(fields.begin(), fields.begin() + 2);
    fields.pop_back();
    edit(fields);
    return fix_message(fields);
}

std::string Stage::calm() {
    const Instrument& instrument = episode_.rules().instruments()[0];
    return episode_.venue().quotes().snapshot(instrument.symbol, {{'2', decimal_text(instrument.middle)}});
}

void Stage::slip_in(const std::string& payload, const std::function<void(Packet&)>& edit) {
    Packet packet = episode_.venue().segment(payload, episode_.venue().snd_nxt());
    edit(packet);
    slip_in(packet.frame());
}

void Stage::check_orders(std::uint64_t orders) {
    episode_.audit();
    if (episode_.referee().orders() != orders)
        throw Failure("orders", std::to_string(episode_.referee().orders()) + " orders left, not " +
                                    std::to_string(orders));
}

}  // namespace fixaccel::hostile
