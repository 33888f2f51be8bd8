// SPDX-License-Identifier: Apache-2.0
// Limits of a bundle in place of those that it came with.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/int128.hpp"
#include "fixaccel/limits_left.hpp"
#include "quantity_digits.hpp"

namespace fixaccel {
namespace {

constexpr unsigned kCollarBits = 62;  // the fabric's collar of 100 %: rtl/match/collar_distance.sv
constexpr Int128 kBasisPoints = 10'000;

std::uint64_t share_of(std::int64_t basis_points) {
    const Int128 whole = Int128{basis_points} << kCollarBits;
    return static_cast<std::uint64_t>((whole + kBasisPoints - 1) / kBasisPoints);
}

template <typename Of>
auto* quantities(Of& bundle) {
    const auto found =
        std::find_if(bundle.memories.begin(), bundle.memories.end(),
                     [](const BundleMemory& each) { return each.base == hwmap::memory::quantity_left.base; });
    return found == bundle.memories.end() ? nullptr : &*found;
}

// Calls visit(symbol, words of its record) for each of the fabric's instruments.
template <typename Of, typename Visit>
void each_quantity(Of& bundle, Visit visit) {
    auto* const memory = quantities(bundle);
    if (memory == nullptr) return;
    for (const BundleInstrument& instrument : bundle.instruments)
        if (instrument.index && *instrument.index < memory->records)
            visit(instrument.symbol,
                  memory->words.begin() +
                      static_cast<std::ptrdiff_t>(*instrument.index * hwmap::quantity_left_record::kStride));
}

OwnLimits own_limits_of(Bundle& bundle) {
    OwnLimits own{bundle.limits, bundle.collar, {}};
    each_quantity(bundle, [&](const std::string& symbol, auto words) {
        hwmap::quantity_left_record record;
        std::copy_n(words, record.words.size(), record.words.begin());
        // Both sides are limited alike.
        if (record.buy() != kAnyQuantity)
            own.quantities.emplace(symbol, static_cast<std::int64_t>(number(record.buy())));
    });
    return own;
}

std::optional<std::int64_t> value_of(const LimitValues& values, const std::string& key) {
    const auto found = values.find(key);
    return found == values.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

bool limits_quantities(const Bundle& bundle) {
    bool limited = false;
    each_quantity(bundle, [&](const std::string&, auto words) {
        hwmap::quantity_left_record record;
        std::copy_n(words, record.words.size(), record.words.begin());
        limited = limited || record.buy() != kAnyQuantity || record.sell() != kAnyQuantity;
    });
    return limited;
}

void hold_limits(Bundle& bundle, const LimitValues& changes) {
    if (!bundle.own_limits) bundle.own_limits = own_limits_of(bundle);
    const OwnLimits& own = *bundle.own_limits;
    bundle.limits = own.limits;
    bundle.collar = own.collar;
    if (const auto rate = value_of(changes, kOrdersPerSecond))
        bundle.limits.orders_per_second = static_cast<std::uint64_t>(*rate);
    if (const auto total = value_of(changes, kTotalOrders))
        bundle.limits.total_orders = static_cast<std::uint64_t>(*total);
    if (const auto collar = value_of(changes, kCollar)) bundle.collar = share_of(*collar);
    each_quantity(bundle, [&](const std::string& symbol, auto words) {
        const auto changed = value_of(changes, limit_key(kTotalQty, symbol));
        const auto total = changed ? changed : value_of(own.quantities, symbol);
        if (changed) bundle.limits.unlimited_orders = false;
        const std::uint64_t digits = total ? bcd(static_cast<std::uint64_t>(*total)) : kAnyQuantity;
        hwmap::quantity_left_record record;
        record.set_buy(digits);
        record.set_sell(digits);
        std::copy(record.words.begin(), record.words.end(), words);
    });
}

}  // namespace fixaccel
