# SPDX-License-Identifier: Apache-2.0
"""The client's side of TLS, against a server of Python's; with the daemon itself in tests/e2e/test_tls.py."""

import contextlib
import json
import shutil
import socket
import ssl
import subprocess
import threading
from pathlib import Path

import pytest
from certificates import issue, make_ca
from click.testing import CliRunner

from fixaccel.board.control import ControlClient, ControlError, ControlRefusedError
from fixaccel.board.endpoint import Endpoint, TlsFiles
from fixaccel.board.feed import watch
from fixaccel.cli.main import cli
from fixaccel.console.link import Link

_PATIENCE_S = 20.0


class Server:
    """Answers each line of each client with ``answer``; None: it says no more and waits."""

    def __init__(self, folder: Path, name: str = "daemon", *, version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> None:
        self.answer: object = {"ok": True}
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.minimum_version = self._tls.maximum_version = version
        self._tls.load_cert_chain(folder / f"{name}.crt", folder / f"{name}.key")
        self._tls.load_verify_locations(folder / "ca.crt")
        self._tls.verify_mode = ssl.CERT_REQUIRED
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._ended = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while not self._ended.is_set():
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(plain,), daemon=True).start()

    def _talk(self, plain: socket.socket) -> None:
        plain.settimeout(_PATIENCE_S)
        with (
            contextlib.suppress(OSError),
            self._tls.wrap_socket(plain, server_side=True, do_handshake_on_connect=False) as client,
        ):
            try:
                client.do_handshake()
            except ssl.SSLError:
                # As the daemon does: what comes is read, so that the alert is not lost with the connection.
                client.shutdown(socket.SHUT_WR)
                while client.recv(4096):
                    pass
                return
            with client.makefile("rb") as lines:
                for _ in lines:
                    if self.answer is None:
                        self._ended.wait(_PATIENCE_S)
                        return
                    client.sendall(json.dumps(self.answer).encode() + b"\n")

    def close(self) -> None:
        self._ended.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tls")
    for ca in ("ca", "other"):
        make_ca(folder, ca)
    issue(folder, "daemon", "DNS:localhost", "serverAuth")
    issue(folder, "old-daemon", "DNS:localhost", "serverAuth", days=-1)
    issue(folder, "anna", "email:anna@desk.example")
    issue(folder, "old", "email:anna@desk.example", days=-1)
    issue(folder, "stranger", "email:anna@desk.example", ca="other")
    return folder


@pytest.fixture
def server(made):
    servers: list[Server] = []

    def start(*words: object, **options: object) -> Server:
        servers.append(Server(made, *words, **options))
        return servers[-1]

    yield start
    for one in servers:
        one.close()


def files(folder: Path, name: str = "anna", *, ca: str = "ca") -> TlsFiles:
    return TlsFiles(str(folder / f"{name}.crt"), str(folder / f"{name}.key"), str(folder / f"{ca}.crt"))


def ask(endpoint: str, shown: TlsFiles) -> str:
    """The reason why there is no answer."""
    with pytest.raises(ControlError) as error, ControlClient(Endpoint(endpoint, shown), _PATIENCE_S) as client:
        client.ask("status")
    return str(error.value)


def test_asks_and_watches(made, server):
    running = server()
    running.answer = {"ok": True, "n": 1}
    with ControlClient(Endpoint(f"tls:localhost:{running.port}", files(made)), _PATIENCE_S) as client:
        assert client.ask("status")["n"] == 1
        running.answer = {"ok": False, "error": "too late"}
        with pytest.raises(ControlRefusedError, match="too late"):
            client.ask("arm")
    running.answer = {"ok": True, "event": "none"}
    with ControlClient(Endpoint(f"tls:localhost:{running.port}", files(made)), _PATIENCE_S) as client:
        events = watch(client)
        waiting = threading.Timer(0.2, client.interrupt)
        waiting.start()
        with pytest.raises(ControlError):
            next(events)
        waiting.join()


def test_the_console_ends_while_nothing_comes(made, server):
    heard: list[object] = []
    link = Link(Endpoint(f"tls:localhost:{server().port}", files(made)), heard.append)
    link.begin()
    assert link.ask(lambda client: client.ask("status")) == ({"ok": True}, "")
    link.end()


@pytest.mark.parametrize(
    ("name", "ca", "host", "reason"),
    [
        ("anna", "other", "localhost", "is not of {made}/other.crt"),
        ("anna", "ca", "127.0.0.1", "is not for 127.0.0.1"),
        ("stranger", "ca", "localhost", "refuses your certificate {made}/stranger.crt: it is not of the daemon's"),
        ("old", "ca", "localhost", "refuses your certificate {made}/old.crt: it has expired"),
    ],
)
def test_certificates_that_do_not_count(made, server, name, ca, host, reason):
    text = ask(f"tls:{host}:{server().port}", files(made, name, ca=ca))
    assert reason.format(made=made) in text


