"""Judges what a library answered to a row: right, guessed, wrong, cut taken as whole, refused.

The rules, in words and with their reasons, stand in README.md.
"""

import json
import math
from dataclasses import dataclass
from decimal import Decimal

VERDICTS = ("right", "guessed", "wrong", "cut taken as whole", "refused")


@dataclass
class Answer:
    """What a library said: a value, or none and its words."""

    has_value: bool
    value: object = None
    said: str = ""


def answer_of(line, note, row):
    """Reads an answer; a value of another kind than was asked for is none: every caller sees that."""
    if line is None:
        return Answer(False, said=note)
    report = json.loads(line, parse_float=Decimal)
    if "outcome" in report:  # a report of `thusfar batch`
        if report["outcome"] != "ok":
            failure = report["failure"]
            return Answer(False, said=f"{report['outcome']}, {failure['code']}: {failure['message']}")
        value = report["document"]
    elif "error" in report:
        return Answer(False, said=str(report["error"]))
    else:
        value = report["value"]
    if not fits(value, row.root):
        return Answer(False, said=f"not of the kind that was asked for: {shown(value, 80)}")
    return Answer(True, value)


def fits(value, root):
    kinds = {"object": dict, "array": list, "any": (dict, list)}
    # json_repair says "" where it finds no JSON; a reply that is an empty string has no row here.
    return isinstance(value, kinds[root]) if root in kinds else value != ""


def equal(value, other, keeps_digits):
    """Equal by value, the order of members aside; numbers as doubles, unless the library keeps their digits."""
    if isinstance(value, dict):
        same = isinstance(other, dict) and value.keys() == other.keys()
        return same and all(equal(item, other[key], keeps_digits) for key, item in value.items())
    if isinstance(value, list):
        same = isinstance(other, list) and len(value) == len(other)
        return same and all(equal(*pair, keeps_digits) for pair in zip(value, other))
    if is_number(value) and is_number(other):
        if keeps_digits:
            return Decimal(value) == Decimal(other)
        value, other = double(value), double(other)
        return value == other or math.isnan(value) and math.isnan(other)
    return type(value) is type(other) and value == other


def is_number(value):
    """Infinity and NaN, which JSON cannot write, come from `ask_node.mjs` as strings with a NUL."""
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool) or is_nonfinite(value)


def is_nonfinite(value):
    return value in ("\0NaN", "\0Infinity", "\0-Infinity") if isinstance(value, str) else False


def double(number):
    try:
        return float(number.lstrip("\0") if isinstance(number, str) else number)
    except OverflowError:
        return math.copysign(math.inf, number)


def judge(row, answer, keeps_digits):
    """The verdict; a refusal that is not right by the label alone is `None` until all libraries have answered."""
    hit = answer.has_value and any(equal(meant, answer.value, keeps_digits) for meant in row.values)
    if not answer.has_value:
        return None if row.means == "whole" else "right"
    if row.means == "several":
        return "guessed" if hit else "wrong"
    if hit:
        return "right"
    return "cut taken as whole" if row.means == "cut" else "wrong"


def settle(rows, verdicts):
    """Decides the open refusals: refused, where the vector wants a value or some library got it; right otherwise."""
    for at, row in enumerate(rows):
        to_be_had = row.certain or any(of_call[at] == "right" for of_call in verdicts)
        for of_call in verdicts:
            if of_call[at] is None:
                of_call[at] = "refused" if to_be_had else "right"


def difference(meant, value, path=""):
    """The first place where a value is not what was meant: its JSON pointer, what stands there and what was meant."""
    if equal(meant, value, keeps_digits=False):
        return None
    if isinstance(meant, dict) and isinstance(value, dict):
        for key, item in meant.items():
            if key not in value:
                return f"{path}/{key} is missing"
            if found := difference(item, value[key], f"{path}/{key}"):
                return found
        return f"{path}/{next(key for key in value if key not in meant)} is invented"
    if isinstance(meant, list) and isinstance(value, list):
        for at, pair in enumerate(zip(meant, value)):
            if found := difference(*pair, f"{path}/{at}"):
                return found
        what = f"invented: {shown(value[len(meant)], 40)}" if len(value) > len(meant) else "missing"
        return f"{path}/{min(len(meant), len(value))} is {what}"
    return f"{path} is {shown(value, 50)}, not {shown(meant, 50)}"


def shown(value, width=150):
    """A value on one line, shortened in its middle. A reply is shown as it is, but for its line ends."""
    return on_one_line(json.dumps(value, ensure_ascii=False, default=float), width)


def on_one_line(text, width=150):
    """A text on one line, shortened in its middle; a line end is an arrow, so that it is not taken for an escape."""
    text = "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in text.replace("\n", "⏎"))
    side = width // 2
    return text if len(text) <= width else f"{text[:side]} … {text[-side:]}"
