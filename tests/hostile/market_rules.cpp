// SPDX-License-Identifier: Apache-2.0
#include "market_rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel::hostile {
namespace {

constexpr std::size_t kBelow = 0, kAbove = 1;
constexpr std::uint32_t kLast = 2, kMid = 3;

constexpr unsigned kMsgSeqNum = 34;

// QuickFIX rejects a message with a field of its header or trailer elsewhere.
constexpr std::array kHeader{8U,   9U,   34U,  35U,  43U,  49U,  50U,  52U,   56U,  57U,
                             90U,  97U,  115U, 116U, 122U, 128U, 129U, 142U,  143U, 144U,
                             145U, 212U, 213U, 347U, 369U, 370U, 627U, 1128U, 1129U};
constexpr std::array kTrailerTags{10U, 89U, 93U};

unsigned zone(unsigned tag) {
    const auto in = [&](const auto& tags) { return std::find(tags.begin(), tags.end(), tag) != tags.end(); };
    return in(kHeader) ? 0 : in(kTrailerTags) ? 2 : 1;
}

std::size_t source_code(std::string_view name) {
    constexpr std::array<std::string_view, 4> kNames{"bid", "ask", "last", "mid"};
    return static_cast<std::size_t>(std::find(kNames.begin(), kNames.end(), name) - kNames.begin());
}

}  // namespace

MarketRules::MarketRules(const Bundle& bundle, const std::filesystem::path& tables)
    : bundle_(bundle), links_(read_links(tables / "links.txt", bundle)) {
    std::ifstream file(tables / "instruments.txt");
    std::array<std::string, 5> words;
    while (file >> words[0] >> words[1] >> words[2] >> words[3] >> words[4])
        instruments_.push_back({.symbol = words[0],
                                .tick = decimal(words[1]).value(),
                                .middle = decimal(words[2]).value(),
                                .low = decimal(words[3]).value(),
                                .high = decimal(words[4]).value()});
    std::ifstream limits(tables / "collar.txt");
    if (Scaled basis_points = 0; limits >> basis_points) collar_ = basis_points;
    if (instruments_.size() < 2) throw std::runtime_error(tables.string() + " lists no instruments");
    chains_.resize(instruments_.size());
    decisions_.resize(instruments_.size());
    const auto decided = read_decisions(tables / "decisions.txt");
    std::ifstream listed(tables / "confirmed.txt");
    const std::set<std::string> confirmed{std::istream_iterator<std::string>(listed), {}};
    if (confirmed.empty()) throw std::runtime_error(tables.string() + " lists nothing that is confirmed");
    for (const BundleRule& rule : bundle_.rules) {
        if (!rule.trigger) continue;  // the runtime's
        const auto at = std::find_if(instruments_.begin(), instruments_.end(),
                                     [&](const Instrument& i) { return i.symbol == rule.instrument; });
        const auto instrument = static_cast<std::size_t>(at - instruments_.begin());
        if (rule.form == "decide") {
            decisions_.at(instrument)
                .at(source_code(rule.source))
                .push_back({rule.index, decided.at(rule.id)});
            continue;
        }
        Chains& chains = chains_.at(instrument).at(source_code(rule.source));
        chains[rule.direction == "<=" ? kBelow : kAbove].push_back(
            {rule.index, decimal(rule.threshold).value(), confirmed.contains(rule.id)});
    }
    const auto declared_first = [](const Threshold& a, const Threshold& b) { return a.rule < b.rule; };
    for (auto& sources : chains_)
        for (Chains& chains : sources) {
            std::sort(chains[kBelow].begin(), chains[kBelow].end(),
                      [&](const Threshold& a, const Threshold& b) {
                          return a.at == b.at ? declared_first(a, b) : a.at > b.at;
                      });
            std::sort(chains[kAbove].begin(), chains[kAbove].end(),
                      [&](const Threshold& a, const Threshold& b) {
                          return a.at == b.at ? declared_first(a, b) : a.at < b.at;
                      });
        }
}

