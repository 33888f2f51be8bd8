// SPDX-License-Identifier: Apache-2.0
#include "table_check.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "table_columns.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kHashWords = 2;

// Of the text in a bundle: the high half is written first.
bool is_hash(const TableColumns& columns, std::size_t row, std::string_view text) {
    constexpr std::size_t kHalf = 16;
    if (text.size() != 2 * kHalf) return false;
    const auto half = [&](std::size_t from, std::uint64_t& value) {
        const char* const end = text.data() + from + kHalf;
        const auto [stop, error] = std::from_chars(text.data() + from, end, value, kHalf);
        return error == std::errc() && stop == end;
    };
    std::uint64_t high = 0, low = 0;
    return half(0, high) && half(kHalf, low) && high == columns.part.hash[kHashWords * row + 1] &&
           low == columns.part.hash[kHashWords * row];
}

}  // namespace

// What rows are known by.
struct TableCheck::Rows {
    SharedText text;  // the columns are in it
    Numbers index, instrument;
    Words hash;
    Bytes symbols;

    bool same(const Rows& other, std::size_t first, std::size_t count) const;
};

bool TableCheck::Rows::same(const Rows& other, std::size_t first, std::size_t count) const {
    const auto alike = [](auto one, auto two, std::size_t from, std::size_t values) {
        return from + values <= one.size() && from + values <= two.size() &&
               std::ranges::equal(one.subspan(from, values), two.subspan(from, values));
    };
    return alike(index, other.index, first, count) && alike(instrument, other.instrument, first, count) &&
           alike(hash, other.hash, kHashWords * first, kHashWords * count);
}

void TableCheck::check(const Bundle& bundle, const SoftwareTable& table, RulesOf of) {
    const TableColumns& columns = table.columns();
    Rows rows{.text = of == RulesOf::runtime ? bundle.software : bundle.standby,
              .index = columns.part.index,
              .instrument = columns.part.instrument,
              .hash = columns.part.hash,
              .symbols = columns.instrument.symbol};
    const bool alike = rows_ && std::ranges::equal(rows.symbols, rows_->symbols);
    std::vector<std::size_t> ends;
    std::size_t row = 0;
    for (std::size_t piece = 0; piece < bundle.rules.pieces(); ++piece) {
        if (alike && bundle.rules.shares_piece(rules_, piece) && row == (piece == 0 ? 0 : ends_[piece - 1]) &&
            rows.same(*rows_, row, ends_[piece] - row))
            row = ends_[piece];
        else
            row = compare(bundle, table, of, piece, row);
        ends.push_back(row);
    }
    if (row != columns.parts())
        throw BundleError("bundle " + bundle.path.string() + ": a table of the runtime has other rules, too");
    rules_ = bundle.rules;
    rows_ = std::make_shared<const Rows>(std::move(rows));
    ends_ = std::move(ends);
}

// The rules of that piece with the rows from `row` on; returns the one behind them.
std::size_t TableCheck::compare(const Bundle& bundle, const SoftwareTable& table, RulesOf of,
                                std::size_t piece, std::size_t row) {
    const TableColumns& columns = table.columns();
    for (const BundleRule& rule : *bundle.rules.piece(piece)) {
        if (rule.trigger && of == RulesOf::runtime) continue;
        ++compared_;
        const bool there =
            row < columns.parts() && columns.part.index[row] == static_cast<std::int32_t>(rule.index) &&
            is_hash(columns, row, rule.hash) &&
            table.symbol(static_cast<std::size_t>(columns.part.instrument[row])) == rule.instrument;
        if (!there)
            throw BundleError("bundle " + bundle.path.string() + ": rule " + rule.id +
                              " is not in the runtime's table of its rules");
        ++row;
    }
    return row;
}

}  // namespace fixaccel