def test_a_daemon_whose_certificate_has_expired(made, server):
    assert "has expired" in ask(f"tls:localhost:{server('old-daemon').port}", files(made))


def test_no_tls_13(made, server):
    old = server(version=ssl.TLSVersion.TLSv1_2)
    assert "does not answer in TLS 1.3" in ask(f"tls:localhost:{old.port}", files(made))
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer_plainly() -> None:
            client, _ = listener.accept()
            with client:
                client.sendall(b'{"ok": true}\n')
                client.recv(4096)

        thread = threading.Thread(target=answer_plainly)
        thread.start()
        assert "does not answer in TLS:" in ask(f"tls:localhost:{listener.getsockname()[1]}", files(made))
        thread.join()


def test_files_that_cannot_be_used(made, tmp_path):
    def why(**changed: str) -> str:
        given = {name: getattr(files(made), name) for name in ("cert", "key", "ca")}
        return ask("tls:localhost:1", TlsFiles(**{**given, **changed}))

    assert "missing: --cert or FIXACCEL_CERT" in why(cert="")
    assert "nowhere.crt: No such file" in why(cert="nowhere.crt")
    assert "no certificate of a CA" in why(ca=str(made / "anna.csr").replace("anna.csr", "anna.ext"))
    assert "is not the key of" in why(key=str(made / "old.key"))
    assert "no certificate and its key" in why(cert=str(made / "anna.ext"))
    readable = tmp_path / "open.key"
    shutil.copyfile(made / "anna.key", readable)
    readable.chmod(0o640)
    assert f"chmod 0600 {readable}" in why(key=str(readable))
    assert "Connection refused; is fixacceld running?" in why()


def test_a_key_with_a_passphrase(made, tmp_path):
    shown, locked = files(made), tmp_path / "locked.key"
    command = ["openssl", "pkey", "-in", shown.key, "-aes128", "-passout", "pass:word", "-out", str(locked)]
    subprocess.run(command, check=True)
    locked.chmod(0o600)
    assert "has a passphrase" in ask("tls:localhost:1", TlsFiles(shown.cert, str(locked), shown.ca))


@pytest.mark.parametrize(
    "text", ["tls:", "tls:host", "tls:host:", "tls::1", "tls:host:0", "tls:host:65536", "tls:::1:7"]
)
def test_an_endpoint_that_is_none(made, text):
    assert "an endpoint is written unix:PATH, tls:HOST:PORT or ssh:" in ask(text, files(made))


def test_endpoints():
    assert Endpoint("tls:desk:7443").host_and_port() == ("desk", 7443)
    assert Endpoint("tls:[::1]:7443").host_and_port() == ("::1", 7443)
    assert not Endpoint("unix:tls").is_remote
    of = TlsFiles("c", "k", "a")
    assert Endpoint(Endpoint("tls:x:1", of)).files == of


def test_the_command_line_and_the_environment(made, server, monkeypatch):
    running = server()
    shown = files(made)
    to = f"tls:localhost:{running.port}"
    options = ("--cert", shown.cert, "--key", shown.key, "--ca", shown.ca)
    done = CliRunner().invoke(cli, ["kill", "--to", to, *options])
    assert (done.exit_code, "ON" in done.output) == (0, True), done.output
    for name in ("cert", "key", "ca"):
        monkeypatch.setenv(f"FIXACCEL_{name.upper()}", getattr(shown, name))
    monkeypatch.setenv("FIXACCEL_CONTROL", to)
    assert CliRunner().invoke(cli, ["kill"]).exit_code == 0
    refused = CliRunner().invoke(cli, ["kill", "--cert", str(made / "old.crt"), "--key", str(made / "old.key")])
    assert (refused.exit_code, "it has expired" in refused.output) == (2, True)


def test_a_bundle_is_a_path_of_the_daemons_machine(made, server, tmp_path):
    running = server()
    running.answer = {"ok": False, "error": "heard"}
    shown = files(made)
    options = ("--to", f"tls:localhost:{running.port}", "--cert", shown.cert, "--key", shown.key, "--ca", shown.ca)
    done = CliRunner().invoke(cli, ["deploy", "build/x", *options])
    assert (done.exit_code, "from the root of its machine" in done.output) == (2, True)
    assert CliRunner().invoke(cli, ["deploy", "/srv/nowhere", *options]).output == "refused: heard\n"
    done = CliRunner().invoke(cli, ["deploy", "/srv/nowhere", "--to", f"unix:{tmp_path}/s"])
    assert (done.exit_code, "does not exist" in done.output) == (2, True)
