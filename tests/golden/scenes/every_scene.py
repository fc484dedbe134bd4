"""What must hold in every scene, and what several checks ask for."""
from harness import number, table

IDLE_PARTS = ("not_recorded", "input_wait", "host_work", "loss_scaling", "thread_contention", "synchronisation", "compilation", "allocator",
              "communication_wait", "host_wait", "launch_latency", "host_compute", "copies", "python_overhead", "profiler", "held_back", "records_lost")


def every_scene(o):
    """In every scene: the ledger closes, and the steps' parts add up."""
    facts = table("trace", o.path).keyed()
    entries, shown, merged, noted = (number(facts.get(k)) for k in (
        "entries_in_file", "events_shown", "events_merged", "events_noted"))
    o.check("events in the file = shown + merged + noted", entries, shown + merged + noted)
    o.check("every event of the scene is shown", shown, o.scene.count(o.form))
    idle_adds_up(o)
    for row in table("steps", o.path).rows:
        parts = [number(row[c]) for c in row if c.endswith("_ns") and c not in ("start_ns", "dur_ns", "input_copy_ns")]
        if None not in parts and sum(parts) != number(row["dur_ns"]):
            o.check(f"the parts of step {row['step']} add up to its length", sum(parts), number(row["dur_ns"]))
            return
    o.tap.ok(True, f"{o.label}: the parts of every step add up to its length")


def idle_adds_up(o):
    """Every ns in which a device does nothing has one reason, and shares are whole."""
    wrong = [r for r in o.rows("idle") if sum(number(r[f"{p}_ns"]) for p in IDLE_PARTS) != number(r["idle_ns"])
             or (r["idle_ns"] and round(sum(r[f"{p}_pct"] for p in IDLE_PARTS), 6) != 100)]
    o.check("the parts of idle time add up to it, and their shares to 100 %", wrong, [])
    shares = {of: round(sum(r["part_share_pct"] or 0 for r in o.rows("step_parts", of=of)), 6) for of in ("step", "idle")}
    o.check("the shares of the parts of a step add up to 100 %", {k: v for k, v in shares.items() if v not in (0, 100)}, {})


def rated(o, *rules):
    """What the findings of these rules say, worst first."""
    return [next((r["severity"] for r in o.rows("findings", rule=rule)), None) for rule in rules]


def steps_hold(**expected):
    """A check: every step has these parts."""
    def check(o):
        rows = o.rows("steps")
        o.check(f"every step: {' '.join(expected)}", [{k: number(r[k]) for k in expected} for r in rows], [expected] * len(rows))
        o.tap.ok(len(rows) > 1, f"{o.label}: there are steps")
    return check


def biggest(o):
    return sorted(o.rows("gaps", scope="step"), key=lambda g: -number(g["dur_ns"]))
