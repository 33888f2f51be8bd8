// SPDX-License-Identifier: Apache-2.0
// Who may ask for what. Each control socket has a role, and whoever may open it has that one; over TCP the
// settings give one to a certificate.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fixaccel {

// `none`: of those who have not been let in.
enum class Role : std::uint8_t { view, trade, risk, admin, none };

enum class Way : std::uint8_t { socket, tls };

std::string_view role_text(Role role);

// A socket to listen at. Owner and group may be other than those of the daemon's files.
struct ControlDoor {
    std::string endpoint;  // unix:PATH
    unsigned mode = 0660;
    std::string group{};  // empty: the daemon's
};

using ControlDoors = std::map<Role, ControlDoor>;

// Why `role` may not ask for that; empty if it may. What no role knows is for the daemon to refuse.
std::string refusal(Role role, std::string_view command, Way way = Way::socket);

// A question changes nothing, and is not in the journal.
bool is_question(std::string_view command);

// All that there are, for who asked for another.
std::string known_commands();

}  // namespace fixaccel
