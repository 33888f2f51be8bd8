// SPDX-License-Identifier: Apache-2.0
// Event files in CSV, as `fixaccel simulate` reads them: one row is one market-data message.
#pragma once

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace fixaccel::exchange {

// Texts as they stand there; empty: not carried.
struct EventRow {
    std::int64_t ts_ns = 0;
    std::string instrument;
    std::string kind;
    std::string bid;
    std::string bid_size;
    std::string ask;
    std::string ask_size;
    std::string last;
    std::string last_size;
};

// What is wrong with an event file; the text begins with its place.
class EventFileError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class EventFile {
  public:
    // Reads the names of the columns. Throws EventFileError.
    explicit EventFile(const std::string& path);

    // The next row; false behind the last one. Throws EventFileError.
    bool next(EventRow& row);
    // Of the row that was read last, from 1.
    int line() const { return line_; }
    // FILE:LINE: with `what` behind it.
    std::string at(const std::string& what) const;

  private:
    [[noreturn]] void fail(const std::string& what) const;
    bool read_line();

    std::string path_;
    std::ifstream file_;
    std::string text_;
    std::vector<std::string> cells_;
    std::size_t columns_ = 0;
    int line_ = 0;
};

}  // namespace fixaccel::exchange
