#!/usr/bin/env python3
"""Terminals as they come: types that no database describes, colours as the terminal can show them, frames that appear at once, slow
lines, terminals that go away."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, STEPSCOPE, TIMEOUT_S, Tap, need_program, play, scratch

SMALL = os.path.join(ROOT, "tests/golden/small/two_steps.json")
RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
UNDESCRIBED = ("xterm-ghostty", "xterm-kitty", "alacritty", "foot", "wezterm", "no-such-terminal")
DIRECT = ("xterm-direct", "foot-direct", "no-such-direct")
SHOW = "wait Overview\nsettle\nscreen\nattrs\nkeys Q\nend\n"


def has_entry(term):
    return any(os.path.exists(f"{d}/{sub}/{term}") for d in ("/usr/share/terminfo", "/lib/terminfo", "/etc/terminfo")
               for sub in (term[0], f"{ord(term[0]):x}"))


def unknown_types(tap):
    want = play(SHOW, SMALL).screens[0]
    for term in UNDESCRIBED + DIRECT:
        shown = play(SHOW, SMALL, term=term)
        got = shown.screens[0]
        tap.equal(got[:-3], want[:-3], f"TERM={term}: the explorer's screen")  # what a message of two lines leaves
        tap.ok("exit 0" in shown.said and "terminal: restored" in shown.said, f"TERM={term}: leaves the terminal as it was", shown.run.told())
        known = has_entry(term) or (term.endswith("-direct") and has_entry(term[:-len("-direct")])) or term == "xterm-direct"
        if not known:
            told = " ".join("".join(got[-3:]).split())
            tap.ok(f"\"{term}\" is not described on this machine: drawn as for " in told, f"TERM={term}: says what it is drawn for", told)
        if term in DIRECT:
            tap.ok(any("#" in line for line in shown.said), f"TERM={term}: in true colours", "\n".join(shown.said[:5]))
    plain = play("end\n", SMALL, term="dumb")
    tap.ok("exit 0" in plain.said and "alternate" not in plain.run.out, "TERM=dumb: the overview as text", plain.run.told())
    refused = play("end\n", SMALL, term="vt52")
    tap.ok("exit 2" in refused.said, "a terminal that is not driven by ESC [ is refused", refused.run.told())


def colours_of(shown):
    """rgb, 256, 16, 8 or none: what the styles of the screen need."""
    numbers = [n for line in shown.said for n in re.findall(r" [fb]g=(\S+)", line)]
    if any(n.startswith("#") for n in numbers):
        return "rgb"
    most = max([int(n) for n in numbers], default=-1)
    return "256" if most >= 16 else "16" if most >= 8 else "8" if most >= 0 else "none"


def colours(tap):
    """What is asked for, else what COLORTERM or the database say; the screen itself says what was sent."""
    theme = scratch("themes", "stepscope", "themes")
    os.makedirs(theme)
    with open(f"{theme}/mine.theme", "w", encoding="utf-8") as f:
        f.write("warn = #fedcba #010203\nhead = #123456 default / bright-red default\n")
    mine = {"XDG_CONFIG_HOME": scratch("themes")}
    for term, env, words, want in (
            ("xterm-256color", {}, (), "256"),
            ("xterm-256color", {"COLORTERM": "truecolor"}, (), "rgb"),
            ("xterm-256color", {"COLORTERM": "24bit"}, (), "rgb"),
            ("xterm-256color", {"COLORTERM": "yes"}, (), "256"),
            ("xterm-256color", {}, ("--color", "truecolor"), "rgb"),
            ("xterm-256color", {"COLORTERM": "truecolor"}, ("--color", "256"), "256"),
            ("xterm-256color", {"COLORTERM": "truecolor"}, ("--color", "16"), "16"),
            ("xterm-256color", {"COLORTERM": "truecolor"}, ("--color", "8"), "8"),
            ("xterm-256color", {"COLORTERM": "truecolor", "NO_COLOR": "1"}, (), "none"),
            ("xterm-256color", {"COLORTERM": "truecolor"}, ("--color", "never"), "none"),
            ("screen-256color", {"COLORTERM": "truecolor", "STY": "1"}, (), "256"),
            ("screen-256color", {"COLORTERM": "truecolor", "TMUX": "x"}, (), "rgb"),
            ("linux", {}, (), "8"),
            ("linux", {}, ("--color", "256"), "8"),
            ("vt100", {"COLORTERM": "truecolor"}, ("--color", "truecolor"), "none")):
        shown = play(SHOW, SMALL, "--theme", "mine", *words, term=term, env={**env, **mine})
        said = " ".join([term, *(f"{k}={v}" for k, v in env.items()), *words])
        tap.equal(colours_of(shown), want, f"colours: {said}")
        if want == "rgb":
            tap.ok(any("#123456" in line for line in shown.said), f"a theme's own colour arrives exactly: {said}", "\n".join(shown.said[:9]))


def preview(tap):
    """While a theme's name is typed it is shown; Esc takes it back, Enter keeps it, a name that is none changes nothing."""
    def title(typed, *keys):
        script = "".join(f"keys {key}\nsettle\n" for key in keys)
        shown = play(f"wait Overview\nsettle\nkeys :\ntype theme {typed}\nsettle\n{script}attrs\nkeys Q\n", SMALL)
        return [line for line in shown.said if line.startswith("0: ")]
    dark, contrast = title("", "Escape"), title("high-contrast", "Enter")
    tap.ok(dark and contrast and dark != contrast, "themes differ in the title", f"{dark} {contrast}")
    tap.equal(title("high-contrast"), contrast, "a theme is shown while its name is typed")
    tap.equal(title("hi", "Tab"), contrast, "also one that Tab completed")
    tap.equal(title("high-contrast", "Escape"), dark, "Esc takes it back")
    tap.equal(title("high-contrast", "BSpace"), dark, "and so does a letter less")
    tap.equal(title("high-contrasts", "Enter"), dark, "a name that is none changes nothing")


