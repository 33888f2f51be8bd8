// SPDX-License-Identifier: Apache-2.0
// By what an execution report is known again.
#pragma once

#include <string>

#include "fixaccel/record.hpp"

namespace fixaccel {

// The same for the same execution of an order, whatever a report says of it.
inline std::string exec_key(const Record& report) {
    std::string key;
    for (const char* part : {"exec_id", "cl_ord_id", "exec_type"}) key += report.at(part).text() + '|';
    return key;
}

// The same for the same report.
inline std::string report_key(const Record& report) {
    std::string key = exec_key(report);
    for (const char* part : {"status", "cum_qty", "leaves_qty", "last_qty"})
        key += report.at(part).text() + '|';
    return key;
}

}  // namespace fixaccel
