// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/kill_word.hpp"

#include <system_error>

#include "fixaccel/journal.hpp"
#include "fixaccel/read_file.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr const char* kFile = "kill";
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr const char* kNew = "kill.new";

}  // namespace

std::optional<KillWord> read_kill_word(const std::filesystem::path& dir) {
    const std::filesystem::path file = dir / kFile;
    std::error_code error;
    const auto type = std::filesystem::symlink_status(file, error).type();
    if (type == std::filesystem::file_type::not_found) return std::nullopt;
    KillWord unread{true, 0, file.string() + " cannot be read", 0};
    std::string text;
    try {
        text = read_file(file.string(), kMostBytes);
    } catch (const FileError&) {
        return unread;
    }
    const auto record = parse_journal_line(text.substr(0, text.find('\n')));
    if (!record) return unread;
    try {
        return KillWord{record->at("on").get<bool>(), record->at("kills").get<std::uint64_t>(),
                        text_to_bytes(record->at("by").get<std::string>()),
                        record->at("time_ns").get<std::int64_t>()};
    } catch (const json::exception&) {
        return unread;
    } catch (const JournalError&) {
        return unread;
    }
}

void write_kill_word(const std::filesystem::path& dir, const KillWord& word) {
    write_durably(dir, kNew, kFile,
                  journal_line({{"on", word.on},
                                {"kills", word.kills},
                                {"by", bytes_to_text(word.by)},
                                {"time_ns", word.time_ns}}));
}

}  // namespace fixaccel
