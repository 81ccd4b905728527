"""Tests of prose.py, its sentences and its failures: python3 scripts/lib/prose_test.py"""

import tempfile
import unittest
from collections import Counter
from pathlib import Path

import prose


def sentences(text: str) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.md"
        page.write_text(text, encoding="utf-8")
        return [sentence for paragraph in prose.markdown(str(page), "docs") for _, sentence in paragraph.sentences()]


class Sentences(unittest.TestCase):
    def test_end_before_names_in_lower_case_and_quotes(self) -> None:
        self.assertEqual(sentences('It takes 30 s. nvcc waits (for you). "Now" it ends.'), ["It takes 30 s.", "nvcc waits (for you).", '"Now" it ends.'])

    def test_go_on_behind_abbreviations(self) -> None:
        self.assertEqual(len(sentences("Some games (e.g. chess) have many moves, etc. as you know.")), 1)

    def test_code_is_one_word_even_over_two_lines(self) -> None:
        self.assertEqual(sentences("You call `rgtrans\n--messages` once."), ["You call CODE once."])

    def test_code_blocks_and_generated_tables_are_left_out(self) -> None:
        text = "Before:\n\n    if x: what is that\n\n```sh\nwhat is this\n```\n<!-- t -->\nwhat is told here by the script\n<!-- /t -->\nAfter."
        self.assertEqual(sentences(text), ["Before:", "After."])

    def test_lists_within_lists_are_text(self) -> None:
        self.assertEqual(sentences("* One.\n    * Two.\n      Still two."), ["One.", "Two.", "Still two."])

    def test_short_cells_are_names(self) -> None:
        self.assertEqual(sentences("| fast game | You play it with two other people. |"), ["You play it with two other people."])


class Limits(unittest.TestCase):
    def test_counts_above_the_limits_fail(self) -> None:
        counted: dict[str, Counter] = {area: Counter() for area in prose.AREAS}
        self.assertFalse(prose.exceeded(counted))
        counted["docs"] = Counter(sentences=100, long=3)
        self.assertTrue(prose.exceeded(counted))
        counted["docs"] = Counter(sentences=100, what=1000)
        self.assertTrue(prose.exceeded(counted))


if __name__ == "__main__":
    unittest.main()
