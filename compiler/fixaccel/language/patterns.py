# SPDX-License-Identifier: Apache-2.0
"""Forms of names, shared by files and command line."""

import re

from fixaccel.hwmap import load_hwmap

RULE_ID = re.compile(r"[a-z0-9][a-z0-9_.-]{0,31}\Z")
HWMAP = load_hwmap()
SYMBOL = re.compile(rf"[A-Za-z0-9._/^-]{{1,{HWMAP.constant('symbol_chars')}}}\Z")
COMP_ID = re.compile(r"[A-Za-z0-9._:/-]{1,64}\Z")
