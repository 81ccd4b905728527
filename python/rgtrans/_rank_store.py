"""The results of a run: a table in one SQLite file. A chunk of games is one transaction, so a run that is killed, or a full
disk, costs the chunks that were not finished, and a later run goes on with these.

Canonical forms are kept once for each different game, because games whose hashes agree are compared by their forms.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import sqlite3
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Sequence, Tuple

from ._errors import UsageError
from ._rank_guard import Result
from ._rank_stages import COLUMNS, STAGES, Row

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS run (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS games ({", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())});
CREATE TABLE IF NOT EXISTS forms (hash TEXT PRIMARY KEY, form BLOB);
CREATE TABLE IF NOT EXISTS chunks (first INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS costs (stage TEXT PRIMARY KEY, games INTEGER, seconds REAL);
CREATE INDEX IF NOT EXISTS by_form ON games (form, idx);
CREATE INDEX IF NOT EXISTS by_stage ON games (state, stage, idx);
"""
class Store:
    """One file of results."""

    def __init__(self, path: Path, options: Mapping[str, Any]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._db = sqlite3.connect(path, isolation_level=None, timeout=60)
        # Written ahead and flushed at checkpoints: a kill loses nothing, and a power failure the last seconds.
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA cache_size = -65536")
        self._db.executescript(_SCHEMA)
        wanted = json.dumps(options, sort_keys=True)
        self._db.execute("INSERT OR IGNORE INTO run VALUES ('options', ?)", (wanted,))
        (known,) = self._db.execute("SELECT value FROM run WHERE key = 'options'").fetchone()
        if known != wanted:
            before, now = json.loads(known), json.loads(wanted)
            differing = [key for key in {*before, *now} if before.get(key) != now.get(key)]
            raise UsageError(f"{path} has the results of a run with other options: {', '.join(sorted(differing))}",
                             hint="choose another folder, or remove that file")

    @staticmethod
    def options_of(path: Path) -> Dict[str, Any]:
        """The options of the run whose results a file has."""
        db = sqlite3.connect(path)
        try:
            (text,) = db.execute("SELECT value FROM run WHERE key = 'options'").fetchone()
        finally:
            db.close()
        options: Dict[str, Any] = json.loads(text)
        return options

    def close(self) -> None:
        """Merges what was written ahead into the file."""
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.close()

    # --- What is left to do. ---

    def missing_chunks(self, chunks: Iterable[range]) -> Iterator[range]:
        """Those without results."""
        for chunk in chunks:
            if not self._db.execute("SELECT 1 FROM chunks WHERE first = ?", (chunk.start,)).fetchone():
                yield chunk

    def open_games(self, stage: str, size: int) -> Iterator[List[int]]:
        """Lists of games whose last stage is this one, in order."""
        last = -1
        while True:
            rows = self._db.execute("SELECT idx FROM games WHERE state = 'open' AND stage = ? AND idx > ? ORDER BY idx LIMIT ?",
                                    (stage, last, size)).fetchall()
            if not rows:
                return
            last = rows[-1][0]
            yield [index for (index,) in rows]

    def best_games(self, count: int, size: int) -> Iterator[List[int]]:
        """The best by their figures so far which were not searched yet."""
        rows = self._db.execute("SELECT idx, stage FROM games WHERE state = 'open' AND stage IN ('play', 'search') "
                                "ORDER BY score DESC, idx LIMIT ?", (count,)).fetchall()
        left = [index for index, stage in rows if stage == "play"]
        for i in range(0, len(left), size):
            yield left[i:i + size]

    def count(self, condition: str = "1") -> int:
        """Games with this condition."""
        (number,) = self._db.execute(f"SELECT count(*) FROM games WHERE {condition}").fetchone()
        return int(number)

    # --- Results. ---

    def add(self, results: Sequence[Result], stage: str, first: int = -1) -> None:
        """Stores the results of a chunk; ``first`` marks one of "translate" as done."""
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        try:
            for row, form, _ in results:
                if form:
                    self._keep_form(row, form)
                names = list(row)
                updates = ", ".join(f"{name} = excluded.{name}" for name in names if name != "idx")
                db.execute(f"INSERT INTO games ({', '.join(names)}) VALUES ({', '.join('?' * len(names))}) "
                           f"ON CONFLICT (idx) DO UPDATE SET {updates}", list(row.values()))
            if first >= 0:
                db.execute("INSERT OR IGNORE INTO chunks VALUES (?)", (first,))
            db.execute("INSERT INTO costs VALUES (?, ?, ?) ON CONFLICT (stage) DO UPDATE SET games = games + excluded.games, "
                       "seconds = seconds + excluded.seconds", (stage, len(results), sum(cost for _, _, cost in results)))
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise

    def _keep_form(self, row: Row, form: bytes) -> None:
        """Another form under this hash would make the game an equal one: it gets a hash of its own."""
        while True:
            self._db.execute("INSERT OR IGNORE INTO forms VALUES (?, ?)", (row["form"], form))
            (known,) = self._db.execute("SELECT form FROM forms WHERE hash = ?", (row["form"],)).fetchone()
            if known == form or _decompressed(known) == _decompressed(form):
                return
            row["form"] += "'"

    def drop_equal_games(self) -> None:
        """Of games with equal forms, the one with the lowest index stays."""
        self._db.execute("BEGIN IMMEDIATE")
        blank = ", ".join(f"{name} = NULL" for name in list(COLUMNS)[list(COLUMNS).index("proved"):])
        self._db.execute(
            f"UPDATE games SET state = 'dropped', stage = 'distinct', reason = 'equal to an earlier game', {blank}, equal_to = "
            "(SELECT min(o.idx) FROM games o WHERE o.form = games.form) "
            "WHERE form IS NOT NULL AND idx > (SELECT min(o.idx) FROM games o WHERE o.form = games.form)")
        self._db.execute("UPDATE games SET stage = 'distinct' WHERE state = 'open' AND stage = 'translate'")
        self._db.execute("COMMIT")

    def add_all_of(self, path: Path) -> None:
        """Adds the results of a shard."""
        self._db.execute("ATTACH ? AS other", (str(path),))
        try:
            (left,) = self._db.execute("SELECT count(*) FROM other.games WHERE state = 'open' AND stage IN ('translate', "
                                       "'distinct')").fetchone()
            if left:
                raise UsageError(f"{path} is not finished", hint="run that shard again; it goes on")
            self._db.execute("BEGIN IMMEDIATE")
            same = "SELECT o.hash FROM other.forms o JOIN main.forms m ON o.hash = m.hash WHERE o.form != m.form"
            for (hash_,) in self._db.execute(same).fetchall():
                forms = [self._db.execute(f"SELECT form FROM {name}.forms WHERE hash = ?", (hash_,)).fetchone()[0]
                         for name in ("main", "other")]
                if _decompressed(forms[0]) != _decompressed(forms[1]):
                    raise UsageError(f"two different games have the hash {hash_}", hint="run without shards")
            self._db.execute("INSERT OR IGNORE INTO main.forms SELECT * FROM other.forms")
            self._db.execute("INSERT OR IGNORE INTO main.games SELECT * FROM other.games")
            self._db.execute("INSERT OR IGNORE INTO main.chunks SELECT * FROM other.chunks")
            self._db.execute("INSERT INTO main.costs SELECT * FROM other.costs WHERE 1 ON CONFLICT (stage) DO UPDATE SET "
                             "games = games + excluded.games, seconds = seconds + excluded.seconds")
            self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._db.execute("DETACH other")

    # --- Reading. ---

    def left_by_stage(self) -> Dict[str, int]:
        """How many games passed each stage."""
        passed = dict.fromkeys(STAGES, 0)
        for state, stage, number in self._db.execute("SELECT state, stage, count(*) FROM games GROUP BY state, stage"):
            place = STAGES.index(stage)
            for name in STAGES[: place if state == "dropped" else place + 1]:
                passed[name] += number
        return passed

    def reasons(self) -> List[Tuple[str, str, int]]:
        """Stage, reason and number of dropped games, most frequent first."""
        return list(self._db.execute("SELECT stage, reason, count(*) FROM games WHERE state = 'dropped' "
                                     "GROUP BY stage, reason ORDER BY count(*) DESC, stage, reason"))

    def costs(self) -> Dict[str, Tuple[int, float]]:
        """Games and processor seconds by stage."""
        return {stage: (games, seconds) for stage, games, seconds in self._db.execute("SELECT * FROM costs")}

    def ranking(self, count: int) -> List[Row]:
        """The best games, best first: those that were searched come first."""
        self._db.row_factory = sqlite3.Row
        rows = self._db.execute("SELECT * FROM games WHERE state = 'open' AND score IS NOT NULL "
                                "ORDER BY final IS NULL, final DESC, score DESC, idx LIMIT ?", (count,)).fetchall()
        self._db.row_factory = None
        return [dict(row) for row in rows]

    def values(self, column: str) -> List[float]:
        """The figures of all open games."""
        assert column in COLUMNS
        return [value for (value,) in
                self._db.execute(f"SELECT {column} FROM games WHERE state = 'open' AND {column} IS NOT NULL")]

    def rows(self) -> Iterator[Tuple[Any, ...]]:
        """The whole table, by index."""
        return iter(self._db.execute(f"SELECT {', '.join(COLUMNS)} FROM games ORDER BY idx"))

    def write_table(self, path: Path) -> None:
        """Writes the table as .csv, .csv.gz or (where pyarrow is installed) .parquet. Equal tables are equal files."""
        if path.suffix == ".parquet":
            _write_parquet(path, self.rows())
            return
        with open(path, "wb") as file:
            raw: Any = gzip.GzipFile("", "wb", fileobj=file, mtime=0) if path.suffix == ".gz" else file
            with io.TextIOWrapper(raw, encoding="utf-8", errors="surrogateescape", newline="") as text:
                writer = csv.writer(text, lineterminator="\n")
                writer.writerow(COLUMNS)
                writer.writerows(self.rows())


def _decompressed(form: bytes) -> bytes:
    import zlib

    return zlib.decompress(form)


def _write_parquet(path: Path, rows: Iterator[Tuple[Any, ...]]) -> None:
    import itertools

    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("writing Parquet needs pyarrow", hint="write .csv.gz instead") from None
    kinds = {"TEXT": pyarrow.string(), "REAL": pyarrow.float64()}
    schema = pyarrow.schema([(name, kinds.get(kind, pyarrow.int64())) for name, kind in COLUMNS.items()])
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        while block := list(itertools.islice(rows, 50_000)):
            writer.write_table(pyarrow.Table.from_pylist([dict(zip(COLUMNS, row)) for row in block], schema))
