#!/usr/bin/env python3
"""Hostile clients and players against `rgtrans studio`, `ggp-player` and `ggp-host`, while others use the same programs.

hostile_clients.py RGTRANS [--exchanges N] [--messages N] [--seed N]

Strangers send broken HTTP to two players and to the studio, a stranger sits in matches and answers nonsense, and pages
send broken messages to the studio. Meanwhile a user asks the studio for `moves` once in a while. The program fails
if a server ends, if the user gets a wrong answer or waits too long, or if a match of others has a wrong record. With
RGTRANS_FULL=1 the default is 20,000 exchanges and 10,000 messages.
"""
from __future__ import annotations

import argparse
import base64
import contextlib
import json
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any, Optional

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FULL = bool(os.environ.get("RGTRANS_FULL"))
GAME = ROOT / "games/gdl/tic-tac-toe.kif"
RULES = " ".join(line.split(";")[0] for line in GAME.read_text().splitlines())
BOARD = (ROOT / "games/hrg/chess.hrg").read_text()
UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13"
PATIENCE = 20.0
STRANGER = "127.0.0.66"  # the address of hostile hosts
HOST = "127.0.0.2"  # of a host whose match nobody else may disturb
MOST_MEMORY = 1 << 20  # KiB that a server may ever take
forks = multiprocessing.get_context("fork")


class Failure(Exception):
    pass


def require(condition: object, message: str) -> None:
    if not condition:
        raise Failure(message)


# --- Sockets. ---


def connected(port: int, address: str = "127.0.0.1", patience: float = PATIENCE) -> socket.socket:
    client = socket.socket()
    client.settimeout(patience)
    # Nothing of a connection stays when it is closed, so that ports do not run out.
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.bind((address, 0))
    client.connect(("127.0.0.1", port))
    return client


def rest_of(client: socket.socket) -> bytes:
    parts = []
    while part := client.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def told(port: int, message: str, address: str = "127.0.0.1") -> str:
    """The answer of a player to a message."""
    with connected(port, address) as client:
        body = message.encode()
        client.sendall(b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        answer = rest_of(client)
    require(b"\r\n\r\n" in answer, f"no answer to {message[:40]}: {answer[:80]!r}")
    return answer.split(b"\r\n\r\n", 1)[1].decode()


class Page:
    """A page of the studio: a socket over which messages go as they are."""

    def __init__(self, port: int, token: str, path: str = "/studio") -> None:
        self.client = connected(port)
        self.bytes = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.client.sendall(
            f"GET {path}?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            f"{UPGRADE}\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self.bytes:
            self.more()
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        require(b" 101 " in head, f"the studio refuses a page: {head[:80]!r}")

    def more(self) -> None:
        part = self.client.recv(1 << 16)
        if not part:
            raise ConnectionError("the studio has closed the socket")
        self.bytes += part

    def take(self, size: int) -> bytes:
        while len(self.bytes) < size:
            self.more()
        out, self.bytes = self.bytes[:size], self.bytes[size:]
        return out

    def send(self, text: bytes, opcode: int = 1, final: bool = True, said: Optional[int] = None) -> None:
        """A frame, masked with zeros; `said` is the length that it announces."""
        size = len(text) if said is None else said
        head = bytes([(0x80 if final else 0) | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        else:
            head += struct.pack(">BH", 0xFE, size) if size < 1 << 16 else struct.pack(">BQ", 0xFF, size)
        self.client.sendall(head + bytes(4) + text)

    def frame(self) -> tuple[int, bytes]:
        """The opcode and the whole text of a message, which may come in several frames."""
        opcode, parts, final = 0, [], False
        while not final:
            first, second = self.take(2)
            opcode, final = opcode or first & 0xF, first >= 0x80
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8))[0]
            parts.append(self.take(size))
        return opcode, b"".join(parts)

    def ask(self, method: str, **params: object) -> Any:
        """The answer to a request, in JSON."""
        self.send(json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}).encode())
        while True:
            opcode, text = self.frame()
            require(opcode != 8, f"the studio has ended the socket: {text!r}")
            if opcode == 1 and (message := json.loads(text)).get("id") == method:
                return message


# --- What strangers send. ---


def noise(r: random.Random, size: int) -> bytes:
    return r.randbytes(r.randrange(size) + 1)


