"""One-token mistakes in games of the corpus: `rgtrans equal` finds the difference, or proves that there is none.

    scripts/sweep mutants --log FILE                          # goes on where the log ends
    scripts/sweep mutants --log FILE --again --seconds 120    # again the mistakes that were not decided with less time
    scripts/sweep mutants --log FILE --report --markdown docs/equality.md

Each item changes one token of one description, both chosen by its number: a number, a comparison, a sign, a connective, a test, or a
name into another one of the same kind. Two names are of one kind if they stand in one list (the members of a domain, pieces,
players, directions) or are the same argument of a sentence. Descriptions that are refused are `refused`. Moves are matched by texts.
"""
import collections
import json
import pathlib
import random
import re

from lib.measure import Failed, SHARED, first_line, run, table

DEFAULTS = {"runs": 1, "seconds": 20.0}
ENDINGS = {".hrg": "HRG", ".rbg": "RBG", ".rg": "RG", ".ldx": "Ludax", ".kif": "GDL"}
COMMENT = {".hrg": r"//[^\n]*", ".rbg": r"//[^\n]*", ".rg": r"//[^\n]*", ".ldx": r"//[^\n]*|;;[^\n]*", ".kif": r";[^\n]*"}
SWAPS = {"==": ["!="], "!=": ["=="], "<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="], "&&": ["||"], "||": ["&&"],
         "+": ["-"], "-": ["+"], "{?": ["{!"], "{!": ["{?"], "reachable": ["not"], "yes": ["no"], "no": ["yes"]}
WORDS = {".ldx": [["P1", "P2"], ["mover", "opponent"], ["win", "lose"], ["and", "or"], ["top", "bottom", "left", "right"],
                  ["up", "down", "left", "right", "up_left", "up_right", "down_left", "down_right"],
                  ["orthogonal", "diagonal", "any", "vertical", "horizontal"], ["empty", "occupied"], ["line", "custodial"]]}
NAME = r"[A-Za-z_][\w']*"


def names_of(text, ending):
    """Lists of names that are of one kind."""
    if ending == ".hrg":
        lists = [re.findall(NAME, found) for found in re.findall(r"(?m)^domain \w+ = (.*?)(?: where|$)", text)]
        return lists + [re.findall(rf"(?m)^({NAME}) : {kind}\b(?: ->.*)?(?: =|$)", text) for kind in set(re.findall(rf"(?m)^{NAME} : (.*)", text))
                        if re.fullmatch(r"[\w >-]+", kind)]
    if ending == ".rg":
        return [re.findall(NAME, found) for found in re.findall(r"type \w+ = \{(.*?)\}", text)]
    if ending == ".rbg":
        lists = [re.findall(rf"({NAME})(?:\(\d+\))?", found) for found in re.findall(r"#(?:players|pieces|variables) =([^#\n]*)", text)]
        generator = re.search(r"#board = \w+\(([^\[]*?),\s*\[", text)
        return lists + ([re.findall(NAME, generator[1])] if generator else [])
    return WORDS.get(ending, [])


def arguments(tokens):
    """By place of a constant or variable of GDL those that stand in the same argument of a sentence."""
    stack, at, kinds = [], {}, collections.defaultdict(set)
    for i, (_, token) in enumerate(tokens):
        if token == "(":
            if stack:
                stack[-1][1] += 1
            stack.append(["", 0])
        elif token == ")":
            stack = stack[:-1]
        elif stack and not stack[-1][0]:
            stack[-1][0] = token
        elif stack:
            stack[-1][1] += 1
            at[i] = tuple(stack[-1])
            kinds[at[i]].add(token)
    return {i: kinds[place] for i, place in at.items() if place[0] not in ("<=", "or", "not")}


