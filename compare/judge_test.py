"""The rules, on replies of one idea each: `run.sh` runs this before it asks anybody."""

import json
import unittest

import judge
import rows


def row(means, *values, root="object", certain=True):
    return rows.Row("made", "made", "", "", root, "unknown", certain, means, list(values), "")


def verdicts(one, *values, keeps_digits=False):
    """What each of some libraries gets; `None` stands for an error, a text for the JSON of a value."""
    lines = [json.dumps({"error": "no"}) if value is None else f'{{"value": {value}}}' for value in values]
    given = [[judge.judge(one, judge.answer_of(line, "", one), keeps_digits)] for line in lines]
    judge.settle([one], given)
    return [verdict for (verdict,) in given]


class Rules(unittest.TestCase):
    def test_one_value_is_meant(self):
        self.assertEqual(
            verdicts(row("whole", {"a": 1}), '{"a": 1.0}', '{"a": 2}', None), ["right", "wrong", "refused"]
        )

    def test_another_kind_is_refusing(self):
        self.assertEqual(verdicts(row("whole", {"a": 1}), '[{"a": 1}]', '""', "null"), ["refused"] * 3)
        self.assertEqual(verdicts(row("none", root="value"), '""', "{}"), ["right", "wrong"])

    def test_what_nobody_got_was_not_to_be_had(self):
        doubtful = row("whole", {"a": 1}, certain=False)
        self.assertEqual(verdicts(doubtful, None, '{"a": 2}'), ["right", "wrong"])
        self.assertEqual(verdicts(doubtful, None, '{"a": 1}'), ["refused", "right"])

    def test_a_cut_reply(self):
        cut = row("cut", {"a": [1]}, certain=False)
        self.assertEqual(verdicts(cut, None, '{"a": []}', '{"a": [1]}'), ["right", "cut taken as whole", "right"])

    def test_several_readings(self):
        several = row("several", {"a": 1}, {"a": 2}, certain=False)
        self.assertEqual(verdicts(several, '{"a": 2}', None, '{"a": 3}'), ["guessed", "right", "wrong"])

    def test_numbers(self):
        long = row("whole", rows.read('{"n": 123456789012345678}'))
        self.assertEqual(verdicts(long, '{"n": 123456789012345680}'), ["right"])
        self.assertEqual(verdicts(long, '{"n": 123456789012345680}', keeps_digits=True), ["wrong"])
        self.assertEqual(
            verdicts(row("whole", rows.read('{"n": 1e400}')), '{"n": Infinity}', r'{"n": "\u0000Infinity"}'),
            ["right"] * 2,
        )
        self.assertEqual(verdicts(row("whole", {"n": 1}), '{"n": true}', '{"n": "1"}'), ["wrong"] * 2)

    def test_a_report_of_thusfar(self):
        one = row("whole", {"a": 1})
        self.assertTrue(judge.answer_of('{"outcome": "ok", "document": {"a": 1}}', "", one).has_value)
        failed = '{"outcome": "truncated", "failure": {"code": "open_frame", "message": "cut"}}'
        self.assertEqual(judge.answer_of(failed, "", one), judge.Answer(False, said="truncated, open_frame: cut"))


class ByHand(unittest.TestCase):
    def test_the_part(self):
        for text, part in (
            ('Sure: {"a": 1}, done.', '{"a": 1}'),
            ('Sure: {"a": [1', '{"a": [1'),
            ('<think>{"b": 0}</think>\n```json\n{"a": 1,}\n```\nDone.', '{"a": 1,}\n'),
            ('```python\nx = {"b": 0}\n```\n{"a": 1}', '{"a": 1}'),
            ('Dear {name}: {"a": "```json"}', '{"a": "```json"}'),
            ("{a: 1, b: {}}", "{a: 1, b: {}}"),
            ("No.", "No."),
        ):
            self.assertEqual(rows.by_hand(text, "object"), part, text)


if __name__ == "__main__":
    unittest.main()
