"""Gathers the replies of `tests/corpus`: what is asked, and what may come out.

What the vectors leave open, a person decided; each such decision is a line of `meant.jsonl`.
"""

import json
import re
import sys
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent / "tests/corpus"


@dataclass
class Row:
    """A reply and what it means."""

    corpus: str
    id: str
    text: str
    part: str  # the text as somebody would cut it out by hand
    root: str
    ending: str
    certain: bool  # the vector itself wants a value
    # whole: one value is meant, and each of `values` is a way to write it
    # cut: unfinished; `values` holds what was meant, where that is known
    # several: more than one reading; `values` holds some
    # none: no document of the kind that was asked for
    means: str
    values: list
    why: str


def read(text):
    """JSON with all digits of its numbers: `int`, or `Decimal` where there is a fraction or an exponent."""
    return json.loads(text, parse_float=Decimal)


def lines(name):
    path = CORPUS / f"{name}.jsonl"
    if not path.exists():
        sys.exit(f"{path} is missing: the comparison needs it")
    return [read(line) for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n")]


# A fence with a JSON label, wherever it stands, or one without a label on a line of its own. The run that closes it
# begins a line: a fence inside a JSON string, whose line ends are escaped, is none.
FENCES = (
    re.compile(r"```[ \t]*json\w*[ \t]*\n(.*?)(?:^[ \t]*```|\Z)", re.S | re.M | re.I),
    re.compile(r"^[ \t]*```[ \t]*\n(.*?)(?:^[ \t]*```|\Z)", re.S | re.M),
)

# A fence with another label is a program.
PROGRAM = re.compile(r"^[ \t]*```[ \t]*(?!json)[a-z]\w*[ \t]*\n.*?(?:^[ \t]*```|\Z)", re.S | re.M | re.I)
REASONING = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.S | re.I)
# What may stand behind the brace that begins an object; `{key: value}` in a sentence is none.
BEGINS = re.compile(r"(\{)\s*(?:[\"'}\\/]|\Z)|\A\s*(\{)\s*\w+\s*:|(\[)")


def by_hand(text, root):
    """The JSON part of a reply, as somebody who looks at it would cut it out.

    Reasoning that the reply begins with goes, and programs; then everything around the first fence, unless it stands
    inside of JSON; then what stands in front of the first opener of the expected kind that looks like one. The end is
    the last closer if that makes strict JSON, otherwise it is the end of the fence or the reply.
    """
    text = PROGRAM.sub("", REASONING.sub("", text))
    fence = next(filter(None, (pattern.search(text) for pattern in FENCES)), None)
    openers = {"object": "{", "array": "["}.get(root, "{[")
    if fence and (begin(text, openers) not in range(fence.start()) or is_json(whole(text[: fence.start()], openers))):
        text = fence.group(1)
    closed = whole(text, openers)
    return closed if is_json(closed) else text[max(begin(text, openers), 0) :]


def whole(text, openers):
    """From the first opener to the last closer of its kind."""
    start = begin(text, openers)
    return text[start : text.rfind("}" if text[start] == "{" else "]") + 1] if start >= 0 else ""


def is_json(text):
    try:
        json.loads(text)
        return True
    except (ValueError, RecursionError):
        return False


def begin(text, openers):
    """Where the first opener stands that looks like one, or the first at all; -1 if there is none."""
    begins = [match.start(match.lastindex) for match in BEGINS.finditer(text) if match[match.lastindex] in openers]
    begins += [at for at in map(text.find, openers) if at >= 0]
    return begins[0] if begins else -1


def captures():
    for row in lines("captures"):
        label = row["label"]
        kind = {"document": "whole", "loop": "cut", "broken": "none"}.get(label["is"], label["is"])
        values = [label["value"]] if kind == "whole" else []
        meant = {"is": kind, "values": values, "why": label.get("why", "")}
        yield row["id"], row["text"], row["root"], row["ending"], meant, kind == "whole"


def known_truth():
    for row in lines("known_truth"):
        kinds, truth, text = row["kinds"], row["truth"], row["text"]
        if "two_documents" in kinds:
            meant = {"is": "several", "values": [truth, second_document(text)]}
        elif row["want"] == "truncated":
            meant = {"is": "cut", "values": [truth]}
        else:
            meant = {"is": "whole", "values": [truth, *with_inner_quotes(truth, text, kinds)]}
        meant["why"] = ", ".join(kinds)
        yield row["id"], text, row["root"], "unknown", meant, row["want"] == "value"


def second_document(text):
    """The document that the damage `two_documents` put on a line of its own behind the first."""
    for line in reversed(text.split("\n")):
        if line.startswith("{"):
            return json.JSONDecoder(parse_float=Decimal).raw_decode(line)[0]
    sys.exit(f"no second document in {text!r}")


def with_inner_quotes(value, text, kinds):
    """The damage `inner_quote` also adds a word: the value with the quotes and the word is what a reader sees."""
    if "inner_quote" not in kinds:
        return []
    written = json.dumps(text, ensure_ascii=False)

    def damaged(part):
        if isinstance(part, dict):
            return {key: damaged(item) for key, item in part.items()}
        if isinstance(part, list):
            return [damaged(item) for item in part]
        if isinstance(part, str) and " " in part:
            first, rest = part.split(" ", 1)
            quoted = f'{first} "{rest}" end'
            # The quotes stand raw in the text, the rest of the string as JSON writes it.
            raw = '{} "{}" end'.format(*(json.dumps(piece, ensure_ascii=False)[1:-1] for piece in (first, rest)))
            return quoted if raw in text else part
        return part

    other = damaged(value)
    if other == value:
        sys.exit(f"the inner quotes are not found: {written}")
    return [other]


def reference():
    for row in lines("reference"):
        yield row["name"], row["text"], row["root"], "unknown", *wanted(row["want"])


def cases():
    for row in lines("cases"):
        # `utf8-invalid-bytes` is no text: no library here could be given it.
        if row["kind"] != "json" or row["id"] == "utf8-invalid-bytes":
            continue
        expected, text = row["expected"], row["input"]
        listed = isinstance(expected.get("value"), list) or text.lstrip().startswith("[")
        yield row["id"], text, "any" if listed else "object", "unknown", *wanted(expected)


def wanted(want):
    outcome, why = want["outcome"], want.get("why") or want.get("note") or want.get("why_debatable") or ""
    if outcome in ("ok", "ok_repaired"):
        return {"is": "whole", "values": [want["value"]], "why": why}, True
    kind = {"truncated": "cut", "not_found": "none"}.get(outcome)
    return {"is": kind, "values": [], "why": why}, False


def gather():
    """All rows, in the order of the files."""
    meant = {}
    for line in (Path(__file__).parent / "meant.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n"):
        said = read(line)
        meant[said["corpus"], said["id"]] = said
    rows = []
    for found in (captures, known_truth, reference, cases):
        corpus = found.__name__
        for name, text, root, ending, label, certain in found():
            said = meant.pop((corpus, name), None)
            if said:
                values = [read(text)] if said.get("strict") else said.get("values", [])
                label = {"is": said["is"], "values": values, "why": said.get("why") or label["why"]}
            if label["is"] is None:
                sys.exit(f"{corpus} {name}: `meant.jsonl` does not say what it means")
            rows.append(Row(corpus, name, text, by_hand(text, root), root, ending, certain, **label_fields(label)))
    if meant:
        sys.exit(f"no such rows: {sorted(meant)}")
    return rows


def label_fields(label):
    return {"means": label["is"], "values": label["values"], "why": label["why"]}
