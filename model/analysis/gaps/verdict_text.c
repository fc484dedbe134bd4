/* The verdict as a sentence. */
#include "verdict.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/shares.h"
#include "model/analysis/names/kernel_name.h"
#include "model/store/base/units.h"
#include <string.h>

enum { NAME_BYTES = 72 };
static const double LIKELY = 0.5; /* a verdict below is worded as a guess */

struct words {
	const struct derived *d;
	const struct gap *g;
	const struct gap_verdict *v;
	struct arena *mem;
};

static const char *time_text(const struct words *w, int64_t ns)
{
	return fmt_ns(arena_alloc(w->mem, UNITS_BUF), ns);
}

static const char *share_text(const struct words *w, int64_t part)
{
	return fmt_pct(arena_alloc(w->mem, UNITS_BUF),
		       w->g->dur_ns > 0 ? 100.0 * (double)part / (double)w->g->dur_ns : 0.0);
}

/* The name, cut between characters. */
static const char *name_text(const struct words *w, row_id r)
{
	const char *name = trace_str(derived_trace(w->d), derived_columns(w->d)->name[r]);
	size_t n = strlen(name);
	if (n <= NAME_BYTES)
		return name;
	for (n = NAME_BYTES - 3; n && ((unsigned char)name[n] & 0xc0) == 0x80; n--)
		;
	return arena_printf(w->mem, "%.*s...", (int)n, name);
}

/* The queue ran dry: the time that counts comes after the call, not in it. */
static bool ran_dry(const struct gap_verdict *v)
{
	return v->owner != NONE_ID && v->owner == v->evidence.drained && v->row_ns < v->cause_ns;
}

int64_t gap_unrecorded_ns(const struct gap *g, const struct gap_verdict *v)
{
	const struct gap_evidence *e = &v->evidence;
	if (e->thread == NONE_ID)
		return UNKNOWN_I64;
	int64_t ns = e->until_ns - g->start_ns - e->recorded_ns;
	return ns > 0 ? ns : 0;
}

int64_t gap_drained_until_ns(const struct derived *d, const struct gap *g, const struct gap_verdict *v)
{
	return ran_dry(v) ? row_end(derived_columns(d), v->owner) - g->start_ns : UNKNOWN_I64;
}

int64_t gap_launched_ahead_ns(const struct derived *d, const struct gap *g, const struct gap_verdict *v)
{
	const struct columns *c = derived_columns(d);
	row_id launch = c->link[g->after];
	return v->evidence.launched_before && launch != NONE_ID ? g->start_ns - c->start_ns[launch] : UNKNOWN_I64;
}

static const char *main_event_words(const struct words *w, const char *name)
{
	const char *own = time_text(w, w->v->row_ns);
	if (name && ran_dry(w->v) && w->v->row_ns <= 0)
		return arena_printf(w->mem, " after %s", name);
	if (!name || w->v->row_ns <= 0)
		return "";
	if (w->v->cause == CAUSE_UNKNOWN)
		return arena_printf(w->mem, ", largest event %s %s (%s)", name, own, share_text(w, w->v->row_ns));
	if (ran_dry(w->v))
		return arena_printf(w->mem, " after %s %s", name, own);
	if (w->v->row_ns == w->v->cause_ns)
		return arena_printf(w->mem, ", all in %s", name);
	return arena_printf(w->mem, ", most in %s %s", name, own);
}

const char *gap_class_words(const struct gap_verdict *v, struct arena *mem)
{
	if (v->cause == CAUSE_UNKNOWN)
		return cause_word(CAUSE_UNKNOWN);
	bool guess = v->confidence < LIKELY && v->cause != CAUSE_LOST;
	return arena_printf(mem, "%s%s", guess ? "maybe " : "", cause_word(v->cause));
}

const char *gap_cause_words(const struct gap *g, const struct gap_verdict *v, const char *name, struct arena *mem)
{
	struct words w = {.g = g, .v = v, .mem = mem};
	const char *event = main_event_words(&w, v->row != NONE_ID ? name : NULL);
	if (v->cause == CAUSE_UNKNOWN)
		return arena_printf(mem, "%s%s", gap_class_words(v, mem), event);
	return arena_printf(mem, "%s %s (%s)%s", gap_class_words(v, mem), time_text(&w, v->cause_ns),
			    share_text(&w, v->cause_ns), event);
}

