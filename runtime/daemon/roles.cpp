// SPDX-License-Identifier: Apache-2.0
#include "roles.hpp"

#include <algorithm>
#include <array>

namespace fixaccel {
namespace {

constexpr unsigned bit(Role role) { return 1U << static_cast<unsigned>(role); }

constexpr unsigned kAdmin = bit(Role::admin);
constexpr unsigned kTrade = bit(Role::trade) | kAdmin;
constexpr unsigned kRisk = bit(Role::risk) | kAdmin;
constexpr unsigned kAll = bit(Role::view) | kTrade | kRisk;

constexpr bool kAsks = true, kChanges = false;

struct Command {
    std::string_view name;
    unsigned roles;
    bool asks;
    std::string_view arguments;
    std::string_view what;
};

// The page docs/reference/control.md is made of these lines.
constexpr std::array kCommands{
    Command{"status", kAll, kAsks, "short", "session, board, rules, fires and orders as they are now"},
    Command{"metrics", kAll, kAsks, "", "figures for Prometheus"},
    Command{"latency", kAll, kAsks, "worst, buckets, after",
            "where the time of orders goes, and the slowest of them"},
    Command{"rules", kAll, kAsks, "rules", "the rules that are loaded, and their states"},
    Command{"fires", kAll, kAsks, "rules, last", "the last fires, and what became of their orders"},
    Command{"orders", kAll, kAsks, "open", "the orders of the session"},
    Command{"limits", kAll, kAsks, "", "the limits, and what of them is used"},
    Command{"watch", kAll, kAsks, "", "what happens, as it happens"},
    Command{"subscribe", kTrade, kChanges, "instruments", "market data of more instruments"},
    Command{"deploy", kTrade, kChanges, "bundle, rearm, reconciled, dry_run", "load a bundle, and arm"},
    Command{"arm", kTrade, kChanges, "rules, dry_run", "arm what is loaded, or rules that were rejected"},
    Command{"disarm", kTrade | kRisk, kChanges, "", "no rule fires"},
    Command{"order", kTrade, kChanges, "instrument, side, qty, type, price, tif, account",
            "an order by hand"},
    Command{"set_limit", kRisk, kChanges, "limit, instrument, rule, value, reason, for_ms, until_ns",
            "another value of a limit, for a time"},
    Command{"revert_limit", kRisk, kChanges, "limit, instrument, rule",
            "the bundle's value of a limit, before that time"},
    Command{"reset_limits", kRisk, kChanges, "reason",
            "what limits count of orders and quantities, from zero"},
    Command{"cancel", kTrade | kRisk, kChanges, "order, again", "ask the venue to cancel an order"},
    Command{"replace", kTrade, kChanges, "order, qty, price, again",
            "ask the venue for other terms of an order"},
    Command{"kill", kTrade | kRisk, kChanges, "", "no order leaves"},
    Command{"unkill", kRisk, kChanges, "", "orders may leave again"},
    Command{"reconcile", kRisk, kChanges, "rules, sent", "say what has become of rules in doubt"},
    Command{"logout", kAdmin, kChanges, "", "end the session"},
    Command{"shutdown", kAdmin, kChanges, "", "end the daemon"},
};

constexpr std::array<std::string_view, 5> kRoles{"view", "trade", "risk", "admin", "none"};

const Command* find(std::string_view name) {
    const auto* const found = std::find_if(kCommands.begin(), kCommands.end(),
                                           [&](const Command& command) { return command.name == name; });
    return found == kCommands.end() ? nullptr : found;
}

std::string roles_text(unsigned roles) {
    std::string text;
    for (std::size_t role = 0; role < kRoles.size(); ++role)
        if ((roles >> role & 1U) != 0) text.append(text.empty() ? "" : " or ").append(kRoles[role]);
    return text;
}

}  // namespace

std::string_view role_text(Role role) { return kRoles.at(static_cast<std::size_t>(role)); }

std::string refusal(Role role, std::string_view command, Way way) {
    const Command* const known = find(command);
    if (known == nullptr || (known->roles & bit(role)) != 0) return {};
    const bool at_socket = way == Way::socket;
    return std::string(command) + " is for role " + roles_text(known->roles) +
           (at_socket ? ", and this socket has role " : ", and this certificate has role ") +
           std::string(role_text(role)) +
           (at_socket ? ": ask at the socket of such a role" : ": ask with the certificate of such a role");
}

bool is_question(std::string_view command) {
    const Command* const known = find(command);
    return known != nullptr && known->asks;
}

std::string known_commands() {
    std::string text;
    for (const Command& command : kCommands) text.append(text.empty() ? "" : ", ").append(command.name);
    return text;
}

}  // namespace fixaccel
