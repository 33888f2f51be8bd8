// SPDX-License-Identifier: Apache-2.0
#include "scenario/ticks/event_file.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace fixaccel::exchange {
namespace {

constexpr std::array kColumns = {"ts_ns", "instrument", "kind", "bid",      "bid_size",
                                 "ask",   "ask_size",   "last", "last_size"};
constexpr const char* kRule = "rule";  // of rows that tell of a strategy's own orders
constexpr std::size_t kLongestLine = 4096;

// Text in quotes may hold commas; two quotes are one.
void split(const std::string& line, std::vector<std::string>& cells) {
    cells.assign(1, "");
    bool quoted = false;
    for (std::size_t place = 0; place < line.size(); ++place) {
        const char c = line[place];
        if (c == '"' && quoted && place + 1 < line.size() && line[place + 1] == '"') {
            cells.back() += c;
            ++place;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
}

}  // namespace

EventFile::EventFile(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    if (!file_) throw EventFileError(path + ": cannot read this file: " + std::strerror(errno));
    std::string expected;
    for (const char* name : kColumns) expected += (expected.empty() ? "" : ",") + std::string(name);
    const bool read = read_line();
    if (!read || (text_ != expected && text_ != expected + "," + kRule))
        fail("an event file begins with the line " + expected);
    columns_ = cells_.size();
}

bool EventFile::read_line() {
    while (std::getline(file_, text_)) {
        ++line_;
        if (!text_.empty() && text_.back() == '\r') text_.pop_back();
        if (text_.size() > kLongestLine) fail("the line is too long");
        if (text_.empty()) continue;
        split(text_, cells_);
        return true;
    }
    return false;
}

bool EventFile::next(EventRow& row) {
    if (!read_line()) return false;
    if (cells_.size() != columns_)
        fail("the row has " + std::to_string(cells_.size()) + " cells in place of " +
             std::to_string(columns_));
    const std::string& time = cells_[0];
    const auto [end, error] = std::from_chars(time.data(), time.data() + time.size(), row.ts_ns);
    if (error != std::errc() || end != time.data() + time.size() || row.ts_ns < 0)
        fail("ts_ns '" + time + "' is not a number of nanoseconds");
    std::size_t cell = 1;
    for (std::string* text : {&row.instrument, &row.kind, &row.bid, &row.bid_size, &row.ask, &row.ask_size,
                              &row.last, &row.last_size})
        *text = std::move(cells_[cell++]);
    return true;
}

std::string EventFile::at(const std::string& what) const {
    return path_ + ":" + std::to_string(line_) + ": " + what;
}

void EventFile::fail(const std::string& what) const { throw EventFileError(at(what)); }

}  // namespace fixaccel::exchange
