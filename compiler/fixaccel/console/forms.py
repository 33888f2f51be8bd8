# SPDX-License-Identifier: Apache-2.0
"""Questions that the console asks: a form of a few fields, and a yes or no."""

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label


class Form(ModalScreen[dict[str, str] | None]):
    """Texts by field name; None if it was given up. Enter goes to the next field and sends behind the last."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "Give up"),
        Binding("ctrl+s", "send", "Send"),
    ]

    def __init__(self, title: str, fields: Mapping[str, str], hints: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._title, self._fields, self._hints = title, dict(fields), dict(hints or {})

    def compose(self) -> ComposeResult:
        with Vertical(classes="question"):
            yield Label(self._title, classes="title")
            for name, value in self._fields.items():
                hint = self._hints.get(name, "")
                yield Label(f"{name}{'  ' + hint if hint else ''}")
                yield Input(value, id=f"field-{name}")
            yield Label("Enter: next, then send   Ctrl+S: send   Esc: give up", classes="keys")

    def on_mount(self) -> None:
        empty = next((name for name, value in self._fields.items() if not value), next(iter(self._fields)))
        self.query_one(f"#field-{empty}", Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """On to the next field."""
        inputs = list(self.query(Input))
        if event.input is inputs[-1]:
            self.action_send()
        else:
            inputs[inputs.index(event.input) + 1].focus()

    def action_send(self) -> None:
        self.dismiss({name: self.query_one(f"#field-{name}", Input).value.strip() for name in self._fields})

    def action_give_up(self) -> None:
        self.dismiss(None)


class Confirm(ModalScreen[bool]):
    """True only for `y`: Enter is pressed too easily."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape,enter", "answer(False)", "No"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="question danger"):
            yield Label(self._question, classes="title")
            yield Label("y: yes   n, Esc: no", classes="keys")

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)
