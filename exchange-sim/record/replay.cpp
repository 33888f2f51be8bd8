// SPDX-License-Identifier: Apache-2.0
#include "record/replay.hpp"

#include <utility>

#include "record/call_fields.hpp"
#include "venue/record_lines.hpp"
#include "venue/reports.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::size_t kShown = 50;

// The event of a line, found without reading the rest: most lines are none that matter here.
std::string event_of(const std::string& text) {
    constexpr std::string_view kKey = R"("event":")";
    const std::size_t place = text.find(kKey);
    if (place == std::string::npos) return "";
    const std::size_t begin = place + kKey.size();
    return text.substr(begin, text.find('"', begin) - begin);
}

// What sessions and clocks decide is not compared.
void strip(Json& line) {
    for (const char* name : {"time_ns", "event", "msg_seq_num"}) line.erase(name);
}

}  // namespace

Json ReplayResult::as_json() const {
    Json list = Json::array();
    for (const ReplayDifference& next : differences) {
        list.push_back({{"line", next.line},
                        {"what", next.what},
                        {"recorded", next.recorded},
                        {"replayed", next.replayed}});
    }
    return {{"same", difference_count == 0},
            {"whole", whole},
            {"calls", calls},
            {"executions", executions},
            {"trades", trades},
            {"orders", orders},
            {"difference_count", difference_count},
            {"differences", std::move(list)}};
}

void Replay::fail(const std::string& what) const {
    throw ReplayError(name_ + ":" + std::to_string(line_) + ": " + what);
}

ReplayResult Replay::run() {
    std::string text;
    while (std::getline(record_, text)) {
        ++line_;
        const std::string event = event_of(text);
        if (event != "venue" && event != "state" && event != "call" && event != "execution" &&
            event != "trade" && event != "summary")
            continue;
        Json line = Json::parse(text, nullptr, false);
        if (line.is_discarded() || !line.is_object()) {
            // A program that was killed leaves half a line.
            if (record_.peek() == std::istream::traits_type::eof()) break;
            fail("this is no line of a record");
        }
        try {
            take(event, std::move(line));
        } catch (const RecordLineError& error) {
            fail(error.what());
        }
    }
    if (!exchange_) fail("the record does not say what it was told: it is empty, or older than `call` lines");
    end();
    return std::move(result_);
}

void Replay::take(const std::string& event, Json line) {
    if (event == "venue") {
        begin(line);
        return;
    }
    if (!exchange_) fail("the record does not begin with its venue");
    if (event == "state") {
        if (venue_) fail("the record begins with what a store held: it goes with no other venue");
        if (!exchange_->restore(from_base64(LineFields(line).text("base64"))))
            fail("the state is none of this venue, or of another version");
        exchange_->take_changed();
        before_ = exchange_->executions();
    } else if (event == "call") {
        call(line);
    } else if (event == "execution") {
        // A copy for somebody else is the same execution.
        if (line.contains("copy_to")) return;
        strip(line);
        const std::string id = LineFields(line).text("exec_id");
        if (of_before(id)) return;
        compare("execution", executions_, id, std::move(line));
        ++result_.executions;
    } else if (event == "trade") {
        strip(line);
        compare("trade", trades_, std::to_string(++trades_read_), std::move(line));
        ++result_.trades;
    } else {
        result_.whole = true;
        compare_orders(LineFields(line).list("orders"));
    }
}

void Replay::begin(const Json& line) {
    if (exchange_) fail("the record begins twice");
    RecordedVenue recorded = parse_venue(line);
    RecordedVenue& venue = venue_ ? *venue_ : recorded;
    exchange_ = std::make_unique<Exchange>(venue.instruments);
    exchange_->set_self_trade(venue.self_trade);
    exchange_->set_kept_finished(venue.kept_orders);
    if (events_ != nullptr) export_ = std::make_unique<EventExport>(*exchange_, venue.update_type, *events_);
}

void Replay::call(const Json& line) {
    const LineFields fields(line);
    const auto step = static_cast<std::uint64_t>(fields.number("step"));
    if (export_ && step_ && *step_ != step) export_->publish(step_time_);
    step_ = step;
    step_time_ = fields.number("time_ns");
    ++result_.calls;
    collect(apply_call(*exchange_, parse_call(*exchange_, line)).executions);
}

bool Replay::of_before(const std::string& exec_id) const {
    if (before_ == 0) return false;
    const std::string last = exec_id_text(before_);
    return exec_id.size() < last.size() || (exec_id.size() == last.size() && exec_id <= last);
}

void Replay::collect(const std::vector<Execution>& executions) {
    for (const Execution& execution : executions) {
        const Order* order = exchange_->find_order(execution.order);
        if (order == nullptr) continue;
        if (export_) export_->on_execution(step_time_, execution);
        if (!order->house) {
            Json line = execution_line(*order, execution, 0);
            strip(line);
            const std::string id = LineFields(line).text("exec_id");
            executions_[id] = {line_, std::move(line)};
        }
        if (execution.type == ExecType::kTrade && execution.order > execution.counterparty)
            trades_[std::to_string(++trades_made_)] = {line_, trade_line(*exchange_, execution)};
    }
    exchange_->take_phases();
    exchange_->take_printed();
    if (export_) return;
    for (const Instrument* instrument : exchange_->take_changed())
        exchange_->take_prints(instrument->symbol());
}

void Replay::compare(const std::string& what, Lines& expected, const std::string& key, Json line) {
    const auto found = expected.find(key);
    if (found == expected.end()) {
        differ({line_, what, std::move(line), nullptr});
        return;
    }
    if (found->second.fields != line) differ({line_, what, std::move(line), std::move(found->second.fields)});
    expected.erase(found);
}

void Replay::compare_orders(const Json& orders) {
    const Json now = summary_line(*exchange_)["orders"];
    result_.orders = orders.size();
    for (std::size_t at = 0; at < std::max(orders.size(), now.size()); ++at) {
        const Json recorded = at < orders.size() ? orders[at] : Json();
        const Json replayed = at < now.size() ? now[at] : Json();
        if (recorded != replayed) differ({line_, "order", recorded, replayed});
    }
}

void Replay::end() {
    if (export_ && step_) export_->publish(step_time_);
    // Of a record that ends in the middle, what came of its last calls may have been lost.
    if (!result_.whole) return;
    for (auto* lines : {&executions_, &trades_}) {
        for (auto& [key, expected] : *lines)
            differ({expected.line, lines == &trades_ ? "trade" : "execution", nullptr,
                    std::move(expected.fields)});
    }
}

void Replay::differ(ReplayDifference difference) {
    ++result_.difference_count;
    if (result_.differences.size() < kShown) result_.differences.push_back(std::move(difference));
}

}  // namespace fixaccel::exchange
