"""Reads the prose of the project: README, docs, help texts, comments, commit subjects.

Reports phrases of prose-phrases.txt, clauses that begin with "what" or "who" as a subject or an object, sentences of more than 30
words, and misspelt words (codespell, where it is installed). scripts/lint --prose runs it.
"""

import argparse
import ast
import io
import re
import shutil
import subprocess
import sys
import tokenize
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIB = ROOT / "scripts" / "lib"
MOST_WORDS = 30
LEAST_WORDS_OF_A_CELL = 5  # shorter cells of tables are names, not sentences
AREAS = ("README", "docs", "history", "help", "comments", "commits")


ABBREVIATION = re.compile(r"\(?(e\.g\.|i\.e\.|etc\.|vs\.|cf\.|approx\.|…)\)?", re.IGNORECASE)


@dataclass
class Paragraph:
    """Running text and the line on which each of its words begins."""

    area: str
    path: str
    words: list[tuple[str, int]] = field(default_factory=list)

    def add(self, text: str, line: int) -> None:
        self.words += [(word, line) for word in text.split()]

    def sentences(self):
        """(line, text): split after a full stop, question mark or exclamation mark that is no abbreviation."""
        begin = 0
        for i, (word, _) in enumerate(self.words):
            last = i + 1 == len(self.words)
            ends = re.search(r"[^.…][.?!][)\"'”*_]*$", word) and not ABBREVIATION.fullmatch(word)
            following = "" if last else self.words[i + 1][0]
            # A sentence may begin with a name in lower case (nvcc); three dots and "?" in the middle do not end one.
            if last or (ends and not re.match(r"[,;]", following) and not (word[-1] in "?!" and re.match(r"[a-z]", following))):
                yield self.words[begin][1], " ".join(word for word, _ in self.words[begin : i + 1])
                begin = i + 1


CODE = re.compile(r"`[^`]*`|\$[^$ ]+\$|https?://\S+|!?\[([^\]]*)\]\([^)]*\)")


def plain(text: str) -> str:
    """Without code, links and emphasis: code counts as one word."""
    text = CODE.sub(lambda m: m[1] if m[1] is not None else "CODE", text)
    return re.sub(r"<[^>]*>", " ", text.replace("**", ""))


def markdown(path: str, area: str):
    """Paragraphs, list items and cells of tables, outside of fenced or indented code and of the tables that scripts write."""
    fence = indented = False
    generated = ""
    blank = True
    open_code: tuple[str, int] | None = None  # a line whose inline code ends on a later line, and its number
    current = Paragraph(area, path)
    for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
        if open_code:
            line, number = f"{open_code[0]} {line.strip()}", open_code[1]
            open_code = None
        if mark := re.fullmatch(r"<!-- (/?)([\w-]+) -->", line.strip()):
            generated = "" if mark[1] else mark[2]
        elif generated and f"<!-- /{generated} -->" in (ROOT / path).read_text(encoding="utf-8"):
            continue
        begins = re.match(r"\s*([-*+]|\d+\.|#+|>)\s+", line)
        indented = not fence and re.match(r" {4,}\S", line) is not None and not begins and (blank or indented)
        blank = not line.strip()
        if indented:
            continue
        if not fence and not line.lstrip().startswith(("|", "```")) and line.count("`") % 2:
            open_code = (line, number)
            continue
        if line.lstrip().startswith("```"):
            fence = not fence
            line = ""
        begins = re.match(r"\s*([-*+]|\d+\.|#+|>)\s+", line)
        if fence or not line.strip() or begins or line.lstrip().startswith(("|", "<!--")):
            if current.words:
                yield current
            current = Paragraph(area, path)
        if fence or line.lstrip().startswith("<!--"):
            continue
        if line.lstrip().startswith("|"):
            for cell in plain(line).strip().strip("|").split("|"):
                if len(re.findall(r"[A-Za-z]{2,}", cell)) >= LEAST_WORDS_OF_A_CELL:
                    yield Paragraph(area, path, [(word, number) for word in cell.split()])
            continue
        current.add(plain(line[begins.end() :] if begins else line), number)
    if current.words:
        yield current


TOKEN = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|//+(?P<text>.*)")


