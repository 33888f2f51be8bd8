// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace fixaccel::fuzz {

std::string read_input(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + file.string());
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_input(const std::filesystem::path& file, const std::string& input) {
    std::ofstream out(file, std::ios::binary);
    out << input;
    if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

Inputs read_inputs(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    Inputs inputs;
    for (const auto& file : files) inputs.push_back(read_input(file));
    return inputs;
}

std::string name_of(const std::string& input) {
    std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
    for (const char c : input) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
    return text.data();
}

}  // namespace fixaccel::fuzz
