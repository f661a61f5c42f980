"""Contradicting prefixes: how often a reader of unfinished JSON shows what the document does not hold.

Every document that thusfar gives for a reply of `tests/corpus`, cut behind every character. A prefix contradicts when the value
that a library gives for it holds what the whole document does not extend: another number or literal, a string that the whole
one does not begin with, an element or a key that is not there. `cargo bench --bench live -- prefixes` does the same for thusfar.
"""

import json
import subprocess
import sys
from dataclasses import dataclass

import ask
import rows


@dataclass
class Tally:
    """What a library has shown."""

    prefixes: int = 0
    shown: int = 0
    contradicting: int = 0
    documents: int = 0


def number(value):
    """A number as a double; `ask_node.mjs` writes one that is not finite behind a zero character."""
    if isinstance(value, str) and value.startswith("\0"):
        return float(value[1:])
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def extends(whole, part):
    """Whether a whole value extends a part of it."""
    if isinstance(whole, str):
        return isinstance(part, str) and whole.startswith(part)
    if isinstance(whole, list):
        return isinstance(part, list) and len(part) <= len(whole) and all(map(extends, whole, part))
    if isinstance(whole, dict):
        return isinstance(part, dict) and all(key in whole and extends(whole[key], part[key]) for key in part)
    if whole is None or isinstance(whole, bool):
        return part is whole
    is_number = isinstance(part, (int, float)) and not isinstance(part, bool)
    return (is_number or isinstance(part, str) and part.startswith("\0")) and number(whole) == number(part)


def answers(command, requests):
    """What a process answers, a line for a line, without a limit of time."""
    text = "".join(json.dumps(request) + "\n" for request in requests)
    # Not `check`: thusfar says in its exit status that a reply held no document.
    done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE)
    lines = done.stdout.decode("utf-8", "surrogatepass").removesuffix("\n").split("\n")
    if len(lines) != len(requests):
        sys.exit(f"{command[-2:]} answered {len(lines)} lines of {len(requests)}")
    return lines


def documents():
    """The texts of thusfar's documents, each once."""
    replies = [{"id": row.id, "text": row.text, "root": row.root, "ending": "stop"} for row in rows.gather()]
    lines = answers([str(ask.BUILT / "cargo/release/thusfar"), "batch", "-"], replies)
    # Cut out of the line: to read it and write it again would change its numbers.
    given = [line for line in lines if '"outcome":"ok"' in line]
    return sorted({line[line.index('"document":') + len('"document":') : line.rindex(',"repairs":')] for line in given})


def tally(command, texts):
    """How often a library is wrong. No value, and the empty text that stands for none, contradict nothing."""
    found = Tally()
    requests = [{"text": text, "every_prefix": True} for text in texts]
    for text, line in zip(texts, answers(command, requests), strict=True):
        whole, before = json.loads(text), found.contradicting
        for shown in json.loads(line)["values"]:
            found.prefixes += 1
            if shown is not None and shown != [""]:
                found.shown += 1
                found.contradicting += not extends(whole, shown[0])
        found.documents += found.contradicting > before
    return found


def main():
    sys.setrecursionlimit(20_000)  # Some replies are deep.
    texts = documents()
    print(f"{len(texts)} different documents, cut behind every character")
    print(f"{'library':<30} {'prefixes':>10} {'shown':>10} {'contradicting':>14} {'in documents':>14}")
    python = [sys.executable, str(ask.HERE / "ask_python.py")]
    node = ["node", str(ask.HERE / "ask_node.mjs")]
    for name, command in [
        ("AI SDK parsePartialJson", [*node, "ai", str(ask.BUILT / "npm-ai")]),
        ("partial-json", [*node, "partial-json", str(ask.BUILT / "npm")]),
        ("partial-json-parser", [*python, "partial-json-parser"]),
        ("jiter, trailing-strings", [*python, "jiter-trailing-strings"]),
        ("json_repair", [*python, "json_repair"]),
    ]:
        found = tally(command, texts)
        counts = f"{found.prefixes:>10} {found.shown:>10} {found.contradicting:>14} {found.documents:>14}"
        print(f"{name:<30} {counts}", flush=True)


main()
