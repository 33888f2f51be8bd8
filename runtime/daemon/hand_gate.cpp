// SPDX-License-Identifier: Apache-2.0
#include "hand_gate.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "bundle_table.hpp"
#include "fixaccel/decimal.hpp"
#include "nearest.hpp"
#include "order_fields.hpp"
#include "table_columns.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::uint8_t kSell = 1;   // order.side
constexpr std::uint8_t kLimit = 1;  // order.type
constexpr std::size_t kBid = 0, kAsk = 1, kLast = 2;
constexpr const char* kMetadata = "by_hand";
constexpr const char* kWireUnit = "0.00000001";
constexpr Wide kBasisPoints = 10'000;
constexpr std::size_t kMostNearest = 3;

// A whole number above zero, as people write it: without sign, leading zeros, or more digits than OrderQty
// has.
std::optional<std::int64_t> quantity_of(const std::string& text) {
    constexpr std::size_t kMostDigits = 9;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number <= 0 ||
        text.size() > kMostDigits || text[0] == '0')
        return std::nullopt;
    return number;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

bool beyond(std::int64_t price, std::int64_t reference_halves, std::int64_t basis_points) {
    const Wide away = Wide{2} * price - reference_halves;
    return (away < 0 ? -away : away) * kBasisPoints >
           Wide{reference_halves < 0 ? -reference_halves : reference_halves} * basis_points;
}

std::string words_for(GateOutcome outcome) {
    switch (outcome) {
        case GateOutcome::order_notional:
            return "it would be worth more than one order may be";
        case GateOutcome::collar:
            return "its price is too far from the market";
        case GateOutcome::self_trade:
            return "it would meet an order of our own";
        case GateOutcome::orders_per_second:
            return "too many orders have left in the last second";
        case GateOutcome::total_orders:
            return "as many orders have been sent as may be";
        case GateOutcome::total_qty:
            return "more would be sent of this instrument and side than may be";
        default:
            return "it may not leave";
    }
}

}  // namespace

HandGate::HandGate(const Bundle& bundle)
    : table_(SoftwareTable::parse(bundle.software)),
      reader_(symbols(table_)),
      gate_(table_.columns()),
      markets_(table_.columns().instruments()) {
    gate_.set_rolling(false);  // the ledger counts
    const std::string text = table_.metadata(kMetadata);
    if (text.empty()) return;  // of a compiler that knew of no orders by hand
    try {
        const json terms = json::parse(text);
        account_ = terms.at("account").get<std::string>();
        for (const auto& [tag, value] : terms.at("fields").items())
            fields_.emplace_back(std::stoi(tag), value.get<std::string>());
        lots_ = terms.at("lots").get<std::vector<std::int64_t>>();
        if (!terms.at("order_qty").is_null()) order_qty_ = terms["order_qty"].get<std::int64_t>();
        order_notional_ = terms.value("order_notional", "");
        if (!terms.at("limit_collar").is_null()) limit_collar_ = terms["limit_collar"].get<std::int64_t>();
    } catch (const std::exception& error) {
        throw BundleError(std::string("the terms of orders by hand are not understood: ") + error.what());
    }
    const bool whole = std::all_of(lots_.begin(), lots_.end(), [](std::int64_t lot) { return lot > 0; });
    if (lots_.size() != markets_.size() || !whole)
        throw BundleError("the terms of orders by hand do not have a lot for each instrument");
}

void HandGate::take_over(const HandGate& former, std::int64_t now_ns) {
    gate_ = former.gate_;
    gate_.set_limits(table_.columns(), now_ns);
    sent_ = former.sent_;
    for (std::size_t row = 0; row < markets_.size(); ++row) {
        const auto before = former.row_of(std::string(table_.symbol(row)));
        const auto& unit = table_.columns().instrument.unit;
        if (before && former.table_.columns().instrument.unit[*before] == unit[row])
            markets_[row] = former.markets_[*before];
    }
}

void HandGate::change_limits(const LimitValues& changes, std::int64_t now_ns) {
    table_.change_limits(changes);
    gate_.set_values(table_.columns(), now_ns);
}

