// SPDX-License-Identifier: Apache-2.0
// The interpreter for callers that are not C++: plain functions, plain memory, errors as text. A function
// that fails returns null or -1 and leaves the reason in `error`.
#include <algorithm>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "fixaccel/table.hpp"
#include "table_columns.hpp"

#define FIXACCEL_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using fixaccel::TableColumns;
using fixaccel::TableFire;

struct Collector : fixaccel::TableSink {
    void report(const TableFire& fire) override { fires.push_back(fire); }
    std::vector<TableFire> fires;
};

void say(char* error, std::size_t room, const char* text) {
    if (room == 0) return;
    const std::size_t length = std::min(std::strlen(text), room - 1);
    std::memcpy(error, text, length);
    error[length] = '\0';
}

// `work`'s result, or `failed` with the reason in `error`.
template <typename Result, typename Work>
Result guarded(char* error, std::size_t room, Result failed, Work work) {
    try {
        return work();
    } catch (const std::exception& fault) {
        say(error, room, fault.what());
    }
    return failed;
}

}  // namespace

struct fixaccel_table {
    explicit fixaccel_table(const TableColumns& columns) : interpreter(columns) {}
    fixaccel::TableInterpreter interpreter;
    Collector found;
};

struct fixaccel_column {
    const char* name;
    const char* dtype;
    const void* data;
    std::uint64_t rows;
    std::uint64_t width;
};

namespace {

TableColumns columns_from(const fixaccel_column* columns, std::size_t count) {
    std::vector<fixaccel::RawColumn> raw;
    raw.reserve(count);
    for (std::size_t at = 0; at < count; ++at)
        raw.push_back(
            {columns[at].name, columns[at].dtype, columns[at].data, columns[at].rows, columns[at].width});
    return fixaccel::columns_of(raw);
}

}  // namespace

// Each line names a column, its type and the values of its rows.
FIXACCEL_EXPORT const char* fixaccel_table_catalogue() {
    static const std::string text = [] {
        std::string lines;
        TableColumns columns;
        fixaccel::each_column(columns, [&](std::string_view name, auto& view, std::size_t width) {
            lines.append(name).append(" ").append(fixaccel::dtype_of(view)).append(" ");
            lines.append(std::to_string(width)).append("\n");
        });
        return lines;
    }();
    return text.c_str();
}

// The memory of the columns must stay until the table is closed or has others.
FIXACCEL_EXPORT fixaccel_table* fixaccel_table_open(const fixaccel_column* columns, std::size_t count,
                                                    char* error, std::size_t room) {
    return guarded<fixaccel_table*>(error, room, nullptr,
                                    [&] { return new fixaccel_table(columns_from(columns, count)); });
}

FIXACCEL_EXPORT int fixaccel_table_reload(fixaccel_table* table, const fixaccel_column* columns,
                                          std::size_t count, char* error, std::size_t room) {
    return guarded(error, room, -1, [&] {
        table->interpreter.reload(columns_from(columns, count));
        return 0;
    });
}

// How many fires `size` messages led to; prices and states are three arrays of `size`, one behind the other.
// `part` and `qty` are of executions, null if there are none.
FIXACCEL_EXPORT std::int64_t fixaccel_table_run(fixaccel_table* table, std::size_t size,
                                                const std::int64_t* ts_ns, const std::int32_t* instrument,
                                                const std::uint8_t* kind, const std::int64_t* price,
                                                const std::uint8_t* state, const std::int32_t* part,
                                                const std::int64_t* qty, std::int64_t first, char* error,
                                                std::size_t room) {
    return guarded(error, room, std::int64_t{-1}, [&] {
        fixaccel::MarketColumns messages{size, ts_ns, instrument, kind, {}, {}, part, qty};
        for (std::size_t source = 0; source < fixaccel::kCarriedSources; ++source) {
            messages.price[source] = price + source * size;
            messages.state[source] = state + source * size;
        }
        table->found.fires.clear();
        table->interpreter.run(messages, first, table->found);
        return static_cast<std::int64_t>(table->found.fires.size());
    });
}

// Runs keep account of orders from now on; `touch`: a model fills them.
FIXACCEL_EXPORT void fixaccel_table_keep_orders(fixaccel_table* table, int touch) {
    table->interpreter.keep_orders(touch != 0 ? fixaccel::FillModel::touch : fixaccel::FillModel::none);
}

// How many orders were cancelled, were filled by a model, and rows found no order: three numbers.
FIXACCEL_EXPORT void fixaccel_table_order_tally(const fixaccel_table* table, std::uint64_t* counts) {
    const fixaccel::OrderTally& tally = table->interpreter.order_tally();
    counts[0] = tally.cancels;
    counts[1] = tally.fills.size();
    counts[2] = tally.unmatched.size();
}

FIXACCEL_EXPORT std::size_t fixaccel_table_fill_size() { return sizeof(fixaccel::ModelFill); }

// The fills of the model, as many as the tally says.
FIXACCEL_EXPORT void fixaccel_table_fills(const fixaccel_table* table, fixaccel::ModelFill* fills) {
    const auto& made = table->interpreter.order_tally().fills;
    std::copy(made.begin(), made.end(), fills);
}

// The rows that found no order, as many as the tally says.
FIXACCEL_EXPORT void fixaccel_table_unmatched(const fixaccel_table* table, std::int64_t* rows) {
    const auto& unmatched = table->interpreter.order_tally().unmatched;
    std::copy(unmatched.begin(), unmatched.end(), rows);
}

// What the orders of each part, by its number over the whole strategy, have filled in all.
FIXACCEL_EXPORT void fixaccel_table_filled(const fixaccel_table* table, std::size_t parts,
                                           std::int64_t* qty) {
    for (std::size_t part = 0; part < parts; ++part)
        qty[part] = table->interpreter.filled_qty(static_cast<std::int32_t>(part));
}

FIXACCEL_EXPORT std::size_t fixaccel_table_fire_size() { return sizeof(TableFire); }

// The fires of the last run, as many as it returned.
FIXACCEL_EXPORT void fixaccel_table_fires(const fixaccel_table* table, TableFire* fires) {
    std::copy(table->found.fires.begin(), table->found.fires.end(), fires);
}

FIXACCEL_EXPORT std::uint64_t fixaccel_table_invalid_prices(const fixaccel_table* table) {
    return table->interpreter.invalid_prices();
}

// State of the part in each row.
FIXACCEL_EXPORT void fixaccel_table_states(const fixaccel_table* table, std::size_t rows,
                                           std::uint8_t* states) {
    for (std::size_t row = 0; row < rows; ++row)
        states[row] = static_cast<std::uint8_t>(table->interpreter.state(row));
}

FIXACCEL_EXPORT void fixaccel_table_close(fixaccel_table* table) { delete table; }
