"""Runs the comparison and writes it down: `run.sh` starts this in the environment that it made.

Prints the tables and writes them, with versions, lost rows and telling rows, to `results/DATE.md`.
"""

import collections
import datetime
import importlib.metadata
import json
import re
import subprocess
import sys
from pathlib import Path

import ask
import judge
import rows

HERE = Path(__file__).resolve().parent
VECTORS = ("known_truth", "reference", "cases")
TITLES = {
    "captures": "captures: real replies of small models, labelled by hand",
    "known_truth": "known_truth: made by known damage from a known document",
    "reference": "reference: small replies, one idea each",
    "cases": "cases: re-created from public bug reports, kind json",
}
HEAD = ["library", "given", "right", "by refusing", *judge.VERDICTS[1:]]
# Damage that no repair of thusfar undoes, the telling one first where a row has several.
DAMAGE = (
    "missing_closer",
    "extra_closer",
    "missing_comma",
    "missing_colon",
    "double_comma",
    "inner_quote",
    "single_quotes",
    "python_literal",
    "bareword",
)


class Comparison:
    """All rows, all calls, and what each said to each."""

    def __init__(self):
        self.rows = rows.gather()
        self.calls = ask.calls()
        self.answers = []
        for call in self.calls:
            print(f"asking {call.library} ({call.how})", file=sys.stderr, flush=True)
            heard = ask.ask(call, self.rows)
            self.answers.append([judge.answer_of(*one, row) for one, row in zip(heard, self.rows)])
        self.verdicts = [
            [judge.judge(row, answer, call.keeps_digits) for row, answer in zip(self.rows, answers)]
            for call, answers in zip(self.calls, self.answers)
        ]
        judge.settle(self.rows, self.verdicts)

    def counts(self, call, corpora):
        """How often each verdict was given; behind those that are right, how many of them are refusals."""
        found = zip(self.rows, self.answers[call], self.verdicts[call])
        given = [(verdict, answer.has_value) for row, answer, verdict in found if row.corpus in corpora]
        counted = collections.Counter(verdict for verdict, _ in given)
        right, *others = (counted[verdict] for verdict in judge.VERDICTS)
        return [right, given.count(("right", False)), *others]

    def best(self):
        """Of each library the call that is right most often over all rows; the first of equals."""
        best = {}
        for at, call in enumerate(self.calls):
            right = self.counts(at, TITLES)[0]
            if call.told_the_ending and right > best.get(call.library, (0, 0))[1]:
                best[call.library] = at, right
        return [at for at, _ in best.values()]

    def table(self, calls, corpora):
        lines = [HEAD, ["---"] * len(HEAD)]
        for at in calls:
            call = self.calls[at]
            lines.append([f"`{call.library}`", call.how, *map(str, self.counts(at, corpora))])
        return [f"| {' | '.join(line)} |" for line in lines]

    def which(self, call, *verdicts):
        """The rows of these verdicts, with the answers."""
        found = zip(self.rows, self.answers[call], self.verdicts[call])
        return [(row, answer) for row, answer, verdict in found if verdict in verdicts]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=HERE).stdout.strip()


def versions():
    """What was compared with what, on what."""
    commit = output("git", "rev-parse", "--short", "HEAD")
    if output("git", "status", "--porcelain", "--untracked-files=no"):
        commit += ", changed"
    yield "commit", commit
    for line in output("rustc", "-vV").splitlines():
        yield "rustc", line
    yield "node", output("node", "--version")
    yield "python", sys.version.split()[0]
    for name in ("json_repair", "partial-json-parser", "jiter"):
        yield "PyPI", f"{name} {importlib.metadata.version(name)}"
    for name in ("jsonrepair", "partial-json"):
        package = json.loads((ask.BUILT / "npm/node_modules" / name / "package.json").read_text(encoding="utf-8"))
        yield "npm", f"{name} {package['version']}"
    lock = (HERE / "llm_json/Cargo.lock").read_text(encoding="utf-8")
    yield "crates.io", "llm_json " + re.search(r'name = "llm_json"\nversion = "(.*?)"', lock).group(1)
    yield "command", "compare/run.sh"


def shown_row(row, answer, by_hand=False):
    """Which row, what was read, what came out, and where that is not what was meant."""
    said = judge.shown(answer.value) if answer.has_value else answer.said
    lines = [f"{row.corpus} {row.id}", f"    {judge.on_one_line(row.part if by_hand else row.text)}", f"    -> {said}"]
    if answer.has_value and row.values:
        lines.append(f"    {judge.difference(row.values[0], answer.value)}")
    return lines


def fenced(lines):
    return ["````text", *lines, "````", ""]


def lost(comparison):
    """What thusfar loses: every row by its name, the small ones with their text."""
    by_damage = collections.defaultdict(list)
    small = []
    for row, answer in comparison.which(0, *judge.VERDICTS[1:]):
        if row.corpus == "known_truth":
            kinds = row.why.split(", ")
            by_damage[next((kind for kind in DAMAGE if kind in kinds), row.why)].append((row, answer))
        else:
            small.append((row, answer))
    ranked = sorted(by_damage.items(), key=lambda item: -len(item[1]))
    yield lost_in_words(comparison, ranked, len(small))
    yield ""
    for damage, found in ranked:
        yield f"### known_truth, {damage}, {len(found)} rows"
        yield ""
        yield "The shortest of them, and the names of all:"
        yield ""
        yield from fenced(shown_row(*min(found, key=lambda one: len(one[0].text))))
        yield ", ".join(row.id for row, _ in found)
        yield ""
    yield f"### The other corpora, {len(small)} rows"
    yield ""
    yield from fenced([line for row, answer in small for line in shown_row(row, answer)])


