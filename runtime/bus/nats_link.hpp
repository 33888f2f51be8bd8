// SPDX-License-Identifier: Apache-2.0
// A connection to a server of the bus. Once it has ended it stays so: whoever wants another makes another,
// and knows that something may be missing. So nothing is kept back by the library to be sent later, old by
// then.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Names of the library.
struct __natsConnection;    // NOLINT(bugprone-reserved-identifier)
struct __natsSubscription;  // NOLINT(bugprone-reserved-identifier)

namespace fixaccel::bus {

// No server can be had, or a connection has ended.
class LinkError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct LinkSettings {
    std::vector<std::string> servers;
    std::filesystem::path key_file;  // seed, and the public key on a second line; empty: none is asked for
    std::filesystem::path ca_file;
    std::string principal;  // in whose name
};

using Headers = std::vector<std::pair<std::string, std::string>>;

struct LinkMessage {
    std::string subject, reply, data;
    int status = 0;  // of an answer without content: 404, 503; else 0
    Headers headers;

    // Empty: there is none.
    std::string header(std::string_view name) const;
};

class Subscription {
  public:
    explicit Subscription(__natsSubscription* held) : held_(held) {}
    Subscription(Subscription&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;
    Subscription& operator=(Subscription&&) = delete;
    ~Subscription();

    // None within that time. Throws LinkError when the connection has ended.
    std::optional<LinkMessage> next(std::chrono::milliseconds most);
    // Messages that this program was too slow for.
    std::uint64_t dropped() const;

  private:
    __natsSubscription* held_;
};

class Link {
  public:
    // Throws LinkError.
    explicit Link(const LinkSettings& settings);
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    ~Link();

    bool stands() const;
    // Throws LinkError; so do those below.
    void publish(const std::string& subject, std::string_view data, const std::string& reply = {},
                 const Headers& headers = {});
    Subscription subscribe(const std::string& subject);
    // A subject that answers come to, of this connection alone.
    std::string inbox();
    // One answer. Throws LinkError if there is none in time.
    LinkMessage request(const std::string& subject, std::string_view data);
    // What was published is on its way.
    void flush();

  private:
    __natsConnection* held_ = nullptr;
    std::string principal_;
    std::string inbox_;
    std::uint64_t inboxes_ = 0;
};

}  // namespace fixaccel::bus
