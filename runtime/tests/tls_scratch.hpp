// SPDX-License-Identifier: Apache-2.0
// A CA of a test, certificates that it signs, and a client that shows them.
#pragma once

#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tcp_listener.hpp"

namespace fixaccel {

struct FreeOfTest {
    void operator()(EVP_PKEY* key) const { ::EVP_PKEY_free(key); }
    void operator()(X509* certificate) const { ::X509_free(certificate); }
    void operator()(X509_EXTENSION* extension) const { ::X509_EXTENSION_free(extension); }
    void operator()(SSL_CTX* context) const { ::SSL_CTX_free(context); }
    void operator()(SSL* connection) const { ::SSL_free(connection); }
    void operator()(FILE* file) const { std::fclose(file); }
};
template <typename Thing>
using OfTest = std::unique_ptr<Thing, FreeOfTest>;

// What a certificate is to say; the CA's own says that it is one.
struct Wanted {
    std::string names = "email:anna@desk.example";
    const char* usage = "clientAuth";
    long from_s = -3600, until_s = 3600;  // from now
};

// FOLDER/NAME.crt and FOLDER/NAME.key.
class ScratchCa {
  public:
    explicit ScratchCa(std::filesystem::path folder, const std::string& name = "ca")
        : folder_(std::move(folder)),
          key_(::EVP_EC_gen("P-256")),
          own_(make(name, key_.get(), {"", nullptr}, true)) {
        write(name, key_.get(), own_.get());
    }

    void issue(const std::string& name, const Wanted& wanted) {
        const OfTest<EVP_PKEY> key(::EVP_EC_gen("P-256"));
        const auto certificate = make(name, key.get(), wanted, false);
        write(name, key.get(), certificate.get());
        std::array<unsigned char, 32> digest{};
        ::X509_digest(certificate.get(), ::EVP_sha256(), digest.data(), nullptr);
        sha256.clear();
        for (const unsigned char byte : digest) {
            sha256 += "0123456789abcdef"[byte >> 4U];
            sha256 += "0123456789abcdef"[byte & 0xFU];
        }
    }

    std::string sha256;  // of the last that was issued

  private:
    OfTest<X509> make(const std::string& name, EVP_PKEY* key, const Wanted& wanted, bool is_ca) {
        OfTest<X509> made(::X509_new());
        ::X509_set_version(made.get(), X509_VERSION_3);
        ::ASN1_INTEGER_set(::X509_get_serialNumber(made.get()), ++serial_);
        X509_NAME* const subject = ::X509_get_subject_name(made.get());
        ::X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                     reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
        ::X509_gmtime_adj(::X509_getm_notBefore(made.get()), wanted.from_s);
        ::X509_gmtime_adj(::X509_getm_notAfter(made.get()), wanted.until_s);
        ::X509_set_pubkey(made.get(), key);
        const X509* const issuer = is_ca ? made.get() : own_.get();
        ::X509_set_issuer_name(made.get(), ::X509_get_subject_name(issuer));
        add(made.get(), NID_basic_constraints, is_ca ? "critical,CA:TRUE" : "CA:FALSE");
        if (!wanted.names.empty()) add(made.get(), NID_subject_alt_name, wanted.names.c_str());
        if (wanted.usage != nullptr) add(made.get(), NID_ext_key_usage, wanted.usage);
        ::X509_sign(made.get(), key_.get(), ::EVP_sha256());
        return made;
    }

    static void add(X509* to, int kind, const char* value) {
        X509V3_CTX context{};
        X509V3_set_ctx_nodb(&context);
        const OfTest<X509_EXTENSION> extension(::X509V3_EXT_conf_nid(nullptr, &context, kind, value));
        ::X509_add_ext(to, extension.get(), -1);
    }

    void write(const std::string& name, EVP_PKEY* key, X509* certificate) const {
        const std::filesystem::path stem = folder_ / name;
        const OfTest<FILE> crt(std::fopen((stem.string() + ".crt").c_str(), "w"));
        ::PEM_write_X509(crt.get(), certificate);
        const OfTest<FILE> out(std::fopen((stem.string() + ".key").c_str(), "w"));
        ::PEM_write_PrivateKey(out.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
        using std::filesystem::perms;
        std::filesystem::permissions(stem.string() + ".key", perms::owner_read | perms::owner_write);
    }

    std::filesystem::path folder_;
    long serial_ = 0;
    OfTest<EVP_PKEY> key_;
    OfTest<X509> own_;
};

// A TCP connection that waits 20 s for an answer. `from`: the address that it comes from.
inline int connect_tcp(const std::string& address, const std::string& from = "127.0.0.1") {
    const auto where = tcp_address(address), own = tcp_address(from + ":0");
    const int fd = ::socket(where->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval limit{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&own->address), own->size) == 0 &&
        ::connect(fd, reinterpret_cast<const sockaddr*>(&where->address), where->size) == 0)
        return fd;
    ::close(fd);
    return -1;
}

class TlsClient {
  public:
    // `stem`: of the files that it shows, none if empty.
    TlsClient(const std::string& address, const std::filesystem::path& stem,
              int most_version = TLS1_3_VERSION)
        : TlsClient(connect_tcp(address), stem, most_version) {}
    // Over a connection that is there.
    TlsClient(int fd, const std::filesystem::path& stem, int most_version = TLS1_3_VERSION)
        : context_(::SSL_CTX_new(::TLS_client_method())), fd_(fd) {
        SSL_CTX_set_max_proto_version(context_.get(), most_version);
        if (!stem.empty()) {
            ::SSL_CTX_use_certificate_file(context_.get(), (stem.string() + ".crt").c_str(),
                                           SSL_FILETYPE_PEM);
            ::SSL_CTX_use_PrivateKey_file(context_.get(), (stem.string() + ".key").c_str(), SSL_FILETYPE_PEM);
        }
        tls_.reset(::SSL_new(context_.get()));
        ::SSL_set_fd(tls_.get(), fd_);
        shaken_ = ::SSL_connect(tls_.get()) == 1;
    }
    TlsClient(const TlsClient&) = delete;
    TlsClient& operator=(const TlsClient&) = delete;
    ~TlsClient() { ::close(fd_); }

    // Of TLS 1.3: the daemon's part is in order. What it makes of ours shows with the first answer.
    bool shaken() const { return shaken_; }
    int fd() const { return fd_; }
    SSL* tls() const { return tls_.get(); }

    bool say(const std::string& text) const {
        return shaken_ && ::SSL_write(tls_.get(), text.data(), static_cast<int>(text.size())) > 0;
    }
    // A line of JSON, or something discarded if none came.
    nlohmann::json hear() {
        while (shaken_ && rest_.find('\n') == std::string::npos) {
            std::array<char, 16384> chunk{};
            const int n = ::SSL_read(tls_.get(), chunk.data(), static_cast<int>(chunk.size()));
            if (n <= 0) break;
            rest_.append(chunk.data(), static_cast<std::size_t>(n));
        }
        const std::size_t end = rest_.find('\n');
        const std::string line = rest_.substr(0, end);
        rest_.erase(0, end == std::string::npos ? end : end + 1);
        return nlohmann::json::parse(line, nullptr, false);
    }
    nlohmann::json ask(const std::string& command) {
        say(nlohmann::json{{"cmd", command}}.dump() + "\n");
        return hear();
    }

  private:
    OfTest<SSL_CTX> context_;
    OfTest<SSL> tls_;
    int fd_;
    bool shaken_ = false;
    std::string rest_;
};

}  // namespace fixaccel
