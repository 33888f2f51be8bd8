// SPDX-License-Identifier: Apache-2.0
// That a table is of the very rules which the manifest places in it, of one bundle after another.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "fixaccel/bundle.hpp"
#include "fixaccel/table.hpp"

namespace fixaccel {

// Whose rules are armed: of the table of the runtime's rules, or of that of all rules.
enum class RulesOf { runtime, fabric };

class TableCheck {
  public:
    // `table`: the bundle's of these rules, of which the one of the fabric has all. Rules and rows that the
    // one before had just so are not looked at again. Throws BundleError.
    void check(const Bundle& bundle, const SoftwareTable& table, RulesOf of);
    // Rules that were compared with their rows, in all.
    std::size_t compared() const { return compared_; }

  private:
    struct Rows;

    std::size_t compare(const Bundle& bundle, const SoftwareTable& table, RulesOf of, std::size_t piece,
                        std::size_t row);

    BundleRules rules_;
    std::shared_ptr<const Rows> rows_;  // null: none was checked
    std::vector<std::size_t> ends_;     // of each piece of the rules, the row behind its last
    std::size_t compared_ = 0;
};

}  // namespace fixaccel
