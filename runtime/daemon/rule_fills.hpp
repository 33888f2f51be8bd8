// SPDX-License-Identifier: Apache-2.0
// What is said of rules that go by fills, and of those whose fills they go by.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "fixaccel/ledger.hpp"

namespace fixaccel {

class RuleFills {
  public:
    // As it stands now.
    explicit RuleFills(const Ledger& ledger);

    // Adds what there is to the answer about a rule, by its index: `filled` of a parent; of a child
    // `armed_by` with `on` and what its parents have `filled`, and `uncovered`.
    void add_to(nlohmann::json& answer, std::uint32_t rule) const;

  private:
    std::map<std::uint32_t, nlohmann::json> of_;
};

// Orders that others have put an end to, and the venue has not cancelled yet.
nlohmann::json cancels_due(const Ledger& ledger);

}  // namespace fixaccel
