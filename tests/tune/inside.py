# SPDX-License-Identifier: Apache-2.0
"""Runs commands inside a namespace, in one process: a list of argument lists in, exit codes and answers out, in JSON.

A list that begins with `sh` is a program's, all others are `fixaccel tune`'s.
"""

import json
import subprocess
import sys

from click.testing import CliRunner

from fixaccel.cli.main import cli


def answer(words: list[str]) -> tuple[int, str]:
    if words[0] == "sh":
        done = subprocess.run(["sh", "-c", words[1]], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout or done.stderr
    result = CliRunner().invoke(cli, ["tune", *words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout if "--json" in words and result.stdout else result.output


print(json.dumps([answer(words) for words in json.loads(sys.argv[1])]))