void HandGate::see(const MarketText& message, std::int64_t now_ns) {
    if (!reader_.read(message, now_ns, messages_)) return;
    for (const MarketMessage& each : messages_) {
        const auto row = static_cast<std::size_t>(each.instrument);
        Market& market = markets_[row];
        for (std::size_t source = 0; source < kCarriedSources; ++source) {
            const PriceState state = each.state[source];
            if (state == PriceState::absent && each.kind != MarketKind::snapshot) continue;
            const std::int64_t unit = table_.columns().instrument.unit[row];
            market.has_known[source] = state == PriceState::value && each.price[source] % unit == 0;
            if (market.has_known[source]) market.known[source] = each.price[source] / unit;
        }
    }
}

void HandGate::forget_market() { markets_.assign(markets_.size(), {}); }

void HandGate::follow(const SentOrders& sent, std::int64_t now_ns) {
    if (sent.orders == sent_) return;
    // With the venue's day they are counted from zero.
    if (sent_ >= 0) gate_.take(sent.orders > sent_ ? sent.orders - sent_ : sent.orders, now_ns);
    sent_ = sent.orders;
}

std::optional<std::size_t> HandGate::row_of(const std::string& symbol) const {
    for (std::size_t row = 0; row < markets_.size(); ++row)
        if (table_.symbol(row) == symbol) return row;
    return std::nullopt;
}

// Names that may have been meant, else the first of all.
std::string HandGate::nearest(const std::string& symbol) const {
    std::vector<std::string> known = symbols(table_);
    std::vector<std::string> near = known;
    std::erase_if(near, [&](const std::string& each) { return !is_near(each, symbol); });
    std::stable_sort(near.begin(), near.end(), [&](const std::string& one, const std::string& other) {
        return distance(one, symbol) < distance(other, symbol);
    });
    if (near.size() > kMostNearest) near.resize(kMostNearest);
    if (!near.empty()) return "did you mean " + joined(near) + "?";
    const bool more = known.size() > kMostNearest;
    if (more) known.resize(kMostNearest);
    return "it has " + joined(known) + (more ? ", ..." : "");
}

std::string HandGate::unknown(const std::string& symbol) const {
    return row_of(symbol) ? "" : "the venue has no instrument " + symbol + "; " + nearest(symbol);
}

std::string HandGate::unit_text(std::size_t row, std::int64_t units) const {
    return fixaccel::price_text(units,
                                fixaccel::price_text(table_.columns().instrument.unit[row], kWireUnit));
}

// Whole units within the venue's range.
std::optional<std::int64_t> HandGate::units(std::size_t row, const std::string& price) const {
    const auto& instrument = table_.columns().instrument;
    const auto wire = parse_decimal(price);
    if (!wire) return std::nullopt;
    return UnitDivider(instrument.unit[row], instrument.price_min[row], instrument.price_max[row])
        .divide(*wire);
}

std::int64_t HandGate::tick_at(std::size_t row, std::int64_t price) const {
    const TableColumns& columns = table_.columns();
    const auto first = static_cast<std::size_t>(columns.instrument.tick_first[row]);
    std::size_t tick = first;
    // The first start does not count: its tick holds below it too.
    while (tick + 1 < first + static_cast<std::size_t>(columns.instrument.tick_count[row]) &&
           columns.tick.start[tick + 1] <= price)
        ++tick;
    return columns.tick.size[tick];
}

std::string HandGate::wrong_price(std::size_t row, const std::string& text) const {
    const auto& instrument = table_.columns().instrument;
    if (!parse_decimal(text)) return "the price " + text + " is no decimal number, such as 1180.5";
    const auto price = units(row, text);
    if (!price)
        return "the price " + text + " is not a multiple of " + unit_text(row, 1) + " from " +
               unit_text(row, instrument.price_min[row]) + " to " + unit_text(row, instrument.price_max[row]);
    const std::int64_t tick = tick_at(row, *price);
    if (*price % tick == 0) return {};
    const auto below = static_cast<std::int64_t>(floor_div(*price, tick)) * tick;
    return "the price " + text + " is between the ticks " + unit_text(row, below) + " and " +
           unit_text(row, below + tick);
}

std::string HandGate::complete(OrderTerms& terms) const {
    const auto row = row_of(terms.symbol);
    if (!row) return unknown(terms.symbol);
    if (terms.side != "buy" && terms.side != "sell") return "the side is buy or sell, not " + terms.side;
    const auto qty = quantity_of(terms.qty);
    if (!qty) return "the quantity " + terms.qty + " is no whole number from 1 to 999999999";
    if (!lots_.empty() && *qty % lots_[*row] != 0)
        return "the quantity " + terms.qty + " is no multiple of the lot of " + std::to_string(lots_[*row]);
    if (terms.type != "limit" && terms.type != "market")
        return "the type is limit or market, not " + terms.type;
    if (tif_code(terms.tif).empty()) return "the time in force is day, gtc, ioc or fok, not " + terms.tif;
    if (terms.type == "market" && !terms.price.empty()) return "a market order has no price";
    if (terms.type == "limit" && terms.price.empty()) return "a limit order needs a price";
    if (terms.account.empty()) terms.account = account_;
    return terms.type == "limit" ? wrong_price(*row, terms.price) : "";
}

