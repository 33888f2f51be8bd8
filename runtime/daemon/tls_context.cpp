// SPDX-License-Identifier: Apache-2.0
#include "tls_context.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <optional>

#include "control_stream.hpp"
#include "fixaccel/read_file.hpp"
#include "tcp_listener.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr int kMostDepth = 4;  // certificates between a client's and the CA
constexpr const char* kPage = "; docs/howto/tls.md makes one";

struct Free {
    void operator()(BIO* bio) const { ::BIO_free(bio); }
    void operator()(EVP_PKEY* key) const { ::EVP_PKEY_free(key); }
    void operator()(X509* certificate) const { ::X509_free(certificate); }
    void operator()(GENERAL_NAMES* names) const { ::GENERAL_NAMES_free(names); }
};
template <typename Thing>
using Owned = std::unique_ptr<Thing, Free>;
using Chain = std::vector<Owned<X509>>;

// What a key of the settings is about, and where what is wrong with it is said.
struct Place {
    const char* key;
    const std::filesystem::path& file;
    std::vector<std::string>& problems;

    void say(const std::string& what) const {
        problems.push_back(std::string("control.tls.") + key + ": " + file.string() + " " + what);
    }
    std::optional<std::string> read() const {
        try {
            return read_file(file.string(), kMostBytes);
        } catch (const FileError& error) {
            problems.push_back(std::string("control.tls.") + key + ": " + error.what());
            return std::nullopt;
        }
    }
};

Owned<BIO> bio_of(const std::string& text) {
    return Owned<BIO>(::BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::string date(const ASN1_TIME* time) {
    const Owned<BIO> out(::BIO_new(BIO_s_mem()));
    ::ASN1_TIME_print(out.get(), time);
    char* text = nullptr;
    const long size = ::BIO_get_mem_data(out.get(), &text);
    return {text, static_cast<std::size_t>(size)};
}

Chain certificates(const Place& place) {
    Chain chain;
    const auto text = place.read();
    if (!text) return chain;
    const Owned<BIO> bio = bio_of(*text);
    while (X509* const next = ::PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr))
        chain.emplace_back(next);
    const bool ended = ERR_GET_REASON(::ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    ::ERR_clear_error();
    if (chain.empty() || !ended) {
        place.say(std::string("is no certificate in PEM, or has something else within") + kPage);
        chain.clear();
    }
    for (const auto& each : chain) {
        const ASN1_TIME* const from = ::X509_get0_notBefore(each.get());
        const ASN1_TIME* const until = ::X509_get0_notAfter(each.get());
        if (::X509_cmp_current_time(until) < 0)
            place.say("has expired on " + date(until) + ": have the CA sign another");
        if (::X509_cmp_current_time(from) > 0)
            place.say("is valid from " + date(from) + " only: is this machine's clock right?");
    }
    return chain;
}

bool has_host(const X509* certificate) {
    const Owned<GENERAL_NAMES> names(
        static_cast<GENERAL_NAMES*>(::X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
    for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names.get()); ++i)
        if (const int type = sk_GENERAL_NAME_value(names.get(), i)->type;
            type == GEN_DNS || type == GEN_IPADD)
            return true;
    return false;
}

Chain own_certificates(const TlsSettings& settings, std::vector<std::string>& problems) {
    const Place place{"certificate", settings.certificate, problems};
    Chain chain = certificates(place);
    if (chain.empty()) return chain;
    X509* const own = chain.front().get();
    if (::X509_check_purpose(own, X509_PURPOSE_SSL_SERVER, 0) != 1)
        place.say(std::string("is not for a server, its extendedKeyUsage is without serverAuth") + kPage);
    if (!has_host(own))
        place.say(std::string("names no host in its subjectAltName, so no client would know it") + kPage);
    return chain;
}

Chain authorities(const TlsSettings& settings, std::vector<std::string>& problems) {
    const Place place{"client_ca", settings.client_ca, problems};
    Chain chain = certificates(place);
    for (const auto& each : chain)
        if (::X509_check_ca(each.get()) == 0)
            place.say("holds a certificate that is no CA's: clients are named in control.tls.clients");
    return chain;
}

// There is nobody to ask for a passphrase.
int no_passphrase(char*, int, int, void* asked) {
    *static_cast<bool*>(asked) = true;
    return -1;
}

Owned<EVP_PKEY> own_key(const TlsSettings& settings, std::vector<std::string>& problems) {
    using std::filesystem::perms;
    const Place place{"key", settings.key, problems};
    const auto text = place.read();
    if (!text) return nullptr;
    std::error_code error;
    const perms others =
        std::filesystem::status(settings.key, error).permissions() & (perms::group_all | perms::others_all);
    if (error || others != perms::none)
        place.say("may be read by others than its owner: chmod 0600 " + settings.key.string() +
                  ", and where it lay open before, make another");
    const Owned<BIO> bio = bio_of(*text);
    bool asked = false;
    Owned<EVP_PKEY> key(::PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, &asked));
    ::ERR_clear_error();
    if (!key && asked)
        place.say("has a passphrase, and nobody is there to enter it: openssl pkey -in " +
                  settings.key.string() + " -out ... takes it off");
    else if (!key)
        place.say(std::string("is no private key in PEM") + kPage);
    return key;
}

struct Files {
    Chain own;
    Owned<EVP_PKEY> key;
    Chain authorities;
};

Files read(const TlsSettings& settings, std::vector<std::string>& problems) {
    Files files{own_certificates(settings, problems), own_key(settings, problems),
                authorities(settings, problems)};
    if (!files.own.empty() && files.key &&
        ::X509_check_private_key(files.own.front().get(), files.key.get()) != 1) {
        ::ERR_clear_error();
        problems.push_back("control.tls.key: " + settings.key.string() + " is not the key of " +
                           settings.certificate.string() +
                           ", whose first certificate has to be the daemon's own");
    }
    return files;
}

void require(bool done, const char* what) {
    if (done) return;
    const unsigned long code = ::ERR_get_error();
    const char* const reason = ::ERR_reason_error_string(code);
    throw ControlError(std::string("control.tls: ") + what + ": " +
                       (reason != nullptr ? reason : "OpenSSL gives no reason"));
}

}  // namespace

