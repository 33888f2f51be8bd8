# SPDX-License-Identifier: Apache-2.0
"""Who is let in: by host, token, cookie and origin; and the headers of all that is sent."""

import asyncio
from pathlib import Path

import pytest
import uvicorn
from page import get, page, served
from websockets.exceptions import InvalidStatus

from fixaccel.dashboard import serving
from fixaccel.dashboard.app import Dashboard, Sources
from fixaccel.dashboard.fix_names import FixNames
from fixaccel.dashboard.guard import new_token


@pytest.fixture
def static(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>page</title>", encoding="utf-8")
    (folder / "assets" / "app-1234.js").write_text("1;", encoding="utf-8")
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    return folder


async def _refused(port: int, origin: str | None, headers: dict[str, str] | None = None) -> int:
    with pytest.raises(InvalidStatus) as refused:
        async with page(port, origin=origin, additional_headers=headers or {}):
            pass
    return int(refused.value.response.status_code)


def test_on_loopback_the_page_is_there_with_its_headers(static: Path) -> None:
    async def body() -> None:
        async with served(Sources(), static) as port:
            status, headers, text = await get(port, "/")
            assert (status, text[:15]) == (200, b"<!doctype html>")
            assert headers["cache-control"] == "no-store"
            policy = headers["content-security-policy"]
            assert "script-src 'self';" in policy
            assert "unsafe" not in policy
            assert "frame-ancestors 'none'" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert "server" not in headers
            status, headers, _ = await get(port, "/assets/app-1234.js")
            assert status == 200
            assert "immutable" in headers["cache-control"]
            assert "javascript" in headers["content-type"]
            assert (await get(port, "/healthz"))[2] == b'{"ok":true}'
            assert (await get(port, "/none"))[0] == 404
            for path in ("/../secret", "/assets/../../secret", "/%2e%2e/secret", "/assets/%2e%2e%2f%2e%2e%2fsecret"):
                assert (await get(port, path))[0] == 404

    asyncio.run(body())


def test_a_page_that_is_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    async def body() -> None:
        async with served(Sources(), tmp_path / "none") as port:
            status, _, text = await get(port, "/")
            assert status == 503
            assert b"npm ci" in text

    asyncio.run(body())


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "0.0.0.0", "", "[::"])
def test_another_name_that_leads_here_is_refused(static: Path, host: str) -> None:
    """Else a page from elsewhere whose name changes its address would be of the same origin."""

    async def body() -> None:
        async with served(Sources(), static) as port:
            assert (await get(port, "/", {"Host": host}))[0] in {400, 421}
            assert await _refused(port, f"http://{host}", {"Host": host}) in {400, 403}

    asyncio.run(body())


def test_names_of_this_machine_are_not(static: Path) -> None:
    async def body() -> None:
        async with served(Sources(), static) as port:
            for host in ("localhost", "localhost:9000", "127.0.0.1:1", "[::1]:80"):
                assert (await get(port, "/", {"Host": host}))[0] == 200

    asyncio.run(body())


@pytest.mark.parametrize(
    "origin", [None, "null", "https://evil.example", "http://127.0.0.1", "http://localhost:{port}"]
)
def test_a_script_from_elsewhere_gets_no_websocket(static: Path, origin: str | None) -> None:
    async def body() -> None:
        async with served(Sources(), static) as port:
            assert await _refused(port, origin and origin.format(port=port)) == 403
            async with page(port) as here:
                assert (await here.next())["full"]

    asyncio.run(body())


def test_with_a_token_the_first_visit_becomes_a_cookie(static: Path) -> None:
    token = new_token()

    async def body() -> None:
        async with served(Sources(), static, token) as port:
            status, headers, text = await get(port, "/")
            assert status == 401
            assert b"token" in text
            assert "content-security-policy" in headers
            for wrong in ("x", token[:-1], token + "x", "%ff", ""):
                assert (await get(port, f"/?token={wrong}"))[0] == 401
            assert (await get(port, "/assets/app-1234.js"))[0] == 401
            assert (await get(port, "/healthz"))[0] == 200
            assert await _refused(port, f"http://127.0.0.1:{port}") == 403

            status, headers, _ = await get(port, f"/?a=b&token={token}")
            assert (status, headers["location"]) == (303, "/?a=b")
            cookie = headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=strict" in cookie
            visit = {"Cookie": cookie.partition(";")[0]}
            assert (await get(port, "/", visit))[0] == 200
            assert (await get(port, "/assets/app-1234.js", visit))[0] == 200
            # Where a token is needed the page may be asked at any name.
            assert (await get(port, "/", {**visit, "Host": "desk.example:8080"}))[0] == 200
            async with page(port, additional_headers=visit) as here:
                assert (await here.next())["full"]
            assert await _refused(port, "https://evil.example", visit) == 403
            for wrong in ({"Cookie": visit["Cookie"][:-1]}, {"Cookie": ";=;\x01"}, {"Cookie": "other=1"}):
                assert (await get(port, "/", wrong))[0] in {400, 401}

    asyncio.run(body())


def test_the_first_visit_leads_nowhere_else(static: Path) -> None:
    token = new_token()

    async def body() -> None:
        async with served(Sources(), static, token) as port:
            for path in ("//evil.example/", "/\\evil.example", "//evil.example"):
                _, headers, _ = await get(port, f"{path}?token={token}")
                assert headers.get("location", "/")[:2] not in {"//", "/\\"}

    asyncio.run(body())


def test_tokens_are_long_and_each_another() -> None:
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) >= 43


@pytest.mark.parametrize(("host", "shown"), [("0.0.0.0", "0.0.0.0"), ("::", "[::]"), ("desk.example", "desk.example")])
def test_beyond_loopback_the_address_that_is_said_has_a_token(
    static: Path, monkeypatch: pytest.MonkeyPatch, host: str, shown: str
) -> None:
    """Of a socket on loopback: tests listen nowhere else."""
    monkeypatch.setattr(uvicorn.Server, "run", lambda _self, sockets: [each.close() for each in sockets])
    said: list[str] = []
    for _ in range(2):
        made = serving.listen("127.0.0.1", 0)
        port = made.getsockname()[1]
        serving.serve(Dashboard(Sources(), FixNames(), static), made, host, said.append, show=False)
        assert said[-1].startswith(f"http://{shown}:{port}/?token=")
    assert said[0].rpartition("=")[2] != said[1].rpartition("=")[2]
