"""Asks the libraries: each in a process of its own, one line at a time, with a limit of time for each.

A library that answers nothing in time, or whose process ends, has refused that row; it is started anew for the next.
"""

import json
import os
import select
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILT = HERE.parent / "target/compare"
SECONDS = 10
# How a note begins that stands in the place of an answer.
NO_ANSWER = "no answer: "


@dataclass
class Call:
    """One way to call one library."""

    library: str
    how: str  # what a table says of it
    command: list
    by_hand: bool = False  # is given the part that was cut out by hand
    keeps_digits: bool = False  # its numbers are compared digit by digit, not as doubles
    told_the_ending: bool = True  # only thusfar asks for it


def calls():
    """All of them, in the order of the tables."""
    python = [sys.executable, str(HERE / "ask_python.py")]
    node = ["node", str(HERE / "ask_node.mjs")]

    def both(library, command, how=""):
        yield Call(library, f"{how}, the reply" if how else "the reply", command)
        yield Call(library, f"{how}, the part" if how else "the part", command, by_hand=True)

    def npm(library):
        return both(library, [*node, library, str(BUILT / "npm")])

    thusfar = [str(BUILT / "cargo/release/thusfar"), "batch", "-"]
    llm_json = [str(BUILT / "cargo/release/compare-llm-json")]
    return [
        Call("thusfar", "the reply", thusfar, keeps_digits=True),
        Call("thusfar", "not told the ending", thusfar, keeps_digits=True, told_the_ending=False),
        *both("json_repair", [*python, "json_repair"]),
        Call("json_repair", "strict=True, the reply", [*python, "json_repair-strict"]),
        *npm("jsonrepair"),
        *both("llm_json", llm_json),
        *both("llm_json", [*llm_json, "unicode"], "ensure_ascii: false"),
        *both("partial-json-parser", [*python, "partial-json-parser"]),
        *npm("partial-json"),
        *both("jiter", [*python, "jiter-trailing-strings"], "trailing-strings"),
        *both("jiter", [*python, "jiter-on"], "partial_mode=True"),
        *both("json.loads", [*python, "json"]),
    ]


class Process:
    """A process that answers each line with a line."""

    def __init__(self, command):
        self.command = command
        self.child = None

    def ask(self, request):
        """The answer, or `None` and why there is none."""
        if self.child is None:
            self.child = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        try:
            self.child.stdin.write(request.encode() + b"\n")
            self.child.stdin.flush()
            answer = self.line()
        except BrokenPipeError:
            answer = ""
        if answer:
            return answer, ""
        self.stop()
        return None, NO_ANSWER + ("the process ended" if answer == "" else f"nothing in {SECONDS} s")

    def line(self):
        """The next line, "" if the process ended, `None` if nothing came in time."""
        held = b""
        out = self.child.stdout.fileno()
        while not held.endswith(b"\n"):
            if not select.select([out], [], [], SECONDS)[0]:
                return None
            piece = os.read(out, 1 << 16)
            if not piece:
                return ""
            held += piece
        return held.decode("utf-8", "surrogatepass")

    def stop(self):
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            self.child = None


def ask(call, rows):
    """For each row the line that the library answered, or `None` and a note."""
    process = Process(call.command)
    answers = []
    for row in rows:
        text = row.part if call.by_hand else row.text
        ending = row.ending if call.told_the_ending else "unknown"
        request = {"id": row.id, "text": text, "root": row.root, "ending": ending}
        answers.append(process.ask(json.dumps(request, ensure_ascii=False)))
    process.stop()
    return answers
