"""How long an editor waits after a keystroke.

Each game is opened in `rgtrans lsp` and typed into at places spread over the text: a letter comes and goes. The table has the median,
the 95th percentile and the most milliseconds until the diagnostics of that version are there, and until a list of proposals
is there, asked directly behind the change. With several threads at work elsewhere the figures are larger.
"""
import json
import pathlib
import queue
import random
import subprocess
import threading
import time

from lib.measure import Failed, table

DEFAULTS = {"runs": 1, "seconds": 120.0}
LANGUAGES = {".hrg": "hrg", ".rg": "rg", ".rbg": "rbg", ".kif": "gdl", ".gdl": "gdl", ".ldx": "ludax", ".lud": "ludii", ".linegame": "linegames"}


def options(parser):
    parser.add_argument("--keys", type=int, default=100, help="places to type at in each game")
    parser.add_argument("games", nargs="+", type=pathlib.Path, metavar="GAME")


def items(o):
    return [(path.name, path) for path in o.games]


class Server:
    def __init__(self, program, seconds):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages, self.seconds, self.next_id = queue.Queue(), seconds, 0
        threading.Thread(target=self.read_all, daemon=True).start()
        self.wait(self.request("initialize", {"capabilities": {}, "rootUri": None}))
        self.notify("initialized", {})

    def read_all(self):
        out = self.process.stdout
        while header := out.readline():
            length = int(header.split(b":")[1])
            out.readline()
            message = out.read(length)
            self.messages.put((time.perf_counter(), json.loads(message)))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        wanted = self.next_id
        return lambda message: message.get("id") == wanted and "method" not in message

    def wait(self, wanted):
        while True:
            try:
                when, message = self.messages.get(timeout=self.seconds)
            except queue.Empty:
                self.process.kill()
                raise Failed(f"no answer in {self.seconds:g} s") from None
            if wanted(message):
                return when, message

    def stop(self):
        self.wait(self.request("shutdown", None))
        self.notify("exit", None)
        self.process.wait()


def published(uri, version):
    return lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri and m["params"].get("version") == version


def place(text, at):
    before = text[:at]
    return {"line": before.count("\n"), "character": at - (before.rfind("\n") + 1)}


def figures(what, seconds):
    ordered = sorted(1000 * s for s in seconds)
    return {f"{what}: median": ordered[len(ordered) // 2], f"{what}: 95 %": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))],
            f"{what}: most (ms)": ordered[-1]}


def prepare(path, version, folder, o):
    if path.suffix not in LANGUAGES:
        raise Failed("no language has this extension")
    text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
    uri = path.resolve().as_uri()

    def play(seed):
        server, number = Server(version.program, o.seconds), 1
        document = {"uri": uri, "languageId": LANGUAGES[path.suffix], "version": 1, "text": text}
        server.notify("textDocument/didOpen", {"textDocument": document})
        server.wait(published(uri, 1))
        rng, diagnostics, completion = random.Random(seed), [], []

        def change(edit):
            nonlocal number
            number += 1
            start = time.perf_counter()
            server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": number}, "contentChanges": [edit]})
            return start
        for _ in range(o.keys):
            at = place(text, rng.randrange(len(text)))
            behind = {"line": at["line"], "character": at["character"] + 1}
            for edit in ({"range": {"start": at, "end": at}, "text": "a"}, {"range": {"start": at, "end": behind}, "text": ""}):
                start = change(edit)
                diagnostics.append(server.wait(published(uri, number))[0] - start)
                start = change({"range": {"start": at, "end": at}, "text": ""})
                answered = server.request("textDocument/completion", {"textDocument": {"uri": uri}, "position": at})
                completion.append(server.wait(answered)[0] - start)
        server.stop()
        return {"lines": text.count("\n") + 1, **figures("diagnostics", diagnostics), **figures("completion", completion)}
    return play


def report(rows, o):
    rows = [row for row in rows if "now" in row]
    head = list(rows[0]["now"]) if rows else []
    return "bench-service", table(["game", *head], [[row["name"], row["now"]["lines"], *(f"{row['now'][key]:.1f}" for key in head[1:])] for row in rows])
