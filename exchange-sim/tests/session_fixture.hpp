// SPDX-License-Identifier: Apache-2.0
// Sessions without a venue behind them: each order is answered with a report that has its ClOrdID(11).
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "session/session_host.hpp"
#include "tests/raw_client.hpp"

namespace fixaccel::exchange {

class EchoEvents : public SessionEvents {
  public:
    void attach(SessionHost* host) { host_ = host; }

    void on_logon(const std::string& client) override { note("logon " + client); }
    void on_logout(const std::string& client, SequenceNumbers numbers) override {
        note("logout " + client + " " + std::to_string(numbers.next_sender) + " " +
             std::to_string(numbers.next_target));
    }
    bool on_application(IncomingMessage message) override {
        const std::string type = message.text(tag::kMsgType);
        if (type != "D" && type != "d" && type != "V") return false;
        if (message.client == blocked_client()) wait([&] { return blocked_.empty(); });
        if (echoes && type != "V")
            host_->post(message.client,
                        {"8", {{tag::kClOrdId, message.text(tag::kClOrdId)}, {tag::kOrderId, "O1"}}, {}});
        const std::lock_guard lock(mutex_);
        applications_.push_back(std::move(message));
        changed_.notify_all();
        return true;
    }
    void on_session_message(Direction, const IncomingMessage&) override {}
    void on_possible_duplicate(const IncomingMessage&) override { ++duplicates; }
    void on_notice(const std::string& client, const std::string& text) override {
        note("notice " + client + ": " + text);
    }
    void on_wire(Direction, const std::string&, const std::string&) override { ++wire; }
    void on_drained(const std::string&) override { ++drained; }

    bool wait(const std::function<bool()>& condition,
              std::chrono::milliseconds patience = std::chrono::seconds(10)) {
        const auto deadline = std::chrono::steady_clock::now() + patience;
        std::unique_lock lock(mutex_);
        // Some of what is asked for is told by nobody.
        while (!condition()) {
            if (std::chrono::steady_clock::now() >= deadline) return false;
            changed_.wait_for(lock, std::chrono::milliseconds(5));
        }
        return true;
    }
    // Makes the session's thread wait in its next order, as an engine queue without room does.
    void block(const std::string& client, bool on) {
        const std::lock_guard lock(mutex_);
        blocked_ = on ? client : "";
        changed_.notify_all();
    }
    // Until so many application messages have come.
    bool wait_applications(std::size_t count) {
        return wait([&] { return applications_.size() >= count; });
    }
    bool wait_note(const std::string& part) {
        return wait([&] {
            return std::any_of(notes_.begin(), notes_.end(),
                               [&](const std::string& note) { return note.find(part) != std::string::npos; });
        });
    }
    IncomingMessage application(std::size_t index) {
        const std::lock_guard lock(mutex_);
        return applications_.at(index);
    }
    std::size_t application_count() {
        const std::lock_guard lock(mutex_);
        return applications_.size();
    }
    std::string notes() {
        const std::lock_guard lock(mutex_);
        std::string all;
        for (const std::string& note : notes_) all += note + "\n";
        return all;
    }

    std::atomic<bool> echoes{true};
    std::atomic<int> duplicates{0};
    std::atomic<int> drained{0};
    std::atomic<long> wire{0};

  private:
    std::string blocked_client() {
        const std::lock_guard lock(mutex_);
        return blocked_;
    }
    void note(const std::string& text) {
        const std::lock_guard lock(mutex_);
        if (notes_.size() < kMostNotes) notes_.push_back(text);
        changed_.notify_all();
    }

    static constexpr std::size_t kMostNotes = 10000;
    SessionHost* host_ = nullptr;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<IncomingMessage> applications_;
    std::vector<std::string> notes_;
    std::string blocked_;
};

inline std::string fresh_folder() {
    static std::atomic<int> count{0};
    const std::string name = "fixaccel-sessions-" + std::to_string(getpid()) + "-" + std::to_string(++count);
    return (std::filesystem::temp_directory_path() / name).string();
}

class SessionTest : public testing::Test {
  protected:
    SessionTest() { open({}); }
    ~SessionTest() override {
        close();
        if (HasFailure()) std::cerr << events.notes();
        for (const std::string& folder : folders) std::filesystem::remove_all(folder);
    }

    void open(SessionConfig config) {
        close();
        config.comp_id = "SIMULATOR";
        if (config.clients.empty()) config.clients = {"CLIENT1", "CLIENT2"};
        host = std::make_unique<SessionHost>(config, events);
        events.attach(host.get());
        host->start();
    }
    void close() { host.reset(); }
    RawClient client(const std::string& name = "CLIENT1") { return RawClient(host->port(), name); }
    // Logged on, with numbers from 1.
    RawClient logged_on(const std::string& name = "CLIENT1") {
        RawClient result = client(name);
        result.log_on();
        EXPECT_EQ(result.next().value_or(IncomingMessage{}).text(tag::kMsgType), "A");
        return result;
    }
    std::string folder() { return folders.emplace_back(fresh_folder()); }

    EchoEvents events;
    std::unique_ptr<SessionHost> host;
    std::vector<std::string> folders;
};

// What an order must have.
inline std::string order_fields(const std::string& id) {
    return "11=" + id + "|55=MSFT|54=1|38=1|40=2|44=1|60=" + utc_text();
}

}  // namespace fixaccel::exchange
