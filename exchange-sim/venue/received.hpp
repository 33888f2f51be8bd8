// SPDX-License-Identifier: Apache-2.0
// Which requests of one client have been done, by their MsgSeqNum.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "session/message.hpp"

namespace fixaccel::exchange {

// The engine does them in the order of their numbers. A restart finds those that changed something, and not
// those between them: these are asked for again, and what was done behind them comes again with them.
class Received {
  public:
    std::uint32_t generation() const { return generation_; }
    // All up to that number are done with; 0: none.
    int up_to() const { return up_to_; }
    // Done, too, but some before them may not be: in rising order.
    const std::vector<int>& ahead() const { return ahead_; }

    // That one begins. False: it is done already.
    bool begin(const ReceivedAs& request);
    void done(const ReceivedAs& request);
    // All up to that one are done with.
    void settled(const ReceivedAs& request);
    // What a restart finds: of a request that changed something. Those between them are not known.
    void found(const ReceivedAs& request);
    // The session counts those before `next` as received. What is done from there on without a hole is done
    // with, too.
    void resume(int next);

  private:
    void renew(std::uint32_t generation);

    std::uint32_t generation_ = 0;
    int up_to_ = 0;
    std::vector<int> ahead_;
};

using ReceivedByClient = std::unordered_map<std::string, Received>;

// As bytes, and from them again. False: they are none of these.
std::string bytes_of(const ReceivedByClient& all);
bool read_received(std::string_view bytes, ReceivedByClient& all);

}  // namespace fixaccel::exchange