def frames_at_once(tap):
    for term, env, want in (("foot", {}, True), ("xterm-256color", {"TERM_PROGRAM": "WezTerm"}, True), ("xterm-256color", {}, False),
                            ("screen-256color", {"TERM_PROGRAM": "WezTerm", "STY": "1"}, False)):
        file = scratch(f"frames-{term}-{len(env)}")
        shown = play(f"record {file}\nwait Overview\nsettle\nkeys 2\nsettle\nkeys Q\nend\n", SMALL, term=term, env=env)
        sent = open(file, "rb").read()
        begins, ends = sent.count(b"\033[?2026h"), sent.count(b"\033[?2026l")
        tap.ok(begins <= ends and (begins > 1) == want and "exit 0" in shown.said, f"frames appear at once: {term} {env} {want}",
               f"{begins} begin, {ends} end")


def bytes_said(shown):
    return [int(line.split()[1]) for line in shown.said if line.startswith("bytes ")]


def slow_line(tap):
    """Twenty keys, each of which asks for nearly all of the screen anew, within 40 ticks over a line on which a frame takes longer than
    that: three times 9600 baud. Counted in bytes, of which a tick carries 60: no more than two frames of them."""
    for size in ("80x24", "120x40"):
        burst = "".join(f"keys {key}\nticks 2\n" for key in "52" * 10)
        shown = play(f"slow 60\nwait Overview\nsettle\nkeys 2\nsettle\nbytes\n{burst}settle\nbytes\nscreen\nkeys Q\nend\n",
                     RESNET, size=size)
        calm = play("wait Overview\nsettle\nkeys 2\nsettle\nbytes\nkeys 5\nsettle\nbytes\nkeys 2\nsettle\nbytes\nscreen\nkeys Q\nend\n", RESNET, size=size)
        took, frame = bytes_said(shown), max(bytes_said(calm)[1:])
        tap.ok(len(took) == 2 and took[1] <= 2 * frame, f"{size}: twenty keys over a slow line cost two frames at most",
               f"frame {frame}, then {took}; {shown.run.told()}")
        tap.ok(shown.screens and shown.screens == calm.screens, f"{size}: and end where they end on a quick one", shown.last)


