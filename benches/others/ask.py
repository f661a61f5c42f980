"""Reads prefixes of a text with a Python library: ask.py LIBRARY TEXT, where the ends of the prefixes stand in TEXT.ends.

First line: how many were refused, and of how many. Then for each line N the CPU time of N passes, in nanoseconds.
"""

import json
import sys
import time
from pathlib import Path

library, file = sys.argv[1:]

if library == "json_repair":
    import json_repair

    read = json_repair.loads
else:
    import partial_json_parser

    read = partial_json_parser.loads

text = Path(file).read_bytes()
if read(text.decode()) != json.loads(text):
    sys.exit(f"{library} reads another value")
prefixes = [text[: int(end)].decode() for end in Path(file + ".ends").read_text().split()]


def read_all():
    """A pass; the value before is dropped, as whoever shows one has to."""
    refused = 0
    for prefix in prefixes:
        try:
            last = read(prefix)
        except Exception:
            last = None
            refused += 1
    del last
    return refused


print(read_all(), len(prefixes), flush=True)
for line in sys.stdin:
    start = time.process_time_ns()
    for _ in range(int(line)):
        read_all()
    print(time.process_time_ns() - start, flush=True)
