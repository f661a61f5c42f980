"""Puts the figures of the newest file of results into the tables of README.md: benches/table.sh --readme

A table keeps the rows that it has, in their order, and each row its name; the other cells come from the row of that name. A row that was
not recorded stops it, and so does a recorded row with bars that no table has.
"""

import re
import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent
results = sorted((root / "benches" / "results").glob("????-??-??.txt"))[-1]
readme = root / "README.md"


def recorded():
    """The rows by their names: ours, yardstick, ratio, must, want. Two blanks or more stand between the cells of a line."""
    rows = {}
    for line in results.read_text().splitlines():
        cells = re.split(r" {2,}", line)
        if len(cells) >= 7 and cells[0] != "name":
            name, ours, yardstick, ratio, _, must, want = cells[:7]
            rows[name] = [ours, yardstick, ratio, must, want]
    return rows


def main():
    rows = recorded()
    text = readme.read_text()
    start = text.index("## Numbers")
    end = text.index("\n## ", start)
    shown = set()

    def fill(line):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 6 or cells[0] == "row":
            return line
        name = cells[0]
        if name not in rows:
            sys.exit(f"{results.name} has no row {name!r}")
        shown.add(name)
        return "| " + " | ".join([name, *rows[name]]) + " |"

    lines = [fill(line) if line.startswith("| ") else line for line in text[start:end].split("\n")]
    missing = [name for name, cells in rows.items() if cells[3] != "-" and name not in shown]
    if missing:
        sys.exit("rows with bars that no table has:\n" + "\n".join(missing))
    section = re.sub(r"benches/results/\d{4}-\d\d-\d\d\.txt", f"benches/results/{results.name}", "\n".join(lines))
    readme.write_text(text[:start] + section + text[end:])


main()
