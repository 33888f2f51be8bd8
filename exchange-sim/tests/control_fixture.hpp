// SPDX-License-Identifier: Apache-2.0
// A venue without sessions behind a control socket, and who asks there.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "control/control_socket.hpp"

namespace fixaccel::exchange {

// Acts at once, and tells its observer as the venue does.
class TestVenue : public ControlledVenue {
  public:
    TestVenue();

    const std::string& name() const override { return name_; }
    const Exchange& exchange() const override { return exchange_; }
    const std::vector<VenueClient>& clients() const override { return clients_; }
    void act(const Action& action) override;
    SessionStats stats(const std::string& client) const override;
    void log_out(const std::string& client, const std::string& text) override;
    void send(const std::string& client, const OutgoingMessage& message) override;
    void fault(const std::string& client, const Fault& fault) override;

    void observe(std::shared_ptr<Observer> observer) { observer_ = std::move(observer); }
    Observer& observer() { return *observer_; }
    // A client's order, as it would come over FIX.
    OrderId enter(const std::string& client, const std::string& cl_ord_id, const std::string& side,
                  const std::string& quantity, const std::string& price);
    void set_logged_on(bool logged_on);

    std::vector<std::string> done;  // what sessions were told, in words

  private:
    void report(const std::vector<Execution>& executions);

    std::string name_ = "SIMULATOR";
    std::vector<VenueClient> clients_{{"CLIENT1", false}, {"CLIENT1-MD", true}};
    mutable std::mutex mutex_;
    Exchange exchange_;
    bool logged_on_ = true;
    std::shared_ptr<Observer> observer_;
};

// A connection to the socket. It waits for what must come, and fails the test if that takes far too long.
class ControlUser {
  public:
    explicit ControlUser(const std::string& path);
    ControlUser(const ControlUser&) = delete;
    ControlUser& operator=(const ControlUser&) = delete;
    ~ControlUser();

    void say(const std::string& bytes);
    // The answer to a request; events that come before it are kept.
    nlohmann::json ask(nlohmann::json request);
    // The next event of that kind; others before it are dropped.
    nlohmann::json next(const std::string& kind);
    // The next line, an event or an answer; nothing once the connection has ended.
    std::optional<nlohmann::json> line();
    void end_of_requests();

  private:
    int fd_;
    std::string rest_;
    std::size_t read_ = 0;  // of it
    std::vector<nlohmann::json> events_;
};

class ControlTest : public testing::Test {
  protected:
    ControlTest();
    ~ControlTest() override;

    std::filesystem::path folder;
    std::string path;
    TestVenue venue;
    std::unique_ptr<ControlSocket> socket;
};

}  // namespace fixaccel::exchange
