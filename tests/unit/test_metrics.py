# SPDX-License-Identifier: Apache-2.0
"""The daemon's figures as Prometheus reads them; the daemon itself is in tests/e2e/test_metrics.py."""

import json
import threading
import urllib.error
import urllib.request

import pytest
from click.testing import CliRunner
from prometheus_client.parser import text_string_to_metric_families

from fixaccel.board import metrics
from fixaccel.cli.metrics import metrics as command

ANSWER = {
    "ok": True,
    "phase": "armed",
    "logged_on": True,
    "armed": True,
    "dry_run": False,
    "waiting": False,
    "problem": "",
    "killed": False,
    "rules": 7,
    "in_doubt": 0,
    "resting": 2,
    "limits_changed": 1,
    "next_sender": 12,
    "next_target": 90,
    "generation": 5,
    "hold_cycles": 3,
    "load_ms": 250.0,
    "parser_lost": False,
    "parser_gaps": 1,
    "standing_in": False,
    "stand_ins": 2,
    "cancels_due": 2,
    "uncovered": 1,
    "clock_apart_ns": -2_000_000,
    "clock_synchronised": True,
    "clock_max_error_us": 250,
    "host_verified": False,
    "host_drifted": 3,
    "counters": {"frames": 17, "rejected_kill": 1},
    "tally": {
        "records": {"fire": 4, "armed": 1},
        "fires": [
            {"where": "fabric", "outcome": "sent", "count": 3},
            {"where": "runtime", "outcome": "rejected:lease", "count": 1},
        ],
        "sessions": {"logon": 1},
        "loads": {"hot": 2},
        "reports": {"filled": 3},
        "fabric_cycles": {"bounds": [4, 8], "counts": [1, 3], "count": 4, "sum": 40.0},
        "runtime_ns": {"bounds": [1e4, 1e6], "counts": [0, 1], "count": 1, "sum": 5e5},
    },
    "order_times": {"rule": {"wake": {"bounds": [1023, 2047], "counts": [1, 2], "count": 3, "sum": 9000}}},
}


@pytest.fixture
def says(monkeypatch):
    """Sets what the daemon answers, or raises."""

    def set_answer(answer):
        def ask(_self):
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr(metrics.DaemonCollector, "ask", ask)

    set_answer(ANSWER)
    return set_answer


def samples(text):
    """Values by name and labels."""
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_each_figure_in_its_unit(says):
    found = samples(metrics.text_of("unix:/x"))
    assert found[("fixaccel_up",)] == 1
    assert found[("fixaccel_armed",)] == 1
    assert found[("fixaccel_killed",)] == 0
    assert found[("fixaccel_phase", "armed")] == 1
    assert found[("fixaccel_next_msg_seq_num", "out")] == 12
    assert found[("fixaccel_clock_apart_seconds",)] == pytest.approx(-0.002)
    assert found[("fixaccel_clock_synchronised",)] == 1
    assert found[("fixaccel_clock_max_error_seconds",)] == pytest.approx(250e-6)
    assert found[("fixaccel_host_verified",)] == 0
    assert found[("fixaccel_host_drifted",)] == 3
    assert found[("fixaccel_load_seconds",)] == 0.25
    assert found[("fixaccel_fires_total", "fabric", "sent")] == 3
    assert found[("fixaccel_fires_total", "rejected:lease", "runtime")] == 1
    assert found[("fixaccel_journal_records_total", "fire")] == 4
    assert found[("fixaccel_loads_total", "hot")] == 2
    assert found[("fixaccel_parser_gaps_total",)] == 1
    assert found[("fixaccel_stand_ins_total",)] == 2
    assert found[("fixaccel_fabric_frames_total",)] == 17
    assert found[("fixaccel_fabric_order_cycles_bucket", "8.0")] == 3
    assert found[("fixaccel_fabric_order_cycles_bucket", "+Inf")] == 4
    assert found[("fixaccel_runtime_order_seconds_bucket", "0.001")] == 1
    assert found[("fixaccel_order_latency_seconds_bucket", "2.047e-06", "rule", "wake")] == 2
    assert found[("fixaccel_order_latency_seconds_bucket", "+Inf", "rule", "wake")] == 3
    assert found[("fixaccel_order_latency_seconds_sum", "rule", "wake")] == pytest.approx(9e-6)
    assert found[("fixaccel_runtime_order_seconds_sum",)] == pytest.approx(5e-4)


def test_a_counter_of_the_fabric_has_its_help_from_the_hardware_map(says):
    assert (
        "HELP fixaccel_fabric_rejected_kill_total Fires rejected by the kill switch. By the board."
        in metrics.text_of("unix:/x")
    )


def test_nobody_answers(says):
    says(metrics.ControlError("no daemon answers at unix:/x"))
    result = CliRunner().invoke(command, ["--to", "unix:/x"])
    assert (result.exit_code, result.output) == (2, "Error: no daemon answers at unix:/x\n")
    assert samples(metrics.generate_latest(metrics.registry_of("unix:/x")).decode()) == {("fixaccel_up",): 0}
    assert metrics.health("unix:/x") == (
        False,
        {"healthy": False, "answers": False, "problem": "no daemon answers at unix:/x"},
    )


@pytest.mark.parametrize("amiss", [{"problem": "the venue does not answer"}, {"parser_lost": True}])
def test_what_is_amiss_is_not_healthy(says, amiss):
    assert metrics.health("unix:/x")[0]
    says({**ANSWER, **amiss})
    assert not metrics.health("unix:/x")[0]


@pytest.mark.parametrize("address", ["9464", ":9464", "localhost:", "localhost:99999", "localhost:http"])
def test_an_address_that_is_none(address):
    result = CliRunner().invoke(command, ["--listen", address])
    assert (result.exit_code, "is not HOST:PORT" in result.output) == (2, True)


def test_over_http(says):
    with metrics.server("unix:/x", "127.0.0.1", 0) as serving:
        thread = threading.Thread(target=serving.serve_forever, daemon=True)
        thread.start()
        base = f"http://127.0.0.1:{serving.server_address[1]}"

        def get(path):
            try:
                with urllib.request.urlopen(base + path, timeout=10) as answer:
                    return answer.status, answer.read().decode()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, error.read().decode()

        status, text = get("/metrics")
        assert (status, samples(text)[("fixaccel_rules",)]) == (200, 7)
        status, text = get("/health")
        assert (status, json.loads(text)["phase"]) == (200, "armed")
        says({**ANSWER, "problem": "the kill switch is on"})
        assert get("/health")[0] == 503
        assert get("/else")[0] == 404
        serving.shutdown()
        thread.join(10)
