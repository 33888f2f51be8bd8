// SPDX-License-Identifier: Apache-2.0
// What the gateway says of orders, to their owners, to those who get copies, and to those who look on.
#include <chrono>
#include <utility>

#include "venue/gateway.hpp"
#include "venue/reports.hpp"
#include "venue/tags.hpp"

namespace fixaccel::exchange {
namespace {

std::int64_t wall_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string name_of(const Order& order) { return order.house ? "house" : order.ticket.owner; }

}  // namespace

// False where it went nowhere. A client of an order may be none of this program's: it was one of the program
// before, on the same store.
bool Gateway::post(const std::string& client, OutgoingMessage message, std::function<void(int)> sent) {
    if (host_ == nullptr || !host_->has(client)) return false;
    if (options_.sync && journal_) {
        held_.push_back({client, std::move(message), std::move(sent)});
        return true;
    }
    return host_->post(client, std::move(message), Urgency::kReport, std::move(sent));
}

void Gateway::report(const std::vector<Execution>& executions) {
    // What comes of an input is said only once the input is safe.
    if (journal_) journal_->flush();
    for (std::size_t at = 0; at < executions.size(); ++at) {
        const Execution& execution = executions[at];
        const Order& order = exchange_.order(execution.order);
        if (!order.house) {
            Client& owner = client(order.ticket.owner);
            OutgoingMessage message = execution_report(order, execution);
            for (Client* copy : owner.copies)
                send_report(*copy, copy_of(message, owner.name), order, execution);
            send_report(owner, std::move(message), order, execution);
        }
        const bool trade = execution.type == ExecType::kTrade;
        if (recorder_.enabled() && trade && execution.order > execution.counterparty)
            recorder_.write("trade", trade_line(exchange_, execution));
        if (!observed_) continue;
        for (const auto& observer : *observers()) observer->on_execution(order, execution);
        // The two sides of a trade stand side by side, the one that came later behind.
        if (trade && at > 0 && executions[at - 1].type == ExecType::kTrade &&
            executions[at - 1].order == execution.counterparty &&
            executions[at - 1].counterparty == execution.order && executions[at - 1].id + 1 == execution.id)
            observe_trade(executions[at - 1], execution);
    }
    const auto phases = exchange_.take_phases();
    const auto printed = exchange_.take_printed();
    if (recorder_.enabled()) {
        for (const auto& change : phases)
            recorder_.write("phase", {{"symbol", exchange_.instrument(change.instrument).symbol()},
                                      {"phase", to_text(change.phase)},
                                      {"reason", to_text(change.reason)}});
    }
    if (!observed_) return;
    for (const auto& observer : *observers()) {
        for (const auto& change : phases)
            observer->on_phase(exchange_.instrument(change.instrument), change.phase);
        for (const auto& [index, print] : printed)
            observer->on_trade(exchange_.instrument(index), print, wall_ns(), Side::kBuy, "house", "house");
    }
}

void Gateway::observe_trade(const Execution& maker, const Execution& taker) {
    const Order& came = exchange_.order(taker.order);
    const Order& stood = exchange_.order(maker.order);
    const bool buys = came.side == Side::kBuy;
    for (const auto& observer : *observers())
        observer->on_trade(*came.instrument, {taker.last_price, taker.last_quantity}, wall_ns(), came.side,
                           name_of(buys ? came : stood), name_of(buys ? stood : came));
}

void Gateway::send_report(Client& to, OutgoingMessage message, const Order& order,
                          const Execution& execution) {
    if (host_ == nullptr) return;
    Client* client = &to;
    const std::uint64_t id = execution.id;
    const std::uint64_t place = to.reports.post(id);
    std::function<void(int)> sent;
    if (recorder_.enabled()) {
        // The line is made here and now, and written when the message has its number.
        auto line = std::make_shared<Json>(execution_line(order, execution, 0));
        if (to.name != order.ticket.owner) (*line)["copy_to"] = to.name;
        sent = [this, client, place, id, line](int msg_seq_num) {
            client->reports.sent(place, id);
            (*line)["msg_seq_num"] = msg_seq_num;
            recorder_.write("execution", std::move(*line));
        };
    } else if (journal_) {
        sent = [client, place, id](int) { client->reports.sent(place, id); };
    }
    if (!post(to.name, std::move(message), std::move(sent))) client->reports.sent(place, id);
}

void Gateway::publish() {
    if (exchange_.changed().empty()) return;
    if (observed_) {
        for (const auto& observer : *observers()) {
            for (const InstrumentIndex index : exchange_.changed())
                observer->on_book(exchange_, exchange_.instrument(index));
        }
    }
    feed_.publish(std::chrono::steady_clock::now());
}

}  // namespace fixaccel::exchange