def changes(text, ending):
    """All (begin, end, new text) of one token, without those in comments and names of games."""
    blank = re.sub(COMMENT[ending] + r'|"[^"\n]*"', lambda found: " " * len(found[0]), text)
    pattern = r"\{[?!]|[=!<>]=|&&|\|\||->|<=|[\w'?.-]+|[^\s\w]" if ending == ".kif" else r"\{[?!]|[=!<>]=|&&|\|\||->>?|\.\.|[\w']+|[^\s\w]"
    tokens = [(found.start(), found[0]) for found in re.finditer(pattern, blank)]
    kinds = [kind for kind in names_of(blank, ending) if len(set(kind)) > 1]
    placed = arguments(tokens) if ending == ".kif" else {}
    out = []
    for i, (begin, token) in enumerate(tokens):
        new = set(SWAPS.get(token, [])) if ending != ".kif" else placed.get(i, set()) - {token}
        if ending != ".kif" and token.isdigit():
            new |= {str(int(token) + 1), str(max(int(token) - 1, 0))} - {token}
        for kind in kinds:
            new |= set(kind) - {token} if token in kind else set()
        out += [(begin, begin + len(token), other) for other in sorted(new)]
    return out


def options(parser):
    parser.add_argument("--mistakes", type=int, default=100, help="how many, with those that are refused")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bytes", type=int, default=20_000, help="of the largest description")
    parser.add_argument("--plays", type=int, default=1_000_000, help="at random behind the states, within --seconds")


def items(o):
    paths = collections.defaultdict(list)
    for path in sorted((SHARED / "corpus").rglob("*")):
        if path.suffix in ENDINGS and path.stat().st_size <= o.bytes:
            paths[path.suffix].append(path)
    for number in range(o.mistakes):
        choice = random.Random(f"{o.seed} {number}")
        # Every language has its share, however many descriptions there are.
        path = choice.choice(paths[choice.choice(sorted(paths))])
        yield f"{path.relative_to(SHARED / 'corpus')} mistake {number}", (path, choice)


def prepare(subject, version, folder, o):
    path, choice = subject
    text = path.read_bytes().decode(errors="replace")
    possible = changes(text, path.suffix)
    if not possible:
        raise Failed("no token to change")
    begin, end, new = choice.choice(possible)
    mutant = folder / f"mutant{path.suffix}"
    mutant.write_text(text[:begin] + new + text[end:])
    line = text.count("\n", 0, begin) + 1
    change = f"line {line}: `{text[begin:end]}` -> `{new}`"

    def compare(_):
        command = [version.program, "equal", "--match", "texts", "--json", "--seconds", o.seconds, "--count", o.plays, "--memory", 2048, path, mutant]
        done = run(command, timeout=3 * o.seconds + 60, gibibytes=6)
        row = {"change": change, "seconds": o.seconds}
        if done.code not in (0, 3, 4):
            own = run([version.program, "equal", "--states", 1, path], timeout=o.seconds + 60, gibibytes=6)
            if own.code not in (0, 4):
                raise Failed("the description itself is not compared: " + first_line(own.err))
            return {**row, "outcome": "refused" if done.code > 0 else "undecided", "note": first_line(done.err)}
        found = json.loads(done.out)
        if found["verdict"] == "different":
            length = len(found["play"])
            shortest = found["plays"] == 0
            return {**row, "outcome": "found", "shortest": shortest, "note": f"{found['kind']}, after {length} moves" + ("" if shortest else ", at random")}
        if found["verdict"] == "equal":
            return {**row, "outcome": "equal", "note": f"{found['states']} states"}
        return {**row, "outcome": "undecided", "note": f"{found['states']} states, depth {found['depth']}, {found['plays']} plays"}
    return compare


def again(row, o):
    return "failed" in row or (row["now"]["outcome"] == "undecided" and row["now"]["seconds"] < o.seconds)


def report(rows, o):
    of = collections.defaultdict(collections.Counter)
    for row in rows:
        if "now" not in row:
            continue
        counts = of[ENDINGS[pathlib.Path(row["name"].split(" mistake")[0]).suffix]]
        counts[row["now"]["outcome"]] += 1
        counts["random"] += row["now"].get("shortest") is False
    kinds = ["refused", "equal", "found", "random", "undecided"]
    lines = [[language, *(of[language][kind] for kind in kinds)] for language in sorted(of)]
    lines.append(["all", *(sum(counts[kind] for counts in of.values()) for kind in kinds)])
    left = [f"* {row['name']}, {row['now']['change']}: {row['now']['note']}" for row in rows if row.get("now", {}).get("outcome") == "undecided"]
    head = ["language", "refused", "equal (proved)", "difference found", "of these by a random play", "undecided"]
    return "mutants-table", "\n".join([table(head, lines), *([""] if left else []), *left])
