"""Asks a Python library line by line: a request in, {"value": …} or {"error": "…"} out, each at once.

The calls are those that the library's own pages show for the output of a language model.
"""

import json
import sys


def call(name):
    """The function that reads a reply, imported only when it is asked for."""
    if name == "json":
        return json.loads
    if name == "json_repair":
        import json_repair

        return json_repair.loads
    if name == "json_repair-strict":
        import json_repair

        return lambda text: json_repair.loads(text, strict=True)
    if name == "partial-json-parser":
        import partial_json_parser

        return lambda text: partial_json_parser.loads(text, partial_json_parser.ALL)
    if name in ("jiter-on", "jiter-trailing-strings"):
        import jiter

        mode = name.removeprefix("jiter-")
        return lambda text: jiter.from_json(text.encode(), partial_mode=mode)
    raise SystemExit(f"unknown library: {name}")


def every_prefix(read, text):
    """What is shown behind each character, each in a list; nothing where the library refuses."""
    for end in range(1, len(text) + 1):
        try:
            yield [read(text[:end])]
        except Exception:  # Whatever a library raises is its way to refuse.
            yield None


def main():
    read = call(sys.argv[1])
    for line in sys.stdin:
        try:
            request = json.loads(line)
            if request.get("every_prefix"):
                answer = json.dumps({"values": list(every_prefix(read, request["text"]))})
            else:
                answer = json.dumps({"value": read(request["text"])})
        except Exception as error:  # Whatever a library raises is its way to refuse.
            answer = json.dumps({"error": f"{type(error).__name__}: {error}"})
        print(answer, flush=True)


main()
