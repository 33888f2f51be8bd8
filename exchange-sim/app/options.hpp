// SPDX-License-Identifier: Apache-2.0
// The command line of fixaccel-exchange, and the venue that it and its files describe.
#pragma once

#include <string>
#include <vector>

#include "config/venue_config.hpp"
#include "session/session_config.hpp"
#include "venue/options.hpp"

namespace CLI {
class App;
}

namespace fixaccel::exchange {

struct Options {
    std::string venue;
    std::string scenario;
    std::string listen;
    std::string listen_market;
    std::string record;
    bool record_wire = false;
    std::string replay;
    std::string events;
    bool scenario_schema = false;
    std::string store;
    std::string dictionary;
    std::string settings;
    std::string control;
    std::vector<std::string> clients;
    bool exit_after_scenario = false;
};

void define(CLI::App& app, Options& options);

// Reads the file and lets the command line change it. Throws InputError.
VenueConfig configure(const Options& options);
// Who may log on, for orders or for market data.
std::vector<std::string> all_clients(const VenueConfig& config);
// What the sessions are made with; a settings file of QuickFIX's may change it, and then its clients and its
// store are the venue's too. Throws InputError.
SessionConfig session_config(const Options& options, VenueConfig& config);
VenueOptions venue_options(const VenueConfig& config);
// What a store must have in common with the venue that opens it.
std::string identity(const VenueConfig& config);

}  // namespace fixaccel::exchange
