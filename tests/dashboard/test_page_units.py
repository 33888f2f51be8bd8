# SPDX-License-Identifier: Apache-2.0
"""What the page is made of, without a browser: Vitest over dashboard/src/lib, and what the build may weigh."""

import gzip
import re
import subprocess
from pathlib import Path

import pytest
from stage import STATIC, needs_page

DASHBOARD = Path(__file__).resolve().parents[2] / "dashboard"
_MOST_BYTES = 95_000  # gzipped, all of it


@pytest.mark.skipif(
    not (DASHBOARD / "node_modules").is_dir(), reason="dashboard/node_modules: `make setup` fills it where Node is"
)
def test_units() -> None:
    done = subprocess.run(
        ["npm", "run", "--silent", "test"], cwd=DASHBOARD, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@needs_page
def test_the_build_is_small_and_asks_for_nothing_from_elsewhere() -> None:
    files = {file: file.read_bytes() for file in STATIC.rglob("*") if file.is_file()}
    assert sum(len(gzip.compress(data)) for data in files.values()) < _MOST_BYTES
    for file, data in files.items():
        text = data.decode()
        # Names of XML vocabularies are no addresses.
        found = {
            url for url in re.findall(r"https?://[\w./-]+", text) if "www.w3.org" not in url and "svelte.dev" not in url
        }
        assert found == set(), file
        assert "data:" not in text, file
    page = (STATIC / "index.html").read_text()
    # The server's content security policy lets none of these through.
    assert not re.search(r"<style|style=|<script(?![^>]* src=)|\son\w+=", page)
