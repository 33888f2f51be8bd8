// SPDX-License-Identifier: Apache-2.0
// What may be asked on the control socket, and the answers.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "control/asked.hpp"
#include "control/venue.hpp"
#include "control/views.hpp"

namespace fixaccel::exchange {

// Of a `watch`.
struct WatchTerms {
    unsigned what = 0;  // bits of Watch
    std::size_t depth = 10;
    std::chrono::milliseconds interval{50};
    std::size_t most_per_second = 0;  // trades, orders and messages; what is more is lost; 0: no bound
};

class ControlRequests {
  public:
    // `venue` outlives it.
    ControlRequests(ControlledVenue& venue, std::string version);

    // Fields of the answer. Throws RequestError.
    ControlJson answer(const std::string& command, Asked& asked);
    static WatchTerms read_watch(Asked& asked);

    // Books as the engine has them, all at one moment.
    std::vector<BookSeen> books(const std::vector<const Instrument*>& instruments, std::size_t depth);
    std::vector<const Instrument*> instruments() const;

  private:
    using Handler = ControlJson (ControlRequests::*)(Asked&);
    struct Command {
        std::string_view name;
        Handler handler;
    };
    static const std::vector<Command>& commands();

    ControlJson status(Asked& asked);
    ControlJson orders(Asked& asked);
    ControlJson order(Asked& asked);
    ControlJson cancel(Asked& asked);
    ControlJson quote(Asked& asked);
    ControlJson trade(Asked& asked);
    ControlJson phase(Asked& asked);
    ControlJson logout(Asked& asked);
    ControlJson resend(Asked& asked);
    ControlJson test_request(Asked& asked);
    ControlJson fault(Asked& asked);

    const Instrument& instrument(Asked& asked) const;
    const VenueClient& client(Asked& asked) const;
    // As venue_.act(), and what the action throws is thrown here.
    void act(const ControlledVenue::Action& action);

    ControlledVenue& venue_;
    std::string version_;
};

}  // namespace fixaccel::exchange
