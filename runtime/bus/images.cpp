// SPDX-License-Identifier: Apache-2.0
#include "bus/images.hpp"

#include "bus/gen/bus.hpp"
#include "fixaccel/decimal.hpp"
#include "fixaccel/journal.hpp"

namespace fixaccel::bus {
namespace {

using nlohmann::json;

constexpr std::array<const char*, kCarriedSources> kPrices{"bid", "ask", "last"};
constexpr std::array<const char*, kCarriedSources> kSizes{"bid_size", "ask_size", "last_size"};

// Nothing known: what the venue took out, or no price.
Quote quote_of(const MarketEntry& entry) {
    std::int64_t price = 0;
    if (entry.deleted() || !entry.price || read_price(*entry.price, price) != PriceState::value) return {};
    return {plain_number(*entry.price), bytes_to_text(plain_number(entry.size))};
}

json prices(const Image& image, bool all) {
    json out = json::object();
    for (std::size_t source = 0; source < kCarriedSources; ++source) {
        if (!all && !image.carried[source]) continue;
        const Quote& quote = image.top[source];
        out[kPrices[source]] = quote.price.empty() ? json() : json(quote.price);
        out[kSizes[source]] = quote.size.empty() ? json() : json(quote.size);
    }
    return out;
}

}  // namespace

void Images::see(std::string_view fix, std::int64_t ts_ns, const std::function<void(Image&)>& changed) {
    text_.read(fix);
    if (text_.again() || !text_.quotes()) return;
    chosen_.clear();
    const bool update = text_.update();
    if (!update && !text_.symbol().empty()) chosen_[text_.symbol()];
    for (const MarketEntry& entry : text_.entries()) {
        const std::string_view symbol = update ? entry.symbol : text_.symbol();
        if (!symbol.empty()) MarketReader::choose(entry, update, chosen_[symbol]);
    }
    for (const auto& [symbol, chosen] : chosen_) {
        auto known = images_.find(symbol);
        if (known == images_.end()) {
            known = images_.emplace(std::string(symbol), Image{}).first;
            known->second.symbol = bytes_to_text(symbol);
        }
        Image& image = known->second;
        for (std::size_t source = 0; source < kCarriedSources; ++source) {
            const MarketEntry* const entry = chosen.entry[source];
            image.carried[source] = entry != nullptr;
            if (entry != nullptr)
                image.top[source] = quote_of(*entry);
            else if (!update)
                image.top[source] = {};
        }
        image.snapshot = !update;
        image.open = true;
        image.ts_ns = ts_ns;
        changed(image);
    }
}

void Images::forget() {
    for (auto& [symbol, image] : images_) {
        image.top = {};
        image.carried = {};
        image.open = false;
    }
}

std::string quote_json(const Image& image, std::uint64_t run, Telling telling) {
    json top = prices(image, true);
    // Halts do not come on the session; behind a gap nothing is known.
    top["state"] = image.open ? "open" : "unknown";
    json out{{"v", kVersion},        {"run", run},           {"n", image.n},
             {"gaps", image.gaps},   {"ts_ns", image.ts_ns}, {"symbol", image.symbol},
             {"top", std::move(top)}};
    if (telling == Telling::message) {
        out["kind"] = image.snapshot ? "snapshot" : "update";
        out["msg"] = prices(image, image.snapshot);
    } else {
        out["kind"] = telling == Telling::gap ? "gap" : "snapshot";
        out["msg"] = telling == Telling::gap ? json::object() : prices(image, true);
        if (telling == Telling::again) out["again"] = true;
    }
    return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace fixaccel::bus
