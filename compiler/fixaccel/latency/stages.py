# SPDX-License-Identifier: Apache-2.0
"""The stages of an order as a daemon names them, in their order; some paths have but a few."""

FIRST = ("wake", "parse", "decide", "journal", "lease", "engine", "send")  # from T1 to T2
SECOND = ("answer_wake", "answer_parse", "answer_journal", "answer_out")  # from T3 to T4
