# SPDX-License-Identifier: Apache-2.0
"""Makes the page of the control sockets from the daemon's own table of who may ask for what."""

import re
from pathlib import Path

_TABLE = Path("runtime/daemon/roles.cpp")
_COMMAND = re.compile(
    r'Command\{"(?P<name>\w+)",\s*(?P<roles>\w+(?: \| \w+)*),\s*(?P<asks>kAsks|kChanges),'
    r'\s*"(?P<arguments>[^"]*)",\s*"(?P<what>[^"]*)"\}'
)
_ROLES = ("view", "trade", "risk", "admin")
_HEAD = """# The control API

What `fixaccel` commands say to a daemon any program may say: one JSON object a line, each with `cmd` and the arguments
below, and one line of JSON for each answer, in the order of the requests. `"ok"` is `true`, or `false` with the reason
as `error`. What `watch` tells behind its answer is in [](../howto/watch.md#events-as-they-happen).

```text
$ echo '{"cmd": "rules", "rules": ["fall"]}' | socat - UNIX-CONNECT:/run/fixaccel/view.sock
{"ok": true, "rules": [{"id": "fall[1]", "state": "armed", ...}], "strategy": "quickstart"}
```

It is spoken at Unix sockets, and over TCP with TLS 1.3 [where that is configured](../howto/tls.md): the same lines, the
same answers.

```text
$ openssl s_client -quiet -verify_return_error -CAfile ca.crt -cert anna.crt -key anna.key \\
      -verify_hostname desk.example -connect desk.example:7443
{"cmd": "status", "short": true}
{"board_problem": "", "busy_ms": 0, "kill": {"by": "", "on": false, "time_ns": 0}, "ok": true}
```

## Roles

Each socket has a role, and whoever may open it has that one. [`control`](daemon.md) says where they are and which
group may open them. There is always one of role `admin`; where there is no other, that is all there is. Over TCP
[`control.tls.clients`](daemon.md#tls-over-tcp) gives a role to a certificate.

| command | arguments | {roles} | |
| --- | --- | --- | --- | --- | --- | --- |
"""
_TAIL = """
A kill is for everybody who may trade, its undo for those who watch the risk, and so are
[limits](../howto/limits.md), in either direction. Commands in italics are questions: they
change nothing. All others are in [the journal](../howto/audit.md), with the role, the user and the process that
the kernel tells of the other end, or the name, certificate and address of who asks over TCP, and with the answer; so
is what was refused because of the role, questions too, and as `connect` a certificate that has no role.
Of those ten a second are written; how many more there were is written with the next one.

Each role has room for 64 clients at its socket, 64 over TCP, and 32 requests that wait, so those of one keep out nobody
of another. A kill waits for no other request, of whichever role, and for no handshake.
"""


def page(root: Path) -> str:
    """The page in Markdown."""
    text = (root / _TABLE).read_text(encoding="utf-8")
    rows = [_row(match) for match in _COMMAND.finditer(text)]
    assert len(rows) == text.count("Command{"), "a line of the table is not understood"
    return _HEAD.replace("{roles}", " | ".join(f"`{role}`" for role in _ROLES)) + "".join(rows) + _TAIL


def roles_of(words: str) -> set[str]:
    """The roles that such words of the table mean."""
    names = {word.strip().removeprefix("k").lower() for word in words.split("|")}
    return set(_ROLES) if "all" in names else names | {"admin"}


def _row(match: re.Match[str]) -> str:
    arguments = ", ".join(f"`{name}`" for name in match["arguments"].split(", ") if name)
    allowed = roles_of(match["roles"])
    marks = " | ".join("yes" if role in allowed else "" for role in _ROLES)
    name = f"*{match['name']}*" if match["asks"] == "kAsks" else f"`{match['name']}`"
    return f"| {name} | {arguments} | {marks} | {match['what']} |\n"
