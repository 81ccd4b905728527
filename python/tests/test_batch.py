"""Converting many files, with and without executors."""

import os
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import rgtrans
from rgtrans.linegames import BLACK, WHITE, LineGame


@pytest.fixture
def library(tmp_path):
    paths = []
    for size in (3, 5, 7):
        path = tmp_path / f"alquerque{size}.hrg"
        LineGame().alquerque(size, size).rows(BLACK, first=1).rows(WHITE, last=1).save(path)
        paths.append(path)
    broken = tmp_path / "broken.hrg"
    broken.write_text("domain Player = a | b\n\ngraph rules( {\n}\n")
    return [*paths, broken, tmp_path / "missing.hrg"]


class DaskLike:
    """A client whose futures come later and have only result()."""

    def submit(self, function, *args, **kwargs):
        class Later:
            def result(self):
                return function(*args, **kwargs)

        return Later()


@pytest.mark.parametrize("make", [lambda: None, lambda: ThreadPoolExecutor(2), lambda: ProcessPoolExecutor(2), DaskLike])
def test_batch(library, tmp_path, make):
    out = tmp_path / "out"
    results = list(rgtrans.batch(library, make(), out=out))
    assert [r.path for r in results] == library
    assert [bool(r) for r in results] == [True, True, True, False, False]
    for result in results[:3]:
        assert result.output == out / f"{result.path.stem}.rg"
        assert rgtrans.load(result.output).perft(1) > 0
        assert result.stats["edges"] > 0 and result.text is None
    assert "broken.hrg:3:" in results[3].error and results[3].diagnostics[0].line == 3
    assert repr(results[3]).startswith("<Conversion of ")
    assert "No such file" in results[4].error
    assert sorted(p.name for p in out.glob("[!.]*")) == ["alquerque3.rg", "alquerque5.rg", "alquerque7.rg"]


def test_texts_instead_of_files(library):
    (result,) = rgtrans.batch(library[:1], to="json", level=0)
    assert result.output is None and result.text.startswith("{")


def test_convert_is_all_that_travels(library):
    import pickle

    function = pickle.loads(pickle.dumps(rgtrans.convert))
    assert pickle.loads(pickle.dumps(function(library[0]))).text


def test_wrong_executor(library):
    with pytest.raises(TypeError, match="executor must have a method submit.*int has none"):
        rgtrans.batch(library, 4)
    assert Future  # the futures of concurrent.futures need no adapter


def test_resume(library, tmp_path):
    out = tmp_path / "out"

    def times_written():
        return [r.output.stat().st_mtime_ns for r in rgtrans.batch(library[:3], out=out, resume=True)]

    first = times_written()
    assert times_written() == first
    library[0].write_text(library[0].read_text() + "// changed\n")
    (out / "alquerque5.rg").write_text("damaged")
    second = times_written()
    assert [a == b for a, b in zip(first, second)] == [False, False, True]
    assert rgtrans.load(out / "alquerque5.rg").perft(1) > 0
    (again,) = rgtrans.batch(library[2:3], out=out, resume=True)
    assert again.stats["edges"] > 0


def test_names_that_clash(library, tmp_path):
    twin = tmp_path / "more" / "alquerque3.hrg"
    twin.parent.mkdir()
    twin.write_text(library[0].read_text())
    results = list(rgtrans.batch([library[0], twin], out=tmp_path / "out"))
    assert [r.output.name for r in results] == ["alquerque3.hrg.rg", "alquerque3.hrg~2.rg"]


def test_no_input_is_overwritten(library, tmp_path):
    source = sorted(library)[0]
    mine = tmp_path / "mine.rg"
    mine.write_text(rgtrans.load(source).to("rg"))
    before = mine.read_bytes()
    os.link(mine, tmp_path / "linked.rg")
    with pytest.raises(rgtrans.ArgumentError, match="would be overwritten"):
        rgtrans.convert(mine, out=tmp_path)
    with pytest.raises(rgtrans.ArgumentError, match="would be overwritten"):
        rgtrans.convert(mine, out=tmp_path, name="linked.rg")
    with pytest.raises(rgtrans.ArgumentError, match="would be overwritten"):
        list(rgtrans.batch([source, mine], out=tmp_path))
    assert mine.read_bytes() == before
