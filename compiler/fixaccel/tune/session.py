# SPDX-License-Identifier: Apache-2.0
"""Whether a daemon has a session that a reset of the link would cut."""

from fixaccel.board.control import ControlClient, ControlError, ControlRefusedError

_PATIENCE_S = 3.0
# Of the daemon's phases those in which nothing can be cut.
_APART = {"idle", "logged out", "lost"}


def session_of(endpoint: str) -> str:
    """Why links must not be reset now, empty if they may be: no daemon is there, or it has no session."""
    try:
        with ControlClient(endpoint, timeout_s=_PATIENCE_S) as client:
            phase = str(client.ask("status")["phase"])
    except ControlError as error:
        if isinstance(error.__cause__, FileNotFoundError | ConnectionRefusedError):
            return ""
        return f"nobody knows whether the daemon is logged on: {error}"
    except ControlRefusedError as error:
        return f"nobody knows whether the daemon is logged on: {error}"
    return "" if phase in _APART else f"fixacceld has a session, it is {phase}"
