// SPDX-License-Identifier: Apache-2.0
#include "control_fixture.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "matching/decimal.hpp"

namespace fixaccel::exchange {
namespace {

constexpr int kPatienceMs = 60'000;

std::vector<Instrument> instruments() {
    const auto terms = [](const char* symbol, std::int64_t tick, Quantity lot) {
        InstrumentTerms out;
        out.symbol = symbol;
        out.ticks[0] = tick;
        out.lot = lot;
        out.highest = 1'000'000 * kDecimalScale;
        return Instrument(out);
    };
    std::vector<Instrument> out;
    out.push_back(terms("MSFT", kDecimalScale / 20, 1));
    out.push_back(terms("TOYOTA", kDecimalScale / 2, 100));
    return out;
}

}  // namespace

TestVenue::TestVenue() : exchange_(instruments(), 4096) {}

void TestVenue::act(const Action& action) {
    const std::lock_guard lock(mutex_);
    report(action(exchange_));
}

void TestVenue::report(const std::vector<Execution>& executions) {
    for (const Execution& execution : executions) {
        const Order& order = exchange_.order(execution.order);
        if (observer_) observer_->on_execution(order, execution);
        if (execution.type != ExecType::kTrade || execution.order < execution.counterparty) continue;
        if (observer_)
            observer_->on_trade(*order.instrument, {execution.last_price, execution.last_quantity}, 1,
                                order.side, "one", "other");
    }
    for (const Instrument* each : exchange_.take_changed())
        if (observer_) observer_->on_book(exchange_, *each);
}

OrderId TestVenue::enter(const std::string& client, const std::string& cl_ord_id, const std::string& side,
                         const std::string& quantity, const std::string& price) {
    const std::lock_guard lock(mutex_);
    OrderTicket ticket;
    ticket.owner = client;
    ticket.cl_ord_id = cl_ord_id;
    ticket.symbol = "MSFT";
    ticket.side = side;
    ticket.ord_type = "2";
    ticket.quantity = quantity;
    ticket.price = price;
    const std::vector<Execution> out = exchange_.enter(ticket);
    report(out);
    return out.front().order;
}

SessionStats TestVenue::stats(const std::string& /*client*/) const {
    const std::lock_guard lock(mutex_);
    SessionStats out;
    out.logged_on = logged_on_;
    out.next_sender = 7;
    return out;
}

void TestVenue::set_logged_on(bool logged_on) {
    {
        const std::lock_guard lock(mutex_);
        logged_on_ = logged_on;
    }
    observer_->on_session("CLIENT1", logged_on);
}

void TestVenue::log_out(const std::string& client, const std::string& text) {
    done.push_back("logout " + client + ": " + text);
}

void TestVenue::send(const std::string& client, const OutgoingMessage& message) {
    std::string text = "send " + client + " 35=" + message.type;
    for (const Field& field : message.fields) text += " " + std::to_string(field.tag) + "=" + field.text;
    done.push_back(text);
}

void TestVenue::fault(const std::string& client, const Fault& fault) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(fault.time).count();
    done.push_back(std::string("fault ") + client + " " + fault_name(fault.kind) + " " + std::to_string(ms) +
                   " " + std::to_string(fault.count) + " '" + fault.types + "'");
}

ControlUser::ControlUser(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        throw std::runtime_error("connect: " + std::string(std::strerror(errno)));
}

ControlUser::~ControlUser() { ::close(fd_); }

void ControlUser::say(const std::string& bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t n = ::send(fd_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (n <= 0) return;  // it has hung up, which the test will see
        sent += static_cast<std::size_t>(n);
    }
}

void ControlUser::end_of_requests() { ::shutdown(fd_, SHUT_WR); }

std::optional<nlohmann::json> ControlUser::line() {
    for (;;) {
        if (const std::size_t end = rest_.find('\n', read_); end != std::string::npos) {
            const std::size_t begin = std::exchange(read_, end + 1);
            return nlohmann::json::parse(rest_.begin() + static_cast<std::ptrdiff_t>(begin),
                                         rest_.begin() + static_cast<std::ptrdiff_t>(end));
        }
        rest_.erase(0, std::exchange(read_, 0));
        pollfd wait{fd_, POLLIN, 0};
        if (::poll(&wait, 1, kPatienceMs) != 1) throw std::runtime_error("nothing came");
        std::array<char, 65536> chunk;
        const ssize_t n = ::recv(fd_, chunk.data(), chunk.size(), 0);
        if (n <= 0) return std::nullopt;
        rest_.append(chunk.data(), static_cast<std::size_t>(n));
    }
}

nlohmann::json ControlUser::ask(nlohmann::json request) {
    request["id"] = "asked";
    say(request.dump() + "\n");
    for (;;) {
        auto said = line();
        if (!said) throw std::runtime_error("it hung up");
        if (!said->contains("event")) return *said;
        events_.push_back(std::move(*said));
    }
}

nlohmann::json ControlUser::next(const std::string& kind) {
    for (;;) {
        nlohmann::json event;
        if (!events_.empty()) {
            event = events_.front();
            events_.erase(events_.begin());
        } else {
            auto said = line();
            if (!said) throw std::runtime_error("it hung up");
            event = std::move(*said);
        }
        if (event.value("event", "") == kind) return event;
    }
}

ControlTest::ControlTest() {
    std::string pattern = testing::TempDir() + "/control-XXXXXX";
    folder = ::mkdtemp(pattern.data());
    path = folder / "control.sock";
    socket = std::make_unique<ControlSocket>("unix:" + path, venue, "1.2.3");
    venue.observe(socket->observer());
    socket->start();
}

ControlTest::~ControlTest() {
    socket.reset();
    std::filesystem::remove_all(folder);
}

}  // namespace fixaccel::exchange
