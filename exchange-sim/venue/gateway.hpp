// SPDX-License-Identifier: Apache-2.0
// Between the FIX sessions and the exchange. One thread, the engine's, takes what comes from all sessions in
// the order of its coming: one message at a time goes in, its reports go out, then market data. It waits for
// no session and no disk.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "record/recorder.hpp"
#include "session/session_host.hpp"
#include "venue/client_registry.hpp"
#include "venue/journal.hpp"
#include "venue/market_feed.hpp"
#include "venue/observer.hpp"
#include "venue/options.hpp"
#include "venue/record_lines.hpp"
#include "venue/request_queue.hpp"
#include "venue/sent_reports.hpp"
#include "venue/timetable.hpp"

namespace fixaccel::exchange {

class Gateway : public SessionEvents {
  public:
    Gateway(Exchange& exchange, Recorder& recorder, VenueOptions options);
    Gateway(Exchange& exchange, Recorder& recorder, UpdateType update_type, std::string market_client = "");
    // Ends the engine thread; the sessions must be gone by then, or detached.
    ~Gateway() override;
    Gateway(const Gateway&) = delete;
    Gateway& operator=(const Gateway&) = delete;

    // Brings back what a store holds; before attach(), and before anything else is done. Throws JournalError.
    void recover(const std::string& identity);
    // The sessions to send on; before the first of them starts. What a store's last program had answered but
    // not given a MsgSeqNum is sent now, as possibly sent before.
    void attach(SessionHost& host);
    // Sends on no session from then on, which may be taken down.
    void detach();
    // Takes up what has come in, then ends the engine thread. What acts afterwards does so on its own thread.
    void stop();
    // Phases by the clock from now on; the orders of a day end with it.
    void follow(Timetable timetable);
    // What to do where the venue cannot go on: the journal cannot be written.
    void on_failure(std::function<void(const std::string&)> tell) { tell_failure_ = std::move(tell); }

    ClientRegistry& clients() { return clients_; }

    // Runs a house action on the exchange, reports its executions and publishes each changed book once. Waits
    // for its end.
    void act(const std::function<std::vector<Execution>(Exchange&)>& action);
    // Sends a session message, such as a resend request, to one client.
    void send_session_message(const std::string& client, const OutgoingMessage& message);
    void log_out(const std::string& client, const std::string& reason);
    void fault(const std::string& client, const Fault& fault);
    SessionStats session_stats(const std::string& client);
    FeedStats feed_stats(const std::string& client);
    // The observer is told from then on.
    void observe(std::shared_ptr<Observer> observer);

    void on_logon(const std::string& client) override;
    void on_logout(const std::string& client, SequenceNumbers numbers) override;
    bool on_application(IncomingMessage message) override;
    void on_session_message(Direction direction, const IncomingMessage& message) override;
    void on_possible_duplicate(const IncomingMessage& message) override;
    void on_notice(const std::string& client, const std::string& text) override;
    void on_wire(Direction direction, const std::string& client, const std::string& bytes) override;
    void on_drained(const std::string& client) override;

  private:
    using Observers = std::vector<std::shared_ptr<Observer>>;
    struct LoggedOn {
        std::string client;
    };
    struct LoggedOut {
        std::string client;
        SequenceNumbers numbers;
    };
    struct Drained {
        std::string client;
    };
    using Work = std::function<void()>;
    using Request = std::variant<IncomingMessage, LoggedOn, LoggedOut, Drained, Work>;

    // What is known of who gets reports. Stays where it is, as sessions' threads write into it.
    struct Client {
        std::string name;
        std::vector<Client*> copies;  // sessions that get its reports as well
        SentReports reports;
        std::uint64_t marked = 0;  // the last ExecID that the journal knows to be sent
        std::deque<std::pair<std::uint64_t, OutgoingMessage>> unsent;  // of the last program, by ExecID
        std::deque<std::pair<ReceivedAs, OutgoingMessage>> answers;    // the same, of what has no ExecID
        ReceivedAs taken;  // the last request, which the session does not know of yet
        // ExecID and requests that its session is to be done with before the new state counts.
        std::uint64_t settles_sent = 0;
        std::uint64_t settles_taken = 0;
    };
    struct Held {
        std::string client;
        OutgoingMessage message;
        std::function<void(int)> sent;
    };