def kif(r: random.Random, depth: int = 0) -> str:
    if depth > 3 or r.random() < 0.4:
        return r.choice(["PLAY", "STOP", "ABORT", "m1", "m2", "x", "NIL", "(noop)", "10", "\0", "\x1b[2J", "é", "(mark 1 1)",
                         "info", "-1"])
    return "(" + " ".join(kif(r, depth + 1) for _ in range(r.randrange(5))) + ")"


def body_of(r: random.Random) -> bytes:
    return r.choice([
        lambda: kif(r).encode(),
        lambda: b"(" * r.randrange(200_000),
        lambda: b"(START",
        lambda: f"(START m1 x ({RULES}) 9999999 9999999)".encode(),
        lambda: f"({r.choice(['PLAY', 'STOP', 'ABORT'])} {r.choice(['m1', 'm2', 'x' * 1000])} NIL)".encode(),
        lambda: noise(r, 2000),
        lambda: bytes(r.randrange(1000)),
    ])()


def request_of(r: random.Random, port: int, token: str) -> bytes:
    """A request as broken as the numbers will have it."""
    end = r.choice([b"\r\n", b"\r\n", b"\n", b"\r"])
    body = body_of(r)
    target = r.choice([
        "/", "/studio", "/lsp", f"/?token={token[:-1]}0", f"/studio?token={token[:-1]}", "/%00", "/../../etc/passwd", "*",
        "", "/" + "a" * 5000, "/%28INFO%29", "/studio.js", "http://evil.example/", f"/nothing?token={token}",
    ])
    method = r.choice(["POST", "POST", "GET", "HEAD", "OPTIONS", "PUT", "X" * 300, "\0"])
    lines = [f"{method} {target} HTTP/{r.choice(['1.0', '1.1', '9.9', 'x'])}".encode()]
    for _ in range(r.randrange(4)):
        lines.append(r.choice([
            f"Host: 127.0.0.1:{port}".encode(), b"Host: evil.example", b"Origin: http://evil.example", b"Origin: null",
            b"Accept: text/delim", b"X: " + b"x" * r.randrange(100_000), noise(r, 100), b"Expect: 100-continue",
            b"Sec-Fetch-Site: cross-site", UPGRADE.encode() + b"\r\nSec-WebSocket-Key: x",
        ]))
    if r.random() < 0.8:
        size = r.choice([len(body), len(body), len(body) + 1, 10**11, -1, 2**64, 2**63, "x", "", "1,1", 0])
        lines.append(f"Content-length: {size}".encode())
    elif r.random() < 0.5:
        lines.append(b"Transfer-Encoding: chunked")
        size_line = r.choice([b"ffffffffffffffff", b"7fffffff", b"%x" % len(body), b"-1", b"x"])
        body = size_line + b"\r\n" + body + b"\r\n0\r\n\r\n"
    text = end.join(lines) + end + end + body
    if r.random() < 0.25:
        text = text[: r.randrange(len(text))]
    if r.random() < 0.1:
        place = r.randrange(len(text) + 1)
        text = text[:place] + noise(r, 50) + text[place:]
    return text


def exchange(r: random.Random, ports: list[int], studio: int, token: str, slow: list[socket.socket]) -> None:
    """One connection that ends in some way, or stays open with half a request. The first player is in a match."""
    port = r.choice([*ports, studio])
    text = request_of(r, port, token)
    if port != ports[0]:
        text = text.replace(b"START", b"PLAY")  # a free player may follow anybody
    client = connected(port, "127.0.0.1" if port == studio else STRANGER, 5)
    way = r.randrange(5)
    if way == 0:
        client.settimeout(0)
        with contextlib.suppress(OSError):
            client.send(text[: r.randrange(60)])
        slow.append(client)
        if len(slow) > 50:
            slow.pop(r.randrange(len(slow))).close()
        return
    with client, contextlib.suppress(OSError):
        client.sendall(text)
        if way > 1:
            client.shutdown(socket.SHUT_WR)
        if way > 2:
            rest_of(client)


