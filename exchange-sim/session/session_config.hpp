// SPDX-License-Identifier: Apache-2.0
// What the venue's sessions are made with. Read as C++14 and as C++20.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

// A session for market data alone: the venue may have another CompID on it, and listen elsewhere.
struct MarketClient {
    std::string client;
    std::string comp_id;
    std::string host;
    std::uint16_t port = 0;
};

// What one client may make the venue hold. Beyond it that client loses something, and no other does.
struct SessionBounds {
    std::size_t sockets_before_logon = 256;          // the oldest goes when one more comes
    std::size_t bytes_before_logon = 4096;           // that hold no whole message: closed
    std::chrono::milliseconds logon_timeout{10000};  // from the connection to its Logon
    std::size_t message_bytes = 65536;               // longest message that is read
    std::size_t behind_gap = 10000;   // messages held until a hole in the client's numbers is filled
    std::size_t outbox_soft = 256;    // messages queued for a client: beyond it no market data
    std::size_t outbox_hard = 65536;  // beyond it the connection is cut; reports are kept for resends
    std::size_t out_bytes = 1 << 20;  // given to no socket yet: the session waits, as it would in send()
    std::chrono::milliseconds stalled_peer{30000};  // takes nothing for so long: cut
};

struct SessionConfig {
    std::string begin_string = "FIX.4.4";
    std::string comp_id;               // the venue's own
    std::vector<std::string> clients;  // CompIDs that may log on
    std::string host = "127.0.0.1";    // IPv4 address to listen on
    std::uint16_t port = 0;            // 0: any free port
    int heartbeat_seconds = 0;         // HeartBtInt(108) that a logon must ask for; 0: any up to an hour
    std::string store_path;            // folder of the session store; empty: unnamed files
    bool confirmed = false;            // a request counts as received once SessionHost::taken() says so
    std::vector<MarketClient> market_clients{};
    bool validate = true;              // messages must follow the dictionary
    std::string dictionary_path{};     // FIX44.xml; empty: where it was installed, see find_dictionary()
    bool validate_order = true;        // of header, body and trailer
    bool validate_values = true;       // no field is empty
    bool validate_user_fields = true;  // from tag 5000 on, too, only what the dictionary has
    bool reset_on_logon = false;       // both sides begin at 1 with each Logon
    bool reset_on_logout = false;
    bool reset_on_disconnect = false;
    bool check_comp_id = true;
    int max_latency_seconds = 120;  // SendingTime(52) may be so far off; 0: is not looked at
    SessionBounds bounds{};
};

}  // namespace exchange
}  // namespace fixaccel