void check_tls(const TlsSettings& settings, std::vector<std::string>& problems) {
    const auto missing = [&](const char* key, bool is_missing) {
        if (is_missing)
            problems.push_back(
                std::string("control.tls.").append(key).append(" is missing: docs/howto/tls.md"));
    };
    missing("listen", settings.listen.empty());
    missing("certificate", settings.certificate.empty());
    missing("key", settings.key.empty());
    missing("client_ca", settings.client_ca.empty());
    missing("clients", settings.clients.empty());
    if (!settings.listen.empty() && !tcp_address(settings.listen))
        problems.push_back(
            "control.tls.listen must be ADDRESS:PORT, the address in numbers, such as "
            "10.0.0.5:7443 or [::]:7443, not '" +
            settings.listen + "'");
    for (const auto& [identity, role] : settings.clients)
        if (const std::string expected = identity_problem(identity); !expected.empty())
            problems.push_back(
                std::string("control.tls.clients: '").append(identity).append("' must be ").append(expected));
}

void check_tls_files(const TlsSettings& settings, std::vector<std::string>& problems) {
    if (!settings.certificate.empty() && !settings.key.empty() && !settings.client_ca.empty())
        read(settings, problems);
}

TlsContext tls_context(const TlsSettings& settings) {
    std::vector<std::string> problems;
    const Files files = read(settings, problems);
    if (!problems.empty()) throw ControlError(problems.front());
    TlsContext context(::SSL_CTX_new(::TLS_server_method()));
    require(context != nullptr, "no TLS");
    SSL_CTX* const tls = context.get();
    require(::SSL_CTX_set_min_proto_version(tls, TLS1_3_VERSION) == 1 &&
                ::SSL_CTX_set_max_proto_version(tls, TLS1_3_VERSION) == 1,
            "no TLS 1.3");
    ::SSL_CTX_set_options(tls, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET);
    require(::SSL_CTX_set_num_tickets(tls, 0) == 1, "tickets");
    ::SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF);
    // Nobody reads on and on for one client: each record is looked at in its turn.
    ::SSL_CTX_clear_mode(tls, SSL_MODE_AUTO_RETRY);
    ::SSL_CTX_set_mode(tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    require(::SSL_CTX_use_certificate(tls, files.own.front().get()) == 1, "certificate");
    for (std::size_t i = 1; i < files.own.size(); ++i)
        require(::SSL_CTX_add1_chain_cert(tls, files.own[i].get()) == 1, "certificate");
    require(::SSL_CTX_use_PrivateKey(tls, files.key.get()) == 1, "key");
    X509_STORE* const store = ::SSL_CTX_get_cert_store(tls);
    for (const auto& each : files.authorities) {
        require(::X509_STORE_add_cert(store, each.get()) == 1, "client_ca");
        require(::SSL_CTX_add_client_CA(tls, each.get()) == 1, "client_ca");
    }
    // What stands in client_ca is trusted, also where it is a CA below another.
    ::X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
    ::SSL_CTX_set_verify_depth(tls, kMostDepth);
    return context;
}

}  // namespace fixaccel
