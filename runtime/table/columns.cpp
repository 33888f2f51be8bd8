// SPDX-License-Identifier: Apache-2.0
// Columns from raw memory: each must be there, with the type of the catalogue, and as long as its table.
#include <map>
#include <string>

#include "fixaccel/table.hpp"
#include "table_columns.hpp"

namespace fixaccel {
namespace {

std::string table_of(std::string_view name) { return std::string(name.substr(0, name.find('.'))); }

[[noreturn]] void fail(std::string_view name, const std::string& what) {
    throw TableError("column " + std::string(name) + ' ' + what);
}

using Given = std::map<std::string_view, const RawColumn*>;

Given by_name(std::span<const RawColumn> columns) {
    Given given;
    for (const RawColumn& column : columns)
        if (!given.emplace(column.name, &column).second) fail(column.name, "is there twice");
    return given;
}

template <typename Value>
ColumnView<Value> view_of(const RawColumn& raw, std::size_t width) {
    if (raw.dtype != dtype_of(ColumnView<Value>{}))
        fail(raw.name,
             "is of type " + std::string(raw.dtype) + ", not " + std::string(dtype_of(ColumnView<Value>{})));
    if (raw.width != width)
        fail(raw.name, "has " + std::to_string(raw.width) + " values a row, not " + std::to_string(width));
    if (raw.rows == 0) return {};
    if (raw.data == nullptr || reinterpret_cast<std::uintptr_t>(raw.data) % alignof(Value) != 0)
        fail(raw.name, "does not lie at a multiple of its size");
    return {static_cast<const Value*>(raw.data), raw.rows * width};
}

}  // namespace

TableColumns columns_of(std::span<const RawColumn> columns) {
    const Given given = by_name(columns);
    TableColumns views;
    std::map<std::string, std::size_t> rows;
    std::size_t known = 0;
    each_column(views,
                [&]<typename Value>(std::string_view name, ColumnView<Value>& view, std::size_t width) {
                    const auto found = given.find(name);
                    if (found == given.end()) fail(name, "is missing");
                    ++known;
                    view = view_of<Value>(*found->second, width);
                    const auto [table, fresh] = rows.emplace(table_of(name), found->second->rows);
                    if (!fresh && table->second != found->second->rows)
                        fail(name, "has " + std::to_string(found->second->rows) + " rows, its table " +
                                       std::to_string(table->second));
                });
    if (known != given.size()) throw TableError("there are columns that this version does not know");
    check_columns(views);
    return views;
}

}  // namespace fixaccel
