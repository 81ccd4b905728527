"""The kernels of every HRG, RBG, RG and line game: the checks that need no GPU.

    scripts/sweep gpu --log FILE                          # goes on where the log ends
    scripts/sweep gpu --log FILE --checks kernel          # one of the checks
    scripts/sweep gpu --log FILE --again --seconds 300    # again the checks that were not complete with less time, or differed
    scripts/sweep gpu --log FILE --report --markdown docs/gpu.md

`kernel`: nvcc compiles the kernels; complete within 60 s of its processor time, partial within --building. `twin`: 1,000 random plays
of the host twin, which is compiled with the address and undefined-behaviour sanitizers, are those of the interpreter, and it
counts as many positions. `plays`: 100,000 plays of the twin for one seed are, play for play, those that the listing reasoner makes
with the same random numbers.
"""
import re
import sys

from lib.checks import failed, known, result, started, topic
from lib.measure import first_line, must, nvcc

KERNEL_SECONDS = 60
TWIN, PLAYS = 1000, 100_000
SANITIZED = "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all"


def refused(text):
    """Why a game has no kernels."""
    told = re.search(r"(?:is refused|error): (.*)", text)
    return result("limit", 0, first_line(told[1] if told else text))


def kernel(path, version, folder, o):
    compiler = nvcc(folder, "sm_90") or sys.exit("there is no nvcc")
    written = started([version.program, "--to", "cuda", "-o", folder, path], o, memory=o.memory)
    if written.code != 0:
        return refused(written.err)
    done = started([*compiler, "-shared", "-o", f"{folder}/game.so", f"{folder}/game.cu"], o)
    if done.code < 0 or done.seconds > o.building:
        return result("limit", 0, f"nvcc was stopped after {done.seconds:.0f} s")
    if done.code != 0:
        return result("difference", 0, first_line(done.err))
    return result("complete" if done.seconds <= KERNEL_SECONDS else "partial", 0, f"{done.seconds:.1f} s of nvcc")


def twin(path, version, folder, o):
    runtime = must(["g++", "-print-file-name=libasan.so"]).out.strip()
    settings = {"RGTRANS_FULL": "1", "RGTRANS_GAME": path, "RGTRANS_GAME_SECONDS": round(o.seconds), "LD_PRELOAD": runtime,
                "RGTRANS_REASONER_FLAGS": SANITIZED, "ASAN_OPTIONS": "detect_leaks=0"}
    done = started([version.tests("test_oracle"), "--gtest_filter=*OnTwin.PlaysLike*"], o, settings)
    if done.code == 0 and "is refused" in done.out:
        return refused(done.out)
    told = re.search(r": (\d+) of \d+ playouts alike, (\d+) given up", done.out)
    if done.code != 0 or not told:
        return failed(done, r"(?s)(?:Failure\n|ERROR: |runtime error: )(.*)")
    made, lacking = map(int, told.groups())
    return result("complete" if made == TWIN else "partial", made, f"{lacking} given up for lack of room" if lacking else "")


def plays(path, version, folder, o):
    settings = {"RGTRANS_FULL": "1", "RGTRANS_GAME": path, "RGTRANS_GAME_SECONDS": round(o.seconds)}
    done = started([version.tests("test_backends_cuda"), "--gtest_filter=*PlaysWhatItsRandomNumbersSay*"], o, settings, o.memory)
    if done.code == 0 and "is refused" in done.out:
        return refused(done.out)
    told = re.search(r": (\d+) plays are alike", done.out)
    if done.code != 0 or not told:
        return failed(done, r"(?s)Failure\n(.*)")
    made = int(told[1])
    return result("complete" if made == PLAYS else "partial", made)


def remarks(rows):
    """The kernels that take longest, and the games of which not all plays were compared."""
    of, text = known(rows), ""
    seconds = sorted(((float(now["note"].split()[0]), game) for (game, check), now in of.items()
                      if check == "kernel" and now["note"].endswith("of nvcc")), reverse=True)
    if seconds:
        text += "\n\nnvcc takes longest for " + ", ".join(f"{game} ({time:.0f} s)" for time, game in seconds[:5]) + "."
    rest = [f"{game} ({check}: {now['note'] or f'''{now['plays']:,} plays in {now['seconds']:,.0f} s'''})"
            for (game, check), now in sorted(of.items()) if now["outcome"] in ("partial", "limit")]
    return text + ("\n\nNot complete: " + ", ".join(rest) + "." if rest else "")


globals().update(topic({"kernel": kernel, "twin": twin, "plays": plays}, ["HRG", "RBG", "RG", "line games"], "check-gpu",
                       ["rgtrans", "test_oracle", "test_backends_cuda"], remarks))
