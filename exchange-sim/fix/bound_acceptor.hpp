// SPDX-License-Identifier: Apache-2.0
// QuickFIX's acceptor with a listener of our own: the stock ones bind every interface of the machine and take
// no ephemeral port. Connections and sessions are QuickFIX's. C++14, includes QuickFIX.
#pragma once

#include <quickfix/Acceptor.h>
#include <quickfix/ThreadedSocketConnection.h>

#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace fixaccel {
namespace exchange {

class BoundAcceptor : public FIX::Acceptor {
  public:
    // Binds and listens at once, so that the port is known; throws SessionHostError.
    BoundAcceptor(FIX::Application& application, FIX::MessageStoreFactory& stores,
                  FIX::SessionSettings& settings, FIX::LogFactory& logs, const std::string& host,
                  std::uint16_t port);
    ~BoundAcceptor() override;

    std::uint16_t port() const { return port_; }

  private:
    struct Connection {
        int socket = -1;
        std::atomic<bool> finished{false};
        std::thread thread;
    };

    void onStart() override;
    bool onPoll(double) override { return false; }
    void onStop() override;

    void accept_one();
    void serve(Connection& connection);
    void reap(bool all);
    int unused_descriptor(int socket);

    std::set<FIX::SessionID> sessions_;
    int listener_ = -1;
    int wake_ = -1;  // eventfd that ends the accept loop
    std::uint16_t port_ = 0;
    int next_descriptor_ = 0;
    std::list<Connection>
        connections_;  // of the accept thread, and of onStop after that thread was told to end
    std::mutex mutex_;
};

}  // namespace exchange
}  // namespace fixaccel
