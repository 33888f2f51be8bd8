# SPDX-License-Identifier: Apache-2.0
"""Messages as decoded, and as JSON: the same names, whole numbers and decimals exact."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from fixaccel.fast.errors import EncodingError
from fixaccel.fast.initial import InitialError, decimal_value
from fixaccel.fast.model import (
    Group,
    Item,
    Kind,
    Reference,
    Repeated,
    Scalar,
    Scaled,
    SplitDecimal,
    Template,
    Templates,
    Value,
)

Fields: TypeAlias = dict[str, "Content"]  # by label; absent fields are not in it


@dataclass(frozen=True)
class Message:
    """A template and what it carries."""

    template: Template
    fields: Fields


Content: TypeAlias = Value | Fields | list[Fields] | Message

TEMPLATE, ID, FIELDS = "template", "id", "fields"  # of a message in JSON


def to_json(message: Message) -> dict[str, Any]:
    """Decimals become ``{"exponent", "mantissa"}``, byte vectors hexadecimal digits, strings text.

    Bytes of a string that are no UTF-8 become lone surrogates, as Python's `surrogateescape` does it.
    """
    template = message.template
    return {TEMPLATE: template.name.local, ID: template.id, FIELDS: _fields(template.items, message.fields)}


def _fields(items: Iterable[Item], fields: Fields) -> dict[str, Any]:
    return {item.label: _content(item, fields[item.label]) for item in items if item.label in fields}


def _content(item: Item, content: Content) -> Any:  # noqa: ANN401 - what JSON can hold
    match item, content:
        case _, Message():
            return to_json(content)
        case Repeated(), list():
            return [_fields(item.items, element) for element in content]
        case Group(), dict():
            return _fields(item.items, content)
        case _, Scaled():
            return {"exponent": content.exponent, "mantissa": content.mantissa}
        case Scalar(), bytes():
            return content.hex() if item.kind is Kind.BYTES else content.decode("utf-8", "surrogateescape")
    return content


def from_json(data: Any, templates: Templates) -> Message:  # noqa: ANN401 - what JSON can hold
    """The message of an object as `to_json` makes it; ``template`` or ``id`` is enough, and a decimal may be text.

    Raises EncodingError.
    """
    return _message(data, templates, "")


def _message(data: Any, templates: Templates, path: str) -> Message:  # noqa: ANN401
    if not isinstance(data, Mapping):
        raise EncodingError(path, "a message is an object")
    if unknown := set(data) - {TEMPLATE, ID, FIELDS}:
        raise EncodingError(path, f"a message has `{TEMPLATE}`, `{ID}` and `{FIELDS}`, not `{min(unknown)}`")
    name, number = data.get(TEMPLATE), data.get(ID)
    found = [one for one in templates.all if (name in {None, one.name.local}) and (number in {None, one.id})]
    if len(found) != 1 or (name is None and number is None):
        named = " ".join(str(given) for given in (name, number) if given is not None) or "without a name"
        raise EncodingError(path, f"{'no' if not found else 'more than one'} template {named}")
    template = found[0]
    return Message(template, _read_fields(template.items, data.get(FIELDS, {}), templates, path))


def _read_fields(items: Iterable[Item], data: Any, templates: Templates, path: str) -> Fields:  # noqa: ANN401
    if not isinstance(data, Mapping):
        raise EncodingError(path, "fields are an object")
    by_label = {item.label: item for item in items}
    for label in data:
        if label not in by_label:
            raise EncodingError(path, f"there is no field `{label}`")
    return {
        label: _read(item, data[label], templates, f"{path}.{label}" if path else label)
        for label, item in by_label.items()
        if data.get(label) is not None
    }


def _read(item: Item, data: Any, templates: Templates, path: str) -> Content:  # noqa: ANN401
    match item:
        case Reference():
            return _message(data, templates, path)
        case Group():
            return _read_fields(item.items, data, templates, path)
        case Repeated():
            if not isinstance(data, list):
                raise EncodingError(path, "a sequence is a list")
            return [_read_fields(item.items, one, templates, f"{path}[{at}]") for at, one in enumerate(data)]
        case SplitDecimal():
            return _decimal(data, path)
        case _:
            return _decimal(data, path) if item.kind is Kind.DECIMAL else _plain(item.kind, data, path)


def _plain(kind: Kind, data: Any, path: str) -> Value:  # noqa: ANN401
    if kind.is_integer:
        if not isinstance(data, int) or isinstance(data, bool):
            raise EncodingError(path, "it is a whole number")
        return data
    if not isinstance(data, str):
        raise EncodingError(path, "it is a text")
    try:
        return bytes.fromhex(data) if kind is Kind.BYTES else data.encode("utf-8", "surrogateescape")
    except ValueError:
        what = "pairs of hexadecimal digits" if kind is Kind.BYTES else "text that UTF-8 can hold"
        raise EncodingError(path, f"it is {what}") from None


def _decimal(data: Any, path: str) -> Scaled:  # noqa: ANN401
    if isinstance(data, str):
        try:
            return decimal_value(data)
        except InitialError as error:
            raise EncodingError(path, str(error)) from None
    if isinstance(data, Mapping) and set(data) == {"exponent", "mantissa"}:
        parts = data["exponent"], data["mantissa"]
        if all(isinstance(part, int) and not isinstance(part, bool) for part in parts):
            return Scaled(*parts)
    raise EncodingError(path, 'a decimal is text, or an object of whole numbers "exponent" and "mantissa"')
