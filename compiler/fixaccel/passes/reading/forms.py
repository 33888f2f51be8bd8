# SPDX-License-Identifier: Apache-2.0
"""Pass `forms`: the keys of each rule go together, disabled rules too."""

from fixaccel.diagnostics.codes import language as language_codes
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.work import Work
from fixaccel.language.written import WrittenRule

# Key -> forms beside which it has no meaning, with the reason.
_FIRST_PRICE = "a trail's first price only sets its extreme"
_LANDING = "a decision fires where the first price lands"
_BY_CLOCK = "`at` fires by the clock, whatever the market does"
_REFUSED = {
    "ladder": {
        "trail": "`ladder` repeats the condition of `when`",
        "table": "each row of a table has its own condition",
        "decide": "`ladder` repeats the condition of `when`",
        "at": "`ladder` repeats the condition of `when`",
    },
    "confirm": {"trail": _FIRST_PRICE, "decide": _LANDING, "at": _BY_CLOCK},
    "if_already_through": {"trail": _FIRST_PRICE, "decide": _LANDING, "at": _BY_CLOCK},
    "during": {"at": "`at` is a time of day itself"},
}
_NEEDS_ORDER = ("when", "trail", "at")


def run(work: Work) -> None:
    """Reports keys that exclude each other and orders that are missing."""
    for rule in work.written.rules if work.written else ():
        _check_refused(rule, work)
        form = next((name for name in _NEEDS_ORDER if name in rule.keys), None)
        if form and "order" not in rule.keys:
            message, way_out = f"a rule with `{form}` needs `order`", "add `order:` and what to send"
            work.report.add(language_codes.MISSING_KEY, message, rule.span, help=way_out)
        if rule.at and rule.rearm and rule.rearm.value.reset:
            work.report.add(
                language_codes.DOES_NOT_GO_WITH,
                f"`rearm: {{reset}}` does not go with `at`: {_BY_CLOCK}",
                rule.rearm.span,
                related=[Related("`at` here", rule.keys["at"])],
                help="use `rearm: {after: 1s, times: N}`: it fires again at the next such time",
            )


def _check_refused(rule: WrittenRule, work: Work) -> None:
    for name, forms in _REFUSED.items():
        if name not in rule.keys:
            continue
        for form, reason in forms.items():
            if form in rule.keys:
                work.report.add(
                    language_codes.DOES_NOT_GO_WITH,
                    f"`{name}` does not go with `{form}`: {reason}",
                    rule.keys[name],
                    related=[Related(f"`{form}` here", rule.keys[form])],
                    help=f"delete `{name}`",
                )
