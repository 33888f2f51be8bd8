// SPDX-License-Identifier: Apache-2.0
#include "session/session_host.hpp"

#include <quickfix/Group.h>
#include <quickfix/Session.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <utility>

#include "session/bound_acceptor.hpp"
#include "session/group_dictionary.hpp"
#include "session/lasting_store.hpp"
#include "session/session_adapter.hpp"

namespace fixaccel {
namespace exchange {
namespace {

// One second until QuickFIX's timer sends the Logout, then the clients' answers.
constexpr std::chrono::seconds kLogoutPatience(5);

FIX::SessionSettings make_settings(const SessionConfig& config) {
    FIX::Dictionary common;
    common.setString(FIX::CONNECTION_TYPE, "acceptor");
    common.setString(FIX::USE_DATA_DICTIONARY, "N");
    common.setString(FIX::START_TIME, "00:00:00");
    common.setString(FIX::END_TIME, "00:00:00");
    if (!config.store_path.empty()) common.setString(FIX::FILE_STORE_PATH, config.store_path);
    FIX::SessionSettings settings;
    settings.set(common);
    for (const std::string& client : config.clients) {
        settings.set(FIX::SessionID(config.begin_string, config.comp_id, client), FIX::Dictionary());
    }
    for (const MarketClient& market : config.market_clients)
        settings.set(FIX::SessionID(config.begin_string, market.comp_id, market.client), FIX::Dictionary());
    return settings;
}

std::vector<BoundAcceptor::Place> places(const SessionConfig& config) {
    std::vector<BoundAcceptor::Place> out{{config.host, config.port}};
    for (const MarketClient& market : config.market_clients) out.push_back({market.host, market.port});
    return out;
}

FIX::Message to_quickfix(const OutgoingMessage& message) {
    FIX::Message result;
    result.getHeader().setField(tag::kMsgType, message.type);
    for (const Field& field : message.fields) result.setField(field.tag, field.text);
    for (const EntryGroup& each : message.groups) {
        // addGroup keeps the counter, except that no entry at all must still say 0.
        if (each.entries.empty()) result.setField(each.counter, "0");
        for (const Fields& entry : each.entries) {
            std::vector<int> order;
            for (const Field& field : entry) order.push_back(field.tag);
            order.push_back(0);
            FIX::Group group(each.counter, entry.front().tag, order.data());
            for (const Field& field : entry) group.setField(field.tag, field.text);
            result.addGroup(group);
        }
    }
    return result;
}

}  // namespace

class SessionHost::Impl {
  public:
    Impl(const SessionConfig& config, SessionEvents& events)
        : config_(config),
          adapter_(config.heartbeat_seconds, events),
          settings_(make_settings(config)),
          stores_(config.store_path),
          acceptor_(adapter_, stores_, settings_, adapter_, places(config)) {
        for (const std::string& client : all_clients()) {
            session(client).setDataDictionaryProvider(group_dictionary(config.begin_string));
        }
    }

    FIX::Session& session(const std::string& client) const {
        std::string comp_id = config_.comp_id;
        for (const MarketClient& market : config_.market_clients)
            if (market.client == client) comp_id = market.comp_id;
        FIX::Session* found =
            FIX::Session::lookupSession(FIX::SessionID(config_.begin_string, comp_id, client));
        if (found == nullptr) throw SessionHostError("no session is configured for client '" + client + "'");
        return *found;
    }

    std::vector<std::string> all_clients() const {
        std::vector<std::string> out = config_.clients;
        for (const MarketClient& market : config_.market_clients) out.push_back(market.client);
        return out;
    }

    void log_out_everyone() {
        for (const std::string& client : all_clients()) session(client).logout();
        adapter_.wait_until_all_out(kLogoutPatience);
    }

    const SessionConfig config_;
    SessionAdapter adapter_;
    FIX::SessionSettings settings_;
    LastingStoreFactory stores_;
    BoundAcceptor acceptor_;
    bool started_ = false;
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
    try {
        impl_->acceptor_.start();
        impl_->started_ = true;
    } catch (const FIX::Exception& error) {
        throw SessionHostError(error.what());
    }
}

void SessionHost::stop() {
    if (!impl_->started_) return;
    impl_->started_ = false;
    impl_->log_out_everyone();
    impl_->acceptor_.stop(true);
}

std::uint16_t SessionHost::port() const { return impl_->acceptor_.port(0); }

std::uint16_t SessionHost::market_port(std::size_t index) const { return impl_->acceptor_.port(1 + index); }

bool SessionHost::post(const std::string& client, OutgoingMessage message, Urgency urgency,
                       std::function<void(int)> sent) {
    if (urgency == Urgency::kMarketData && !logged_on(client)) return false;
    FIX::Message wire = to_quickfix(message);
    impl_->session(client).send(wire);
    if (sent) sent(FIX::IntConvertor::convert(wire.getHeader().getField(tag::kMsgSeqNum)));
    return true;
}

bool SessionHost::behind(const std::string& client) const { return !logged_on(client); }

bool SessionHost::logged_on(const std::string& client) const { return impl_->session(client).isLoggedOn(); }

void SessionHost::logout(const std::string& client, const std::string& reason) {
    impl_->session(client).logout(reason);
}

void SessionHost::disconnect(const std::string& client) { impl_->session(client).disconnect(); }
void SessionHost::reset(const std::string& client) { impl_->session(client).disconnect(); }

SessionStats SessionHost::stats(const std::string& client) const {
    SessionStats result;
    FIX::Session& session = impl_->session(client);
    result.logged_on = session.isLoggedOn();
    result.next_sender = session.getExpectedSenderNum();
    result.next_target = session.getExpectedTargetNum();
    return result;
}

void SessionHost::fault(const std::string& client, const Fault& /*fault*/) { impl_->session(client); }

}  // namespace exchange
}  // namespace fixaccel
