// SPDX-License-Identifier: Apache-2.0
// What a venue may send: bytes into the framer, messages into the FIX engine with the ledger as its store,
// market data into the rules of the runtime, reports into the ledger. Nothing is thrown, and what the ledger
// has come to is what its journal comes to.
//
// The input is a message a line, `|` between its fields, from 35= on: number, time, parties, BodyLength and
// CheckSum are made to fit, but for what a line has of itself. A line that begins with "!" goes into the
// stream as it is, `|` as SOH.
#include <array>
#include <ctime>
#include <map>
#include <memory>

#include "fixaccel/bundle.hpp"
#include "fixaccel/fire.hpp"
#include "fixaccel/framer.hpp"
#include "fixaccel/ledger.hpp"
#include "fixaccel/loads.hpp"
#include "quiet_transport.hpp"
#include "scratch_folder.hpp"
#include "software.hpp"
#include "subscriptions.hpp"
#include "sums.hpp"

using namespace fixaccel;

namespace {

constexpr std::size_t kMostMessages = 64;

const Bundle& bundle() {
    static const Bundle one = read_bundle(FUZZ_BUNDLE);
    return one;
}

// What SessionLink does with messages, without a board.
class Link final : public fuzz::QuietTransport, public OrderPort {
  public:
    Link(Ledger& ledger, const std::filesystem::path& settings)
        : ledger_(ledger),
          subscriptions_([&ledger] { return ledger.epoch(); }),
          session_({settings.string(), "", false}, ResendPolicy::resend, ledger, *this) {}

    void connect(const std::vector<std::string>& symbols) {
        session_.connected();
        session_.tick();
        subscriptions_.clear();
        framer_.clear();
        wanted_ = symbols;
    }

    void receive(std::string_view bytes, SoftwareRules& rules) {
        framer_.feed(bytes);
        std::string message;
        while (!ended_ && framer_.next(message)) {
            session_.receive(message);
            if (!rules.process(MarketText(message), ++now_ns_, *this)) rules.forget_market();
        }
        if (session_.logged_on() && !wanted_.empty()) {
            const auto change = subscriptions_.change_to(std::exchange(wanted_, {}), false, false);
            if (change.begun) session_.request_market_data(*change.begun);
        }
        ledger_.flush();
    }

    // The connection is made anew where it was given up.
    void turn(const std::vector<std::string>& symbols) {
        session_.tick();
        if (!ended_) return;
        session_.disconnected();
        ended_ = false;
        connect(symbols);
    }

    bool armed() const override { return session_.logged_on(); }
    std::string held_back() override { return session_.logged_on() ? "" : "session"; }
    std::chrono::steady_clock::time_point send_order(const OrderText& order) override {
        session_.send_order(order);
        ledger_.take_effect();
        return {};
    }

    void disconnect() noexcept override { ended_ = true; }
    void on_message(const std::string& type, const std::string& message) noexcept override {
        if (type == "8") ledger_.record_execution(message);
        if (type == "Y") subscriptions_.refused(std::string(fix_field(message, 262)));
        if (type == "3" || type == "j" || type == "9") {
            ledger_.record_note("rejected by the venue: " + message);
            if (type != "9") ledger_.record_reject(message);
        }
    }

  private:
    Ledger& ledger_;
    Subscriptions subscriptions_;
    FixSession session_;
    FixFramer framer_;
    std::vector<std::string> wanted_;
    std::int64_t now_ns_ = 1'800'000'000'000'000'000;
    bool ended_ = false;
};

// What a line leaves out of a header.
std::string completed(std::string line, int number) {
    std::array<char, 32> time{};
    const std::time_t now = std::time(nullptr);
    std::strftime(time.data(), time.size(), "%Y%m%d-%H:%M:%S", std::gmtime(&now));
    const BundleSession& session = bundle().session;
    const auto add = [&line](const std::string& field) {
        const std::size_t behind = std::min(line.find('|'), line.size());
        if (line.find('|' + field.substr(0, 3)) == std::string::npos) line.insert(behind, '|' + field);
    };
    add("52=" + std::string(time.data()));
    add("56=" + session.sender_comp_id);
    add("49=" + session.target_comp_id);
    add("34=" + std::to_string(number));
    return fuzz::framed(line);
}

// The same messages, however the bytes come.
void check_framer(std::string_view bytes) {
    const auto messages = [&](std::size_t piece) {
        FixFramer framer;
        std::vector<std::string> found;
        std::size_t size = 0;
        std::string message;
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
            framer.feed(bytes.substr(at, piece));
            for (; framer.next(message); size += message.size()) found.push_back(message);
        }
        fuzz::require(size + framer.skipped() + framer.pending() == bytes.size(),
                      "every byte is of one kind");
        return found;
    };
    const auto all = messages(std::max<std::size_t>(bytes.size(), 1));
    fuzz::require(messages(1) == all && messages(7) == all, "messages do not depend on how their bytes come");
}

nlohmann::json compared(const LedgerState& state) {
    nlohmann::json out = state.snapshot();
    // Held back until there is something else to write, or told by the record of a message.
    for (const char* key : {"next_target", "written_target", "next_sender"}) out.erase(key);
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ScratchFolder folder;
    std::string stream;
    nlohmann::json live;
    {
        Journal journal(folder.path());
        Ledger ledger(journal);
        const std::string epoch = ledger.new_epoch();
        Load load = describe_load(bundle(), 1, epoch);
        ledger.record_load(load);
        SoftwareRules rules(bundle(), ledger);
        rules.arm();
        std::vector<std::string> symbols;
        for (const BundleInstrument& instrument : bundle().instruments) symbols.push_back(instrument.symbol);
        Link link(ledger, std::filesystem::path(FUZZ_BUNDLE) / "client" / "quickfix.cfg");
        link.connect(symbols);
        link.receive(completed("35=A|98=0|108=30", ledger.next_target()), rules);
        std::string_view rest = fuzz::text_of(data, size);
        for (std::size_t count = 0; !rest.empty() && count < kMostMessages; ++count) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            std::string line(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
            if (line.empty()) continue;
            if (line[0] == '!') {
                std::replace(line.begin(), line.end(), '|', '\x01');
                line.erase(0, 1);
            } else {
                line = completed(line, ledger.next_target());
            }
            stream += line;
            link.receive(line, rules);
            link.turn(symbols);
        }
        rules.save();
        live = compared(ledger);
    }
    LedgerState replayed;
    for (const Record& record : read_journal(folder.path()).records) replayed.replay(record);
    fuzz::require(compared(replayed) == live, "the journal comes to what the ledger had come to");
    check_framer(stream);
    return 0;
}
