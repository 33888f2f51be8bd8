// SPDX-License-Identifier: Apache-2.0
// Follows a journal that another process writes: whole lines, in order, from any record on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "fixaccel/record.hpp"

namespace fixaccel::bus {

// The journal cannot be followed; the text says where and why.
class TailError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class JournalTail {
  public:
    // The next record is that of number `next`, whether it is there already or not.
    JournalTail(std::filesystem::path folder, std::uint64_t next);
    JournalTail(const JournalTail&) = delete;
    JournalTail& operator=(const JournalTail&) = delete;
    ~JournalTail();

    // None: it is not written yet. Throws TailError for what is damaged or missing.
    std::optional<Record> read();
    // Number of the record that read() will give next.
    std::uint64_t next() const { return next_; }
    // All that was read survives a loss of power on return.
    void sync();

  private:
    bool open();
    bool fill();

    std::filesystem::path folder_;
    std::uint64_t next_;
    std::filesystem::path file_;
    int fd_ = -1;
    std::uint64_t first_ = 0;   // number of the file's first record
    std::uint64_t number_ = 0;  // of the line at the beginning of text_
    std::string text_;          // read, not given out
    std::size_t begin_ = 0;     // in there
};

// By what a journal is known: SHA-256 of its first line, sixteen digits of it; empty while it has none.
// Throws TailError if its first file is not there.
std::string journal_id(const std::filesystem::path& folder);

}  // namespace fixaccel::bus
