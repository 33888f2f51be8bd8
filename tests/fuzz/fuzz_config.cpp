// SPDX-License-Identifier: Apache-2.0
// The daemon's configuration: whatever it says, it is taken, or what is wrong is said of it.
#include "config.hpp"
#include "scratch_folder.hpp"
#include "sums.hpp"

using namespace fixaccel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ScratchFolder folder;
    const auto file = folder.path() / "fixacceld.toml";
    fuzz::write_text(file, fuzz::text_of(data, size));
    DaemonConfig config;
    std::vector<std::string> problems;
    read_config(file, config, problems);
    check_config(config, problems);
    for (const std::string& problem : problems) fuzz::require(!problem.empty(), "a problem has a text");
    const auto positive = [](std::chrono::nanoseconds time) { return time.count() > 0; };
    fuzz::require(positive(config.limits.watchdog) && positive(config.limits.lease) &&
                      positive(config.poll) && positive(config.reconnect) && positive(config.clock_step),
                  "no time is zero or less");
    fuzz::require(!config.day_roll || (*config.day_roll >= 0 && *config.day_roll < 24 * 60 * 60),
                  "a time of day is one");
    return 0;
}
