// SPDX-License-Identifier: Apache-2.0
#include "bus/nats_link.hpp"

#include <nats/nats.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

#include "bus/gen/bus.hpp"

namespace fixaccel::bus {
namespace {

constexpr std::int64_t kConnectMs = 2000;
constexpr std::int64_t kAnswerMs = 5000;
constexpr std::int64_t kWriteMs = 2000;  // a server that takes nothing for so long is away
constexpr std::int64_t kPingMs = 1000;
constexpr int kPings = 2;
constexpr int kPendingMessages = 1 << 20;
constexpr int kPendingBytes = 64 << 20;

struct Free {
    void operator()(natsOptions* options) const { natsOptions_Destroy(options); }
    void operator()(natsMsg* message) const { natsMsg_Destroy(message); }
};
using Options = std::unique_ptr<natsOptions, Free>;
using Message = std::unique_ptr<natsMsg, Free>;

void check(natsStatus status, const std::string& what) {
    if (status == NATS_OK) return;
    const char* const more = nats_GetLastError(nullptr);
    throw LinkError(what + ": " + natsStatus_GetText(status) +
                    (more != nullptr && *more != '\0' ? std::string(" (") + more + ")" : ""));
}

// The second line of the file.
std::string public_key(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string seed, key;
    if (!std::getline(in, seed) || !std::getline(in, key) || !key.starts_with('U'))
        throw LinkError(
            file.string() +
            " is no key: a seed and, on a second line, its public key, as `fixaccel bus init` makes it");
    return key;
}

LinkMessage taken(const natsMsg* message) {
    LinkMessage out;
    out.subject = natsMsg_GetSubject(message);
    if (const char* const reply = natsMsg_GetReply(message)) out.reply = reply;
    out.data.assign(natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message)));
    const char** keys = nullptr;
    int count = 0;
    auto* const own = const_cast<natsMsg*>(message);  // the library's readers of headers are not const
    if (natsMsgHeader_Keys(own, &keys, &count) != NATS_OK) return out;
    for (int i = 0; i < count; ++i) {
        const char* value = nullptr;
        if (natsMsgHeader_Get(own, keys[i], &value) == NATS_OK) out.headers.emplace_back(keys[i], value);
    }
    std::free(static_cast<void*>(keys));
    if (const std::string status = out.header("Status"); !status.empty())
        std::from_chars(status.data(), status.data() + status.size(), out.status);
    return out;
}

}  // namespace

std::string LinkMessage::header(std::string_view name) const {
    for (const auto& [key, value] : headers)
        if (key == name) return value;
    return {};
}

Subscription::~Subscription() { natsSubscription_Destroy(held_); }

std::optional<LinkMessage> Subscription::next(std::chrono::milliseconds most) {
    natsMsg* found = nullptr;
    const natsStatus status = natsSubscription_NextMsg(&found, held_, most.count());
    // Of those that were dropped the user of this class is told by numbers of its own.
    if (status == NATS_TIMEOUT || status == NATS_SLOW_CONSUMER) return std::nullopt;
    check(status, "the connection has ended");
    const Message message(found);
    return taken(message.get());
}

std::uint64_t Subscription::dropped() const {
    std::int64_t count = 0;
    natsSubscription_GetDropped(held_, &count);
    return static_cast<std::uint64_t>(count);
}

Link::Link(const LinkSettings& settings) : principal_(settings.principal) {
    natsOptions* made = nullptr;
    check(natsOptions_Create(&made), "no memory");
    const Options options(made);
    std::vector<const char*> servers;
    servers.reserve(settings.servers.size());
    for (const std::string& server : settings.servers) servers.push_back(server.c_str());
    std::string names;
    for (const std::string& server : settings.servers) names += (names.empty() ? "" : ", ") + server;
    check(natsOptions_SetServers(made, servers.data(), static_cast<int>(servers.size())), names);
    check(natsOptions_SetName(made, principal_.c_str()), names);
    check(natsOptions_SetAllowReconnect(made, false), names);
    check(natsOptions_SetTimeout(made, kConnectMs), names);
    check(natsOptions_SetWriteDeadline(made, kWriteMs), names);
    check(natsOptions_SetPingInterval(made, kPingMs), names);
    check(natsOptions_SetMaxPingsOut(made, kPings), names);
    check(natsOptions_SetFailRequestsOnDisconnect(made, true), names);
    std::string key;
    if (!settings.key_file.empty()) {
        key = public_key(settings.key_file);
        check(natsOptions_SetNKeyFromSeed(made, key.c_str(), settings.key_file.c_str()),
              settings.key_file.string());
    }
    if (!settings.ca_file.empty()) {
        check(natsOptions_SetSecure(made, true), names);
        check(natsOptions_LoadCATrustedCertificates(made, settings.ca_file.c_str()),
              settings.ca_file.string());
    }
    check(natsConnection_Connect(&held_, made), names);
    char* own = nullptr;
    if (natsInbox_Create(&own) == NATS_OK && own != nullptr) {
        // Its random part, behind our own prefix: the server lets nobody else listen there.
        const char* const random = std::strrchr(own, '.');
        inbox_ = std::string(kInbox) + principal_ + (random != nullptr ? random : ".0");
        natsInbox_Destroy(own);
    }
}

Link::~Link() {
    natsConnection_Close(held_);
    natsConnection_Destroy(held_);
}

bool Link::stands() const { return natsConnection_Status(held_) == NATS_CONN_STATUS_CONNECTED; }

void Link::publish(const std::string& subject, std::string_view data, const std::string& reply,
                   const Headers& headers) {
    natsMsg* made = nullptr;
    check(natsMsg_Create(&made, subject.c_str(), reply.empty() ? nullptr : reply.c_str(), data.data(),
                         static_cast<int>(data.size())),
          subject);
    const Message message(made);
    for (const auto& [name, value] : headers)
        check(natsMsgHeader_Set(made, name.c_str(), value.c_str()), subject);
    check(natsConnection_PublishMsg(held_, made), subject);
}

Subscription Link::subscribe(const std::string& subject) {
    natsSubscription* made = nullptr;
    check(natsConnection_SubscribeSync(&made, held_, subject.c_str()), subject);
    Subscription subscription(made);
    check(natsSubscription_SetPendingLimits(made, kPendingMessages, kPendingBytes), subject);
    return subscription;
}

std::string Link::inbox() { return inbox_ + "." + std::to_string(++inboxes_); }

LinkMessage Link::request(const std::string& subject, std::string_view data) {
    const std::string reply = inbox();
    Subscription answers = subscribe(reply);
    publish(subject, data, reply);
    auto answer = answers.next(std::chrono::milliseconds(kAnswerMs));
    if (!answer) throw LinkError("no answer to " + subject);
    return std::move(*answer);
}

void Link::flush() { check(natsConnection_FlushTimeout(held_, kAnswerMs), "the server does not answer"); }

}  // namespace fixaccel::bus
