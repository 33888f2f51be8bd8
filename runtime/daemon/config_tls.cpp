// SPDX-License-Identifier: Apache-2.0
#include "config_tls.hpp"

namespace fixaccel {
namespace {

// {"email:anna@desk.example" = "trade", ...}
Setter clients(TlsClients& out, const std::filesystem::path& file, std::vector<std::string>& problems) {
    return [&](const toml::node& node) {
        if (!node.is_table()) throw BadValue{"a table of a role for each identity"};
        out.clear();
        for (const auto& [key, value] : *node.as_table()) {
            const std::string identity = normal_identity(std::string(key.str()));
            if (out.contains(identity)) {
                problems.push_back(
                    at(file, key.source(), "'" + std::string(key.str()) + "' stands there twice"));
                continue;
            }
            const Setter role = word<Role>(
                out[identity],
                {{"view", Role::view}, {"trade", Role::trade}, {"risk", Role::risk}, {"admin", Role::admin}});
            try {
                role(value);
            } catch (const BadValue& bad) {
                out.erase(identity);
                problems.push_back(
                    at(file, value.source(),
                       "the role of '" + std::string(key.str()) + "' must be " + bad.expected));
            }
        }
    };
}

}  // namespace

Setter control(ControlDoors& doors, std::optional<TlsSettings>& tls, const std::filesystem::path& file,
               std::vector<std::string>& problems) {
    const Setter of_tls = [&](const toml::node& node) {
        if (!node.is_table()) throw BadValue{"a table: listen, certificate, key, client_ca, clients"};
        TlsSettings& out = tls ? *tls : tls.emplace();
        const std::filesystem::path base = file.parent_path();
        apply(*node.as_table(),
              {{"listen", text(out.listen)},
               {"certificate", path(out.certificate, base)},
               {"key", path(out.key, base)},
               {"client_ca", path(out.client_ca, base)},
               {"clients", clients(out.clients, file, problems)}},
              file, problems);
    };
    return control_doors(doors, of_tls, file, problems);
}

}  // namespace fixaccel