std::string HandGate::static_limit(const OrderTerms& terms, std::size_t row) const {
    if (order_qty_ && quantity_of(terms.qty).value_or(0) > *order_qty_)
        return "order_qty: an order may have " + std::to_string(*order_qty_) + " at most";
    std::int64_t reference = 0;
    if (terms.type == "limit" && limit_collar_ && markets_[row].reference(reference) &&
        beyond(units(row, terms.price).value_or(0), reference, *limit_collar_))
        return "limit_collar: its price is too far from the market";
    return {};
}

std::string HandGate::judge(const OrderTerms& terms, std::int64_t instead, const Ledger& ledger,
                            std::int64_t now_ns) {
    const std::size_t row = row_of(terms.symbol).value();
    if (std::string limit = static_limit(terms, row); !limit.empty()) return limit;
    const TableColumns& columns = table_.columns();
    const Market& market = markets_[row];
    TableFire order;
    order.ts_ns = now_ns;
    order.qty = quantity_of(terms.qty).value();
    order.side = terms.side == "sell" ? kSell : 0;
    order.type = terms.type == "limit" ? kLimit : 0;
    const std::size_t opposite = terms.side == "sell" ? kBid : kAsk;
    std::optional<std::int64_t> price;
    if (order.type == kLimit) price = order.price = units(row, terms.price).value();
    if (!price && market.has_known[opposite]) price = market.known[opposite];
    if (!price && market.has_known[kLast]) price = market.known[kLast];
    std::int64_t reference = 0;
    if (gate_.has_collar() && (!price || !market.reference(reference)))
        return "collar: no price of " + terms.symbol + " is known to measure it by";
    const bool capped = columns.instrument.notional_cap[2 * row] != ~0ULL ||
                        columns.instrument.notional_cap[2 * row + 1] != ~0ULL;
    if (capped && !price) return "order_notional: no price of " + terms.symbol + " is known to value it by";

    const SentOrders& sent = ledger.sent_orders();
    follow(sent, now_ns);
    gate_.set_orders(sent.orders);
    const auto done = sent.quantities.find(terms.symbol);
    const SentQuantity quantity = done == sent.quantities.end() ? SentQuantity{} : done->second;
    const bool sells = order.side == kSell;
    gate_.set_quantity(row, quantity.bought - (sells ? 0 : instead), quantity.sold - (sells ? instead : 0));
    ledger_ = &ledger;
    judged_ = row;
    std::optional<std::int64_t> halves;
    if (price) halves = bounded(Wide{2} * *price);
    GateOutcome outcome = gate_.judge(order, {row, -1, halves, halves.value_or(0), reference}, *this);
    const std::int64_t repeat = columns.limits.repeat_ns[0];
    const auto last = sent.last_ns.find(hand_key(terms.symbol, terms.side));
    const bool before_repeat = outcome != GateOutcome::sent && outcome < GateOutcome::repeat;
    if (repeat >= 0 && !before_repeat && last != sent.last_ns.end() && now_ns - last->second < repeat)
        return "repeat: the last order by hand on that side of " + terms.symbol + " is too fresh";
    return outcome == GateOutcome::sent ? "" : limit_text(outcome) + ": " + words_for(outcome);
}

std::optional<bool> HandGate::meets_own(const TableFire& fire) {
    std::optional<std::int64_t> price;
    if (fire.type == kLimit) price = bounded(Wide{fire.price} * table_.columns().instrument.unit[judged_]);
    return ledger_->resting().meets(std::string(table_.symbol(judged_)), fire.side != kSell, price);
}

void HandGate::report(const TableFire& /*fire*/) {}

bool HandGate::limits_quantity(const std::string& symbol) const {
    const auto row = row_of(symbol);
    return row && table_.columns().instrument.total_qty[*row] >= 0;
}

std::string HandGate::unit_of(const std::string& symbol) const {
    const auto row = row_of(symbol);
    return row ? unit_text(*row, 1) : "1";
}

}  // namespace fixaccel
