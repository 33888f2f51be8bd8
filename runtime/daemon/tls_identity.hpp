// SPDX-License-Identifier: Apache-2.0
// Who a client's certificate says it is, and the role that the settings give to whom.
#pragma once

#include <openssl/x509.h>

#include <map>
#include <string>
#include <vector>

#include "control_stream.hpp"

namespace fixaccel {

// By identity: a name of the certificate's subjectAltName with its kind, as openssl writes it (email:, URI:,
// DNS:), or "sha256:" and the hash of the certificate in 64 digits.
using TlsClients = std::map<std::string, Role>;

// An identity as it is looked up: hashes may be written as openssl prints them, in capitals and with colons.
std::string normal_identity(const std::string& text);
// What is wrong with it as an identity; empty if nothing is.
std::string identity_problem(const std::string& identity);

struct Certificate {
    std::string sha256;              // 64 digits
    std::vector<std::string> names;  // of subjectAltName, those that are plain text
    std::string subject;             // the common name, where it is plain text

    // For who reads it: a name and the hash's beginning.
    std::string text() const;
};

Certificate certificate_of(const X509* from);

// The peer at `address` with that certificate. Who stands there with several roles has none.
ControlPeer peer_of(const Certificate& certificate, const std::string& address, const TlsClients& clients);

}  // namespace fixaccel
