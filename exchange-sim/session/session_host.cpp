// SPDX-License-Identifier: Apache-2.0
#include "session/session_host.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "session/acceptor.hpp"
#include "session/dictionary.hpp"
#include "session/raw_message.hpp"
#include "session/session_worker.hpp"

namespace fixaccel {
namespace exchange {
namespace {

std::vector<Acceptor::Place> places(const SessionConfig& config) {
    std::vector<Acceptor::Place> out{{config.host, config.port}};
    for (const MarketClient& market : config.market_clients) out.push_back({market.host, market.port});
    return out;
}

}  // namespace

class SessionHost::Impl {
  public:
    Impl(const SessionConfig& config, SessionEvents& events)
        : config_(config),
          events_(events),
          dictionaries_(session_dictionary(config_)),
          acceptor_(
              places(config_), config_.bounds,
              [this](const Acceptor::Newcomer& newcomer) { return take(newcomer); },
              [this](const std::string& text) { events_.on_notice(std::string(), text); }) {
        for (const std::string& client : config_.clients) add(config_.comp_id, client);
        for (const MarketClient& market : config_.market_clients) add(market.comp_id, market.client);
    }

    SessionWorker& worker(const std::string& client) const {
        const auto found = workers_.find(client);
        if (found == workers_.end())
            throw SessionHostError("no session is configured for client '" + client + "'");
        return *found->second;
    }

    void start() {
        for (const auto& each : workers_) each.second->start();
        acceptor_.start();
    }

    void stop() {
        acceptor_.stop();
        for (const auto& each : workers_) each.second->begin_stop();
        for (const auto& each : workers_) each.second->join();
    }

    void command(const std::string& client, Command::Kind kind, const std::string& text = std::string()) {
        Command command;
        command.kind = kind;
        command.text = text;
        worker(client).outbox().command(std::move(command));
    }

    const SessionConfig config_;
    SessionEvents& events_;
    const FIX::DataDictionaryProvider dictionaries_;
    std::map<std::string, std::unique_ptr<SessionWorker>> workers_;  // by client
    Acceptor acceptor_;
    bool started_ = false;

  private:
    void add(const std::string& comp_id, const std::string& client) {
        workers_[client] = std::make_unique<SessionWorker>(config_, comp_id, client, dictionaries_, events_);
    }

    // On the acceptor's thread.
    std::string take(const Acceptor::Newcomer& newcomer) {
        const std::string& logon = newcomer.logon;
        if (field_text(logon, tag::kMsgType) != "A") return "its first message is no Logon";
        if (logon.compare(2, logon.find(kSoh) - 2, config_.begin_string) != 0)
            return "its BeginString(8) is not " + config_.begin_string;
        const std::string client = field_text(logon, tag::kSenderCompId);
        const auto found = workers_.find(client);
        if (found == workers_.end()) return "no session is configured for SenderCompID(49) '" + client + "'";
        const std::string venue = field_text(logon, tag::kTargetCompId);
        if (found->second->comp_id() != venue)
            return "TargetCompID(56) '" + venue + "' is not the venue's for " + client;
        Command command;
        command.kind = Command::Kind::kAdopt;
        command.socket = newcomer.socket;
        command.text = newcomer.bytes;
        command.peer = newcomer.peer;
        found->second->outbox().command(std::move(command));
        return std::string();
    }
};

SessionHost::SessionHost(const SessionConfig& config, SessionEvents& events) {
    try {
        impl_ = std::make_unique<Impl>(config, events);
    } catch (const FIX::Exception& error) {
        throw SessionHostError(error.what());
    }
}

SessionHost::~SessionHost() { stop(); }

void SessionHost::start() {
    impl_->start();
    impl_->started_ = true;
}

void SessionHost::stop() {
    if (!impl_->started_) return;
    impl_->started_ = false;
    impl_->stop();
}

std::uint16_t SessionHost::port() const { return impl_->acceptor_.port(0); }

std::uint16_t SessionHost::market_port(std::size_t index) const { return impl_->acceptor_.port(1 + index); }

bool SessionHost::post(const std::string& client, OutgoingMessage message, Urgency urgency,
                       std::function<void(int)> sent) {
    Post post;
    post.message = std::move(message);
    post.urgency = urgency;
    post.sent = std::move(sent);
    return impl_->worker(client).outbox().post(std::move(post));
}

bool SessionHost::behind(const std::string& client) const { return impl_->worker(client).outbox().behind(); }

bool SessionHost::logged_on(const std::string& client) const {
    return impl_->worker(client).outbox().online();
}

bool SessionHost::has(const std::string& client) const { return impl_->workers_.count(client) != 0; }

void SessionHost::taken(const std::string& client, const ReceivedAs& request) {
    impl_->worker(client).outbox().taken(request);
}

SessionHost::Taken SessionHost::taken(const std::string& client) const {
    const Outbox& outbox = impl_->worker(client).outbox();
    Taken result;
    result.done = outbox.taken_done();
    result.given = outbox.taken_given();
    return result;
}

ReceivedAs SessionHost::expected(const std::string& client) const { return impl_->worker(client).expected(); }

void SessionHost::resume(const std::string& client, const ReceivedAs& last) {
    impl_->worker(client).resume(last);
}

void SessionHost::logout(const std::string& client, const std::string& reason) {
    impl_->command(client, Command::Kind::kLogout, reason);
}

void SessionHost::disconnect(const std::string& client) {
    impl_->command(client, Command::Kind::kDisconnect);
}

void SessionHost::reset(const std::string& client) { impl_->command(client, Command::Kind::kReset); }

SessionStats SessionHost::stats(const std::string& client) const { return impl_->worker(client).stats(); }

void SessionHost::fault(const std::string& client, const Fault& fault) {
    Command command;
    command.kind = Command::Kind::kFault;
    command.fault = fault;
    impl_->worker(client).outbox().command(std::move(command));
}

}  // namespace exchange
}  // namespace fixaccel