def slash_comments(path: str):
    """Comments of C++ and TypeScript; comments on consecutive lines are one paragraph."""
    current = Paragraph("comments", path)
    previous = 0
    for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
        match = next((m for m in TOKEN.finditer(line) if m["text"] is not None), None) if "//" in line else None
        own = match is not None and not line[: match.start()].strip()
        text = match["text"].strip() if match else ""
        if current.words and (not own or number != previous + 1 or not text):
            yield current
            current = Paragraph("comments", path)
        if text and not re.match(r"NOLINT|clang-format|namespace|eslint|@ts", text):
            current.add(plain(text), number)
        previous = number if own else 0
    if current.words:
        yield current


def python_comments(path: str):
    text = (ROOT / path).read_text(encoding="utf-8")
    current = Paragraph("comments", path)
    previous = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT or token.string.startswith("#!"):
            continue
        if current.words and token.start[0] != previous + 1:
            yield current
            current = Paragraph("comments", path)
        current.add(plain(token.string.lstrip("# ")), token.start[0])
        previous = token.start[0]
    if current.words:
        yield current
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and (doc := ast.get_docstring(node)):
            for block in doc.split("\n\n"):
                if not block.lstrip().startswith((">>>", "::")):
                    paragraph = Paragraph("comments", path)
                    paragraph.add(plain(block), getattr(node, "lineno", 1))
                    if paragraph.words:
                        yield paragraph


def hash_comments(path: str):
    """Shell and CMake."""
    current = Paragraph("comments", path)
    for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
        if match := re.match(r"\s*#(?!!)\s?(.*)$", line):
            current.add(plain(match[1]), number)
        elif current.words:
            yield current
            current = Paragraph("comments", path)
    if current.words:
        yield current


TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')


def help_texts(path: str):
    """String literals of the command line that hold a sentence: adjacent ones are one text."""
    text = (ROOT / path).read_text(encoding="utf-8")
    for match in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text):
        if text.rfind("//", text.rfind("\n", 0, match.start()) + 1, match.start()) >= 0:
            continue
        joined = "".join(TEXT.findall(match[0])).replace("\\n", " ").replace('\\"', '"')
        words = joined.split()
        if sum(bool(re.fullmatch(r"[A-Za-z][a-z]*[,.;:]?", word)) for word in words) >= 4:
            yield Paragraph("help", path, [(word, text.count("\n", 0, match.start()) + 1) for word in plain(joined).split()])


def paragraphs(commits: str, comments: bool = True):
    """All texts; without comments only README, docs and help, which takes a second."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for path in filter(None, listed):
        if "/dist/" in path or path.startswith("docs/data/") or not (ROOT / path).is_file():
            continue
        suffix = Path(path).suffix
        if path == "README.md":
            yield from markdown(path, "README")
        elif suffix == ".md":
            yield from markdown(path, "history" if path == "CHANGELOG.md" else "docs")
        elif suffix in (".cpp", ".hpp", ".h", ".ts"):
            if comments:
                yield from slash_comments(path)
            if path.startswith("cli/"):
                yield from help_texts(path)
        elif not comments:
            continue
        elif suffix == ".py" or (path.startswith("scripts/") and (ROOT / path).read_bytes().startswith(b"#!/usr/bin/env python3")):
            yield from python_comments(path)
        elif suffix == ".cmake" or Path(path).name == "CMakeLists.txt" or path.startswith(("scripts/", ".ci/")) and not suffix:
            yield from hash_comments(path)
    if commits:
        subjects = subprocess.run(["git", "log", "--format=%h %s", commits], cwd=ROOT, capture_output=True, text=True, check=True)
        for line in subjects.stdout.splitlines():
            number, _, subject = line.partition(" ")
            yield Paragraph("commits", number, [(word, 0) for word in subject.split()])


def rows(name: str) -> list[list[str]]:
    """The lines of a list: columns between tabs, comments behind #."""
    lines = (LIB / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]


WHAT = re.compile(
    r"(?:^|[.;:,] |\b(?:of|by|from|for|in|with|behind|to|on|and|or|is|as|than|beside|that) )(what|who|whoever)\b(?! (kind|sort)s?\b)",
    re.IGNORECASE,
)
QUESTION = re.compile(r"\?[)\"'*_”]*$")


