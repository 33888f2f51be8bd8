// SPDX-License-Identifier: Apache-2.0
// A settings file of QuickFIX's beside the venue file, for whoever has one. Read as C++14 and as C++20.
#pragma once

#include <string>
#include <vector>

#include "session/session_config.hpp"

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

struct SettingsFile {
    SessionConfig config;
    // Keys that change nothing here: logs and buffers of an engine that this one does not have.
    std::vector<std::string> without_effect;
};

// The venue file's configuration, and what the settings add to it: clients, the port where the venue file
// leaves it to the system, the store, the dictionary and how strictly it is followed, resets, latency and the
// time for a Logon. Throws SessionHostError with the file, the cause and the way out: what contradicts the
// venue file, differs from one session to the next, or cannot be honoured.
SettingsFile read_settings(const std::string& path, const SessionConfig& venue);

}  // namespace exchange
}  // namespace fixaccel