def lost_in_words(comparison, ranked, small):
    """One sentence, which the README repeats."""
    _, _, *counts = comparison.counts(0, TITLES)
    verdicts = ", ".join(f"{count} {verdict}" for count, verdict in zip(counts, judge.VERDICTS[1:]))
    damage = ", ".join(f"{len(found)} `{kind}`" for kind, found in ranked)
    return f"thusfar loses {sum(counts)} rows ({verdicts}): of known_truth {damage}; of the other corpora {small}."


def telling(comparison, call):
    """Some rows of each sort of wrong answer: short ones, real replies first, none damaged like another."""
    lines = []
    for verdict, most in (("wrong", 6), ("cut taken as whole", 4)):
        # Below this length a made reply is cut so early that it tells little.
        found = [one for one in comparison.which(call, verdict) if is_real(one) or len(one[0].text) >= 40]
        found.sort(key=lambda one: len(one[0].text))
        picked = [one for one in found if is_real(one)][: most // 2]
        for row, answer in found:
            if len(picked) < most and all(row.why != other.why for other, _ in picked):
                picked.append((row, answer))
        for row, answer in picked:
            name, *rest = shown_row(row, answer, comparison.calls[call].by_hand)
            lines += [f"{name}: {verdict}", *rest]
    return lines


def is_real(one):
    return one[0].corpus == "captures"


def unanswered(comparison):
    """Rows where a process crashed or hung: they are counted as refused."""
    for call, answers in zip(comparison.calls, comparison.answers):
        names = [row.id for row, answer in zip(comparison.rows, answers) if answer.said.startswith(ask.NO_ANSWER)]
        if names:
            yield f"{call.library} ({call.how}): {', '.join(names)}"


def nobody_got(comparison):
    """How many rows hold what no library returned, and what their vector calls a failure."""

    def right_value(at):
        heard = zip(comparison.verdicts, comparison.answers)
        return any(verdicts[at] == "right" and answers[at].has_value for verdicts, answers in heard)

    rows_there = enumerate(comparison.rows)
    return sum(row.means == "whole" and not row.certain and not right_value(at) for at, row in rows_there)


def report(comparison, date):
    """The whole results file, line by line."""
    best = comparison.best()
    size = collections.Counter(row.corpus for row in comparison.rows)
    vectors = sum(size[corpus] for corpus in VECTORS)
    yield f"# thusfar and its peers, {date}"
    yield ""
    yield "Made by `compare/run.sh`; what is counted as what stands in [the rules](../README.md)."
    yield ""
    yield from fenced([f"{name:10} {value}" for name, value in [("date", date), *versions()]])
    yield "## Each library in the way that is right most often"
    yield ""
    yield f"{size['captures']} captured replies:"
    yield ""
    yield from comparison.table(best, ["captures"])
    yield ""
    yield f"{vectors} public vectors:"
    yield ""
    yield from comparison.table(best, VECTORS)
    yield ""
    yield "## Every way, corpus by corpus"
    yield ""
    for corpus, title in TITLES.items():
        yield f"### {title}, {size[corpus]} rows"
        yield ""
        yield from comparison.table(range(len(comparison.calls)), [corpus])
        yield ""
    yield "## What the provider said of the captured replies"
    yield ""
    captured = [row for row in comparison.rows if row.corpus == "captures"]
    for means in ("cut", "whole"):
        endings = collections.Counter(row.ending for row in captured if row.means == means)
        told = ", ".join(f"{count} {ending}" for ending, count in endings.most_common())
        yield f"* {endings.total()} are {means}; they ended with: {told}."
    yield ""
    count = nobody_got(comparison)
    yield f"{count} rows hold a document that their vector calls a failure and that nobody got: refusing them is right."
    yield ""
    silent = list(unanswered(comparison))
    yield f"Crashed or hung, counted as refused: {'; '.join(silent)}." if silent else "No library crashed or hung."
    yield ""
    yield "## Rows that thusfar loses"
    yield ""
    yield from lost(comparison)
    yield "## Telling rows of the others"
    yield ""
    yield "In the way of the first tables, some of each sort, real replies first: what was given, what came out, and"
    yield "where it is not what was meant. A line end of the reply is shown as an arrow."
    yield ""
    for at in best[1:]:
        lines = telling(comparison, at)
        if lines:
            yield f"### {comparison.calls[at].library}, {comparison.calls[at].how}"
            yield ""
            yield from fenced(lines)


def main():
    comparison = Comparison()
    date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    text = "\n".join(report(comparison, date)).rstrip() + "\n"
    path = HERE / "results" / f"{date}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(text[: text.index("## What the provider said")])
    print(f"written: compare/results/{path.name}", file=sys.stderr)


if __name__ == "__main__":
    # The judge reads deep documents and long numbers; the libraries run in processes of their own, with their defaults.
    sys.setrecursionlimit(20_000)
    sys.set_int_max_str_digits(0)
    main()