def answer_of(r: random.Random) -> bytes:
    """The answer of a player who wants to end a match."""
    body = r.choice([kif(r).encode(), noise(r, 3000), b"(" * 100_000, b"x" * r.choice([10, 2_000_000]), b"", b"\0" * 100,
                     b"(mark 1 1)"])
    size = r.choice([len(body), len(body), 10**11, 10**22, -1, len(body) + 1])
    end = r.choice([b"\r\n", b"\n"])
    head = [b"HTTP/1.0 200 OK", b"HTTP/1.1 100 Continue", b"nonsense", b"HTTP/1.0 999 \0", b"",
            b"HTTP/1.1 301 Moved" + end + b"Location: /"]
    return r.choice([
        end.join([r.choice(head), b"Content-length: %d" % size, b"", body]),
        end.join([r.choice(head), b"", body]),
        end.join([head[0], b"Transfer-Encoding: chunked", b"", b"ffffffffff", body]),
        end.join([head[0], b"X: " + b"x" * r.randrange(200_000), b"", body]),
        noise(r, 5000),
        b"",
    ])


def nested(r: random.Random) -> bytes:
    depth = r.choice([100, 5000, 200_000, 2_000_000])
    left, right = r.choice([(b"[", b"]"), (b'{"a":', b"}")])
    inner = left * depth + (b"1" if left != b"[" else b"") + right * depth
    place = r.choice([b'"id":%s,"method":"hello"', b'"id":1,"method":"moves","params":%s',
                      b'"id":1,"method":"moves","params":{"path":%s}', b'"method":%s'])
    return r.choice([b'{"jsonrpc":"2.0",' + place % inner + b"}", inner, inner[: depth * len(left)]])


VERBS = ["hello", "read", "save", "open", "moves", "board", "play", "translate", "optimize", "pass", "explain",
         "automaton", "drawing", "nodes", "source", "perft", "playouts", "think", "reply", "solve", "analyze", "compare",
         "cancel", "nothing", "initialize", "textDocument/didOpen", "textDocument/hover", "shutdown"]
FIELDS = ["path", "text", "name", "preset", "language", "level", "passes", "depth", "count", "seed", "seconds", "player",
          "viewer", "flip", "number", "node", "line", "id", "textDocument", "position", "to", "simulations"]
VALUES: list[Any] = [
    None, True, -1, 0, 3, 2**64, 1e308, -0.5, "", "\0", "\x1b[31m", "../secret.rg", "/etc/passwd", "one.rg",
    "a/../../secret.rg", "hrg/hex.hrg", "/", "//", "/" * 3000, "/a/b", "x" * 100_000, "\ud800", [], [1, "a"],
    ["", "e2 e4"], {}, {"a": {"b": []}}, [[[[]]]], "mcts:1000", "random", "rg",
]


def message_of(r: random.Random) -> bytes:
    if r.random() < 0.1:
        return nested(r)
    params: Any = {name: r.choice(VALUES) for name in r.sample(FIELDS, r.randrange(6))}
    if r.random() < 0.1:
        params = r.choice(VALUES)
    method = r.choice([*VERBS, *VALUES] if r.random() < 0.1 else VERBS)
    number = r.choice([1, 2, "a", None, 1.5, {}, [1], -1, 2**70])
    message: Any = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    for key in list(message):
        if r.random() < 0.04:
            del message[key]
    text = json.dumps(message).encode()
    if r.random() < 0.1:
        text = text[: r.randrange(len(text))]
    if r.random() < 0.1:
        place = r.randrange(len(text) + 1)
        text = text[:place] + noise(r, 20) + text[place:]
    return text


# --- Those who act. Each is a process. ---


def strangers(seed: int, count: int, ports: list[int], studio: int, token: str, done: Any) -> None:
    r = random.Random(seed)
    slow: list[socket.socket] = []
    for _ in range(count):
        with contextlib.suppress(OSError):
            exchange(r, ports, studio, token, slow)
        with done.get_lock():
            done.value += 1


def pages(seed: int, count: int, studio: int, token: str, done: Any) -> None:
    r = random.Random(seed)
    page: Optional[Page] = None
    sent = 0
    while sent < count:
        try:
            if page is None:
                page = Page(studio, token, r.choice(["/studio", "/studio", "/lsp"]))
                page.client.settimeout(0.05)
                if r.random() < 0.5:
                    game = {"name": "x.hrg", "text": BOARD}
                    page.send(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "open", "params": game}).encode())
            opcode, final, said = 1, True, None
            if r.random() < 0.05:
                opcode, final = r.choice([0, 2, 3, 8, 9, 10, 15]), r.random() < 0.8
                said = r.choice([None, 2**63, 2**40, 100_000_000, 9_000_000])
            sent += 1
            page.send(message_of(r), opcode, final, said)
            if r.random() < 0.5:
                page.client.recv(1 << 16)
            if r.random() < 0.05:
                page.client.close()
                page = None
        except socket.timeout:
            # The server waits for the rest of this message, so no answer comes.
            if r.random() < 0.3:
                page = None
        except (OSError, Failure):
            page = None
            time.sleep(0.002)
    done.value = sent


