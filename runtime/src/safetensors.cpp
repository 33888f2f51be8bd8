// SPDX-License-Identifier: Apache-2.0
#include "safetensors.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "fixaccel/as_index.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
constexpr std::string_view kMetadata = "__metadata__";

struct Kind {
    std::string_view name;
    std::uint64_t bytes;
};
constexpr std::array<Kind, 8> kKinds{
    {{"U8", 1}, {"I8", 1}, {"U16", 2}, {"I16", 2}, {"U32", 4}, {"I32", 4}, {"U64", 8}, {"I64", 8}}};

std::uint64_t size_of(const std::string& dtype) {
    const auto* const kind =
        std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& k) { return k.name == dtype; });
    if (kind == kKinds.end()) throw SafetensorsError("no column can be of type " + dtype);
    return kind->bytes;
}

// Bytes of a column of that type and shape, all ones if they are more than any file has.
std::uint64_t bytes_of(const Tensor& tensor) {
    std::uint64_t bytes = size_of(tensor.dtype);
    for (const std::uint64_t extent : tensor.shape)
        if (__builtin_mul_overflow(bytes, extent, &bytes)) return std::numeric_limits<std::uint64_t>::max();
    return bytes;
}

std::string_view header_of(std::string_view file) {
    std::uint64_t length = 0;
    if (file.size() < kLengthBytes) throw SafetensorsError("it is too short for a header");
    std::memcpy(&length, file.data(), kLengthBytes);
    if (length > file.size() - kLengthBytes) throw SafetensorsError("its header is longer than the file");
    return file.substr(kLengthBytes, as_index(length));
}

// What `read` makes of the header of `file`.
template <typename Read>
auto with_header(std::string_view file, Read read) {
    try {
        return read(json::parse(header_of(file)));
    } catch (const json::exception& error) {
        throw SafetensorsError(std::string("its header is not understood: ") + error.what());
    }
}

}  // namespace

Tensors parse_safetensors(std::string_view file, std::map<std::string, std::string>* metadata) {
    const std::string_view data = file.substr(kLengthBytes + header_of(file).size());
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    Tensors tensors = with_header(file, [&](const json& header) {
        Tensors found;
        for (const auto& [name, entry] : header.items()) {
            if (name == kMetadata) continue;
            Tensor tensor{.dtype = entry.at("dtype"), .shape = entry.at("shape"), .bytes = {}};
            const auto [begin, end] = entry.at("data_offsets").get<std::pair<std::uint64_t, std::uint64_t>>();
            if (begin > end || end > data.size() || bytes_of(tensor) != end - begin)
                throw SafetensorsError("column " + name + " is not as long as its shape says");
            tensor.bytes = data.substr(as_index(begin), as_index(end - begin));
            ranges.emplace_back(begin, end);
            found.emplace(name, std::move(tensor));
        }
        if (metadata != nullptr) *metadata = header.value(kMetadata, std::map<std::string, std::string>());
        return found;
    });
    std::sort(ranges.begin(), ranges.end());
    std::uint64_t covered = 0;
    for (const auto& [begin, end] : ranges) {
        if (begin != covered) throw SafetensorsError("its columns overlap or leave gaps");
        covered = end;
    }
    if (covered != data.size()) throw SafetensorsError("it has bytes that belong to no column");
    return tensors;
}

}  // namespace fixaccel