std::map<std::string, std::vector<MarketRules::Interval>> MarketRules::read_decisions(
    const std::filesystem::path& path) {
    std::map<std::string, std::vector<Interval>> out;
    std::ifstream file(path);
    std::array<std::string, 6> words;
    while (file >> words[0] >> words[1] >> words[2] >> words[3] >> words[4] >> words[5]) {
        const bool market = words[5] == "market";
        out[words[0]].push_back({.low = decimal(words[1]).value(),
                                 .high = decimal(words[2]).value(),
                                 .order = {.side = words[3],
                                           .qty = words[4],
                                           .type = market ? "market" : "limit",
                                           .price = market ? "" : words[5],
                                           .tif = "day",
                                           .account = "CLIENT1"}});
    }
    if (out.empty()) throw std::runtime_error(path.string() + " has no decisions");
    return out;
}

const MarketRules::Interval* MarketRules::landing(const Decision& decision, Scaled doubled) {
    for (const Interval& interval : decision.intervals)
        if (2 * interval.low <= doubled && doubled <= 2 * interval.high) return &interval;
    return nullptr;
}

BundleRule MarketRules::rule_of(const Fire& fire) const {
    BundleRule rule = bundle_.rules.at(fire.rule);
    for (std::size_t i = 0; i < instruments_.size(); ++i)
        for (const Decision& decision : decisions_[i].at(fire.source)) {
            if (decision.rule != fire.rule) continue;
            const Scaled price = fire.observed * instruments_[i].tick;
            if (const Interval* const at = landing(decision, fire.source == kMid ? price : 2 * price))
                rule.order = at->order;
        }
    return rule;
}

std::optional<Scaled> MarketRules::observation(const Instrument& instrument, std::string_view text) const {
    const auto value = decimal(text);
    if (!value || *value % instrument.tick != 0 || *value < instrument.low || *value > instrument.high)
        return {};
    return value;
}

std::optional<MarketRules::Quote> MarketRules::quote_of(std::string_view symbol) const {
    for (std::size_t i = 0; i < instruments_.size(); ++i)
        if (instruments_[i].symbol == symbol) return Quote{.instrument = &instruments_[i], .index = i};
    return {};
}

MarketRules::Judgement MarketRules::judge(std::string_view message, std::uint32_t number) const {
    const auto fields = fix_fields(message);
    if (!fields || fields->size() < 3 || (*fields)[2].tag != kMsgType) return Judgement::refused;
    const auto is = [&](unsigned tag, const std::string& value) {
        const std::string* const found = find(*fields, tag);
        return found != nullptr && *found == value;
    };
    unsigned at = 0;
    for (std::size_t i = 0; i < fields->size(); ++i) {
        const Field& field = (*fields)[i];
        const bool inside = i > 2 && i + 1 < fields->size();
        const bool framing = field.tag == 8 || field.tag == 9 || field.tag == 10 || field.tag == kMsgType;
        if (field.value.empty() || zone(field.tag) < at || (inside && framing)) return Judgement::refused;
        at = zone(field.tag);
    }
    if (!is(8, bundle_.session.begin_string) || !is(kSenderCompId, bundle_.session.target_comp_id) ||
        !is(kTargetCompId, bundle_.session.sender_comp_id))
        return Judgement::refused;
    if (is(kMsgType, "A") || is(kMsgType, "5") || is(kMsgType, "4")) return Judgement::refused;
    const std::string* const text = find(*fields, kMsgSeqNum);
    std::uint32_t own = 0;
    if (text == nullptr ||
        std::from_chars(text->data(), text->data() + text->size(), own).ec != std::errc{} ||
        *text != std::to_string(own))
        return Judgement::refused;
    if (own == number) return Judgement::taken;
    // What was never there cannot come again: a number that is too high is asked for, PossDupFlag or not.
    return own < number && is(kPossDupFlag, "Y") ? Judgement::passed_over : Judgement::refused;
}

