"""quote.py MEASURED README.md - puts the table of a whole run of `make bench` (bench.json) or `make bench-odd` (odd.measured) between the
markers of tests/bench/README.md. It takes nothing but what bench.py or odd.py wrote, missed goals included; a run of a part is refused."""
import json
import os
import sys

BENCH = "<!-- bench: written by make bench BIG=1 QUOTE=1 -->\n", "<!-- bench ends -->\n"
ODD = "<!-- odd: written by make bench-odd QUOTE=1 -->\n", "<!-- odd ends -->\n"


def how_fast(run):
    if not run["big"]:
        sys.exit("quote.py: this run is without the large inputs (BIG=1); nothing is quoted")
    return ("## How fast, measured\n\n"
            f"{run['version']}, {run['date']}, on {run['machine']}: medians of {run['rounds']} rounds, {run['runs']} run(s). "
            "The yardsticks read the same file in turn\nwith it and keep nothing.\n\n"
            f"{run['table']}\n{run['conclusion']}")


def odd_traces(run):
    if not run["whole"]:
        sys.exit("quote.py: this run is of some kinds of odd traces only; nothing is quoted")
    return f"{run['date']}: {run['verdict']}.\n\n{run['table']}"


def main():
    with open(sys.argv[1]) as f:
        run = json.load(f)
    (begin, end), section = (ODD, odd_traces) if "worst" in run else (BENCH, how_fast)
    with open(sys.argv[2]) as f:
        text = f.read()
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        sys.exit(f"quote.py: {sys.argv[2]} does not hold the two markers once each")
    before, rest = text.split(begin)
    with open(sys.argv[2] + ".part", "w") as f:
        f.write(before + begin + section(run) + end + rest.split(end)[1])
    os.replace(sys.argv[2] + ".part", sys.argv[2])


main()