const char *gap_confidence_words(const struct gap_verdict *v, const char *before, struct arena *mem)
{
	return v->cause == CAUSE_UNKNOWN ? "" : arena_printf(mem, "%sconfidence %.2f", before, v->confidence);
}

/* Without its name: names of threads may have to stay out of a report. */
static const char *thread_text(const struct words *w)
{
	return w->v->thread == w->v->evidence.thread ? "the launching thread" : "another thread of the process";
}

/* The event that names the class, where the main event lies in it and has another name. */
static const char *inside_text(const struct words *w)
{
	const struct columns *c = derived_columns(w->d);
	row_id in = w->v->row, out = w->v->owner;
	if (c->name[in] == c->name[out] || c->track[in] != c->track[out] || c->start_ns[in] < c->start_ns[out] ||
	    row_end(c, in) > row_end(c, out))
		return "";
	return arena_printf(w->mem, " in %s", name_text(w, w->v->owner));
}

static const char *contention_text(const struct words *w)
{
	const struct gap_evidence *e = &w->v->evidence;
	return arena_printf(w->mem,
			    ": the launching thread records nothing for %s (%s) of it while %u other threads are busy "
			    "(%u of them prepare input)",
			    time_text(w, e->hole_b_ns - e->hole_a_ns), share_text(w, e->hole_b_ns - e->hole_a_ns),
			    e->busy.input + e->busy.other, e->busy.input);
}

static const char *drained_text(const struct words *w)
{
	return arena_printf(
		w->mem, "%s: it waited for the device until %s into the gap, so nothing was queued after the last work",
		inside_text(w), time_text(w, gap_drained_until_ns(w->d, w->g, w->v)));
}

static bool is_collective(const struct words *w)
{
	return w->v->row == w->v->evidence.collective.row;
}

static const char *launched_text(const struct words *w)
{
	return arena_printf(w->mem,
			    "cannot tell why: the work after it was launched %s before it began, so the device itself "
			    "waited (for another stream, an event or the launch); record synchronisation events",
			    time_text(w, gap_launched_ahead_ns(w->d, w->g, w->v)));
}

static bool has_threads(const struct trace *t, uint32_t host)
{
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		if (trace_track(t, i)->kind == TRACK_THREAD && trace_track(t, i)->host == host && trace_track(t, i)->n)
			return true;
	return false;
}

static const char *nothing_text(const struct words *w)
{
	const struct gap_evidence *e = &w->v->evidence;
	uint32_t host = trace_track(derived_trace(w->d), derived_columns(w->d)->track[w->g->after])->host;
	if (!has_threads(derived_trace(w->d), host))
		return "cannot tell why: this trace has no host threads";
	if (e->thread == NONE_ID)
		return "cannot tell why: no launch of its work is in the trace; on NVIDIA and AMD record the CUDA/HIP "
		       "API calls too";
	if (e->launched_before)
		return launched_text(w);
	if (w->v->row == NONE_ID)
		return "cannot tell why: the launching thread recorded nothing in it";
	return arena_printf(
		w->mem,
		"cannot tell why: the launching thread recorded nothing in %s of it (its largest event there, "
		"%s, takes %s)",
		share_text(w, gap_unrecorded_ns(w->g, w->v)), name_text(w, w->v->row), time_text(w, w->v->row_ns));
}

/* The thread did something, but no rule says what kind of work that is. */
static bool recorded_much(const struct words *w)
{
	return w->v->row != NONE_ID && (share_at_least(w->v->row_ns, w->g->dur_ns, 10) ||
					share_at_least(w->v->evidence.recorded_ns, w->g->dur_ns, 50));
}

/* After the thread, with the words that join it: "which", "and" where the thread is what the clause before speaks of. */
static const char *empty_text(const struct words *w, const char *joint)
{
	int64_t empty = gap_unrecorded_ns(w->g, w->v);
	if (w->v->thread != w->v->evidence.thread || empty * 2 <= w->g->dur_ns)
		return "";
	return arena_printf(w->mem, ", %s recorded nothing in %s of it", joint, share_text(w, empty));
}

