// SPDX-License-Identifier: Apache-2.0
#include "app/replay_command.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "config/venue_config.hpp"
#include "record/replay.hpp"

namespace fixaccel::exchange {

int replay_command(const std::string& record, const std::string& venue, const std::string& events) {
    std::ifstream file(record, std::ios::binary);
    if (!file || file.peek() == std::ifstream::traits_type::eof()) {
        const std::string why = file.is_open() ? "it is empty, or not a file" : std::strerror(errno);
        throw InputError(record + ": error: cannot read this record: " + why +
                         "\n  help: give a file that --record has written\n");
    }
    std::optional<RecordedVenue> other;
    if (!venue.empty()) {
        YamlSource source = YamlSource::open(venue);
        VenueConfig config = read_venue_config(source);
        other = RecordedVenue{std::move(config.instruments), config.self_trade, config.update_type,
                              config.kept_orders};
    }
    std::ofstream out;
    if (!events.empty()) {
        out.open(events, std::ios::trunc);
        if (!out) throw std::runtime_error("cannot write " + events + ": " + std::strerror(errno));
    }
    try {
        const ReplayResult result =
            Replay(file, record, std::move(other), events.empty() ? nullptr : &out).run();
        out.flush();
        if (!events.empty() && !out) throw std::runtime_error("cannot write " + events);
        std::cout << result.as_json().dump(1) << std::endl;
        return result.difference_count == 0 ? 0 : 1;
    } catch (const ReplayError& error) {
        throw InputError(std::string(error.what()) + "\n  help: give a file that --record has written\n");
    }
}

}  // namespace fixaccel::exchange
