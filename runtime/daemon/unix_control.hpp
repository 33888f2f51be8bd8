// SPDX-License-Identifier: Apache-2.0
// The control API at a Unix socket: the kernel says who asks, and the socket in which role.
#pragma once

#include "control_stream.hpp"
#include "fixaccel/unix_listener.hpp"
#include "user_names.hpp"

namespace fixaccel {

class UnixControl final : public ControlListener {
  public:
    // A stale socket of a dead daemon is replaced. `users` outlives it. Throws ControlError, ListenError.
    UnixControl(Role role, const ControlDoor& door, const UserNames& users);

    int fd() const override { return socket_.fd(); }
    std::unique_ptr<ControlStream> accept() override;

  private:
    Role role_;
    const UserNames& users_;
    UnixListener socket_;
};

}  // namespace fixaccel
