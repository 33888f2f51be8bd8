// SPDX-License-Identifier: Apache-2.0
// An interpreter over a table made by hand.
#pragma once

#include <string>
#include <vector>

#include "table_builder.hpp"

namespace fixaccel::test {

constexpr std::int64_t kSecond = 1'000'000'000;

struct Running {
    explicit Running(const TableBuilder& builder) : table(builder.table()), interpreter(table.columns()) {}
    void see(std::int64_t units, std::int64_t ts_ns = 0) { interpreter.process(trade(units, ts_ns), sink); }

    SoftwareTable table;
    TableInterpreter interpreter;
    Recorder sink;
};

// `child` is armed by what `parents` (first, count) come to: 0 sent, 1 a first fill, 2 filled.
inline TableBuilder& armed_on(TableBuilder& builder, Values parents_of_parts, std::int64_t on,
                              Values first = {0}, Values count = {1}) {
    return builder.set("part.parents", std::move(parents_of_parts))
        .set("parents.first", {0})
        .set("parents.count", {static_cast<std::int64_t>(first.size())})
        .set("parents.on", {on})
        .set("parent.first", std::move(first))
        .set("parent.count", std::move(count));
}

}  // namespace fixaccel::test
