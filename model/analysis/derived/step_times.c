/* How long steps last: from the start of the marker to the later of its end and the end of the last member, but not beyond the
 * next marker of the same name and process. A launch that is not waited for belongs to its step with all that it started, and
 * a host that runs ahead of its devices ends a step where it begins the next one. Inferred steps last from start to start, not through a pause of
 * the profiler; where the host has launched all of the last one when the devices still work for the one before, or they worked for none when
 * it began, to the end of its work. Steps without a marker as long as their members. Other tools' steps end with their markers. */
#include "derived_data.h"
#include "pauses.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include "model/analysis/maths/order.h"
#include <stdlib.h>

static bool same_markers(const struct step *a, const struct step *b)
{
	return a->process == b->process && a->host == b->host && a->name == b->name;
}

/* Of each step the later of its end and the end of its last work on a device, to be freed; NULL where none was inferred: nobody asks. */
static int64_t *work_ends(const struct derived *d)
{
	const struct columns *c = d->pub.c;
	uint32_t n = d->pub.n_steps, inferred = 0;
	while (inferred < n && !d->pub.steps[inferred].inferred)
		inferred++;
	if (inferred == n)
		return NULL;
	int64_t *end_ns = must(malloc(n * sizeof *end_ns));
	for (uint32_t i = 0; i < n; i++)
		end_ns[i] = d->pub.steps[i].end_ns;
	for (row_id r = 0; r < c->n; r++)
		if (d->pub.step_of[r] != NONE_ID && row_is_work(c, r))
			end_ns[d->pub.step_of[r]] = later(end_ns[d->pub.step_of[r]], row_end(c, r));
	return end_ns;
}

/* The last inferred step of its host, which no next one ends: its work does where the devices do nothing of it before its end, or
 * had done all that came before when it began. */
static bool ends_with_its_work(const struct derived *d, uint32_t i, const int64_t *work_end_ns)
{
	const struct step *s = &d->pub.steps[i];
	bool last = i + 1 == d->pub.n_steps || s[1].host != s->host;
	if (!s->inferred || !last || !i || s[-1].host != s->host)
		return false;
	return work_end_ns[i - 1] > s->end_ns || (work_end_ns[i - 1] <= s->start_ns && work_end_ns[i] > s->end_ns);
}

/* Of a step that is inferred from start to start a pause of the profiler is no part. */
static void end_before_pause(const struct derived *d, struct step *s)
{
	struct interval pause;
	if (!s->inferred || !derived_pause_in(d, s->host, s->start_ns, s->end_ns, &pause))
		return;
	s->end_ns = pause.a_ns;
	s->time_end_ns = pause.a_ns;
}

/* Steps lie in order of (host, start): from the back, the one met last of a name is the next one. */
void steps_time(struct derived *d)
{
	struct idmap next = {0};
	const struct step *before = NULL; /* the last one that was looked up, */
	int64_t *work_end_ns = work_ends(d);
	uint32_t *at = NULL; /* and the next one of its name and process */
	for (uint32_t i = d->pub.n_steps; i-- > 0;) {
		struct step *s = &d->pub.steps[i];
		s->time_end_ns = ends_with_its_work(d, i, work_end_ns) ? work_end_ns[i] : s->end_ns;
		end_before_pause(d, s);
		if (s->marker == NONE_ID || d->opts.semantics != SEM_STEPSCOPE)
			continue;
		if (!before || s->name != before->name || s->process != before->process)
			at = idmap_put(&next, (uint64_t)s->name << 32 | s->process, NONE_ID);
		before = s;
		const struct step *after = *at != NONE_ID ? &d->pub.steps[*at] : NULL;
		int64_t end_ns = s->members_end_ns;
		if (after && same_markers(s, after) && after->start_ns < end_ns)
			end_ns = after->start_ns;
		if (end_ns > s->end_ns)
			s->time_end_ns = end_ns;
		*at = i;
	}
	idmap_free(&next);
	free(work_end_ns);
}
