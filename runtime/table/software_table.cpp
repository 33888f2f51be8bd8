// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <fstream>

#include "fixaccel/as_index.hpp"
#include "fixaccel/table.hpp"
#include "safetensors.hpp"
#include "table_columns.hpp"

namespace fixaccel {
namespace {

RawColumn raw_column(const std::string& name, const Tensor& tensor) {
    const auto& shape = tensor.shape;
    if (shape.empty() || shape.size() > 2)
        throw TableError("column " + name + " is neither a list nor a table");
    return {name, tensor.dtype, tensor.bytes.data(), as_index(shape[0]),
            shape.size() == 2 ? as_index(shape[1]) : 1};
}

}  // namespace

SoftwareTable::SoftwareTable() = default;
SoftwareTable::SoftwareTable(SoftwareTable&&) noexcept = default;
SoftwareTable& SoftwareTable::operator=(SoftwareTable&&) noexcept = default;
SoftwareTable::~SoftwareTable() = default;

SoftwareTable SoftwareTable::read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) throw TableError("cannot read " + path.string());
    std::vector<std::byte> content(static_cast<std::size_t>(file.tellg()));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(content.data()), static_cast<std::streamsize>(content.size()));
    if (!file) throw TableError("cannot read " + path.string());
    return parse(std::move(content));
}

SoftwareTable SoftwareTable::parse(std::vector<std::byte> content) {
    auto owner = std::make_shared<const std::vector<std::byte>>(std::move(content));
    return parse({reinterpret_cast<const char*>(owner->data()), owner->size()}, owner);
}

SoftwareTable SoftwareTable::parse(const SharedText& content) {
    return parse(content.view(), std::make_shared<const SharedText>(content));
}

SoftwareTable SoftwareTable::parse(std::string_view file, std::shared_ptr<const void> owner) {
    SoftwareTable table;
    table.content_ = std::move(owner);
    try {
        const Tensors tensors = parse_safetensors(file, &table.metadata_);
        std::vector<RawColumn> columns;
        for (const auto& [name, tensor] : tensors) columns.push_back(raw_column(name, tensor));
        table.columns_ = std::make_unique<TableColumns>(columns_of(columns));
        table.take_limits();
    } catch (const SafetensorsError& error) {
        throw TableError(error.what());
    }
    return table;
}

// The columns show copies, so that other values can stand there; they stay where they are when the table
// moves.
void SoftwareTable::take_limits() {
    auto& limits = columns_->limits;
    auto& own = columns_->rule_limits;
    std::vector<Units*> views{&limits.collar,
                              &limits.repeat_ns,
                              &limits.orders_per_second,
                              &limits.total_orders,
                              &columns_->instrument.total_qty,
                              &own.collar,
                              &own.repeat_ns,
                              &own.orders_per_second,
                              &own.total_orders,
                              &columns_->rule_instrument.total_qty};
    for (const Units* view : views) own_limits_.insert(own_limits_.end(), view->begin(), view->end());
    limits_ = own_limits_;
    std::size_t place = 0;
    for (Units* view : views) {
        *view = Units(limits_.data() + place, view->size());
        place += view->size();
    }
}

std::map<std::string, std::size_t> SoftwareTable::limit_places() const {
    std::map<std::string, std::size_t> places{
        {kCollar, 0}, {kRepeat, 1}, {kOrdersPerSecond, 2}, {kTotalOrders, 3}};
    std::size_t place = places.size();
    for (std::size_t row = 0; row < columns_->instruments(); ++row)
        places.emplace(limit_key(kTotalQty, std::string(symbol(row))), place++);
    // Those of a rule of its own: what it does not have has no place.
    const auto add = [&](const char* limit, const std::string& instrument, std::size_t own) {
        if (own_limits_[place] >= 0)
            places.emplace(limit_key(limit, instrument, std::string(limited_rule(own))), place);
        ++place;
    };
    const std::size_t rules = columns_->rule_limits.rule.size();
    for (const char* limit : {kCollar, kRepeat, kOrdersPerSecond, kTotalOrders})
        for (std::size_t own = 0; own < rules; ++own) add(limit, {}, own);
    const auto& of_instrument = columns_->rule_instrument;
    for (std::size_t row = 0; row < of_instrument.limits.size(); ++row)
        add(kTotalQty, std::string(symbol(static_cast<std::size_t>(of_instrument.instrument[row]))),
            static_cast<std::size_t>(of_instrument.limits[row]));
    return places;
}

std::string_view SoftwareTable::limited_rule(std::size_t own) const {
    const auto rule = static_cast<std::size_t>(columns_->rule_limits.rule[own]);
    const auto* text = reinterpret_cast<const char*>(columns_->name.text.data());
    return {text + columns_->rule.name_first[rule],
            static_cast<std::size_t>(columns_->rule.name_count[rule])};
}

LimitValues SoftwareTable::own_limits() const {
    LimitValues own;
    for (const auto& [key, place] : limit_places())
        if (own_limits_[place] >= 0) own.emplace(key, own_limits_[place]);
    return own;
}

void SoftwareTable::change_limits(const LimitValues& changes) {
    std::copy(own_limits_.begin(), own_limits_.end(), limits_.begin());
    changes_ = changes;
    const auto places = limit_places();
    for (const auto& [key, value] : changes)
        if (const auto place = places.find(key); place != places.end()) limits_[place->second] = value;
}

std::string SoftwareTable::metadata(const std::string& key) const {
    const auto found = metadata_.find(key);
    return found == metadata_.end() ? std::string() : found->second;
}

std::string_view SoftwareTable::symbol(std::size_t instrument) const {
    const auto* text = reinterpret_cast<const char*>(columns_->instrument.symbol.data()) +
                       instrument * TableColumns::kSymbolChars;
    return {text, strnlen(text, TableColumns::kSymbolChars)};
}

std::string_view SoftwareTable::name(std::size_t row) const {
    const auto count = static_cast<std::size_t>(columns_->part.name_count[row]);
    if (count == 0) return {};
    const auto* text = reinterpret_cast<const char*>(columns_->name.text.data());
    return {text + columns_->part.name_first[row], count};
}

}  // namespace fixaccel
