# SPDX-License-Identifier: Apache-2.0
"""A daemon's figures as Prometheus metrics, and its health.

The daemon only counts; this runs in a process of its own and asks it over the control socket, so nothing that scrapes
can hold up trading.
"""

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from http import HTTPStatus
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from wsgiref.types import StartResponse, WSGIEnvironment

from prometheus_client import CollectorRegistry, generate_latest, make_wsgi_app
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from fixaccel.board.control import ControlClient, ControlError, ControlRefusedError
from fixaccel.hwmap import load_hwmap

Answer = dict[str, Any]

_NS = 1e-9
_US = 1e-6
_TIMEOUT_S = 5.0
_COUNTER = "count_"

# Name, help, and where it stands in the daemon's answer.
_GAUGES: list[tuple[str, str, Callable[[Answer], float]]] = [
    ("armed", "The board is armed.", lambda a: a["armed"]),
    ("dry_run", "A dry run is on: no order leaves.", lambda a: a["dry_run"]),
    ("killed", "The kill switch is on.", lambda a: a["killed"]),
    (
        "logged_on",
        "All FIX sessions are logged on: that of orders and, where it is another, that of market data.",
        lambda a: a["logged_on"],
    ),
    ("problem", "What was asked for did not come about.", lambda a: bool(a["problem"])),
    ("rules", "Rules that are loaded.", lambda a: a["rules"]),
    ("rules_in_doubt", "Rules that may have fired unseen.", lambda a: a["in_doubt"]),
    ("limits_changed", "Limits that the risk desk has changed for a time.", lambda a: a["limits_changed"]),
    ("orders_resting", "Our own orders that rest, as far as the venue has said.", lambda a: a["resting"]),
    ("cancels_due", "Orders that rules have put an end to, not cancelled yet.", lambda a: a["cancels_due"]),
    ("rules_uncovered", "Exits whose entry was filled beyond what they have sent.", lambda a: a["uncovered"]),
    ("parser_lost", "The fabric's parser has lost the stream while armed.", lambda a: a["parser_lost"]),
    ("standing_in", "The runtime stands in for a fabric that does not see the market.", lambda a: a["standing_in"]),
    ("clock_apart_seconds", "System's clock less the daemon's.", lambda a: a["clock_apart_ns"] * _NS),
    ("clock_synchronised", "Somebody synchronises the system's clock.", lambda a: a["clock_synchronised"]),
    (
        "clock_max_error_seconds",
        "How far the system's clock may be from UTC, by whoever synchronises it.",
        lambda a: a["clock_max_error_us"] * _US,
    ),
    ("host_verified", "The machine is as `fixaccel tune` has set it.", lambda a: a["host_verified"]),
    ("host_drifted", "Values of the machine that are no longer as they were set.", lambda a: a["host_drifted"]),
    ("load_seconds", "Time that the last load took.", lambda a: a["load_ms"] / 1e3),
    ("load_hold_cycles", "Cycles that messages waited for the last load while armed.", lambda a: a["hold_cycles"]),
]
_COUNTERS: list[tuple[str, str, Callable[[Answer], float]]] = [
    ("parser_gaps", "Times the parser lost the stream while armed.", lambda a: a["parser_gaps"]),
    ("stand_ins", "Times the runtime began to stand in for the fabric.", lambda a: a["stand_ins"]),
]
# Name, help, key of the tally, label.
_LABELLED = [
    ("journal_records", "Records that were written, by type.", "records", "type"),
    ("sessions", "Logons, logouts and losses of the session.", "sessions", "event"),
    ("loads", "Loads begun, disarmed or while armed.", "loads", "how"),
    ("order_reports", "The venue's execution reports, by the order's status.", "reports", "status"),
]


class DaemonCollector(Collector):
    """Metrics of the daemon at ``endpoint``, asked anew at each scrape."""

    def __init__(self, endpoint: str, timeout_s: float = _TIMEOUT_S) -> None:
        self._endpoint, self._timeout_s = endpoint, timeout_s
        self._one_at_a_time = threading.Lock()

    def ask(self) -> Answer:
        """The daemon's figures. Raises ControlError, ControlRefusedError."""
        with self._one_at_a_time, ControlClient(self._endpoint, timeout_s=self._timeout_s) as client:
            return client.ask("metrics")

    def collect(self) -> Iterator[Metric]:
        """All metrics; `fixaccel_up` alone when the daemon does not answer."""
        try:
            answer = self.ask()
        except (ControlError, ControlRefusedError):
            answer = None
        yield GaugeMetricFamily("fixaccel_up", "The daemon answers.", value=answer is not None)
        if answer is not None:
            yield from metrics_of(answer)


