// SPDX-License-Identifier: Apache-2.0
// Files of inputs.
#pragma once

#include <filesystem>
#include <string>

#include "mutator.hpp"

namespace fixaccel::fuzz {

std::string read_input(const std::filesystem::path& file);
void write_input(const std::filesystem::path& file, const std::string& input);
// All files of a folder, in the order of their names.
Inputs read_inputs(const std::filesystem::path& folder);
// A name that says what is in it.
std::string name_of(const std::string& input);

}  // namespace fixaccel::fuzz
