"""Finds the package in the build tree; data that the tests share."""

import glob
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _find_package():
    try:
        import rgtrans  # noqa: F401

        return
    except ModuleNotFoundError:
        pass
    folders = [os.environ.get("RGTRANS_BUILD_DIR", ""), str(ROOT / "build"), *sorted(glob.glob(str(ROOT / "build*")))]
    for folder in folders:
        if folder and glob.glob(os.path.join(folder, "python", "rgtrans", "_core*.so")):
            sys.path.insert(0, os.path.join(folder, "python"))
            return
    pytest.exit("the module is not built: cmake -DRGTRANS_PYTHON=ON, then ninja rgtrans_python", returncode=1)


_find_package()

# Tic-tac-toe, written for these tests.
TIC_TAC_TOE = """
domain Player = x | o
domain Score = 50 | 0 | 100
domain Piece = empty | x | o
domain Row = R(N) where N in 0..2
domain Column = C(N) where N in 0..2

across : Column -> Column
across(C(N)) = C((N + 1) % 3)
below : Row -> Row
below(R(N)) = R((N + 1) % 3)

board : Row -> Column -> Piece = { : { : empty } }
row : Row
column : Column
me : Player = x

other : Player -> Player
other(x) = o
other(o) = x

graph threeInLine() {
  branch {
    check(board[row][across[column]] == me)
    check(board[row][across[across[column]]] == me)
  } or {
    check(board[below[row]][column] == me)
    check(board[below[below[row]]][column] == me)
  }
}

graph anyEmpty() {
  row = Row(*)
  column = Column(*)
  check(board[row][column] == empty)
}

graph rules() {
  loop {
    player = me
    row = Row(*)
    column = Column(*)
    check(board[row][column] == empty)
    $$ row
    $$ column
    board[row][column] = me
    player = keeper
    if reachable(threeInLine()) {
      goals[me] = 100
      goals[other[me]] = 0
      end()
    }
    if not(reachable(anyEmpty())) {
      end()
    }
    me = other[me]
  }
}
"""

# Both players choose heads or tails; the second does not see the first one's choice. The coin decides who guesses.
PENNIES = """
domain Player = chooser | guesser
domain Score = 0 | 1
domain Side = heads | tails
domain Bool = 0 | 1

chosen : Side
guessed : Side
coin : Side

graph rules() {
  player = random
  coin = Side(*)
  $$ coin
  player = keeper
  player = chooser
  visible[guesser] = 0
  chosen = Side(*)
  $$ chosen
  player = keeper
  visible[guesser] = 1
  player = guesser
  guessed = Side(*)
  $$ guessed
  player = keeper
  if chosen == guessed { goals[guesser] = 1 } else { goals[chooser] = 1 }
  end()
}
"""


@pytest.fixture(scope="session")
def tic_tac_toe():
    import rgtrans

    return rgtrans.load(TIC_TAC_TOE, "hrg", name="tic-tac-toe")


@pytest.fixture(scope="session")
def pennies():
    import rgtrans

    return rgtrans.load(PENNIES, "hrg", name="pennies")


@pytest.fixture(scope="session")
def shared():
    folder = Path(os.environ.get("RGTRANS_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip("no shared folder beside the repository")
    return folder
