// SPDX-License-Identifier: Apache-2.0
// What the settings say of the control API: its sockets, and TLS.
#pragma once

#include "config_values.hpp"
#include "tls_context.hpp"

namespace fixaccel {

Setter control(ControlDoors& doors, std::optional<TlsSettings>& tls, const std::filesystem::path& file,
               std::vector<std::string>& problems);

}  // namespace fixaccel