static const char *unknown_text(const struct words *w)
{
	if (!recorded_much(w))
		return nothing_text(w);
	if (w->g->device != NONE_ID && w->v->row == derived_columns(w->d)->link[w->g->after])
		return arena_printf(w->mem, "cannot tell why the launch of the work after it takes %s (%s) of it",
				    time_text(w, w->v->row_ns), share_text(w, w->v->row_ns));
	return arena_printf(w->mem, "cannot tell what kind of work it is: %s spends %s (%s) of it in %s%s",
			    thread_text(w), time_text(w, w->v->row_ns), share_text(w, w->v->row_ns),
			    name_text(w, w->v->row), empty_text(w, "and"));
}

static const char *edge_text(const struct words *w)
{
	enum copy_kind k = w->g->device == NONE_ID ? COPY_UNKNOWN : derived_copy_kind(w->d, w->g->after);
	if (k != COPY_H2D && k != COPY_D2H)
		return "";
	return arena_printf(w->mem, "; a copy %s follows it", k == COPY_H2D ? "to the device" : "to the host");
}

static const char *foreign_text(const struct words *w)
{
	if (w->v->evidence.foreign_ns <= 0)
		return "";
	return arena_printf(w->mem, "; work that belongs to no step takes %s of it on the device",
			    time_text(w, w->v->evidence.foreign_ns));
}

/* A range of the program's own that lies in the gap between two steps and is half of it or more, as validation: the outermost. */
static row_id range_between(const struct words *w)
{
	const struct gap *g = w->g;
	const struct columns *c = derived_columns(w->d);
	if (g->scope != GAP_STEP || w->v->evidence.thread == NONE_ID)
		return NONE_ID;
	const struct track_info *k = trace_track(derived_trace(w->d), w->v->evidence.thread);
	const row_id end = (row_id)(k->first + k->n);
	for (row_id r = first_row_from(c, k, g->start_ns); r < end && c->start_ns[r] < g->start_ns + g->dur_ns; r++)
		if (c->dur_ns[r] >= g->dur_ns / 2 && row_end(c, r) <= g->start_ns + g->dur_ns &&
		    c->kind[r] != KIND_PYTHON)
			return c->kind[r] == KIND_ANNOTATION ? r : NONE_ID;
	return NONE_ID;
}

/* "; 20.512 ms (98.4 %) of it in validation"; "" where the sentence names that, or what it is a rule knows. */
static const char *range_text(const struct words *w)
{
	const struct columns *c = derived_columns(w->d);
	row_id r = range_between(w);
	if (r == NONE_ID || r == w->v->row || r == w->v->owner ||
	    cause_of_name(w->d, c->name[r]).section != CAUSE_UNKNOWN)
		return "";
	return arena_printf(w->mem, "; %s (%s) of it in %s", time_text(w, c->dur_ns[r]), share_text(w, c->dur_ns[r]),
			    name_text(w, r));
}

static const char *held_text(const struct words *w)
{
	char label[96];
	const struct columns *c = derived_columns(w->d);
	const struct trace *t = derived_trace(w->d);
	return arena_printf(w->mem, ": %s was ready on %s, and what held it back is not in the file",
			    kernel_name_short(w->mem, trace_str(t, c->name[w->v->row])),
			    trace_track_label(t, c->track[w->v->row], label, sizeof label));
}

static const char *where_text(const struct words *w)
{
	if (w->v->cause == CAUSE_HELD)
		return held_text(w);
	if (w->v->cause == CAUSE_CONTENTION)
		return contention_text(w);
	if (ran_dry(w->v))
		return drained_text(w);
	if (is_collective(w))
		return ", on the device";
	return arena_printf(w->mem, "%s, on %s%s", inside_text(w), thread_text(w), empty_text(w, "which"));
}

const char *gap_verdict_sentence(const struct derived *d, const struct gap *g, const struct gap_verdict *v,
				 struct arena *mem)
{
	struct words w = {d, g, v, mem};
	if (v->cause == CAUSE_UNKNOWN)
		return unknown_text(&w);
	const char *pair = gap_cause_words(g, v, name_text(&w, v->row), mem);
	if (v->cause == CAUSE_LOST)
		return arena_printf(mem, "%s; the device may have been busy", pair);
	return arena_printf(mem, "%s%s%s%s%s%s", pair, where_text(&w), range_text(&w), foreign_text(&w), edge_text(&w),
			    gap_confidence_words(v, "; ", mem));
}
