// SPDX-License-Identifier: Apache-2.0
#include "control/control_socket.hpp"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>

namespace fixaccel::exchange {
namespace {

constexpr std::string_view kScheme = "unix:";
constexpr mode_t kOwnerAlone = 0600;
constexpr auto kSessions = std::chrono::milliseconds(250);  // between two looks at their numbers
constexpr auto kHarvest = std::chrono::milliseconds(5);     // between two looks at what has happened
constexpr auto kDoorClosed = std::chrono::seconds(1);
constexpr int kIdleMs = 1000;
// Places among what poll() waits for.
constexpr std::size_t kStop = 0;
constexpr std::size_t kDoor = 2;
constexpr std::size_t kFirstClient = 3;

std::string path_of(const std::string& endpoint) {
    if (endpoint.starts_with(kScheme) && endpoint.size() > kScheme.size())
        return endpoint.substr(kScheme.size());
    throw std::runtime_error("a control socket is written unix:FILE, not " + endpoint);
}

std::string refusal(const nlohmann::json& id, const std::string& error, const std::string& help) {
    ControlJson out{{"id", id}, {"ok", false}, {"error", error}};
    if (!help.empty()) out["help"] = help;
    return line_of(out);
}

}  // namespace

ControlSocket::ControlSocket(const std::string& endpoint, ControlledVenue& venue, const std::string& version)
    : venue_(venue),
      requests_(venue, version),
      instruments_(requests_.instruments()),
      queue_(std::make_shared<WatchQueue>()),
      listener_(path_of(endpoint), SOMAXCONN, {kOwnerAlone, ""}),
      stop_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (stop_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

ControlSocket::~ControlSocket() {
    if (thread_.joinable()) {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t n = ::write(stop_, &one, sizeof one);
        thread_.join();
    }
    queue_->set_wanted(0);
    ::close(stop_);
}

void ControlSocket::start() {
    thread_ = std::thread([this] { serve(); });
}

void ControlSocket::serve() {
    for (;;) {
        const Clock::time_point before = Clock::now();
        std::vector<pollfd> watched{{stop_, POLLIN, 0},
                                    {before < next_harvest_ ? -1 : queue_->fd(), POLLIN, 0},
                                    {before < next_accept_ ? -1 : listener_.fd(), POLLIN, 0}};
        for (const auto& [fd, client] : clients_) {
            const int events = (client->hears() ? POLLIN : 0) | (client->has_to_write() ? POLLOUT : 0);
            watched.push_back({fd, static_cast<short>(events), 0});
        }
        ::poll(watched.data(), watched.size(), wait_ms(before));
        if (watched[kStop].revents != 0) break;
        const Clock::time_point now = Clock::now();
        hear(watched);
        if (watched[kDoor].revents != 0) accept(now);
        count_wanted();
        if (now >= next_harvest_) tell_what_happened(now);
        tell_sessions(now);
        tell_books(now);
        flush_all();
    }
    clients_.clear();
}

void ControlSocket::hear(const std::vector<pollfd>& watched) {
    const auto answers = [this](ControlClient& client, std::string_view line) {
        return answer(client, line);
    };
    for (std::size_t i = kFirstClient; i < watched.size(); ++i) {
        const auto client = clients_.find(watched[i].fd);
        const bool readable = (watched[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
        if (readable && !client->second->hear(answers))
            clients_.erase(client);
        else
            client->second->answer_rest(answers);
    }
}

int ControlSocket::wait_ms(Clock::time_point now) const {
    auto until = now + std::chrono::milliseconds(kIdleMs);
    if (next_harvest_ > now) until = next_harvest_;
    for (const auto& [fd, client] : clients_) {
        if (client->has_more()) return 0;
        if (const auto next = client->next()) until = std::min(until, *next);
        if (client->watches(Watch::kSessions)) until = std::min(until, next_sessions_);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now).count();
    return static_cast<int>(std::max<std::int64_t>(0, left));
}

void ControlSocket::accept(Clock::time_point now) {
    for (std::size_t taken = 0; taken < kMostClients; ++taken) {
        const int fd = ::accept4(listener_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            // Without a descriptor left it would be ready for ever.
            if (errno != EAGAIN && errno != EINTR) next_accept_ = now + kDoorClosed;
            return;
        }
        auto client = std::make_unique<ControlClient>(fd);
        if (clients_.size() >= kMostClients) {
            client->refuse(refusal(nullptr, std::to_string(kMostClients) + " others are connected", ""));
            client->flush();
            continue;
        }
        clients_.emplace(fd, std::move(client));
    }
}

std::string ControlSocket::answer(ControlClient& client, std::string_view line) {
    const nlohmann::json request = nlohmann::json::parse(line, nullptr, false);
    if (!request.is_object())
        return refusal(nullptr, "a request is a JSON object on a line",
                       R"(such as {"id": 1, "do": "status"})");
    const nlohmann::json given = request.value("id", nlohmann::json());
    // What goes back is no more than a name: it is not for us to write somebody's whole document again.
    if (!given.is_null() && !given.is_number() && !given.is_string())
        return refusal(nullptr, "\"id\" is a number or a text", "");
    Asked asked(request);
    try {
        const std::string command = asked.text("do");
        ControlJson out{{"id", given}, {"ok", true}};
        if (command == "watch") {
            client.begin_watch(ControlRequests::read_watch(asked), instruments_);
            count_wanted();  // what the next request does is told already
        } else {
            out.update(requests_.answer(command, asked));
        }
        return line_of(out);
    } catch (const RequestError& error) {
        return refusal(given, error.what(), error.help());
    } catch (const std::exception& error) {
        return refusal(given, error.what(), "");
    }
}

void ControlSocket::tell_what_happened(Clock::time_point now) {
    const Harvest harvest = queue_->take();
    next_harvest_ = now + kHarvest;
    sessions_now_ = sessions_now_ || harvest.sessions;
    for (const auto& [fd, client] : clients_) {
        if (!client->watch()) continue;
        client->lose(harvest.lost);
        if (!client->watches(Watch::kBooks)) continue;
        for (const Instrument* each : harvest.books) client->book_changed(each);
    }
    for (const Happened& event : harvest.events) tell_event(event, now);
}

void ControlSocket::tell_event(const Happened& event, Clock::time_point now) {
    constexpr Watch kKinds[] = {Watch::kTrades, Watch::kOrders, Watch::kMessages};  // as in the variant
    std::string line;  // made for the first of them
    for (const auto& [fd, client] : clients_) {
        if (!client->watches(kKinds[event.index()])) continue;
        if (line.empty()) {
            if (const auto* const trade = std::get_if<TradeHappened>(&event)) {
                line = line_of(trade_view(*trade));
            } else if (const auto* const order = std::get_if<OrderHappened>(&event)) {
                ControlJson out{{"event", "order"}};
                out.update(order_view(order->order, order->execution));
                line = line_of(out);
            } else {
                line = line_of(message_view(std::get<MessageHappened>(event)));
            }
        }
        client->tell(line, now);
    }
}

void ControlSocket::tell_sessions(Clock::time_point now) {
    if (now < next_sessions_ && !sessions_now_) return;
    const auto watches = [](const auto& each) { return each.second->watches(Watch::kSessions); };
    if (std::none_of(clients_.begin(), clients_.end(), watches)) return;
    next_sessions_ = now + kSessions;
    sessions_now_ = false;
    for (const VenueClient& each : venue_.clients()) {
        const SessionStats stats = venue_.stats(each.name);
        for (const auto& client : clients_)
            if (watches(client)) client.second->tell_session(each, stats);
    }
}

// One visit of the engine for all whose books are due, as deep as the deepest of them.
void ControlSocket::tell_books(Clock::time_point now) {
    std::set<const Instrument*> wanted;
    std::vector<std::pair<ControlClient*, std::vector<const Instrument*>>> due;
    std::size_t depth = 1;
    for (const auto& [fd, client] : clients_) {
        std::vector<const Instrument*> books = client->books_due(now);
        if (books.empty()) continue;
        wanted.insert(books.begin(), books.end());
        const std::size_t own = client->watch()->depth;
        depth = own == 0 || depth == 0 ? 0 : std::max(depth, own);
        due.emplace_back(client.get(), std::move(books));
    }
    if (due.empty()) return;
    const std::vector<BookSeen> states = requests_.books({wanted.begin(), wanted.end()}, depth);
    const std::int64_t time_ns = now_ns();
    for (const auto& [client, books] : due) {
        std::vector<BookSeen> own;
        for (const BookSeen& state : states)
            if (std::binary_search(books.begin(), books.end(), state.instrument)) own.push_back(state);
        client->tell_books(own, time_ns);
    }
}

void ControlSocket::flush_all() {
    for (auto at = clients_.begin(); at != clients_.end();)
        at = at->second->flush() ? std::next(at) : clients_.erase(at);
}

void ControlSocket::count_wanted() {
    unsigned bits = 0;
    for (const auto& [fd, client] : clients_) bits |= client->watch() ? client->watch()->what : 0;
    queue_->set_wanted(bits);
}

}  // namespace fixaccel::exchange
