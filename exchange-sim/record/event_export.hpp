// SPDX-License-Identifier: Apache-2.0
// What the market and the clients' orders did, as an event file of `fixaccel simulate`.
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "matching/exchange.hpp"

namespace fixaccel::exchange {

// Rows are what a subscriber to everything would have been sent, with no more of a book than its best levels.
// In the column `rule` of rows about clients' orders stands the ClOrdID.
class EventExport {
  public:
    // Writes the names of the columns.
    EventExport(Exchange& exchange, UpdateType update_type, std::ostream& out);

    void on_execution(std::int64_t time_ns, const Execution& execution);
    // A step is over: what it changed.
    void publish(std::int64_t time_ns);

  private:
    struct Side {
        std::string price;
        std::string size;
        friend bool operator==(const Side&, const Side&) = default;
    };
    struct Shown {
        Side bid;
        Side ask;
    };

    static Side side_of(const Instrument& instrument, const std::vector<Level>& levels);
    void publish_whole(std::int64_t time_ns, const Instrument& instrument);
    void publish_changes(std::int64_t time_ns, const Instrument& instrument,
                         const std::vector<Print>& prints);
    void row(std::int64_t time_ns, const std::string& symbol, const char* kind, const Side& bid,
             const Side& ask, const Side& last, const std::string& rule = "");

    Exchange& exchange_;
    const UpdateType update_type_;
    std::ostream& out_;
    std::map<std::string, Shown> shown_;
};

}  // namespace fixaccel::exchange
