// SPDX-License-Identifier: Apache-2.0
#include "user_names.hpp"

#include <charconv>
#include <sstream>

#include "fixaccel/read_file.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kLongestFile = std::size_t{4} << 20;

}  // namespace

// NAME:PASSWORD:NUMBER:... a line; the first name of a number counts, as it does for `ls`.
UserNames::UserNames(const std::string& file) {
    std::string text;
    try {
        text = read_file(file, kLongestFile);
    } catch (const FileError&) {  // numbers say who it is, too
        return;
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t name = line.find(':');
        const std::size_t password = name == std::string::npos ? name : line.find(':', name + 1);
        if (password == std::string::npos) continue;
        uid_t user = 0;
        const auto [end, error] = std::from_chars(&line[password + 1], line.data() + line.size(), user);
        if (error == std::errc() && *end == ':') names_.emplace(user, line.substr(0, name));
    }
}

std::string UserNames::text(uid_t user) const {
    const auto name = names_.find(user);
    return "user " + std::to_string(user) + (name == names_.end() ? "" : " (" + name->second + ")");
}

}  // namespace fixaccel
