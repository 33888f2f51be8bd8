// SPDX-License-Identifier: Apache-2.0
#include "kill_guard.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <vector>

#include "fixaccel/own_core.hpp"
#include "log.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr int kFileMs = 5;                   // between two looks for a file that kills
constexpr int kIdleMs = 100;                 // where there is none to look for
constexpr std::size_t kMostEvents = 8192;    // that are published and not told
constexpr std::size_t kEventsARound = 64;    // then a kill has its turn
constexpr std::ptrdiff_t kMostWaiting = 32;  // requests of a role; fewer than it has room for clients
constexpr std::size_t kMostAuthor = 64;      // bytes of a name that somebody gives
constexpr unsigned kMostRefusals = 10;       // a second: each is written, and the disk confirms it

int signal_descriptor() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    return ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool is_short(const json& request) {
    const auto found = request.find("short");
    return found != request.end() && found->is_boolean() && found->get<bool>();
}

// With who asks through somebody else's program, where that says so: the console, the page.
std::string asker(const ControlRequest& request) {
    const auto author = request.body.find("author");
    if (author == request.body.end() || !author->is_string()) return request.by;
    const auto& name = author->get_ref<const std::string&>();
    std::size_t end = std::min(name.size(), kMostAuthor);
    // Not in the middle of a character.
    while (end > 0 && end < name.size() && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
    return name.empty() ? request.by : request.by + ", " + name.substr(0, end);
}

}  // namespace

KillGuard::KillGuard(KillSwitch& kill, const ControlDoors& control, const TlsSettings* tls)
    : kill_(kill),
      control_(
          control, [this](ControlRequest request) { return handle(std::move(request)); }, tls),
      signals_(signal_descriptor()),
      refusals_(kMostRefusals),
      thread_([this] {
          leave_own_core("kill");
          serve();
      }) {}

KillGuard::~KillGuard() {
    stop_.store(true);
    answers_.wake();
    thread_.join();
    ::close(signals_);
}

void KillGuard::answer(std::uint64_t ticket, json reply) { answers_.put({ticket, std::move(reply)}); }

std::optional<json> KillGuard::handle(ControlRequest request) {
    const std::string command = request.body["cmd"].get<std::string>();
    if (request.refused.empty()) request.refused = refusal(request.role, command, request.way);
    const bool may = request.refused.empty();
    if (may && command == "kill") {
        kill(asker(request));
        return json{{"ok", true}};
    }
    if (may && command == "status" && is_short(request.body)) return short_status();
    const auto waiting = std::count_if(waiting_.begin(), waiting_.end(),
                                       [&](const auto& each) { return each.second == request.role; });
    if (waiting >= kMostWaiting)
        throw KillError("the daemon is busy: " + std::to_string(waiting) + " requests wait for it");
    if (!may) refuse(request);
    waiting_.emplace(request.ticket, request.role);
    if (may && command == "watch") watches_.insert(request.ticket);
    if (may && command == "unkill") undos_[request.ticket] = {asker(request)};
    request.received = woken_;
    request.handed = steady_clock::now();
    requests_.put(std::move(request));
    return std::nullopt;
}

// The journal has it, as everything that was asked for. Who may do nothing must not keep it busy with that.
void KillGuard::refuse(ControlRequest& request) {
    const auto before = refusals_.take();
    if (!before) throw KillError(request.refused);
    request.refused_before = *before;
    if (request.role == Role::none)
        log_line("control: " + request.by + " is refused: " + request.refused,
                 {LogLevel::warning, "refused", {{"by", request.by}, {"reason", request.refused}}});
}

void KillGuard::kill(const std::string& by) {
    for (auto& [ticket, undo] : undos_) undo.overruled = true;
    kill_.kill(by);
}

json KillGuard::undo(const Undo& undo) {
    try {
        if (undo.overruled)
            throw KillError("the kill switch stays on: it was turned on once more before this came about");
        kill_.undo(undo.by);
        return {{"ok", true}};
    } catch (const KillError& error) {
        return {{"ok", false}, {"error", error.what()}};
    }
}

json KillGuard::short_status() const {
    const KillWord word = flag().word();
    const auto silent = steady_clock::now() - turned_.load();
    return {{"ok", true},
            {"kill", {{"on", flag().on()}, {"by", word.by}, {"time_ns", word.time_ns}}},
            {"board_problem", kill_.board_problem()},
            {"busy_ms", std::chrono::duration_cast<std::chrono::milliseconds>(silent).count()}};
}

void KillGuard::killed_by_signal() {
    signalfd_siginfo info{};
    if (::read(signals_, &info, sizeof info) != sizeof info) return;
    try {
        kill("SIGUSR1 from user " + std::to_string(info.ssi_uid) + ", process " +
             std::to_string(info.ssi_pid));
    } catch (const KillError& error) {
        log_line(error.what(), {LogLevel::error, "kill-switch"});
    }
}

void KillGuard::serve() {
    while (!stop_.load()) look_round();
    look_round();
}

void KillGuard::look_round() {
    std::vector<pollfd> watched = control_.watched();
    watched.push_back({signals_, POLLIN, 0});
    watched.push_back({answers_.fd(), POLLIN, 0});
    watched.push_back({events_.fd(), POLLIN, 0});
    const int wait = kill_.watches_file() ? kFileMs : kIdleMs;
    ::poll(watched.data(), watched.size(), untold_.empty() ? wait : 0);
    woken_ = steady_clock::now();
    killed_by_signal();
    for (const auto& [ticket, reply] : answers_.take()) {
        waiting_.erase(ticket);
        const auto asked = undos_.extract(ticket);
        if (watches_.erase(ticket) != 0 && reply.at("ok") == true) control_.watch(ticket);
        control_.answer(ticket, asked && reply.at("ok") == true ? undo(asked.mapped()) : reply);
    }
    for (const pollfd& event : watched)
        if (event.revents != 0 && control_.owns(event.fd)) control_.ready(event.fd);
    control_.turn();
    tell_watchers();
    kill_.look();
}

void KillGuard::publish(json event, std::uint64_t ticket) {
    if (published_.load() >= kMostEvents) {
        ++dropped_;
        if (ticket != 0) told_.put({});  // to nobody
        return;
    }
    ++published_;
    events_.put({std::move(event), ticket});
}

// A part of them at a time: a kill does not wait for who watches.
void KillGuard::tell_watchers() {
    for (Event& event : events_.take()) untold_.push_back(std::move(event));
    for (std::size_t told = 0; told < kEventsARound && !untold_.empty(); ++told) {
        control_.tell(untold_.front().text);
        if (untold_.front().ticket != 0) told_.put({untold_.front().ticket, steady_clock::now()});
        untold_.pop_front();
        --published_;
    }
    if (untold_.empty())
        if (const std::uint64_t dropped = dropped_.exchange(0); dropped != 0) control_.lose(dropped);
    watchers_.store(control_.watchers());
}

}  // namespace fixaccel