def user(studio: int, token: str, stop: Any, result: Any) -> None:
    """Asks for the legal moves of a position, and wants the right ones soon."""
    times: list[float] = []
    try:
        page = Page(studio, token)
        require("error" not in page.ask("open", name="chess.hrg", text=BOARD), "chess cannot be opened")
        while not stop.is_set() or len(times) < 20:
            begin = time.monotonic()
            answer = page.ask("moves", path=["S__5_2 S__5_4"])
            times.append(time.monotonic() - begin)
            require(len(answer.get("result", {}).get("moves", ())) == 20, f"wrong moves: {str(answer)[:200]}")
            time.sleep(0.01)
        result.put(times)
    except Exception as problem:
        result.put(f"the user of the studio: {problem!r} after {len(times)} answers")


class HostilePlayer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.port = self.listening.getsockname()[1]
        self.asked = 0
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        while True:
            client, _ = self.listening.accept()
            self.asked += 1
            with client, contextlib.suppress(OSError):
                client.settimeout(2)
                client.recv(1 << 16)
                client.sendall(answer_of(self.random))
                client.shutdown(socket.SHUT_WR)


# --- Programs, and what they owe. ---


class Program:
    def __init__(self, folder: pathlib.Path, *words: str) -> None:
        self.name = words[1]
        self.log = folder / f"{words[1]}-{len(list(folder.glob('*.log')))}.log"
        environment = dict(os.environ, XDG_STATE_HOME=str(folder), XDG_CACHE_HOME=str(folder))
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        assert self.process.stdout is not None
        self.first = self.process.stdout.readline()
        found = re.findall(r":(\d+)", self.first)
        require(found, f"{self.name} does not begin: {self.log.read_text()}")
        self.port = int(found[-1])

    def memory(self) -> int:
        """The most that it ever had, in KiB."""
        return int(re.findall(r"VmHWM:\s*(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[0])

    def check(self) -> None:
        code = self.process.poll()
        require(code is None, f"{self.name} has ended with {code}: {self.log.read_text()[-500:]}")
        require(self.memory() < MOST_MEMORY, f"{self.name} has taken {self.memory()} KiB")

    def end(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure(f"{self.name} does not end") from None


LINES = [[(c, r) for r in "123"] for c in "123"] + [[(c, r) for c in "123"] for r in "123"]
LINES += [[(a, a) for a in "123"], [(a, str(4 - int(a))) for a in "123"]]


def check_record(line: str, clean: list[int]) -> None:
    """Plays tic-tac-toe by its moves; the seats of `clean` made no mistake."""
    record = json.loads(line)
    require(record["isCompleted"] and not record["isAborted"], "a match was not completed")
    cells: dict[tuple[str, str], int] = {}
    won: Optional[int] = None
    for turn, (moves, errors) in enumerate(zip(record["moves"], record["errors"][1:])):
        require(won is None and len(cells) == turn, "the play goes on behind its end")
        for seat in clean:
            require(errors[seat] == "", f"step {turn + 1}: {errors[seat]}")
        mover = turn % 2
        require(moves[1 - mover] == "noop", f"step {turn + 1}: {moves}")
        column, row = re.fullmatch(r"\(mark ([123]) ([123])\)", moves[mover]).groups()  # type: ignore[union-attr]
        require((column, row) not in cells, f"step {turn + 1}: the cell is taken")
        cells[column, row] = mover
        facts = set(re.findall(r"\(cell [^()]*\)", record["states"][turn + 1]))
        require(facts == {f"(cell {c} {r} {'xo'[m]})" for (c, r), m in cells.items()}, f"step {turn + 1}: {facts}")
        if any(all(cells.get(cell) == mover for cell in line) for line in LINES):
            won = mover
    require(won is not None or len(cells) == 9, "the play ends too soon")
    goals = [50, 50] if won is None else [100, 0] if won == 0 else [0, 100]
    require(record["goalValues"] == goals, f"goals {record['goalValues']} instead of {goals}")


@contextlib.contextmanager
def ended(programs: list[Program]) -> Iterator[None]:
    try:
        yield
    finally:
        for program in programs:
            with contextlib.suppress(Failure):
                program.end()


def run(rgtrans: str, exchanges: int, messages: int, seed: int, slowest: float) -> None:
    folder = pathlib.Path(tempfile.mkdtemp())
    games = folder / "games"
    games.mkdir()
    (folder / "secret.rg").write_text("seven of diamonds")
    (games / "one.rg").write_text("type Player = { p };\n")
    player = (rgtrans, "ggp-player", "--no-compile", "--margin", "0.1", "--jobs", "1", "--patience", "3600",
              "--port", "0")
    players = [Program(folder, *player) for _ in range(4)]
    port = socket.create_server(("127.0.0.1", 0))
    free = port.getsockname()[1]
    port.close()
    studio = Program(folder, rgtrans, "studio", "--no-open", "--port", str(free), str(games))
    token = studio.first.rsplit("token=", 1)[1].strip()
    with ended([*players, studio]):
        first, second, third, kept = players
        require(told(kept.port, f"(START m1 x ({RULES}) 1 0.3)", HOST) == "ready", "a player does not begin")
        hostile = HostilePlayer(seed)
        stop, times = forks.Event(), forks.Queue()
        done = [forks.Value("i", 0), forks.Value("i", 0)]
        watcher = forks.Process(target=user, args=(studio.port, token, stop, times), daemon=True)
        ports = [kept.port, first.port, second.port, third.port]
        attackers = [
            forks.Process(target=strangers, args=(seed, exchanges, ports, studio.port, token, done[0]), daemon=True),
            forks.Process(target=pages, args=(seed, messages, studio.port, token, done[1]), daemon=True),
        ]
        for process in [watcher, *attackers]:
            process.start()
        hosts = [(f"127.0.0.1:{first.port},127.0.0.1:{second.port}", [0, 1]),
                 (f"127.0.0.1:{hostile.port},127.0.0.1:{third.port}", [1])]
        records = 0
        begin = time.monotonic()
        while records == 0 or any(process.is_alive() for process in attackers):
            for number, (seats, clean) in enumerate(hosts):
                path = folder / f"records-{number}"
                host = subprocess.run(
                    [rgtrans, "ggp-host", "--players", seats, "--start", "0.5", "--play", "0.3", "--grace", "5", "--records",
                     str(path), str(GAME)],
                    capture_output=True, text=True, timeout=300)
                require(host.returncode == 0, f"ggp-host: {host.stderr[-500:]}")
                for line in path.read_text().splitlines():
                    check_record(line, clean)
                    records += 1
            for program in [*players, studio]:
                program.check()
        stop.set()
        found = times.get(timeout=PATIENCE)
        require(isinstance(found, list), str(found))
        for process in attackers:
            process.join()
        require(all(process.exitcode == 0 for process in attackers), "an attacker has failed")
        for other in (first, second, third):
            require("available" in told(other.port, "(INFO)"), "a player is busy after its matches")
        move = told(kept.port, "(PLAY m1 NIL)", HOST)
        require(re.fullmatch(r"\(mark [123] [123]\)", move), f"the match of another host was disturbed: {move}")
        require(told(kept.port, "(ABORT m1)", HOST) == "aborted", "the match of another host cannot be ended")
        require((folder / "secret.rg").read_text() == "seven of diamonds", "a file outside of the folder was written")
        found.sort()
        late = found[int(len(found) * 0.99)]
        print(f"{done[0].value} exchanges and {done[1].value} messages in {time.monotonic() - begin:.0f} s, "
              f"{hostile.asked} hostile answers, {records} records; {len(found)} requests for moves: "
              f"median {found[len(found) // 2] * 1000:.0f} ms, 99 % within {late * 1000:.0f} ms; "
              f"memory {max(p.memory() for p in players) >> 10} MiB of a player, {studio.memory() >> 10} MiB of the studio")
        require(late < slowest, f"the 99th percentile of a user is {late * 1000:.0f} ms")
        for program in [*players, studio]:
            if program is studio:
                require(program.end() == 0, "the studio ends with a failure")
            program.end()
    shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rgtrans")
    parser.add_argument("--exchanges", type=int, default=20_000 if FULL else 300)
    parser.add_argument("--messages", type=int, default=10_000 if FULL else 150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slowest", type=float, default=0.2 if FULL else 2, help="seconds for 99 of 100 requests")
    options = parser.parse_args()
    try:
        run(options.rgtrans, options.exchanges, options.messages, options.seed, options.slowest)
    except Failure as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