def metrics_of(answer: Answer) -> Iterator[Metric]:
    """The metrics of one ``answer`` to the command `metrics`."""
    for name, text, value in _GAUGES:
        yield GaugeMetricFamily(f"fixaccel_{name}", text, value=float(value(answer)))
    for name, text, value in _COUNTERS:
        yield CounterMetricFamily(f"fixaccel_{name}", text, value=float(value(answer)))
    phase = GaugeMetricFamily("fixaccel_phase", "What the session is at.", labels=["phase"])
    phase.add_metric([answer["phase"]], 1)
    yield phase
    number = GaugeMetricFamily("fixaccel_next_msg_seq_num", "MsgSeqNum(34) that is next.", labels=["direction"])
    number.add_metric(["out"], answer["next_sender"])
    number.add_metric(["in"], answer["next_target"])
    yield number
    yield from _tallied(answer["tally"])
    yield _order_times(answer["order_times"])
    docs = {register.name: register.doc for register in load_hwmap().registers.values()}
    for name, value in answer["counters"].items():
        text = docs.get(_COUNTER + name, name)
        yield CounterMetricFamily(f"fixaccel_fabric_{name}", f"{text} By the board.", value=value)


def _tallied(tally: Answer) -> Iterator[Metric]:
    """What the daemon has recorded since it was started."""
    fires = CounterMetricFamily("fixaccel_fires", "Fires of rules.", labels=["where", "outcome"])
    for each in tally["fires"]:
        fires.add_metric([each["where"], each["outcome"]], each["count"])
    yield fires
    for name, text, key, label in _LABELLED:
        family = CounterMetricFamily(f"fixaccel_{name}", text, labels=[label])
        for value, count in tally[key].items():
            family.add_metric([value], count)
        yield family
    yield _histogram(
        "fabric_order_cycles", "Cycles from a message's last byte to its order's first.", tally["fabric_cycles"], 1
    )
    yield _histogram(
        "runtime_order_seconds",
        "From a message being read to the kernel having the runtime's order, the journal included.",
        tally["runtime_ns"],
        _NS,
    )


def _order_times(times: Answer) -> Metric:
    family = HistogramMetricFamily(
        "fixaccel_order_latency_seconds",
        "Where the time of orders goes: each stage, T1 to T2, T3 to T4, and both together (inner).",
        labels=["path", "part"],
    )
    for path, parts in times.items():
        for part, report in parts.items():
            family.add_metric([path, part], _buckets(report, _NS), report["sum"] * _NS)
    return family


def _label(bound: float) -> str:
    text: str = floatToGoString(round(bound, 9))  # type: ignore[no-untyped-call]
    return text


def _histogram(name: str, text: str, report: Answer, unit: float) -> Metric:
    family = HistogramMetricFamily(f"fixaccel_{name}", text)
    family.add_metric([], _buckets(report, unit), report["sum"] * unit)
    return family


def _buckets(report: Answer, unit: float) -> list[tuple[str, float]]:
    buckets = [(_label(bound * unit), count) for bound, count in zip(report["bounds"], report["counts"], strict=True)]
    return [*buckets, ("+Inf", report["count"])]


def registry_of(endpoint: str) -> CollectorRegistry:
    """A registry with the daemon at ``endpoint`` alone."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(DaemonCollector(endpoint))
    return registry


def text_of(endpoint: str) -> str:
    """The metrics in Prometheus' text format. Raises ControlError, ControlRefusedError."""
    DaemonCollector(endpoint).ask()
    return generate_latest(registry_of(endpoint)).decode()


def health(endpoint: str) -> tuple[bool, Answer]:
    """Whether all is as it was asked to be, and what is."""
    try:
        answer = DaemonCollector(endpoint).ask()
    except (ControlError, ControlRefusedError) as error:
        return False, {"healthy": False, "answers": False, "problem": str(error)}
    told = {key: answer[key] for key in ("phase", "armed", "dry_run", "killed", "in_doubt", "problem")}
    healthy = not answer["problem"] and not answer["parser_lost"]
    return healthy, {"healthy": healthy, "answers": True, **told}


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Nothing: a scrape every few seconds is no news."""


def server(endpoint: str, host: str, port: int) -> WSGIServer:
    """Serves `/metrics` and `/health` of the daemon at ``endpoint``; port 0 takes a free one. Raises OSError."""
    metrics = make_wsgi_app(registry_of(endpoint))

    def app(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path == "/metrics":
            page: Iterable[bytes] = metrics(environ, start)
            return page
        if path != "/health":
            return _answer(start, HTTPStatus.NOT_FOUND, {"error": "there are /metrics and /health"})
        healthy, told = health(endpoint)
        return _answer(start, HTTPStatus.OK if healthy else HTTPStatus.SERVICE_UNAVAILABLE, told)

    return make_server(host, port, app, server_class=_Server, handler_class=_Quiet)


def _answer(start: StartResponse, status: HTTPStatus, body: Answer) -> list[bytes]:
    start(f"{status.value} {status.phrase}", [("Content-Type", "application/json")])
    return [json.dumps(body).encode() + b"\n"]
