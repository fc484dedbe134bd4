"""quote.py BENCH.json README.md - puts the table of a whole run of `make bench` between the markers of tests/bench/README.md. It takes
nothing but what bench.py wrote, missed goals included; a run without the large inputs is refused."""
import json
import os
import sys

BEGIN, END = "<!-- bench: written by make bench BIG=1 QUOTE=1 -->\n", "<!-- bench ends -->\n"


def section(run):
    return (f"{BEGIN}## How fast, measured\n\n"
            f"{run['version']}, {run['date']}, on {run['machine']}: medians of {run['rounds']} rounds, {run['runs']} run(s). "
            "The yardsticks read the same file in turn\nwith it and keep nothing; every input is made up by `tests/bench`. "
            "Words: above.\n\n"
            f"{run['table']}\n{run['conclusion']}{END}")


def main():
    with open(sys.argv[1]) as f:
        run = json.load(f)
    if not run["big"]:
        sys.exit("quote.py: this run is without the large inputs (BIG=1); nothing is quoted")
    with open(sys.argv[2]) as f:
        text = f.read()
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        sys.exit(f"quote.py: {sys.argv[2]} does not hold the two markers once each")
    before, rest = text.split(BEGIN)
    with open(sys.argv[2] + ".part", "w") as f:
        f.write(before + section(run) + rest.split(END)[1])
    os.replace(sys.argv[2] + ".part", sys.argv[2])


main()