void MarketRules::add_fires(std::vector<Fire>& fires, const Quote& quote, std::uint32_t source,
                            Scaled doubled, Scaled observed, bool certain,
                            const KnownValues::Values& before) const {
    const auto units = static_cast<std::int64_t>(observed / quote.instrument->tick);
    for (const std::size_t direction : {kBelow, kAbove})
        for (const Threshold& threshold : chains_[quote.index][source][direction]) {
            const auto met = [&](Scaled twice) {
                return direction == kBelow ? twice <= 2 * threshold.at : twice >= 2 * threshold.at;
            };
            if (!met(doubled)) break;
            const auto confirming =
                std::count_if(before.begin(), before.end(),
                              [&](const std::optional<Scaled>& price) { return price && met(2 * *price); });
            if (threshold.confirmed && confirming == 0) continue;
            const bool open = threshold.confirmed && static_cast<std::size_t>(confirming) < before.size();
            fires.push_back({threshold.rule, source, units, certain && !open});
        }
    for (const Decision& decision : decisions_[quote.index][source])
        if (landing(decision, doubled) != nullptr) fires.push_back({decision.rule, source, units, certain});
}

void MarketRules::judge_collar(std::vector<Fire>& fires, std::size_t from, Scaled doubled,
                               const KnownValues::Values& references) const {
    if (!collar_) return;
    bool none = false, inside = false, outside = false;
    for (const auto& reference : references) {
        if (!reference)
            none = true;
        else if (std::abs(doubled - *reference) * 10'000 <= *collar_ * std::abs(*reference))
            inside = true;
        else
            outside = true;
    }
    if (!inside && !outside) fires.resize(from);
    for (std::size_t i = from; i < fires.size(); ++i) {
        if (none) fires[i].certain = false;
        fires[i].may_pass = inside;
        fires[i].may_breach = outside;
    }
}

std::vector<std::vector<Fire>> MarketRules::satisfied(std::string_view message, KnownValues& known,
                                                      bool taken) const {
    std::vector<std::vector<Fire>> out;
    for (const Quote& quote : read(message)) {
        const auto references = known.references(quote.index);  // ahead of it
        const auto newest = known.newest(quote.index);
        known.note(quote.index, quote.says, taken);
        std::vector<Fire> own;
        const auto add = [&](std::uint32_t source, Scaled doubled, Scaled observed, bool certain) {
            const std::size_t from = own.size();
            add_fires(own, quote, source, doubled, observed, certain,
                      source == kMid ? KnownValues::Values{} : newest.at(source));
            judge_collar(own, from, doubled, references);
        };
        bool sided = false;  // it says bid or ask
        for (std::uint32_t source = 0; source < quote.says.size(); ++source) {
            const auto price = quote.says[source].value_or(std::nullopt);
            if (!price) continue;
            if (source < kLast) sided = true;
            add(source, 2 * *price, *price, true);
        }
        // Of both sides behind the message.
        if (sided) {
            const auto sums = known.sums(quote.index, quote.says);
            for (const auto& sum : sums)
                if (sum) add(kMid, *sum, *sum, sums.size() == 1);
        }
        if (!own.empty()) out.push_back(std::move(own));
    }
    return out;
}

std::vector<std::vector<Fire>> MarketRules::satisfied(std::string_view message) const {
    KnownValues known = nothing_known();
    return satisfied(message, known);
}

std::vector<Fire> MarketRules::fires(std::string_view message, RuleStates& states) const {
    std::vector<Fire> out;
    for (const auto& own : satisfied(message)) {
        for (const Fire& fire : own) {
            if (!states.armed(fire.rule)) continue;
            out.push_back(fire);
            states.fired(fire.rule, true);
        }
        states.message_over();
    }
    return out;
}

std::vector<Fire> MarketRules::fires(std::string_view message) const {
    RuleStates states = fresh();
    return fires(message, states);
}

}  // namespace fixaccel::hostile
