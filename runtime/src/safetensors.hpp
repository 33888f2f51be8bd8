// SPDX-License-Identifier: Apache-2.0
// Columns of numbers in one file: the length of a JSON header in eight bytes, the header, then raw columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fixaccel {

class SafetensorsError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// One column; `bytes` are part of the text that was parsed, little-endian, of no certain alignment.
struct Tensor {
    std::string dtype;  // U8, I32, ...
    std::vector<std::uint64_t> shape;
    std::string_view bytes;

    // Value `index` counted over all dimensions; the caller has compared dtype and shape.
    template <typename Value>
    [[nodiscard]] Value at(std::size_t index) const {
        Value value{};
        std::memcpy(&value, bytes.data() + index * sizeof(Value), sizeof(Value));
        return value;
    }
};

using Tensors = std::map<std::string, Tensor>;

// The columns of `file`, which must outlive them, and the texts of its metadata by name for who wants them.
// Throws SafetensorsError unless every byte behind the header belongs to exactly one column that is as long
// as its shape says.
Tensors parse_safetensors(std::string_view file, std::map<std::string, std::string>* metadata = nullptr);

}  // namespace fixaccel
