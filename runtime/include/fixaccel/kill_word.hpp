// SPDX-License-Identifier: Apache-2.0
// The last word on the kill switch, in a small file of its own beside the journal: it is made durable at
// once, by whichever thread hears it, while the journal belongs to the thread that trades.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace fixaccel {

struct KillWord {
    bool on = false;
    std::uint64_t kills = 0;   // so often has it been turned on
    std::string by;            // who said it, as far as is known
    std::int64_t time_ns = 0;  // UTC, when the board had been told
};

// Of the journal in `dir`; none if nobody has ever said anything. One that cannot be read says on.
std::optional<KillWord> read_kill_word(const std::filesystem::path& dir);

// Survives power loss on return: the former word or this one is there at any time. Throws JournalError.
void write_kill_word(const std::filesystem::path& dir, const KillWord& word);

}  // namespace fixaccel