def copies_through_tmux(tap):
    """tmux hands a copied text to its terminal when it may take what programs put into the clipboard, and when it may pass it on."""
    if not shutil.which("tmux"):
        tap.skip("copies through tmux", "tmux is not installed")
        return
    for clipboard, passes, arrives in (("on", "off", True), ("external", "on", True), ("on", "on", True), ("external", "off", False)):
        name = f"tmux-{clipboard}-{passes}"
        os.makedirs(scratch(), exist_ok=True)
        with open(scratch(f"{name}.conf"), "w", encoding="utf-8") as f:
            f.write(f"set -g set-clipboard {clipboard}\nset -g allow-passthrough {passes}\nset -g status off\n")
        file = scratch(f"{name}.sent")
        shown = play(f"record {file}\nwait Overview\nkeys 5\nwait 1 of\nkeys y\nwait copy:\nkeys n\nwait copied\nkeys Q\nend\n", "-S", scratch(f"{name}.socket"),
                     "-f", scratch(f"{name}.conf"), "new-session", f"XDG_CACHE_HOME={scratch('cache')} {STEPSCOPE} {RESNET}", program="tmux", size="120x40")
        subprocess.run(["tmux", "-S", scratch(f"{name}.socket"), "kill-server"], capture_output=True, check=False)  # where something went wrong
        sent = open(file, "rb").read()
        tap.ok(("exit 0" in shown.said) and (b"\033]52;" in sent) == arrives, f"set-clipboard {clipboard}, allow-passthrough {passes}: the text "
               + ("reaches the terminal" if arrives else "stays, as tmux was told"), shown.run.told() + shown.run.out[-600:])


def hangup(tap):
    """The terminal goes away: also where no signal tells, because it is not the program's controlling one."""
    own = play("wait Overview\nsettle\nhangup\nend\n", SMALL)
    tap.ok("signal 1" in own.said, "a terminal that is gone ends the program", own.run.told())
    tap.equal(ends_without_controlling(), -1, "also one that is not its controlling terminal")


def hangup_during_export(tap):
    """Whenever the terminal goes away, there is the whole report or nothing: no part of it, and nothing temporary."""
    for ticks in (0, 2, 5, 10, 20):
        folder = scratch(f"export-{ticks}")
        os.makedirs(folder)
        gone = play(f"wait Overview\nsettle\nkeys e\nwait export\nkeys h\nticks {ticks}\nhangup\nend\n", RESNET, cwd=folder)
        left = {name: open(os.path.join(folder, name), encoding="utf-8").read().rstrip().endswith("</html>") for name in os.listdir(folder)}
        tap.ok("signal 1" in gone.said and all(whole and name.endswith(".html") for name, whole in left.items()),
               f"gone {20 * ticks} ms into an export: the whole report or nothing", f"{left}\n{gone.run.told()}")


def ends_without_controlling():
    """How the explorer ends on a terminal that no signal comes from, once that is gone; None: it goes on."""
    master, slave = os.openpty()
    program = subprocess.Popen([STEPSCOPE, SMALL], stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
                               env={**os.environ, "TERM": "xterm-256color", "XDG_CACHE_HOME": scratch("hangup")})
    os.close(slave)
    seen = b""
    while b"Overview" not in seen:
        seen += os.read(master, 65536)
    os.close(master)
    try:
        return program.wait(TIMEOUT_S)
    except subprocess.TimeoutExpired:
        program.kill()
        program.wait()
        return None


def main():
    need_program()
    tap = Tap()
    unknown_types(tap)
    colours(tap)
    preview(tap)
    frames_at_once(tap)
    slow_line(tap)
    copies_through_tmux(tap)
    hangup(tap)
    hangup_during_export(tap)
    tap.done()


main()
