// SPDX-License-Identifier: Apache-2.0
#include "tls_control.hpp"

#include <openssl/err.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace fixaccel {
namespace {

// Why a handshake came to nothing, for who reads the log.
std::string reason_of(int result, unsigned long code) {
    switch (ERR_GET_REASON(code)) {
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
            return "it shows no certificate";
        case SSL_R_HTTP_REQUEST:
        case SSL_R_HTTPS_PROXY_REQUEST:
        case SSL_R_WRONG_VERSION_NUMBER:
            return "it does not speak TLS";
        case SSL_R_UNSUPPORTED_PROTOCOL:
            return "it does not speak TLS 1.3";
        case SSL_R_UNEXPECTED_EOF_WHILE_READING:
            return "it hung up";
        default:
            break;
    }
    if (result == SSL_ERROR_SYSCALL || code == 0) return "it hung up";
    const char* const reason = ::ERR_reason_error_string(code);
    if (reason == nullptr) return "the handshake failed";
    return (ERR_GET_REASON(code) > SSL_AD_REASON_OFFSET ? "it says " : "") + std::string(reason);
}

std::string verdict_text(int error) {
    switch (error) {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return "has expired";
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return "is not valid yet";
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
        case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            return "is not of control.tls.client_ca";
        case X509_V_ERR_INVALID_PURPOSE:
            return "is not for a client, its extendedKeyUsage is without clientAuth";
        default:
            return std::string("is refused: ") + ::X509_verify_cert_error_string(error);
    }
}

int size_of(std::size_t bytes) {
    return static_cast<int>(std::min<std::size_t>(bytes, std::numeric_limits<int>::max()));
}

class TlsStream final : public ControlStream {
  public:
    TlsStream(int fd, const TcpAddress& from, SSL_CTX* context, const TlsClients& clients)
        : fd_(fd), address_(text_of(from)), clients_(clients), tls_(::SSL_new(context)) {
        if (!tls_ || ::SSL_set_fd(tls_.get(), fd_) != 1) {
            tls_.reset();
            return;
        }
        SSL_set_app_data(tls_.get(), this);
        ::SSL_set_verify(tls_.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, &TlsStream::verified);
        ::SSL_set_accept_state(tls_.get());
    }
    ~TlsStream() override {
        if (open_) say_goodbye();
        tls_.reset();
        ::close(fd_);
    }

    int fd() const override { return fd_; }
    const ControlPeer& peer() const override { return peer_; }
    short also_waits_for() const override { return waits_for_; }
    bool has_more() const override { return open_ && ::SSL_has_pending(tls_.get()) == 1; }
    std::string address() const override { return address_; }

    Greeting greet(std::string& why) override {
        if (!tls_) {
            why = "there is no memory for it";
            return Greeting::failed;
        }
        ::ERR_clear_error();
        const int done = ::SSL_do_handshake(tls_.get());
        if (done == 1) {
            open_ = true;
            waits_for_ = 0;
            know_peer();
            return Greeting::done;
        }
        const int error = ::SSL_get_error(tls_.get(), done);
        if (goes_on(error)) return Greeting::goes_on;
        why = verdict_.empty() ? reason_of(error, ::ERR_peek_error()) : verdict_;
        return Greeting::failed;
    }

    std::optional<std::size_t> read(std::span<char> room) override {
        ::ERR_clear_error();
        return moved(::SSL_read(tls_.get(), room.data(), size_of(room.size())));
    }

    std::optional<std::size_t> write(std::string_view bytes) override {
        ::ERR_clear_error();
        return moved(::SSL_write(tls_.get(), bytes.data(), size_of(bytes.size())));
    }

    void end() override {
        if (open_) say_goodbye();
        ::shutdown(fd_, SHUT_WR);
    }

  private:
    // Called for each certificate of the chain; what is wrong with one is wrong with all.
    static int verified(int is_good, X509_STORE_CTX* store) {
        if (is_good == 1) return 1;
        auto* const tls =
            static_cast<SSL*>(::X509_STORE_CTX_get_ex_data(store, ::SSL_get_ex_data_X509_STORE_CTX_idx()));
        auto* const self = static_cast<TlsStream*>(SSL_get_app_data(tls));
        const X509* const leaf = ::X509_STORE_CTX_get0_cert(store);
        self->verdict_ = (leaf != nullptr ? certificate_of(leaf).text() : std::string("its certificate")) +
                         " " + verdict_text(::X509_STORE_CTX_get_error(store));
        return 0;
    }

    void know_peer() {
        X509* const certificate = ::SSL_get0_peer_certificate(tls_.get());
        if (certificate != nullptr)
            peer_ = fixaccel::peer_of(certificate_of(certificate), address_, clients_);
        else
            peer_ = {address_, Role::none, "it shows no certificate"};
    }

    bool goes_on(int error) {
        waits_for_ = error == SSL_ERROR_WANT_WRITE ? POLLOUT : 0;
        return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
    }

    std::optional<std::size_t> moved(int count) {
        if (count > 0) {
            waits_for_ = 0;
            return static_cast<std::size_t>(count);
        }
        if (goes_on(::SSL_get_error(tls_.get(), count))) return 0;
        open_ = false;  // behind a fatal error nothing may be said any more, not even goodbye
        return std::nullopt;
    }

    void say_goodbye() {
        open_ = false;
        ::ERR_clear_error();
        ::SSL_shutdown(tls_.get());
    }

    int fd_;
    std::string address_;
    const TlsClients& clients_;
    std::unique_ptr<SSL, FreeTls> tls_;
    ControlPeer peer_;
    std::string verdict_;  // of its certificate, where that is refused
    short waits_for_ = 0;
    bool open_ = false;
};

}  // namespace

TlsControl::TlsControl(const TlsSettings& settings)
    : clients_(settings.clients), context_(tls_context(settings)), listener_(settings.listen) {}

std::unique_ptr<ControlStream> TlsControl::accept() {
    TcpAddress from;
    const int fd = listener_.accept(from);
    if (fd < 0) return nullptr;
    return std::make_unique<TlsStream>(fd, from, context_.get(), clients_);
}

}  // namespace fixaccel
