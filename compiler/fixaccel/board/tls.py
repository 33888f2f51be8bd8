# SPDX-License-Identifier: Apache-2.0
"""TLS to a daemon: its certificate is checked here, ours there."""

import socket
import ssl
from pathlib import Path

from fixaccel.board.endpoint import FORMS, Endpoint, TlsFiles

_EXPIRED, _NOT_YET = 10, 9  # X509_V_ERR_...
_NAMES = (62, 64)
_OTHER_CA = (2, 18, 19, 20, 21)
_OTHERS = 0o077

# What the daemon says of our certificate, which only the first answer tells.
_ALERTS = {
    "TLSV1_ALERT_UNKNOWN_CA": "it is not of the daemon's control.tls.client_ca",
    "SSLV3_ALERT_CERTIFICATE_EXPIRED": "it has expired",
    "TLSV13_ALERT_CERTIFICATE_REQUIRED": "none was shown",
    "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE": "it is not for a client",
    "SSLV3_ALERT_BAD_CERTIFICATE": "it is not valid, or not yet",
    "SSLV3_ALERT_CERTIFICATE_REVOKED": "it is revoked",
}
_NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "UNEXPECTED_EOF_WHILE_READING")
_OLD_TLS = ("UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION")


class TlsError(Exception):
    """No connection, and why; the text names file or endpoint."""


def connect(endpoint: Endpoint, timeout_s: float) -> ssl.SSLSocket:
    """A connection to the daemon whose certificate is in order. Raises TlsError, OSError where nobody listens."""
    try:
        host, port = endpoint.host_and_port()
    except ValueError:
        raise TlsError(f"{endpoint}: an endpoint is written {FORMS}") from None
    tls = context(endpoint)
    plain = socket.create_connection((host, port), timeout=timeout_s)
    try:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)  # who watches has nothing to say for long
        return tls.wrap_socket(plain, server_hostname=host)
    except ssl.SSLError as error:
        plain.close()
        raise TlsError(_of_daemon(endpoint, host, error)) from error
    except BaseException:
        plain.close()
        raise


def context(endpoint: Endpoint) -> ssl.SSLContext:
    """TLS 1.3 with the endpoint's files. Raises TlsError."""
    files = endpoint.files
    missing = [f"--{name} or FIXACCEL_{name.upper()}" for name in ("cert", "key", "ca") if not getattr(files, name)]
    if missing:
        raise TlsError(f"{endpoint} needs files of TLS; missing: {', '.join(missing)}")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    tls.minimum_version = ssl.TLSVersion.TLSv1_3
    tls.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # what stands in the CA's file is trusted
    for name in (files.cert, files.key, files.ca):
        _look_at(name)
    try:
        tls.load_verify_locations(files.ca)
    except (ssl.SSLError, ValueError) as error:
        raise TlsError(f"{files.ca}: no certificate of a CA in PEM") from error
    if Path(files.key).stat().st_mode & _OTHERS:
        raise TlsError(f"{files.key} may be read by others than you: chmod 0600 {files.key}")
    _load_own(tls, files)
    return tls


def _load_own(tls: ssl.SSLContext, files: TlsFiles) -> None:
    def no_passphrase() -> str:
        raise TlsError(f"{files.key} has a passphrase, which is not asked for: openssl pkey takes it off")

    try:
        tls.load_cert_chain(files.cert, files.key, no_passphrase)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise TlsError(f"{files.key} is not the key of {files.cert}") from error
        raise TlsError(f"{files.cert}, {files.key}: no certificate and its key in PEM") from error


def _look_at(name: str) -> None:
    try:
        with Path(name).open("rb"):
            pass
    except OSError as error:
        raise TlsError(f"{name}: {error.strerror}") from error


def _of_daemon(endpoint: Endpoint, host: str, error: ssl.SSLError) -> str:
    """Why there is no connection."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate of the daemon at {endpoint} {_verdict(endpoint, host, error)}"
    where = "is that the port of control.tls.listen?"
    if error.reason in _NO_TLS or isinstance(error, ssl.SSLEOFError):
        return f"{endpoint} does not answer in TLS: {where}"
    if error.reason in _OLD_TLS:
        return f"{endpoint} does not answer in TLS 1.3: {where}"
    return said(endpoint, error) or f"no TLS with {endpoint}: {error.reason or error}"


def _verdict(endpoint: Endpoint, host: str, error: ssl.SSLCertVerificationError) -> str:
    texts = {
        _EXPIRED: "has expired",
        _NOT_YET: "is not valid yet: is this machine's clock right?",
        **dict.fromkeys(_NAMES, f"is not for {host}: ask by a name that stands in it"),
        **dict.fromkeys(_OTHER_CA, f"is not of {endpoint.files.ca}: it is another CA's, or not your daemon"),
    }
    return texts.get(error.verify_code, f"is refused: {error.verify_message}")


def said(endpoint: Endpoint, error: OSError) -> str:
    """What the daemon has against our certificate, if ``error`` says so; else nothing."""
    reason = _ALERTS.get(str(getattr(error, "reason", "")), "")
    return f"the daemon at {endpoint} refuses your certificate {endpoint.files.cert}: {reason}" if reason else ""
