// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "fixaccel/read_file.hpp"
#include "log.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr auto kVerdictLook = std::chrono::seconds(1);
constexpr std::size_t kMostVerdictBytes = std::size_t{1} << 16;
constexpr int kVerdictFormat = 1;
constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::array<const char*, 4> kVerdictStates{"untuned", "verified", "drifted", "unreadable"};

}  // namespace

HostVerdict read_verdict(const std::string& text) {
    HostVerdict out;
    try {
        const json found = json::parse(text);
        if (found.at("format") != kVerdictFormat) throw std::invalid_argument("it is of another version");
        out.run = found.at("run").get<std::string>();
        out.drifted = found.at("drifted").get<std::uint64_t>();
        out.time_ns = found.at("time").get<std::int64_t>() * kNsPerSecond;
        out.state = out.run.empty()    ? HostVerdict::State::untuned
                    : out.drifted != 0 ? HostVerdict::State::drifted
                                       : HostVerdict::State::verified;
    } catch (const std::exception& error) {
        out = {.state = HostVerdict::State::unreadable, .wrong = error.what()};
    }
    return out;
}

std::string HostVerdict::text() const {
    switch (state) {
        case State::verified:
            return "verified " + run;
        case State::drifted:
            return "drifted: " + std::to_string(drifted) + " of run " + run;
        case State::unreadable:
            return "not known: the verdict of `fixaccel tune` cannot be read: " + wrong;
        case State::untuned:
            break;
    }
    return "untuned";
}

Machine::Machine(const CpuSettings& settings) : settings_(settings), core_(settings.place) {}

Machine::~Machine() { stay_awake(false); }

void Machine::stay_awake(bool is_armed) {
    if (!is_armed && awake_ >= 0) {
        ::close(awake_);
        awake_ = -1;
    }
    if (!is_armed || awake_ >= 0 || !settings_.wake || !wake_problem_.empty()) return;
    awake_ = ::open(settings_.wake_device.c_str(), O_WRONLY | O_CLOEXEC);
    const auto wish = static_cast<std::int32_t>(settings_.wake->count());
    if (awake_ >= 0 && ::write(awake_, &wish, sizeof wish) == sizeof wish) return;
    wake_problem_ = "cores may sleep while armed: " + settings_.wake_device.string() + ": " +
                    std::strerror(errno) + "; `fixaccel tune install` gives the right to it";
    log_line(wake_problem_, {LogLevel::warning, "not-granted"});
    if (awake_ >= 0) ::close(awake_);
    awake_ = -1;
}

void Machine::take() {
    core_.take();
    for (const std::string& problem : core_.problems()) log_line(problem, {LogLevel::warning, "not-granted"});
}

bool Machine::look(std::chrono::steady_clock::time_point now) {
    if (now < next_look_) return false;
    next_look_ = now + kVerdictLook;
    std::error_code error;
    const auto written = std::filesystem::last_write_time(settings_.verdict, error);
    const auto at = error ? std::filesystem::file_time_type{} : written;
    if (at == written_) return false;
    written_ = at;
    const std::string before = verdict_.text();
    try {
        verdict_ =
            error ? HostVerdict{} : read_verdict(read_file(settings_.verdict.string(), kMostVerdictBytes));
    } catch (const FileError& wrong) {
        verdict_ = {.state = HostVerdict::State::unreadable, .wrong = wrong.what()};
    }
    return verdict_.text() != before;
}

std::string Machine::refusal() const {
    if (!settings_.require_verified || verdict_.state == HostVerdict::State::verified) return "";
    return "the machine is " + verdict_.text() +
           ", and cpu.require asks for a verified one: `fixaccel tune apply` sets it, `fixaccel tune verify` "
           "looks at it";
}

json Machine::cpu() const {
    std::vector<std::string> not_granted = core_.problems();
    if (!wake_problem_.empty()) not_granted.push_back(wake_problem_);
    return {{"core", settings_.place.core ? json(*settings_.place.core) : json()},
            {"fifo", settings_.place.fifo},
            {"lock_memory", settings_.place.lock_memory},
            {"not_granted", not_granted}};
}

json Machine::host() const {
    return {{"state", kVerdictStates.at(static_cast<std::size_t>(verdict_.state))},
            {"run", verdict_.run},
            {"drifted", verdict_.drifted},
            {"time_ns", verdict_.time_ns},
            {"text", verdict_.text()},
            {"required", settings_.require_verified}};
}

}  // namespace fixaccel
