// SPDX-License-Identifier: Apache-2.0
#include "unread_check.hpp"

#include <exception>
#include <utility>

namespace fixaccel {

void UnreadCheck::begin(const UnreadFiles& files) {
    if (files.files.empty()) return;
    thread_.begin([this, files](const std::stop_token& stop) {
        try {
            problem_ = check_unread(files, stop);
        } catch (const std::exception& error) {  // there is no memory for it
            problem_ =
                "not all files of bundle " + files.bundle.string() + " were looked at: " + error.what();
        }
    });
}

std::string UnreadCheck::take_problem() {
    return thread_.busy() ? std::string() : std::exchange(problem_, {});
}

}  // namespace fixaccel
