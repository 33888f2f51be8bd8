// SPDX-License-Identifier: Apache-2.0
// What the store brings back after a restart, and what it is told so that the next one can.
#include <algorithm>
#include <utility>

#include "venue/gateway.hpp"
#include "venue/reports.hpp"
#include "venue/tags.hpp"

namespace fixaccel::exchange {
namespace {

// Answers kept for each client: more requests than that are never between a session and the engine.
constexpr std::size_t kMostAnswers = 65'536;

template <typename Call>
const Call* as(const ExchangeCall& call) {
    return std::get_if<Call>(&call);
}

}  // namespace

void Gateway::collect(const ExchangeCall& call, const CallResult& result, const Journal::Request* of) {
    collect_unsent(result.executions);
    if (of != nullptr) collect_answer(call, result, *of);
}

// Of the last program: what the journal has no mark for may have been sent, or not.
void Gateway::collect_unsent(const std::vector<Execution>& executions) {
    exchange_.clear_changed();
    for (const Execution& execution : executions) {
        const Order& order = exchange_.order(execution.order);
        if (order.house) continue;
        Client& owner = client(order.ticket.owner);
        OutgoingMessage message = execution_report(order, execution);
        message.fields.push_back({tag::kPossResend, "Y"});
        for (Client* copy : owner.copies)
            copy->unsent.emplace_back(execution.id, copy_of(message, owner.name));
        owner.unsent.emplace_back(execution.id, std::move(message));
    }
}

// What a request is answered with that is no execution report.
void Gateway::collect_answer(const ExchangeCall& call, const CallResult& result, const Journal::Request& of) {
    OutgoingMessage message;
    if (const auto* use = as<UseCall>(call)) {
        mass_cancel_ = use->cl_ord_id;
    } else if (const auto* all = as<MassCancelCall>(call)) {
        const bool some = all->instrument != kAllInstruments;
        IncomingMessage request{
            of.client,
            {{tag::kClOrdId, mass_cancel_}, {tag::kMassCancelRequestType, some ? kOfSecurity : kOfAll}},
            of.as};
        if (some) request.fields.push_back({tag::kSymbol, exchange_.instrument(all->instrument).symbol()});
        if (all->side) request.fields.push_back({tag::kSide, side_code(*all->side)});
        message = mass_cancel_report(request, {result.executions.size(), "", ""});
    } else if (result.reject != nullptr) {
        if (const auto* cancel = as<CancelCall>(call)) {
            message = cancel_reject(*cancel, *result.reject, kToCancel);
        } else if (const auto* replace = as<ReplaceCall>(call)) {
            const OrderTicket& terms = replace->terms;
            message = cancel_reject({terms.owner, terms.cl_ord_id, replace->orig_cl_ord_id, terms.symbol},
                                    *result.reject, kToReplace);
        }
    }
    if (message.type.empty()) return;
    message.fields.push_back({tag::kPossResend, "Y"});
    auto& answers = client(of.client).answers;
    answers.emplace_back(of.as, std::move(message));
    if (answers.size() > kMostAnswers) answers.pop_front();
}

void Gateway::send_unsent() {
    for (auto& [name, held] : known_) {
        Client* client = held.get();
        for (auto& [id, message] : std::exchange(client->unsent, {})) {
            const std::uint64_t place = client->reports.post(id);
            const auto sent = [client, place, exec_id = id](int) { client->reports.sent(place, exec_id); };
            if (!post(name, std::move(message), sent)) sent(0);
        }
    }
    if (!journal_) return;
    for (auto& [name, received] : journal_->received()) {
        if (host_->has(name)) send_answers(name, received);
    }
}

// Of what was done, no more: a request that changed nothing is in no log. Up to the first number that is
// missing there the session goes on; from it on the client is asked to send again.
void Gateway::send_answers(const std::string& name, Received& received) {
    Client& from = client(name);
    const ReceivedAs next = host_->expected(name);
    auto answers = std::exchange(from.answers, {});
    if (received.generation() != next.generation) return;
    for (auto& [as, message] : answers) {
        if (as.generation == next.generation && as.number >= next.number) post(name, std::move(message));
    }
    received.resume(next.number);
    if (received.up_to() < next.number) return;
    from.taken = {next.generation, received.up_to()};
    host_->resume(name, from.taken);
    taken_.push_back(&from);
}

void Gateway::save_marks() {
    for (auto& [name, client] : known_) {
        const std::uint64_t sent = client->reports.up_to();
        if (sent <= client->marked) continue;
        client->marked = sent;
        journal_->sent(name, sent);
    }
}

void Gateway::release() {
    if (options_.sync) {
        journal_->sync();
        for (Held& held : std::exchange(held_, {})) {
            if (host_ != nullptr)
                host_->post(held.client, std::move(held.message), Urgency::kReport, std::move(held.sent));
        }
    }
    // Behind its answers: what the session counts as received has been answered.
    for (Client* client : taken_) {
        if (host_ != nullptr && host_->has(client->name)) host_->taken(client->name, client->taken);
        client->taken.number = 0;
    }
    taken_.clear();
}

void Gateway::tidy() {
    release();
    save_marks();
    if (!unsent()) journal_->flush_marks();
    // What the program before had not sent is not posted yet: the logs that have it stay.
    if (host_ == nullptr) return;
    const auto taken = [&](const std::string& name) {
        return host_->has(name) ? host_->taken(name) : SessionHost::Taken();
    };
    const auto settled = [&](const auto& entry) {
        const Client& client = *entry.second;
        return client.reports.up_to() >= client.settles_sent &&
               taken(entry.first).done >= client.settles_taken;
    };
    if (journal_->tidy()) {
        for (auto& [name, client] : known_) {
            client->settles_sent = client->reports.posted();
            client->settles_taken = taken(name).given;
        }
    } else if (journal_->pending() && std::all_of(known_.begin(), known_.end(), settled)) {
        journal_->settle();
    }
}

}  // namespace fixaccel::exchange
