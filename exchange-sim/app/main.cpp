// SPDX-License-Identifier: Apache-2.0
// fixaccel-exchange: a venue to trade against.
#include <CLI/CLI.hpp>
#include <iostream>

#include "app/options.hpp"
#include "app/program.hpp"
#include "venue/journal.hpp"

using namespace fixaccel::exchange;

int main(int argc, char** argv) {
    CLI::App app("Exchange simulator: a FIX 4.4 venue with price-time matching and a scripted market.",
                 "fixaccel-exchange");
    Options options;
    app.set_version_flag("--version", "fixaccel-exchange, version " FIXACCEL_VERSION);
    define(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kOk : kBadInput;
    }
    try {
        return run(options);
    } catch (const InputError& error) {
        std::cerr << error.what();
        return kBadInput;
    } catch (const JournalError& error) {
        std::cerr << "--store: error: " << error.what() << std::endl;
        return kBadInput;
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << std::endl;
        return kRuntimeFailure;
    }
}
