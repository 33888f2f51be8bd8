// SPDX-License-Identifier: Apache-2.0
// What the daemon needs to speak TLS with its clients: certificate, key, and whose certificates count.
#pragma once

#include <openssl/ssl.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tls_identity.hpp"

namespace fixaccel {

struct TlsSettings {
    std::string listen;  // ADDRESS:PORT
    std::filesystem::path certificate;
    std::filesystem::path key;
    std::filesystem::path client_ca;
    TlsClients clients;
    std::chrono::milliseconds handshake{5000};  // for which a client may have no peer
};

// What is missing, or wrong by itself; no file is read.
void check_tls(const TlsSettings& settings, std::vector<std::string>& problems);
// What of the files cannot be used, and what to do about it.
void check_tls_files(const TlsSettings& settings, std::vector<std::string>& problems);

struct FreeTls {
    void operator()(SSL_CTX* context) const { ::SSL_CTX_free(context); }
    void operator()(SSL* connection) const { ::SSL_free(connection); }
};
using TlsContext = std::unique_ptr<SSL_CTX, FreeTls>;

// TLS 1.3 alone, nobody without a certificate, nothing kept from one connection to the next. Throws
// ControlError.
TlsContext tls_context(const TlsSettings& settings);

}  // namespace fixaccel
