// SPDX-License-Identifier: Apache-2.0
// The safetensors layout: the length of a JSON header in eight bytes, the header, then the data of the columns.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fixaccel/table.hpp"
#include "table_columns.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kLengthBytes = 8;
// Far more than the catalogue needs; a header is parsed as a whole.
constexpr std::size_t kMostHeader = 16 << 20;

std::size_t header_length(const std::vector<std::byte>& content) {
    if (content.size() < kLengthBytes) throw TableError("the file is too short to be a table");
    std::uint64_t length = 0;
    for (std::size_t at = 0; at < kLengthBytes; ++at) length |= std::to_integer<std::uint64_t>(content[at]) << 8 * at;
    if (length > kMostHeader || length > content.size() - kLengthBytes)
        throw TableError("the length of the header is beyond the file");
    return static_cast<std::size_t>(length);
}

std::size_t size_of(std::string_view dtype) {
    if (dtype == "U8") return 1;
    if (dtype == "I32") return 4;
    if (dtype == "I64" || dtype == "U64") return 8;
    throw TableError("no type of a column is called " + std::string(dtype));
}

RawColumn raw_column(const std::string& name, const nlohmann::json& entry, std::span<const std::byte> data) {
    const auto& dtype = entry.at("dtype").get_ref<const std::string&>();
    const auto shape = entry.at("shape").get<std::vector<std::uint64_t>>();
    const auto range = entry.at("data_offsets").get<std::vector<std::uint64_t>>();
    if (shape.empty() || shape.size() > 2 || range.size() != 2) throw TableError("column " + name + " has no shape");
    const std::uint64_t width = shape.size() == 2 ? shape[1] : 1;
    if (width == 0 || width > TableColumns::kSymbolChars) throw TableError("column " + name + " has rows of no known width");
    if (range[0] > range[1] || range[1] > data.size()) throw TableError("column " + name + " lies beyond the file");
    const std::uint64_t values = (range[1] - range[0]) / size_of(dtype);
    if (values % width != 0 || shape[0] != values / width || values * size_of(dtype) != range[1] - range[0])
        throw TableError("column " + name + " is not as long as its shape says");
    return {name, dtype, data.data() + range[0], static_cast<std::size_t>(shape[0]), static_cast<std::size_t>(width)};
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
    SoftwareTable table;
    table.content_ = std::move(content);
    const std::size_t length = header_length(table.content_);
    const auto* text = reinterpret_cast<const char*>(table.content_.data()) + kLengthBytes;
    const std::span<const std::byte> data = std::span(table.content_).subspan(kLengthBytes + length);
    try {
        const auto header = nlohmann::json::parse(text, text + length);
        std::vector<RawColumn> columns;
        for (const auto& [name, entry] : header.items()) {
            if (name != "__metadata__") {
                columns.push_back(raw_column(name, entry, data));
                continue;
            }
            for (const auto& [key, value] : entry.items()) table.metadata_.emplace_back(key, value.get<std::string>());
        }
        table.columns_ = std::make_unique<TableColumns>(columns_of(columns));
    } catch (const nlohmann::json::exception& error) {
        throw TableError(std::string("the header is not as it must be: ") + error.what());
    }
    return table;
}

std::string SoftwareTable::metadata(const std::string& key) const {
    const auto found = std::find_if(metadata_.begin(), metadata_.end(), [&](const auto& entry) { return entry.first == key; });
    return found == metadata_.end() ? std::string() : found->second;
}

std::string_view SoftwareTable::symbol(std::size_t instrument) const {
    const auto* text = reinterpret_cast<const char*>(columns_->instrument.symbol.data()) + instrument * TableColumns::kSymbolChars;
    return {text, strnlen(text, TableColumns::kSymbolChars)};
}

std::string_view SoftwareTable::name(std::size_t row) const {
    const auto count = static_cast<std::size_t>(columns_->part.name_count[row]);
    if (count == 0) return {};
    const auto* text = reinterpret_cast<const char*>(columns_->name.text.data());
    return {text + columns_->part.name_first[row], count};
}

}  // namespace fixaccel
