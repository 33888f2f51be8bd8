// SPDX-License-Identifier: Apache-2.0
#include "tls_identity.hpp"

#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

namespace fixaccel {
namespace {

constexpr std::string_view kHash = "sha256:", kHex = "0123456789abcdef";
constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kShownDigits = 16;
constexpr std::array<std::string_view, 3> kKinds{"email:", "URI:", "DNS:"};

struct FreeNames {
    void operator()(GENERAL_NAMES* names) const { ::GENERAL_NAMES_free(names); }
};

// A name with a zero byte or a blank within is taken for another by one who looks at its beginning alone.
std::optional<std::string> plain(const ASN1_STRING* text) {
    const std::string_view bytes(reinterpret_cast<const char*>(::ASN1_STRING_get0_data(text)),
                                 static_cast<std::size_t>(::ASN1_STRING_length(text)));
    const auto is_plain = [](unsigned char c) { return c > 0x20 && c < 0x7F; };
    if (bytes.empty() || !std::all_of(bytes.begin(), bytes.end(), is_plain)) return std::nullopt;
    return std::string(bytes);
}

std::optional<std::string> name_of(const GENERAL_NAME* name) {
    const auto with = [](std::string_view kind, const ASN1_STRING* text) -> std::optional<std::string> {
        const auto found = plain(text);
        return found ? std::optional(std::string(kind) + *found) : std::nullopt;
    };
    switch (name->type) {
        case GEN_EMAIL:
            return with(kKinds[0], name->d.rfc822Name);
        case GEN_URI:
            return with(kKinds[1], name->d.uniformResourceIdentifier);
        case GEN_DNS:
            return with(kKinds[2], name->d.dNSName);
        default:
            return std::nullopt;
    }
}

std::vector<std::string> names_of(const X509* certificate) {
    std::vector<std::string> out;
    const std::unique_ptr<GENERAL_NAMES, FreeNames> names(
        static_cast<GENERAL_NAMES*>(::X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
    for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names.get()); ++i)
        if (const auto name = name_of(sk_GENERAL_NAME_value(names.get(), i))) out.push_back(*name);
    return out;
}

std::string common_name(const X509* certificate) {
    const X509_NAME* const subject = ::X509_get_subject_name(certificate);
    const int at = ::X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
    if (at < 0) return {};
    return plain(::X509_NAME_ENTRY_get_data(::X509_NAME_get_entry(subject, at))).value_or("");
}

std::string hash_of(const X509* certificate) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    std::string text;
    if (::X509_digest(certificate, ::EVP_sha256(), digest.data(), &size) != 1) return text;
    for (unsigned i = 0; i < size; ++i) {
        text += kHex[digest[i] >> 4U];
        text += kHex[digest[i] & 0xFU];
    }
    return text;
}

}  // namespace

std::string normal_identity(const std::string& text) {
    if (!text.starts_with(kHash)) return text;
    std::string out(kHash);
    for (const char c : text.substr(kHash.size()))
        if (c != ':') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

std::string identity_problem(const std::string& identity) {
    if (identity.starts_with(kHash)) {
        const std::string digits = identity.substr(kHash.size());
        const bool is_hash =
            digits.size() == kHashDigits && digits.find_first_not_of(kHex) == std::string::npos;
        return is_hash ? "" : "sha256: and the 64 digits of `openssl x509 -fingerprint -sha256`";
    }
    for (const std::string_view kind : kKinds)
        if (identity.starts_with(kind) && identity.size() > kind.size()) return {};
    return "email:, URI: or DNS: and a name of the certificate's subjectAltName, or sha256: and its hash";
}

std::string Certificate::text() const {
    const std::string name = !names.empty() ? names.front() : !subject.empty() ? "CN=" + subject : "no name";
    return name + " (certificate " + sha256.substr(0, kShownDigits) + ")";
}

Certificate certificate_of(const X509* from) { return {hash_of(from), names_of(from), common_name(from)}; }

ControlPeer peer_of(const Certificate& certificate, const std::string& address, const TlsClients& clients) {
    ControlPeer peer{certificate.text() + ", " + address};
    std::set<Role> roles;
    std::vector<std::string> identities = certificate.names;
    identities.push_back(std::string(kHash) + certificate.sha256);
    for (const std::string& identity : identities)
        if (const auto listed = clients.find(identity); listed != clients.end()) roles.insert(listed->second);
    if (roles.size() == 1) {
        peer.role = *roles.begin();
    } else {
        std::string known;
        for (const std::string& identity : identities)
            known.append(known.empty() ? "" : ", ").append(identity);
        peer.refused = (roles.empty() ? "control.tls.clients gives no role to this certificate: "
                                      : "control.tls.clients gives several roles to this certificate: ") +
                       known;
    }
    return peer;
}

}  // namespace fixaccel
