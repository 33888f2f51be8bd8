// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/tally.hpp"

#include <algorithm>

namespace fixaccel {
namespace {

using nlohmann::json;

}  // namespace

void Histogram::observe(double value) {
    const auto bound = std::lower_bound(bounds_.begin(), bounds_.end(), value);
    if (bound != bounds_.end()) ++counts_[static_cast<std::size_t>(bound - bounds_.begin())];
    ++count_;
    sum_ += value;
}

json Histogram::report() const {
    json counts = json::array();
    std::uint64_t below = 0;
    for (const std::uint64_t count : counts_) counts.push_back(below += count);
    return {{"bounds", bounds_}, {"counts", std::move(counts)}, {"count", count_}, {"sum", sum_}};
}

Tally::Tally()
    : fabric_cycles_({4, 6, 8, 10, 12, 16, 24, 32, 64, 128, 512, 2048}),
      runtime_ns_({1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 1e8}) {}

void Tally::count(const Record& record) {
    const auto& type = record.at("type").text();
    ++records_[type];
    if (type == "session") ++sessions_[record.at("event").get<std::string>()];
    if (type == "load") ++loads_[record.value("how", "disarmed")];
    if (type == "execution") ++reports_[record.at("status").get<std::string>()];
    if (type != "fire") return;
    ++fires_[{record.at("where").get<std::string>(), record.at("outcome").get<std::string>()}];
    if (record.contains("cycles")) fabric_cycles_.observe(record.at("cycles").get<double>());
    if (const RecordValue* const took = record.find("took_ns")) runtime_ns_.observe(took->get<double>());
}

json Tally::report() const {
    json fires = json::array();
    for (const auto& [what, count] : fires_)
        fires.push_back({{"where", what.first}, {"outcome", what.second}, {"count", count}});
    return {{"records", records_},
            {"fires", std::move(fires)},
            {"sessions", sessions_},
            {"loads", loads_},
            {"reports", reports_},
            {"fabric_cycles", fabric_cycles_.report()},
            {"runtime_ns", runtime_ns_.report()}};
}

}  // namespace fixaccel
