// SPDX-License-Identifier: Apache-2.0
// What this process has recorded so far, counted: by the journal's records, so nothing else has to count.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fixaccel/record.hpp"

namespace fixaccel {

// Observations by upper bound, as a histogram has them.
class Histogram {
  public:
    // `bounds`: rising; what is above the last one counts in `count` alone.
    explicit Histogram(std::vector<double> bounds) : bounds_(std::move(bounds)), counts_(bounds_.size()) {}
    void observe(double value);
    // {"bounds": [...], "counts": [... observations at or below each bound], "count": n, "sum": s}
    nlohmann::json report() const;

  private:
    std::vector<double> bounds_;
    std::vector<std::uint64_t> counts_;  // between a bound and the one before
    std::uint64_t count_ = 0;
    double sum_ = 0;
};

class Tally {
  public:
    Tally();
    // A record that is being written, with its time.
    void count(const Record& record);
    // records by type; fires by where and outcome; sessions by event; loads by how; orders by the status that
    // was reported; the two latencies: `fabric_cycles` from the message's last byte to the order's first, and
    // `runtime_ns` from the message being read to the kernel having the order.
    nlohmann::json report() const;
    // Records of one type.
    std::uint64_t records(const std::string& type) const {
        const auto found = records_.find(type);
        return found == records_.end() ? 0 : found->second;
    }

  private:
    std::map<std::string, std::uint64_t> records_;
    std::map<std::pair<std::string, std::string>, std::uint64_t> fires_;
    std::map<std::string, std::uint64_t> sessions_;
    std::map<std::string, std::uint64_t> loads_;
    std::map<std::string, std::uint64_t> reports_;
    Histogram fabric_cycles_;
    Histogram runtime_ns_;
};

}  // namespace fixaccel
