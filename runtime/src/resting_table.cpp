// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/resting_table.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "fixaccel/as_index.hpp"
#include "fixaccel/decimal.hpp"
#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {
namespace {

constexpr unsigned kCharBits = 4;
constexpr std::int64_t kAnyPrice = std::numeric_limits<std::int64_t>::max();
static_assert(hwmap::resting_record::kStride == 1, "a side is written as a word");

// Records of one memory of a bundle.
template <typename Record>
class Records {
  public:
    Records(const Bundle& bundle, const hwmap::Window& window) {
        for (const BundleMemory& memory : bundle.memories)
            if (memory.base == window.base) words_ = memory.words;
    }
    std::size_t size() const { return words_.size() / Record::kStride; }
    // Zero behind the last one.
    Record operator[](std::size_t index) const {
        Record record;
        if (index < size())
            std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(index * Record::kStride),
                        Record::kStride, record.words.begin());
        return record;
    }

  private:
    std::span<const std::uint32_t> words_;
};

// How the orders of a bundle read.
class Orders {
  public:
    explicit Orders(const Bundle& bundle)
        : orders_(bundle, hwmap::memory::order),
          chains_(bundle, hwmap::memory::chain),
          triggers_(bundle, hwmap::memory::trigger) {
        const Records<hwmap::template_byte_record> bytes(bundle, hwmap::memory::template_byte);
        price_chars_.resize(bytes.size() / hwmap::message_bytes + 1);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const hwmap::template_byte_record byte = bytes[i];
            if (byte.patch() != 0 && byte.value() >> hwmap::patch_index_bits == hwmap::patch_price)
                ++price_chars_[i / hwmap::message_bytes];
        }
    }

    hwmap::order_record operator[](std::uint32_t number) const { return orders_[number]; }

    // Numbers of an instrument's orders, rising, without those of watches.
    std::set<std::uint32_t> of(std::uint32_t instrument) const {
        const std::uint32_t chains = hwmap::depth::chain({1, 0, 0, 0, 0});
        std::set<std::uint32_t> numbers;
        for (std::uint32_t i = instrument * chains; i < (instrument + 1) * chains; ++i) {
            const hwmap::chain_record chain = chains_[i];
            for (std::uint64_t at = chain.first(); chain.valid() != 0 && at <= chain.last(); ++at) {
                const auto number = static_cast<std::uint32_t>(triggers_[as_index(at)].order());
                if (orders_[number].qty() >> (kCharBits * (hwmap::qty_text_chars - 1)) != hwmap::char_bound)
                    numbers.insert(number);
            }
        }
        return numbers;
    }

    // In the wire's unit; a market order's is better than any. None: it is not a price.
    std::optional<std::int64_t> price(std::uint32_t number) const {
        const hwmap::order_record order = orders_[number];
        const std::uint64_t index = order.template_index();
        const unsigned width = index < price_chars_.size() ? price_chars_[as_index(index)] : 0;
        if (width == 0) return order.sell() != 0 ? -kAnyPrice : kAnyPrice;
        std::string text;
        for (unsigned i = 0; i < width; ++i) {
            const auto code = static_cast<unsigned>(order.price() >> (kCharBits * i) & 0xFU);
            text += code == hwmap::char_minus   ? '-'
                    : code == hwmap::char_point ? '.'
                                                : static_cast<char>('0' + code);
        }
        return parse_decimal(text);
    }

  private:
    Records<hwmap::order_record> orders_;
    Records<hwmap::chain_record> chains_;
    Records<hwmap::trigger_record> triggers_;
    std::vector<unsigned> price_chars_;  // of the price, by template; market orders have none
};

std::uint32_t first_of_bank(Board& board, unsigned bank) {
    return bank * hwmap::depth::resting({board.read(hwmap::reg::cap_instruments), 0, 0, 0, 0}) / 2;
}

// Whether the board has them afterwards.
bool put(Board& board, std::uint32_t first, std::span<const std::uint32_t> words) {
    const std::uint32_t addr = hwmap::memory::resting.base + first * hwmap::memory::resting.stride_bytes;
    board.write(addr, words);
    std::vector<std::uint32_t> now(words.size());
    board.read(addr, now);
    return std::equal(words.begin(), words.end(), now.begin());
}

}  // namespace

RestingTable::RestingTable(const Bundle& bundle) {
    for (const BundleInstrument& listed : bundle.instruments)
        if (listed.index) numbers_ = std::max(numbers_, *listed.index + 1);
    if (!bundle.limits.self_trade) return;
    const Orders orders(bundle);
    for (const BundleInstrument& listed : bundle.instruments) {
        if (!listed.index) continue;
        Instrument& instrument = instruments_[listed.symbol];
        instrument.index = *listed.index;
        std::pair<std::int64_t, bool> place{-kAnyPrice, false};  // price, and whether it buys
        for (const std::uint32_t number : orders.of(instrument.index)) {
            const bool buys = orders[number].sell() == 0;
            const std::optional<std::int64_t> price = orders.price(number);
            if (!price || std::exchange(place, {*price, buys}) > std::pair{*price, buys})
                throw BundleError("bundle " + bundle.path.string() + ": the orders of " + listed.symbol +
                                  " are not numbered by their prices");
            (buys ? instrument.buys : instrument.sells).push_back({number, *price});
        }
    }
}

// Of a buy that rests the last order to sell that would meet it, of a sell the first to buy.
RestingTable::Words RestingTable::words(const RestingOrders& orders, const std::string& symbol,
                                        const Instrument& instrument) {
    Words words{};
    const auto word = [](const Record& record) {
        hwmap::resting_record met;
        met.set_order(record.number);
        met.set_valid(1);
        return met.words[0];
    };
    if (const auto bid = orders.best(symbol, true)) {
        const auto beyond =
            std::upper_bound(instrument.sells.begin(), instrument.sells.end(), *bid,
                             [](std::int64_t price, const Record& sell) { return price < sell.price; });
        if (beyond != instrument.sells.begin()) words[0] = word(*std::prev(beyond));
    }
    if (const auto offer = orders.best(symbol, false)) {
        const auto first =
            std::lower_bound(instrument.buys.begin(), instrument.buys.end(), *offer,
                             [](const Record& buy, std::int64_t price) { return buy.price < price; });
        if (first != instrument.buys.end()) words[1] = word(*first);
    }
    return words;
}

bool RestingTable::write_whole(Board& board, const RestingOrders& orders, unsigned bank) const {
    std::vector<std::uint32_t> all(std::size_t{2} * numbers_);
    for (const auto& [symbol, instrument] : instruments_) {
        const Words own = words(orders, symbol, instrument);
        std::copy(own.begin(), own.end(), all.begin() + std::ptrdiff_t{2} * instrument.index);
    }
    return put(board, first_of_bank(board, bank), all);
}

bool RestingTable::follow(Board& board, const RestingOrders& orders, unsigned bank) {
    if (knows(orders)) return true;
    if (!whole_) {
        if (!write_whole(board, orders, bank)) return false;
    } else {
        const std::uint32_t first = first_of_bank(board, bank);
        for (const auto& [symbol, own] : instruments_) {
            if (orders.changed(symbol) <= told_) continue;
            if (!put(board, first + 2 * own.index, words(orders, symbol, own))) return false;
        }
    }
    whole_ = true;
    told_ = orders.changes();
    return true;
}

}  // namespace fixaccel
