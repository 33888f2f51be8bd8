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
#include <vector>

namespace fixaccel {
namespace exchange {

class BoundAcceptor : public FIX::Acceptor {
  public:
    struct Place {
        std::string host;
        std::uint16_t port;  // 0: any that is free
    };

    // Binds and listens at once, so that the ports are known; throws SessionHostError.
    BoundAcceptor(FIX::Application& application, FIX::MessageStoreFactory& stores,
                  FIX::SessionSettings& settings, FIX::LogFactory& logs, const std::vector<Place>& places);
    ~BoundAcceptor() override;

    // Of a place, in their order.
    std::uint16_t port(std::size_t place) const;

  private:
    struct Connection {
        int socket = -1;
        std::atomic<bool> finished{false};
        std::thread thread;
    };

    void onStart() override;
    bool onPoll(double) override { return false; }
    void onStop() override;

    void close_all();
    void accept_one(int listener);
    void serve(Connection& connection);
    void reap(bool all);
    int unused_descriptor(int socket);

    std::set<FIX::SessionID> sessions_;
    std::vector<int> listeners_;
    int wake_ = -1;  // eventfd that ends the accept loop
    int next_descriptor_ = 0;
    std::list<Connection>
        connections_;  // of the accept thread, and of onStop after that thread was told to end
    std::mutex mutex_;
};

}  // namespace exchange
}  // namespace fixaccel
