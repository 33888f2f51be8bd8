// SPDX-License-Identifier: Apache-2.0
// Does again what a record says an exchange was told, without sockets, and compares what comes of it.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "record/call_lines.hpp"
#include "record/event_export.hpp"

namespace fixaccel::exchange {

// The record cannot be replayed; the text begins with FILE:LINE:.
class ReplayError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct ReplayDifference {
    std::uint64_t line = 0;           // of the record, from 1
    std::string what;                 // execution, trade, order
    nlohmann::ordered_json recorded;  // null: the record has none
    nlohmann::ordered_json replayed;  // null: nothing came of it
};

struct ReplayResult {
    std::uint64_t calls = 0;
    std::uint64_t executions = 0;  // that agree or differ, and so on
    std::uint64_t trades = 0;
    std::uint64_t orders = 0;
    std::uint64_t difference_count = 0;
    std::vector<ReplayDifference> differences;  // the first of them
    bool whole = false;                         // the record has its last line

    nlohmann::ordered_json as_json() const;
};

class Replay {
  public:
    // `name` stands in the messages. `venue`: another one than the record's. `events`: where to write what
    // happened as an event file, or null.
    Replay(std::istream& record, std::string name, std::optional<RecordedVenue> venue, std::ostream* events)
        : record_(record), name_(std::move(name)), venue_(std::move(venue)), events_(events) {}

    // Throws ReplayError.
    ReplayResult run();

  private:
    struct Expected {
        std::uint64_t line = 0;  // of the call that it came of
        nlohmann::ordered_json fields;
    };
    using Lines = std::map<std::string, Expected>;

    void take(const std::string& event, nlohmann::ordered_json line);
    void begin(const nlohmann::ordered_json& line);
    void call(const nlohmann::ordered_json& line);
    void collect(const std::vector<Execution>& executions);
    void compare(const std::string& what, Lines& expected, const std::string& key,
                 nlohmann::ordered_json line);
    bool of_before(const std::string& exec_id) const;
    void compare_orders(const nlohmann::ordered_json& orders);
    void end();
    void differ(ReplayDifference difference);
    [[noreturn]] void fail(const std::string& what) const;

    std::istream& record_;
    const std::string name_;
    std::optional<RecordedVenue> venue_;
    std::ostream* events_;
    std::unique_ptr<Exchange> exchange_;
    std::unique_ptr<EventExport> export_;
    Lines executions_;  // by ExecID, not yet met in the record
    Lines trades_;      // by number
    std::uint64_t line_ = 0;
    // Executions of a venue that a store brought back: their reports are of the program before.
    std::uint64_t before_ = 0;
    std::uint64_t trades_made_ = 0;
    std::uint64_t trades_read_ = 0;
    std::optional<std::uint64_t> step_;
    std::int64_t step_time_ = 0;
    ReplayResult result_;
};

}  // namespace fixaccel::exchange
