// SPDX-License-Identifier: Apache-2.0
// Small files that are there as a whole or not at all.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fixaccel {

// The journal cannot be opened, read or written.
class JournalError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Writes `text` as `dir`/`name`, by way of `dir`/`scratch`. Survives power loss on return: the former file or
// this one is there at any time. Throws JournalError.
void write_durably(const std::filesystem::path& dir, const std::string& scratch, const std::string& name,
                   std::string_view text);

// Makes the names in a folder survive power loss. Throws JournalError.
void sync_folder(const std::filesystem::path& dir);

}  // namespace fixaccel
