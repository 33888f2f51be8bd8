// SPDX-License-Identifier: Apache-2.0
// Files that somebody names may be anything. Valid in C++14 and C++20.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace fixaccel {

// It cannot be read; the text names the file and says what it is.
class FileError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The content of a file of at most that many bytes. Waits for nobody: a named pipe, a device and the like are
// refused unread. Throws FileError.
std::string read_file(const std::string& path, std::size_t most_bytes);
// Whether that is `content`, which is looked at byte by byte. Throws FileError.
bool file_is(const std::string& path, const std::string& content);

}  // namespace fixaccel