    // gateway.cpp: the engine thread.
    void run();
    void take(Request& request);
    void take_request(const IncomingMessage& message);
    void expect(const Request& request, bool near) const;
    void on_engine(Work work);
    std::chrono::steady_clock::time_point deadline() const;
    void feed_time();
    void tick();
    bool unsent() const;
    void attempt(const std::function<void()>& work);
    void change_phase(Phase phase);
    void end_day();
    Client& client(const std::string& name);
    void take_session(const LoggedOn& change);
    void take_session(const LoggedOut& change);

    // gateway_orders.cpp: requests, each with its type.
    void take_message(const IncomingMessage& message);
    void take_order(const IncomingMessage& message);
    void take_cancel(const IncomingMessage& message);
    void take_replace(const IncomingMessage& message);
    void take_mass_cancel(const IncomingMessage& message);
    void take_status_request(const IncomingMessage& message);
    void take_mass_status_request(const IncomingMessage& message);
    // A message that may have come before, whose ClOrdID names an order: it is told how that stands.
    bool answer_again(const IncomingMessage& message);
    // Of a request to cancel or to replace: where it speaks of another order than its ClOrdID, or of one as
    // it was once. The exchange hears nothing of it, and its ClOrdID stays free.
    std::optional<CancelReject> contradiction(const IncomingMessage& message) const;
    // What came of a request to cancel or to replace.
    void answer(const IncomingMessage& message, const CancelTicket& ticket, const CancelOutcome& outcome);
    void refuse_missing(const IncomingMessage& message, int missing);
    void refuse(const IncomingMessage& message, const std::string& reason, const std::string& text);

    // gateway_reports.cpp: what goes out.
    void report(const std::vector<Execution>& executions);
    void send_report(Client& to, OutgoingMessage message, const Order& order, const Execution& execution);
    void observe_trade(const Execution& maker, const Execution& taker);
    bool post(const std::string& client, OutgoingMessage message, std::function<void(int)> sent = {});
    void publish();

    // gateway_store.cpp: what a restart finds, and what the next one would.
    void collect(const ExchangeCall& call, const CallResult& result, const Journal::Request* of);
    void collect_answer(const ExchangeCall& call, const CallResult& result, const Journal::Request& of);
    void collect_unsent(const std::vector<Execution>& executions);
    void send_unsent();
    void send_answers(const std::string& name, Received& received);
    void save_marks();
    // What waits for the disk goes out; sessions are told which requests are dealt with.
    void release();
    void tidy();

    // gateway_market_data.cpp
    void take_market_data_request(const IncomingMessage& message);
    void refuse_market_data(const IncomingMessage& message, const std::string& reason,
                            const std::string& text);
    bool send_market_data(const std::string& client, OutgoingMessage message);

    std::shared_ptr<const Observers> observers() const;

    Exchange& exchange_;
    Recorder& recorder_;
    const VenueOptions options_;
    SessionHost* host_ = nullptr;  // of the engine thread
    std::atomic<SessionHost*> shared_host_{nullptr};
    ClientRegistry clients_;
    MarketFeed feed_;
    std::unordered_map<std::string, std::unique_ptr<Client>> known_;
    std::unique_ptr<Journal> journal_;
    std::vector<Client*> taken_;  // clients with requests that their sessions do not know of yet
    std::vector<Held> held_;
    std::string mass_cancel_;  // ClOrdID of one, while a restart finds it
    std::optional<Timetable> timetable_;
    std::time_t next_phase_ = 0;
    std::int64_t last_time_ = 0;
    std::function<void(const std::string&)> tell_failure_;
    bool failed_ = false;

    mutable std::mutex observers_mutex_;
    std::shared_ptr<const Observers> observers_;
    std::atomic<bool> observed_{false};

    RequestQueue<Request> queue_;
    std::thread engine_;
};

}  // namespace fixaccel::exchange
