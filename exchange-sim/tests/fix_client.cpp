// SPDX-License-Identifier: Apache-2.0
#include "tests/fix_client.hpp"

#include <quickfix/Application.h>
#include <quickfix/Group.h>
#include <quickfix/Log.h>
#include <quickfix/MessageStore.h>
#include <quickfix/Session.h>
#include <quickfix/SocketInitiator.h>

#include <algorithm>
#include <condition_variable>
#include <list>
#include <mutex>

#include "session/dictionary.hpp"
#include "session/raw_message.hpp"

namespace fixaccel {
namespace exchange {

class FixClient::Impl : public FIX::NullApplication, public FIX::LogFactory, public FIX::Log {
  public:
    Impl(const std::string& comp_id, const std::string& venue, std::uint16_t port, int heartbeat_seconds,
         const std::string& dictionary)
        : id_("FIX.4.4", comp_id, venue),
          initiator_(*this, stores_, settings(port, heartbeat_seconds, dictionary), *this) {
        if (dictionary.empty()) session().setDataDictionaryProvider(group_dictionary("FIX.4.4"));
    }

    FIX::SessionSettings settings(std::uint16_t port, int heartbeat_seconds,
                                  const std::string& dictionary) const {
        FIX::Dictionary own;
        own.setString(FIX::CONNECTION_TYPE, "initiator");
        own.setString(FIX::USE_DATA_DICTIONARY, dictionary.empty() ? "N" : "Y");
        if (!dictionary.empty()) own.setString(FIX::DATA_DICTIONARY, dictionary);
        own.setString(FIX::START_TIME, "00:00:00");
        own.setString(FIX::END_TIME, "00:00:00");
        own.setString(FIX::SOCKET_CONNECT_HOST, "127.0.0.1");
        own.setInt(FIX::SOCKET_CONNECT_PORT, port);
        own.setInt(FIX::HEARTBTINT, heartbeat_seconds);
        own.setString(FIX::SOCKET_NODELAY, "Y");
        FIX::SessionSettings result;
        FIX::Dictionary common;
        common.setInt(FIX::RECONNECT_INTERVAL, 1);
        result.set(common);
        result.set(id_, own);
        return result;
    }

    FIX::Session& session() const { return *FIX::Session::lookupSession(id_); }

    void onLogon(const FIX::SessionID&) override { set_logged_on(true); }
    void onLogout(const FIX::SessionID&) override { set_logged_on(false); }

    FIX::Log* create() override { return this; }
    FIX::Log* create(const FIX::SessionID&) override { return this; }
    void destroy(FIX::Log*) override {}
    void clear() override {}
    void backup() override {}
    void onOutgoing(const std::string&) override {}
    void onEvent(const std::string&) override {}
    void onIncoming(const std::string& raw) override {
        std::lock_guard<std::mutex> lock(mutex_);
        inbox_.push_back(split_message(raw, id_.getSenderCompID().getValue()));
        changed_.notify_all();
    }

    void set_logged_on(bool value) {
        std::lock_guard<std::mutex> lock(mutex_);
        logged_on_ = value;
        changed_.notify_all();
    }

    bool wait_logged_on(bool value, std::chrono::milliseconds patience) {
        std::unique_lock<std::mutex> lock(mutex_);
        return changed_.wait_for(lock, patience, [&] { return logged_on_ == value; });
    }

    const FIX::SessionID id_;
    FIX::MemoryStoreFactory stores_;
    FIX::SocketInitiator initiator_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::list<IncomingMessage> inbox_;
    bool logged_on_ = false;
};

FixClient::FixClient(const std::string& comp_id, const std::string& venue, std::uint16_t port,
                     int heartbeat_seconds, const std::string& dictionary)
    : impl_(new Impl(comp_id, venue, port, heartbeat_seconds, dictionary)) {}

FixClient::~FixClient() { impl_->initiator_.stop(); }

bool FixClient::log_on(std::chrono::milliseconds patience) {
    impl_->session().logon();
    if (impl_->initiator_.isStopped()) impl_->initiator_.start();
    return impl_->wait_logged_on(true, patience);
}

void FixClient::log_out() {
    impl_->session().logout();
    impl_->wait_logged_on(false, std::chrono::seconds(5));
}

int FixClient::send(const OutgoingMessage& message) {
    FIX::Message wire;
    wire.getHeader().setField(tag::kMsgType, message.type);
    for (const Field& field : message.fields) {
        if (FIX::Message::isHeaderField(field.tag))
            wire.getHeader().setField(field.tag, field.text);
        else
            wire.setField(field.tag, field.text);
    }
    for (const EntryGroup& each : message.groups) {
        for (const Fields& entry : each.entries) {
            FIX::Group group(each.counter, entry.front().tag);
            for (const Field& field : entry) group.setField(field.tag, field.text);
            wire.addGroup(group);
        }
    }
    impl_->session().send(wire);
    return FIX::IntConvertor::convert(wire.getHeader().getField(tag::kMsgSeqNum));
}

IncomingMessage FixClient::next(const std::string& type, std::chrono::milliseconds patience) {
    std::unique_lock<std::mutex> lock(impl_->mutex_);
    auto found = impl_->inbox_.end();
    impl_->changed_.wait_for(lock, patience, [&] {
        found = std::find_if(impl_->inbox_.begin(), impl_->inbox_.end(), [&](const IncomingMessage& message) {
            return message.text(tag::kMsgType) == type;
        });
        return found != impl_->inbox_.end();
    });
    if (found == impl_->inbox_.end()) return IncomingMessage();
    IncomingMessage result = *found;
    impl_->inbox_.erase(found);
    return result;
}

std::size_t FixClient::waiting(const std::string& type) const {
    std::lock_guard<std::mutex> lock(impl_->mutex_);
    return static_cast<std::size_t>(
        std::count_if(impl_->inbox_.begin(), impl_->inbox_.end(),
                      [&](const IncomingMessage& message) { return message.text(tag::kMsgType) == type; }));
}

int FixClient::next_sender() const { return impl_->session().getExpectedSenderNum(); }
int FixClient::next_target() const { return impl_->session().getExpectedTargetNum(); }

}  // namespace exchange
}  // namespace fixaccel
