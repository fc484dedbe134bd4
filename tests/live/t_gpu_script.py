"""The script of tests/gpu on stand-ins: it runs from end to end here, so that nothing but the GPU is new to it there."""
import atexit
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import ROOT, SANITIZED, Tap, skip_all  # noqa: E402

if SANITIZED:
    skip_all("sanitizers refuse to start behind another library")

tap = Tap()
folder = tempfile.mkdtemp(prefix="gpu")
atexit.register(shutil.rmtree, folder, True)
done = subprocess.run([sys.executable, os.path.join(ROOT, "tests/gpu/run.py"), "--standin", "--pairs", "2", "--soak", "30000",
                       "--results", folder], capture_output=True, text=True, timeout=300)
for line in done.stdout.splitlines():
    if " - " in line and not line.startswith("#"):
        if "# SKIP" not in line:  # what only a GPU can tell
            tap.ok(line.startswith("ok"), line.split(" - ", 1)[1], done.stdout[-2000:])
tap.ok(done.returncode == 0 and os.path.getsize(os.path.join(folder, "results.json")) > 1000, "it writes its results", done.stderr[-1000:])
tap.done()
