// SPDX-License-Identifier: Apache-2.0
// Orders of the runtime on their way: what the journal gets ahead of one takes no memory, and changes the
// state once the order has left.
#include <array>
#include <charconv>
#include <utility>

#include "fixaccel/ledger.hpp"
#include "fixaccel/utc_clock.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kUsualRecord = 2048;  // bytes, at most
constexpr char kNext = '\n';                // in no text of JSON

void add_number(std::string& out, std::int64_t number) {
    std::array<char, 24> digits;
    out.append(digits.data(), std::to_chars(digits.begin(), digits.end(), number).ptr);
}

}  // namespace

void Ledger::make_room() {
    for (std::string* const text : {&fields_, &text_}) text->reserve(kUsualRecord);
    put_off_.reserve(3 * kUsualRecord);
}

// What differs between records of a fire by what comes of it: its ClOrdID, its time.
void Ledger::write_fields(const SoftwareFire& fire, const char* type, std::string_view cl_ord_id,
                          std::optional<std::int64_t> time_ns) {
    const Load* load = load_of(fire.generation);
    if (load == nullptr) throw JournalError("an order of rules that are not loaded");
    const LoadedRule& rule = load->rules.at(fire.rule);
    fields_.clear();
    FieldWriter write(fields_);  // rising by key
    if (!cl_ord_id.empty()) write("cl_ord_id", cl_ord_id);
    write("direction", rule.direction);
    if (dry()) write("dry", true);
    write("fires", fire.fires);
    write("generation", fire.generation);
    write("hash", rule.hash);
    write("instrument", rule.instrument);
    write("observed", fire.observed);
    if (!rule.rule.empty()) write("of_rule", rule.rule);
    if (!fire.price.empty()) write("price", fire.price);
    write("qty", fire.qty);
    write("rule", rule.id);
    write("rule_index", fire.rule);
    write("side", fire.side);
    write("source", fire.source);
    if (fire.stand_in) write("stand_in", true);
    write("threshold", fire.threshold);
    if (time_ns) write("time_ns", *time_ns);
    write("trigger_time_ns", fire.time_ns);
    write("type", type);
    write("type_of_order", fire.type);
    write("where", "runtime");
}

Record Ledger::describe(const SoftwareFire& fire) {
    write_fields(fire, "fire", {}, std::nullopt);
    return record_of(fields_);
}

Record Ledger::record_of(std::string_view fields) {
    std::optional<Record> record = Record::parse(std::string("{").append(fields).append("}"));
    if (!record) throw JournalError("a record of an order is no JSON");
    return *std::move(record);
}

// `fields_` go into the journal now.
void Ledger::put_off(Journal::Sync sync) {
    journal_.append_fields(fields_, sync);
    put_off_.append(fields_).push_back(kNext);
}

void Ledger::record_trails_ahead(std::uint32_t generation, const Trails& trails) {
    take_effect();
    text_.assign("[");
    for (const auto& [rule, trail] : trails) {
        text_ += text_.size() == 1 ? "[" : ",[";
        add_number(text_, rule);
        text_.append(trail.active ? ",true" : ",false").append(trail.has_extreme ? ",true," : ",false,");
        add_number(text_, trail.extreme);
        text_ += ',';
        add_number(text_, trail.stop);
        text_ += ']';
    }
    text_ += ']';
    fields_.clear();
    FieldWriter write(fields_);
    write("generation", generation);
    write("time_ns", utc_ns());
    write.json("trails", text_);
    write("type", "trails");
    put_off(Journal::Sync::later);
}

// Nothing leaves ahead of the message, whose record is durable.
void Ledger::record_intent(const SoftwareFire& fire) {
    if (on_its_way_) take_effect();
    write_fields(fire, "intent", fire.cl_ord_id, utc_ns());
    put_off(Journal::Sync::with_next);
    on_its_way_ = true;
}

void Ledger::set_on_its_way(int seq_num, const std::string& message) {
    bytes_to_text(message, text_);
    fields_.clear();
    FieldWriter write(fields_);
    write("message", text_);
    write("seq", seq_num);
    write("time_ns", utc_ns());
    write("type", "out");
    put_off(Journal::Sync::now);
    set_seq_ = seq_num;
}

void Ledger::take_effect() {
    if (put_off_.empty()) return;
    const std::string all = put_off_;  // whose room is kept
    put_off_.clear();
    on_its_way_ = false;
    set_seq_ = 0;
    for (std::string_view rest = all; !rest.empty();) {
        const std::size_t end = rest.find(kNext);
        conclude(record_of(rest.substr(0, end)));
        rest.remove_prefix(end + 1);
    }
}

}  // namespace fixaccel
