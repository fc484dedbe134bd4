"""Pages of the program in a headless Chromium: a script plays in the page and tells what it saw. No driver, no network: the script stands in a copy
of the page, and what it tells is read from the page as it is in the end."""
import json
import os
import re
import shutil
import subprocess
import tempfile

# frames of a browser that shows nothing come when they like
FRAMES = "<script>requestAnimationFrame = act => setTimeout(act, 0);</script>"
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
LACKING = "no chromium"
# `frame` waits until what was asked for is drawn; `key`, `click` and `wheel` are what a user does
DRIVER = """
const frame = () => new Promise(r => setTimeout(r, 20));
const fired = (e, type, more) => e.dispatchEvent(Object.assign(new Event(type, {bubbles: true, cancelable: true}), more));
const key = (e, name) => fired(e, "keydown", {key: name});
const click = e => { fired(e, "pointerdown", {clientX: 0}); fired(e, "pointerup"); fired(e, "click"); };
const wheel = (e, more) => fired(e, "wheel", {deltaX: 0, deltaY: 0, ...more});
const typed = (e, text) => { e.value = text; fired(e, "input"); };
const $ = (words, at = document) => at.querySelector(words), $$ = (words, at = document) => [...at.querySelectorAll(words)];
(async () => {
	let said;
	try { said = await (async () => { %s })(); } catch (e) { said = {error: `${e} ${e.stack}`}; }
	const out = document.createElement("template");
	out.id = "told";
	out.setAttribute("data-told", JSON.stringify(said));
	document.body.append(out);
})();
"""


def _chromium(words, url, timeout_s):
    home = tempfile.mkdtemp(prefix="stepscope-page-")
    try:
        return subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars",
                               f"--user-data-dir={home}", *words, url], capture_output=True, timeout=timeout_s)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def played(path, script, size="1280,900", words=(), timeout_s=60 * int(os.environ.get("TEST_SLOW", "1"))):
    """What `script`, the body of an async function, returns in the page at `path`."""
    copy = path + ".played.html"
    with open(path, encoding="utf-8") as f:
        page = f.read()
    with open(copy, "w", encoding="utf-8") as f:
        f.write(page.replace("<title>", FRAMES + "<title>", 1).replace("</body>", "<script>" + DRIVER % script + "</script></body>"))
    run = _chromium([f"--window-size={size}", "--virtual-time-budget=20000", *words, "--dump-dom"], "file://" + copy, timeout_s)
    found = re.search(rb'id="told" data-told="([^"]*)"', run.stdout)
    if not found:
        return {"error": f"the page told nothing: {run.stderr[-600:]!r}"}
    return json.loads(found.group(1).decode().replace("&quot;", '"').replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u00a0").replace("&amp;", "&"))


def printed(path, pdf, timeout_s=60 * int(os.environ.get("TEST_SLOW", "1"))):
    """Pages of the page on A4."""
    _chromium(["--no-pdf-header-footer", f"--print-to-pdf={pdf}"], "file://" + path, timeout_s)
    with open(pdf, "rb") as f:
        return len(re.findall(rb"/Type\s*/Page\b", f.read()))
