// SPDX-License-Identifier: Apache-2.0
// QuickFIX's log: what happens to the session goes to the transport.
#pragma once

#include <quickfix/Log.h>
#include <quickfix/SessionID.h>

#include <list>
#include <memory>
#include <string>

#include "fixaccel/fix_session.hpp"

namespace fixaccel {

// Events only: the messages themselves are in the journal.
class EventLog : public FIX::Log {
  public:
    explicit EventLog(FixTransport& transport) : transport_(transport) {}
    void clear() override {}
    void backup() override {}
    void onIncoming(const std::string& /*message*/) override {}
    void onOutgoing(const std::string& /*message*/) override {}
    void onEvent(const std::string& text) override { transport_.on_event(text); }

  private:
    FixTransport& transport_;
};

// Keeps the logs: an initiator that refuses its settings gives none of them back.
class EventLogFactory : public FIX::LogFactory {
  public:
    explicit EventLogFactory(FixTransport& transport) : transport_(transport) {}
    FIX::Log* create() override {
        logs_.push_back(std::make_unique<EventLog>(transport_));
        return logs_.back().get();
    }
    FIX::Log* create(const FIX::SessionID& /*session*/) override { return create(); }
    void destroy(FIX::Log* log) override {
        logs_.remove_if([log](const std::unique_ptr<EventLog>& each) { return each.get() == log; });
    }

  private:
    FixTransport& transport_;
    std::list<std::unique_ptr<EventLog>> logs_;
};

}  // namespace fixaccel
