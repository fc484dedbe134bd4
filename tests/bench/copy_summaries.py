"""copy_summaries.py SUMMARY FOLDER N - the summary of one rank N times, each under a rank and names of its own."""
import os
import shutil
import sqlite3
import sys


def main():
    one, folder, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    for rank in range(n):
        path = os.path.join(folder, f"{rank}.sqlite")
        shutil.copyfile(one, path)
        db = sqlite3.connect(path)
        for table in ("recordings", "steps", "calls"):
            db.execute(f"UPDATE {table} SET recording = printf('%016x', ?)", (rank,))
        db.execute("UPDATE recordings SET rank = ?, host = 'host' || ?", (rank, rank))
        db.commit()
        db.close()


main()
