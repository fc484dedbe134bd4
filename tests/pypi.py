"""A Python with packages from PyPI, in a virtual environment below the build tree: made once, kept for the next run. Only with PYPI=1
(`make pypi`): it takes a network and minutes, which `make test` does not ask for; what is there already is used by every run."""
import os
import shutil
import subprocess
import sys

from harness import OUT, TIMEOUT_S

INSTALL_S = 240 * (TIMEOUT_S // 60)


def python_with(name, *packages):
    """(the interpreter, "") or (None, why there is none). Packages are installed as named, with what they need."""
    folder = os.path.join(OUT, "venvs", name)
    python, mark = os.path.join(folder, "bin/python"), os.path.join(folder, "complete")
    if os.path.exists(mark) and open(mark, encoding="utf-8").read() == "\n".join(packages):
        return python, ""
    if not os.environ.get("PYPI"):
        return None, f"PYPI=1 installs {' '.join(packages)} and runs it"
    shutil.rmtree(folder, ignore_errors=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "1", "--timeout", "10", *packages]
    try:
        for command in ([sys.executable, "-m", "venv", folder], pip):
            done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_S, stdin=subprocess.DEVNULL)
            if done.returncode:
                told = (done.stderr or done.stdout).strip().splitlines()
                return None, f"{' '.join(packages)} cannot be installed: {told[-1][:150] if told else done.returncode}"
    except (OSError, subprocess.TimeoutExpired) as e:
        return None, f"{' '.join(packages)} cannot be installed: {e.__class__.__name__}"
    with open(mark, "w", encoding="utf-8") as f:
        f.write("\n".join(packages))
    return python, ""