def complaints(sentence: str, area: str, phrases):
    if len(re.findall(r"[A-Za-z0-9]+(?:['’-][A-Za-z]+)*", sentence)) > MOST_WORDS:
        yield "long", f"a sentence of more than {MOST_WORDS} words"
    if not QUESTION.search(sentence):
        for match in WHAT.finditer(sentence):
            yield "what", f'a clause that begins with "{match[1]}"'
    for pattern, better in phrases:
        for match in pattern.finditer(sentence):
            yield "phrase", f'"{match[0]}": {better}'
    if area == "commits" and not re.match(r"(Merge|Revert)\b|[A-Z][a-z]+(?<!s) [^:]*$", sentence):
        yield "subject", "a commit subject in the imperative, without a topic in front"


def allowed_rows():
    return [(path, re.compile(pattern)) for path, pattern, _ in rows("prose-allowed.txt")]


def spelling(found):
    """Misspelt words, as codespell finds them in sources and docs."""
    if not shutil.which("codespell"):
        return
    run = subprocess.run(
        ["git", "ls-files", "-z", "*.md", "*.cpp", "*.hpp", "*.h", "*.py", "*.ts", "*.txt", "scripts/*"], cwd=ROOT, capture_output=True
    )
    listed = [name for name in run.stdout.decode().split("\0") if name and "/dist/" not in name and (ROOT / name).is_file()]
    ignored = ",".join(word for (word, *_) in rows("prose-spelling.txt"))
    report = subprocess.run(["codespell", "--quiet-level", "2", "-L", ignored, *listed], cwd=ROOT, capture_output=True, text=True)
    for line in report.stdout.splitlines():
        if match := re.match(r"(?:\./)?([^:]+):(\d+): (.*)", line):
            found.append(("spelling", "docs" if match[1].endswith(".md") else "comments", match[1], int(match[2]), match[3]))


def exceeded(counted: dict[str, Counter]) -> bool:
    """Whether an area has more findings than prose-limits.txt allows; prints which."""
    failed = False
    for area, long, what, phrases, misspelt in rows("prose-limits.txt"):
        row = counted[area]
        for kind, count, most in (
            ("sentences of more than 30 words, in percent", 100 * row["long"] / max(1, row["sentences"]), float(long)),
            ("clauses that begin with what or who", row["what"], int(what)),
            ("phrases", row["phrase"], int(phrases)),
            ("misspelt words", row["spelling"], int(misspelt)),
        ):
            if count > most:
                print(f"{area}: {kind}: {count:g}, allowed {most:g} (scripts/lib/prose-limits.txt)")
                failed = True
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/lint --prose", description=__doc__)
    parser.add_argument("--commits", default="", metavar="RANGE", help="check the subjects of these commits, such as main..HEAD")
    parser.add_argument("--summary", action="store_true", help="print the table alone")
    parser.add_argument("--check", action="store_true", help="read README, docs and help alone; fail above the counts of prose-limits.txt")
    parser.add_argument("paths", nargs="*", help="report these files or folders alone")
    options = parser.parse_args()

    phrases = [(re.compile(pattern, re.IGNORECASE), better) for pattern, better in rows("prose-phrases.txt")]
    allowed = allowed_rows()
    counted: dict[str, Counter] = {area: Counter() for area in AREAS}
    found: list[tuple[str, str, str, int, str]] = []

    def wanted(path: str) -> bool:
        return not options.paths or any(path == p or path.startswith(p.rstrip("/") + "/") for p in options.paths)

    for paragraph in paragraphs(options.commits, comments=not options.check):
        if not wanted(paragraph.path) and paragraph.area != "commits":
            continue
        for line, sentence in paragraph.sentences():
            counted[paragraph.area]["sentences"] += 1
            for kind, text in complaints(sentence, paragraph.area, phrases):
                if not any(paragraph.path == path and pattern.search(sentence) for path, pattern in allowed):
                    found.append((kind, paragraph.area, paragraph.path, line, text))
    if not options.paths:
        spelling(found)
    for kind, area, *_ in found:
        counted[area][kind] += 1
    if not options.summary:
        for _, _, path, line, text in found:
            print(f"{path}:{line}: {text}")
    print("| text | sentences | over 30 words | what/who | phrases | spelling |\n|---|---|---|---|---|---|")
    for area in AREAS:
        row = counted[area]
        if row["sentences"]:
            share = 100 * row["long"] / row["sentences"]
            print(f"| {area} | {row['sentences']} | {row['long']} ({share:.1f} %) | {row['what']} | {row['phrase'] + row['subject']} | {row['spelling']} |")
    if options.check:
        return 1 if exceeded(counted) else 0
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
