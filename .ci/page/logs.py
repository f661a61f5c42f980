"""Logs for pages: one of lines that want to be more than text, and one of honest replies."""

import json

# What runs says so: in the title, and to whoever listens at this place.
RAN = "RAN"


def payloads(url):
    """What a log may say to whoever shows it. Short: a page shows the first characters."""
    said = f"document.title='{RAN}'"
    return [
        f"</script><img src=x onerror=\"{said}\">",
        f"<img src={url}/img>",
        f"</style><style>@import '{url}/css';*{{display:none}}</style>",
        f"</title><script>{said}</script>",
        f"<script src={url}/js></script>",
        f"</code></pre></td></table><iframe src={url}/frame></iframe>",
        f"</text></svg><svg onload=\"{said}\">",
        f"</svg><svg><title><script>{said}</script></title></svg>",
        f"\" onmouseover=\"{said}\" style=\"background:url({url}/quote)",
        f"' autofocus onfocus='{said}' x='",
        f"<details open ontoggle={said}>",
        f"<link rel=stylesheet href={url}/link><base href={url}/base/>",
        f"<meta http-equiv=refresh content=0;url={url}/refresh>",
        f"<form action={url}/form><button formaction={url}/button>",
        f"<object data={url}/object><embed src={url}/embed>",
        f"&lt;img src={url}/entity&gt; &#60;script&#62;",
        "<!-- --!><![CDATA[ <?x ?> <!DOCTYPE a> ]]>",
        "\0\x1b]0;x\x07\x7f\u0085\u202e\u2066\u2028\u2029\ufeff\uffff",
    ]


def write(path, lines):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + "\n" for line in lines)


def hostile(texts):
    """Requests, reports and lines that are neither, with each text in each place that a log has."""
    # Of each code the first line is shown, of the most frequent codes: one for each text, often enough.
    for at, text in enumerate(texts):
        planted = {"id": text, "model": texts[at - 1], "outcome": "malformed", "failure": {"code": f"planted_{at}", "excerpt": text}}
        yield from [json.dumps(planted)] * 40
    for text in texts:
        whose = {"id": text, "model": text}
        yield json.dumps({**whose, "text": '{"a": "' + text.replace('"', "'"), "ending": "length"})
        yield json.dumps({**whose, "text": '{"a": ' + text})
        yield json.dumps({**whose, "text": text})
        yield json.dumps({**whose, "text": "{}", "schema": {"required": [text]}})
        failure = {"code": text, "cause": text, "message": text, "excerpt": text, "path": text, "offset": 1, "decided_at": 1}
        named = [{"kind": text, "offset": 0, "before": text, "after": text}]
        yield json.dumps({**whose, "outcome": "malformed", "failure": {**failure, "code": "missing_comma"}, "repairs": named})
        yield json.dumps({**whose, "outcome": text, "failure": failure, "repairs": named, "warnings": named})
        violation = {"keyword": text, "message": text, "path": text, "expected": text}
        yield json.dumps({**whose, "outcome": "schema_mismatch", "violations": [violation]})
    # Last of all: these are shown as well.
    yield json.dumps({"id": texts[0], "model": texts[1], "text": 7})
    yield texts[0]
    yield json.dumps({texts[3]: texts[4]})


def honest(*paths):
    """Replies of the corpus, some of them several times."""
    rows = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            rows += [json.loads(line) for line in file]
    kept = ("text", "root", "ending", "model")
    for turn in range(5):
        for row in rows:
            yield json.dumps({"id": f"{turn}-{row['id']}", **{name: row[name] for name in kept if name in row}})
