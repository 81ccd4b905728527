"""python3 -m rgtrans FILE.py…: line games in Python become files for the command line."""

import argparse
import pathlib
import runpy

from rgtrans.linegames import LineGame


def main() -> int:
    """Writes the line games that Python files define as files that the command line reads."""
    parser = argparse.ArgumentParser(
        prog="python3 -m rgtrans",
        description="Runs Python files and writes each LineGame that they define as NAME.linegame, which `rgtrans` reads.",
    )
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE.py")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path(), metavar="FOLDER")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for file in options.files:
        games = {name: value for name, value in runpy.run_path(str(file)).items() if isinstance(value, LineGame)}
        if not games:
            parser.exit(1, f"{file} defines no line game at its top level\n")
        for name, game in games.items():
            # One game is called as its file, several as their variables.
            target = options.output / f"{file.stem if len(games) == 1 else f'{file.stem}-{name}'}.linegame"
            target.write_text(game.to_json())
            print(target)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
