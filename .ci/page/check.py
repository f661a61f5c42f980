"""A page of `thusfar audit --html` in a browser: it has no element and no attribute but its own, nothing ran, nothing was fetched, and its
style is applied. Each check is shown to fail on a page that was broken on purpose."""

import http.server
import json
import os
import re
import subprocess
import sys
import threading
import zlib
from html.parser import HTMLParser

import logs

ELEMENTS = set(
    "html head meta title style body header main footer section aside div h1 h2 h3 p ul li dl dt dd table caption thead tbody tr th td span"
    " code pre b svg g rect circle line text".split()
)
ATTRIBUTES = set(
    "lang charset http-equiv content name class id aria-labelledby aria-hidden role scope colspan viewbox transform x y dx x1 x2 y1 y2 cx cy r"
    " width height pathlength stroke-dasharray stroke-dashoffset".split()
)
FLAGS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync"
    " --window-size=900,700 --blink-settings=preferredColorScheme=1"
).split()
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n')
# The background of the style in light colours.
BACKGROUND = (0xF4, 0xF5, 0xF7)


class Dom(HTMLParser):
    """What a browser made of a page."""

    def __init__(self, dump):
        super().__init__(convert_charrefs=True)
        self.elements, self.attributes, self.texts, self.title = set(), set(), [], ""
        self.open = None
        self.feed(dump)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open = tag
        self.elements.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data):
        self.texts.append(data)
        if self.open == "title" and not self.title:
            self.title = data

    def foreign(self):
        """What is no page of ours."""
        return sorted(self.elements - ELEMENTS) + sorted(self.attributes - ATTRIBUTES)


class Listener(http.server.BaseHTTPRequestHandler):
    """Whoever asks here was told to by a log."""

    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        self.send_error(404)

    def log_message(self, *_):
        pass


class Browser:
    def __init__(self, directory):
        self.directory = directory

    def load(self, name, html):
        """The DOM of a page, whether anything of it ran or was fetched, and the colour of its first pixel."""
        page, shot = (os.path.join(self.directory, name + end) for end in (".html", ".png"))
        with open(page, "w", encoding="utf-8", newline="\n") as file:
            file.write(html)
        Listener.asked.clear()
        command = ["chromium", *FLAGS, f"--user-data-dir={os.path.join(self.directory, 'profile')}", "--virtual-time-budget=1500"]
        command += ["--dump-dom", f"--screenshot={shot}", "file://" + os.path.abspath(page)]
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
        dump = done.stdout.decode("utf-8", "replace")
        if done.returncode != 0 or "</html>" not in dump or not os.path.exists(shot):
            sys.exit(f"{name}: chromium gave no page\n{done.stderr.decode('utf-8', 'replace')[-2000:]}")
        dom = Dom(dump)
        ran = list(Listener.asked) + ([dom.title] if dom.title.startswith(logs.RAN) else [])
        return dom, ran, first_pixel(shot)


def first_pixel(path):
    """Red, green and blue. Nothing stands in front of the first pixel, so no filter of PNG changes it."""
    with open(path, "rb") as file:
        data = file.read()
    hold(data[:8] == b"\x89PNG\r\n\x1a\n" and data[24] == 8 and data[25] in (2, 6), f"{path}: colours of eight bits")
    at, packed = 8, b""
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] == b"IDAT":
            packed += data[at + 8 : at + 8 + size]
        at += size + 12
    return tuple(zlib.decompressobj().decompress(packed, 4)[1:])


def hold(holds, what):
    if not holds:
        sys.exit(f"does not hold: {what}")


def audit(thusfar, page, paths, codes):
    done = subprocess.run([thusfar, "audit", "--json", "--html", page, *paths], capture_output=True, timeout=120, check=False)
    hold(done.returncode in codes, f"audit ends with {codes}: {done.returncode} {done.stderr.decode()[-500:]}")
    with open(page, encoding="utf-8") as file:
        return json.loads(done.stdout), file.read()


def main():
    thusfar, directory = sys.argv[1:]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    browser = Browser(directory)
    texts = logs.payloads(url)

    # A name of a file is text of a log as well.
    hostile = os.path.join(directory, f"<img src=x onerror=document.title='{logs.RAN}'>.jsonl")
    honest, empty = (os.path.join(directory, name) for name in ("honest.jsonl", "empty.jsonl"))
    logs.write(hostile, logs.hostile(texts))
    logs.write(honest, logs.honest("tests/corpus/known_truth.jsonl", "tests/corpus/captures.jsonl"))
    logs.write(empty, [])

    made = os.path.join(directory, "made.html")
    _, clean = audit(thusfar, made, [honest], [1])
    _, nothing = audit(thusfar, made, [empty], [0])
    told, page = audit(thusfar, made, [hostile], [2])
    hold(told["unreadable"] == 3 and told["reported"] > 700 and told["judged"] > 50, "all kinds of lines were counted")

    bare = POLICY.sub("", page)
    hold(len(bare) < len(page) and "sha256-" not in bare, "the policy is found")
    for name, html in [("hostile", page), ("hostile-without-policy", bare), ("honest", clean), ("empty", nothing)]:
        dom, ran, colour = browser.load(name, html)
        hold(not dom.foreign(), f"{name}: nothing foreign: {dom.foreign()}")
        hold(not ran, f"{name}: nothing ran: {ran}")
        hold(colour == BACKGROUND, f"{name}: the style is applied: {colour}")
        if html is not clean and html is not nothing:
            # What is not shown cannot be shown to be harmless.
            shown = "\n".join(dom.texts)
            missing = [text for text in texts if text.isprintable() and shown.count(text) < 3]
            hold(not missing and f"onerror=document.title='{logs.RAN}'>.jsonl" in shown, f"{name}: hostile text is shown: {missing}")

    # Each check can fail.
    other = re.sub(r"'sha256-(.)", lambda found: f"'sha256-{'B' if found[1] == 'A' else 'A'}", page, count=1)
    _, _, colour = browser.load("wrong-digest", other)
    hold(colour != BACKGROUND, "a style with another digest is not applied")
    planted = "<main>" + "".join(texts[:2])
    dom, ran, _ = browser.load("planted", page.replace("<main>", planted, 1))
    hold("img" in dom.foreign() and "onerror" in dom.foreign(), "what was planted is found")
    hold(not ran, f"the policy stops what was planted: {ran}")
    dom, ran, _ = browser.load("planted-without-policy", bare.replace("<main>", planted, 1))
    hold(dom.title == logs.RAN and "/img" in ran, f"without a policy it runs, and is found: {ran}")
    print("nothing of a log became more than text")


if __name__ == "__main__":
    main()
