// SPDX-License-Identifier: Apache-2.0
// Tables for tests, from a few numbers: what is not given is as it is for a plain threshold.
#pragma once

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "fixaccel/table.hpp"
#include "table_columns.hpp"

namespace fixaccel::test {

using Values = std::vector<std::int64_t>;

// One instrument of unit 0.01 and tick 0.01, valid from -100.00 to 10,000.00, without limits.
inline std::map<std::string, Values> shared_columns() {
    return {
        {"instrument.symbol", {'M', 'S', 'F', 'T', 0, 0, 0, 0, 0, 0, 0, 0}},
        {"instrument.unit", {1'000'000}},
        {"instrument.price_min", {-10'000}},
        {"instrument.price_max", {1'000'000}},
        {"instrument.tick_first", {0}},
        {"instrument.tick_count", {1}},
        {"instrument.notional_cap", {-1, -1}},
        {"instrument.total_qty", {-1}},
        {"instrument.lot", {1}},
        {"tick.start", {0}},
        {"tick.size", {1}},
        {"limits.collar", {-1}},
        {"limits.orders_per_second", {-1}},
        {"limits.total_orders", {-1}},
        {"limits.repeat_ns", {-1}},
        {"limits.order_qty", {-1}},
        {"limits.day_roll", {-1}},
    };
}

class TableBuilder {
  public:
    TableBuilder() : given_(shared_columns()) {}

    TableBuilder& set(const std::string& name, Values values) {
        given_[name] = std::move(values);
        return *this;
    }

    // The JSON list of what orders carry besides.
    TableBuilder& envelopes(std::string list) {
        envelopes_ = std::move(list);
        return *this;
    }

    // The JSON object of what orders by hand have and must pass.
    TableBuilder& by_hand(std::string terms) {
        by_hand_ = std::move(terms);
        return *this;
    }

    // A sell stop at or below `threshold` on last for each, each with an order of its own.
    TableBuilder& stops(const Values& thresholds) {
        Values index;
        for (std::size_t row = 0; row < thresholds.size(); ++row)
            index.push_back(static_cast<std::int64_t>(row));
        const std::size_t rows = thresholds.size();
        Values hash;
        for (const std::int64_t number : index) hash.insert(hash.end(), {number + 1, 0});
        return set("part.index", index)
            .set("part.order", index)
            .set("part.threshold", thresholds)
            .set("part.hash", hash)
            .set("part.source", Values(rows, 2))
            .set("part.confirm", Values(rows, 1))
            .set("order.side", Values(rows, 1))
            .set("order.qty", Values(rows, 1));
    }

    std::vector<std::byte> file() const {
        // Wide numbers first, so that each column lies at a multiple of its size.
        nlohmann::json header;
        std::string data;
        for (const std::size_t bytes : {8, 4, 1}) append(header, data, bytes);
        header["__metadata__"] = {{"envelopes", envelopes_}};
        if (!by_hand_.empty()) header["__metadata__"]["by_hand"] = by_hand_;
        std::string text = header.dump();
        text.resize((text.size() + 7) / 8 * 8, ' ');
        const std::uint64_t length = text.size();
        std::vector<std::byte> file(sizeof(length) + text.size() + data.size());
        std::memcpy(file.data(), &length, sizeof(length));
        std::memcpy(file.data() + sizeof(length), text.data(), text.size());
        std::memcpy(file.data() + sizeof(length) + text.size(), data.data(), data.size());
        return file;
    }

    SoftwareTable table() const { return SoftwareTable::parse(file()); }

  private:
    // The columns whose values take so many bytes.
    void append(nlohmann::json& header, std::string& data, std::size_t bytes) const {
        TableColumns columns;
        each_column(columns, [&]<typename Value>(const char* name, ColumnView<Value>&, std::size_t width) {
            if (sizeof(Value) != bytes) return;
            const Values values = column(name, width);
            const std::size_t begin = data.size();
            for (const std::int64_t number : values) {
                const auto value = static_cast<Value>(number);
                data.append(reinterpret_cast<const char*>(&value), sizeof(Value));
            }
            nlohmann::json shape = {values.size() / width};
            if (width > 1) shape.push_back(width);
            header[name] = {{"dtype", dtype_of(ColumnView<Value>{})},
                            {"shape", shape},
                            {"data_offsets", {begin, data.size()}}};
        });
    }

    Values column(const std::string& name, std::size_t width) const {
        const auto found = given_.find(name);
        if (found != given_.end()) return found->second;
        static const std::set<std::string> rows = {
            "part.schedule", "part.rule", "part.group",   "part.parents", "part.rearm",    "part.decision",
            "part.trail",    "part.at",   "part.cancels", "part.limits",  "order.envelope"};
        return Values(rows_of(name) * width, rows.count(name) != 0 ? -1 : 0);
    }

    std::size_t rows_of(const std::string& name) const {
        const std::string table = name.substr(0, name.find('.') + 1);
        for (const auto& [other, values] : given_)
            if (other.compare(0, table.size(), table) == 0 && other != "instrument.symbol" &&
                other != "part.hash" && other != "instrument.notional_cap" &&
                other != "rule_instrument.notional_cap")
                return values.size();
        return 0;
    }

    std::map<std::string, Values> given_;
    std::string envelopes_ = "[]";
    std::string by_hand_;
};

// Remembers what fired, and lets orders leave or not.
struct Recorder : TableSink {
    GateOutcome offer(const TableFire& fire) override {
        offered.push_back(fire);
        return answer;
    }
    void report(const TableFire& fire) override { fires.push_back(fire); }

    std::vector<std::int32_t> parts() const {
        std::vector<std::int32_t> numbers;
        for (const TableFire& fire : fires) numbers.push_back(fire.part);
        return numbers;
    }

    GateOutcome answer = GateOutcome::sent;
    std::vector<TableFire> offered;
    std::vector<TableFire> fires;
};

// A trade at `units` hundredths, `ts_ns` after the epoch.
inline MarketMessage trade(std::int64_t units, std::int64_t ts_ns = 0) {
    MarketMessage message;
    message.ts_ns = ts_ns;
    message.instrument = 0;
    message.state[2] = PriceState::value;
    message.price[2] = units * 1'000'000;
    return message;
}

}  // namespace fixaccel::test
