/* The end of a plane: names are known, so its facts can be told and its events decoded. */
#include "plane_stretches.h"
#include "xspace.h"
#include <inttypes.h>
#include <stdio.h>

static bool named(struct xspace *x, const char *z)
{
	return span_is(strings_get(x->strings, x->plane.name), z);
}

static void fact_number(struct xspace *x, const char *key, int64_t v)
{
	char text[32];
	snprintf(text, sizeof text, "%" PRId64, v);
	ingest_fact(x->in, key, text);
}

/* ---- planes that hold facts --------------------------------------------------------------------------------------- */
static void task_environment(struct xspace *x)
{
	int64_t v;
	if (gathered_int(&x->facts, ROLE_START_TIME, &v)) {
		x->start_time_ns = v;
		fact_number(x, "profile_start_time_ns", v);
	}
	if (gathered_int(&x->facts, ROLE_STOP_TIME, &v)) {
		x->stop_time_ns = v;
		fact_number(x, "profile_stop_time_ns", v);
	}
}

static void plane_facts(struct xspace *x)
{
	str_id dropped = gathered_text(&x->facts, ROLE_DROPPED, x->strings);
	if (named(x, "Task Environment"))
		task_environment(x);
	else if (named(x, "/host:__ScopeRangeCallStack__")) /* each stat is one scope and its parent */
		fact_number(x, "scope_ranges", (int64_t)x->plane.n_stats);
	if (dropped) {
		notes_add(x->notes, NOTE_PRODUCER_DROPPED, -1, 1);
		ingest_fact(x->in, "dropped_traces", strings_z(x->strings, dropped));
	}
}

/* ---- its end ------------------------------------------------------------------------------------------------------ */
static void survey_line(struct xspace *x, struct line *l, bool device)
{
	l->counter = device && line_is_counter(strings_get(x->strings, l->name));
	if (l->hold_n && (x->first_line_ns == UNKNOWN_I64 || l->timestamp_ns < x->first_line_ns))
		x->first_line_ns = l->timestamp_ns;
}

void plane_finish(struct xspace *x)
{
	struct plane *p = &x->plane;
	bool device = plane_is_device(strings_get(x->strings, p->name));
	if (device)
		lanes_device(x);
	else
		lanes_host(x);
	plane_facts(x);
	for (size_t i = 0; i < p->n_lines; i++)
		survey_line(x, &p->lines[i], device);
	plane_stretches_take(x->stretches);
}
