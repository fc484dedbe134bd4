"""first_picture.py PROGRAM TRACE - seconds from the start of the explorer until its first frame with a busy lane, and
until its first byte. The explorer runs on a pseudo-terminal of 200x60 and is told to quit afterwards."""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

LIMIT_S = 120
BUSY_LANE = re.compile("[▁▂▃▄▅▆▇]")  # the progress bar has only full and shaded cells


def watch(terminal, begun):
    """Times of the first byte and of the first lane."""
    text, first_byte = b"", None
    while time.monotonic() - begun < LIMIT_S:
        if not select.select([terminal], [], [], 0.5)[0]:
            continue
        try:
            got = os.read(terminal, 65536)
        except OSError:
            break
        now = time.monotonic() - begun
        first_byte = first_byte or now
        text += got
        if BUSY_LANE.search(text.decode("utf-8", "ignore")):
            return first_byte, now
    return first_byte, None


def main():
    program, trace = sys.argv[1:]
    begun = time.monotonic()
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8", XDG_STATE_HOME="/dev/null")
        os.execv(program, [program, "--no-cache", trace])
    first_byte, first_lane = watch(terminal, begun)
    os.kill(child, signal.SIGTERM)
    os.close(terminal)
    os.waitpid(child, 0)
    print(json.dumps({"first_byte_s": first_byte, "first_lane_s": first_lane}))


main()
