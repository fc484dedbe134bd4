/* How long steps last: from the begin of the marker to the later of its end and the end of the last member, but not beyond the
 * next marker of the same name and process: a launch that is not waited for belongs to its step with all that it started. A host that
 * runs ahead hands over a step that devices have hardly begun when it begins the next one: where more than half of the time from
 * the first to the last work of a step lies behind the next marker's begin, the step ends with that work, and the next begins there.
 * Inferred steps last from begin to begin; steps without a marker as long as their members. Other tools' steps end with
 * their markers. */
#include "derived_data.h"
#include "model/store/base/idmap.h"
#include <string.h>

static bool same_markers(const struct step *a, const struct step *b)
{
	return a->process == b->process && a->host == b->host && !strcmp(a->name, b->name);
}

/* The host has begun the next step before devices have done half of this one, and the next one's time is not over before that. */
static bool ends_with_its_work(const struct step *s, const struct step *next)
{
	bool in_turn = s->end_ns <= next->start_ns && s->work_last_ns <= next->time_end_ns;
	return in_turn && s->work_first_ns <= s->work_last_ns &&
	       s->work_first_ns + (s->work_last_ns - s->work_first_ns) / 2 > next->start_ns;
}

static void time_step(struct step *s, struct step *next)
{
	int64_t end_ns = s->members_end_ns;
	if (next && next->start_ns < end_ns)
		end_ns = next->start_ns;
	if (end_ns > s->end_ns)
		s->host_end_ns = end_ns;
	s->time_end_ns = s->host_end_ns;
	if (next && ends_with_its_work(s, next))
		s->time_end_ns = next->time_start_ns = s->work_last_ns;
}

/* Steps lie in order of (host, start): from the back, the one met last of a name is the next one. */
void steps_time(struct derived *d)
{
	struct idmap next = {0};
	for (uint32_t i = d->pub.n_steps; i-- > 0;) {
		struct step *s = &d->pub.steps[i];
		s->time_start_ns = s->start_ns;
		s->time_end_ns = s->host_end_ns = s->end_ns;
		if (s->marker == NONE_ID || d->opts.semantics != SEM_STEPSCOPE)
			continue;
		uint64_t key = idmap_hash(s->name, strlen(s->name), s->process);
		uint32_t *at = idmap_put(&next, key, NONE_ID);
		struct step *after = *at != NONE_ID ? &d->pub.steps[*at] : NULL;
		time_step(s, after && same_markers(s, after) ? after : NULL);
		*at = i;
	}
	idmap_free(&next);
}
