"""The results of a run: a table in one SQLite file. A chunk of games is one transaction, so a run that is killed, or a full
disk, costs the chunks that were not finished, and a later run goes on with these.

Canonical forms are kept in a second file, once for each different game, because games whose hashes agree are compared by
their forms. That file is removed when all games of a run are known; those of shards are kept for the merge.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import itertools
import json
import sqlite3
import zlib
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

from ._errors import UsageError
from ._rank_guard import Result
from ._rank_stages import COLUMNS, STAGES, Row

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS run (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS games ({", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())});
CREATE TABLE IF NOT EXISTS chunks (first INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS costs (stage TEXT PRIMARY KEY, games INTEGER, seconds REAL);
CREATE INDEX IF NOT EXISTS by_stage ON games (state, stage, idx);
"""


@contextlib.contextmanager
def _files_of(path: Path) -> Iterator[None]:
    """A full disk or a damaged file is an OSError."""
    try:
        yield
    except sqlite3.Error as error:
        room = "; the same command goes on when there is room" if "full" in str(error) else ""
        raise OSError(f"{path}: {error}{room}") from error


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
        self._db.execute("PRAGMA wal_autocheckpoint = 8192")
        self._db.executescript(_SCHEMA)
        self._forms = _forms_of(path)
        self._holders: Optional[Dict[int, int]] = None  # by hash: the game whose form is kept; while games are added
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
        with _files_of(path), contextlib.closing(sqlite3.connect(path)) as db:
            (text,) = db.execute("SELECT value FROM run WHERE key = 'options'").fetchone()
        options: Dict[str, Any] = json.loads(text)
        return options

    def close(self) -> None:
        """Merges what was written ahead into the file, if the disk has room."""
        with contextlib.suppress(sqlite3.OperationalError):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.close()

    def _known(self) -> Dict[int, int]:
        """The games whose forms are kept, by hash. An index of random hashes would be written page by page for each chunk."""
        if self._holders is None:
            self._db.execute("ATTACH ? AS kept", (str(self._forms),))
            self._db.execute("PRAGMA kept.journal_mode = WAL")
            self._db.execute("PRAGMA kept.synchronous = OFF")
            self._db.execute("CREATE TABLE IF NOT EXISTS kept.forms (idx INTEGER PRIMARY KEY, form BLOB)")
            rows = self._db.execute("SELECT g.form, f.idx FROM kept.forms f JOIN games g ON g.idx = f.idx WHERE g.form IS NOT NULL")
            self._holders = {_number(hash_): index for hash_, index in rows}
        return self._holders

    def remove_forms(self) -> None:
        """All games of the run are known."""
        if self._holders is not None:
            self._db.execute("DETACH kept")
            self._holders = None
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._forms}{suffix}").unlink(missing_ok=True)

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
        known = self._known() if any(form for _, form, _ in results) else {}
        added: Dict[int, int] = {}
        db.execute("BEGIN IMMEDIATE")
        try:
            for row, form, _ in results:
                if form:
                    row["form"] = self._keep_form(row["form"], row["idx"], form, (known, added))
                names = list(row)
                updates = ", ".join(f"{name} = excluded.{name}" for name in names if name != "idx")
                db.execute(f"INSERT INTO games ({', '.join(names)}) VALUES ({', '.join('?' * len(names))}) "
                           f"ON CONFLICT (idx) DO UPDATE SET {updates}", list(row.values()))
            if first >= 0:
                db.execute("INSERT OR IGNORE INTO chunks VALUES (?)", (first,))
            db.execute("INSERT INTO costs VALUES (?, ?, ?) ON CONFLICT (stage) DO UPDATE SET games = games + excluded.games, "
                       "seconds = seconds + excluded.seconds", (stage, len(results), sum(cost for _, _, cost in results)))
            db.execute("COMMIT")
            known.update(added)
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise

    def _keep_form(self, hash_: str, index: int, form: bytes, known: Tuple[Dict[int, int], Dict[int, int]]) -> str:
        """Keeps the first form of each hash, and adds new ones to the second table. Another form under a hash would make the
        game an equal one: it gets a hash of its own, which is returned."""
        while True:
            number = _number(hash_)
            holder = known[0].get(number, known[1].get(number))
            if holder is None:
                self._db.execute("INSERT OR REPLACE INTO kept.forms VALUES (?, ?)", (index, form))
                known[1][number] = index
                return hash_
            (other,) = self._db.execute("SELECT form FROM kept.forms WHERE idx = ?", (holder,)).fetchone()
            if other == form or zlib.decompress(other) == zlib.decompress(form):
                return hash_
            hash_ += "0"

    def drop_equal_games(self) -> None:
        """Of games with equal forms, the one with the lowest index stays."""
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("CREATE INDEX IF NOT EXISTS by_form ON games (form, idx)")
        blank = ", ".join(f"{name} = NULL" for name in list(COLUMNS)[list(COLUMNS).index("proved"):])
        self._db.execute(
            f"UPDATE games SET state = 'dropped', stage = 'distinct', reason = 'equal to an earlier game', {blank}, equal_to = "
            "(SELECT min(o.idx) FROM games o WHERE o.form = games.form) "
            "WHERE form IS NOT NULL AND idx > (SELECT min(o.idx) FROM games o WHERE o.form = games.form)")
        self._db.execute("UPDATE games SET stage = 'distinct' WHERE state = 'open' AND stage = 'translate'")
        self._db.execute("COMMIT")

    def add_all_of(self, path: Path) -> None:
        """Adds the results of a shard."""
        known = self._known()
        self._db.execute("ATTACH ? AS other", (str(path),))
        self._db.execute("ATTACH ? AS added", (str(_forms_of(path)),))
        try:
            (left,) = self._db.execute("SELECT count(*) FROM other.games WHERE state = 'open' AND stage IN ('translate', "
                                       "'distinct')").fetchone()
            if left:
                raise UsageError(f"{path} is not finished", hint="run that shard again; it goes on")
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("CREATE TABLE IF NOT EXISTS added.forms (idx INTEGER PRIMARY KEY, form BLOB)")
            added: Dict[int, int] = {}
            for hash_, index, form in self._db.execute("SELECT g.form, f.idx, f.form FROM added.forms f JOIN other.games g "
                                                       "ON g.idx = f.idx WHERE g.form IS NOT NULL"):
                if self._keep_form(hash_, index, form, (known, added)) != hash_:
                    raise UsageError(f"two different games have the hash {hash_}", hint="run without shards")
            self._db.execute("INSERT OR IGNORE INTO main.games SELECT * FROM other.games")
            self._db.execute("INSERT OR IGNORE INTO main.chunks SELECT * FROM other.chunks")
            self._db.execute("INSERT INTO main.costs SELECT * FROM other.costs WHERE 1 ON CONFLICT (stage) DO UPDATE SET "
                             "games = games + excluded.games, seconds = seconds + excluded.seconds")
            self._db.execute("COMMIT")
            known.update(added)
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._db.execute("DETACH other")
            self._db.execute("DETACH added")

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


@contextlib.contextmanager
def opened_store(path: Path, options: Mapping[str, Any]) -> Iterator[Store]:
    """A store that is closed at the end of the block."""
    with _files_of(path), contextlib.closing(Store(path, options)) as store:
        yield store


def _forms_of(path: Path) -> Path:
    return path.with_name(f"{path.stem}-forms.sqlite")


def _number(hash_: str) -> int:
    return int(hash_, 16)


def _write_parquet(path: Path, rows: Iterator[Tuple[Any, ...]]) -> None:
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
