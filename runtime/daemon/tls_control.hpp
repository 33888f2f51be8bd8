// SPDX-License-Identifier: Apache-2.0
// The control API over TCP, with TLS on both sides: the client's certificate says who asks, and the settings
// in which role.
#pragma once

#include "control_stream.hpp"
#include "tcp_listener.hpp"
#include "tls_context.hpp"

namespace fixaccel {

// SIGPIPE has to be ignored.
class TlsControl final : public ControlListener {
  public:
    // Throws ControlError, ListenError.
    explicit TlsControl(const TlsSettings& settings);

    int fd() const override { return listener_.fd(); }
    std::unique_ptr<ControlStream> accept() override;
    std::string address() const { return listener_.address(); }

  private:
    TlsClients clients_;
    TlsContext context_;
    TcpListener listener_;
};

}  // namespace fixaccel
