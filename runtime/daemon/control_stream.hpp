// SPDX-License-Identifier: Apache-2.0
// What the control API goes over: connections of clients and where they come in. Nothing here blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "roles.hpp"

namespace fixaccel {

class ControlError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Who is at the other end, as the kernel or a certificate says.
struct ControlPeer {
    std::string by;
    Role role = Role::none;
    std::string refused{};  // why it has no role
};

class ControlStream {
  public:
    enum class Greeting { goes_on, done, failed };

    ControlStream() = default;
    ControlStream(const ControlStream&) = delete;
    ControlStream& operator=(const ControlStream&) = delete;
    virtual ~ControlStream() = default;

    virtual int fd() const = 0;
    // A step of what comes before the first byte, until it is done: then there is a peer. Where it failed, it
    // is told why.
    virtual Greeting greet(std::string& why) = 0;
    virtual const ControlPeer& peer() const = 0;
    // How many bytes were moved, 0 if none can be now. Nothing: the connection is of no more use.
    virtual std::optional<std::size_t> read(std::span<char> room) = 0;
    virtual std::optional<std::size_t> write(std::string_view bytes) = 0;
    // What poll() is to look for apart from what its user has to write and wants to read.
    virtual short also_waits_for() const { return 0; }
    // Bytes have come that poll() does not know of.
    virtual bool has_more() const { return false; }
    // Nothing more is written, and the other end hears so.
    virtual void end() = 0;
    virtual std::string address() const = 0;
};

class ControlListener {
  public:
    ControlListener() = default;
    ControlListener(const ControlListener&) = delete;
    ControlListener& operator=(const ControlListener&) = delete;
    virtual ~ControlListener() = default;

    virtual int fd() const = 0;
    // Nothing if nobody waits.
    virtual std::unique_ptr<ControlStream> accept() = 0;
};

// Reads and forgets what still comes, so that what was written last is not lost with the connection. False:
// the other end has closed it, too.
bool discard(int fd);

}  // namespace fixaccel
