// SPDX-License-Identifier: Apache-2.0
// Rules that may have fired unseen: what the venue says of them, and what the operator does.
#include <charconv>

#include "daemon.hpp"
#include "log.hpp"

namespace fixaccel {
namespace {

// More than the fabric could have sent unseen: then it is another matter.
constexpr int kMostUnseen = 100'000;

// Of a key, without the meaning.
std::string id_of(const std::string& key) { return key.substr(0, key.rfind('|')); }

bool is_called(const std::string& id, const std::string& name) {
    return id == name || (id.starts_with(name) && id[name.size()] == '[');
}

// What the venue counts next, where it has logged us out for that: "MsgSeqNum too low, expecting 7 but
// received 5".
int expected_number(const std::string& text) {
    constexpr std::string_view kWord = "expecting ";
    const std::size_t at = text.find(kWord);
    int number = 0;
    if (text.find("too low") == std::string::npos || at == std::string::npos) return 0;
    std::from_chars(text.data() + at + kWord.size(), text.data() + text.size(), number);
    return number;
}

}  // namespace

void Daemon::begin_reconciliation() {
    if (ledger_.in_doubt().empty()) return;
    reconciliation_ = std::make_unique<Reconciliation>(ledger_);
    if (link_) link_->orders().compare(reconciliation_.get());
}

// Until all is known that the venue will say.
void Daemon::reconcile(std::chrono::steady_clock::time_point now) {
    reconciliation_->go_on([this](const FixFields& body) { link_->orders().fix().ask_order_status(body); });
    if (!reconciliation_->over(now)) return;
    log_line(reconciliation_->conclude());
    engine_.states_changed();
    end_reconciliation();
    subscribe(now);
}

void Daemon::end_reconciliation() {
    if (link_) link_->orders().compare(nullptr);
    reconciliation_.reset();
}

// The venue has refused our Logon, for it is ahead of us by what the board has sent unseen. True: we go on by
// its number, or by ours, if what was sent about the refusal has used more of them up; then it asks for
// those.
bool Daemon::catch_up(const std::string& reason) {
    if (!reconciliation_) return false;
    const int expected = expected_number(reason);
    const int unseen = expected - ledger_.counted_from();
    if (unseen <= 0 || unseen > kMostUnseen) return false;
    ledger_.record_counted(expected);
    if (expected > ledger_.next_sender()) ledger_.set_next_sender(expected);
    log_line("the venue has counted " + std::to_string(unseen) + (unseen == 1 ? " message" : " messages") +
             " that the journal does not have");
    return true;
}

// The operator knows what has become of these.
void Daemon::told_of_doubts(const std::vector<std::string>& names, bool sent, const std::string& by) {
    if (reconciliation_) throw Refused("the venue is being asked; wait until it has answered");
    if (engine_.armed() && !sent) throw Refused("the board is armed: `fixaccel disarm` first");
    std::vector<std::string> keys;
    for (const std::string& name : names) {
        const std::size_t before = keys.size();
        for (const auto& [key, doubt] : ledger_.in_doubt())
            if (is_called(id_of(key), name)) keys.push_back(key);
        if (keys.size() == before) throw Refused("rule " + name + " is not in doubt");
    }
    ledger_.record_told(keys, sent, by);
    engine_.states_changed();
}

nlohmann::json Daemon::doubts() const {
    nlohmann::json out = nlohmann::json::array();
    for (const auto& [key, doubt] : ledger_.in_doubt())
        out.push_back({{"rule", id_of(key)},
                       {"instrument", doubt.instrument},
                       {"side", doubt.side},
                       {"cl_ord_id", doubt.cl_ord_id()}});
    return out;
}

}  // namespace fixaccel
