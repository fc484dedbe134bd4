#include "gap_place.h"
#include "derived_data.h"

/* Those of a device follow each other: of those that begin by then the last one alone can reach so far. */
uint32_t gaps_around(const struct derived *d, const struct gap_span *span)
{
	const struct gap_store *s = &d->gaps;
	uint32_t device = gaps_device(s, span->id), lo = s->of_device[device], hi = s->of_device[device + 1],
		 first = lo;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (step_gap_of(&s->steps, s->ids[mid]).start_ns <= span->start_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	bool inside = lo > first && span->start_ns + span->dur_ns <= step_gap_of(&s->steps, s->ids[lo - 1]).end_ns;
	return inside ? s->ids[lo - 1] : NONE_ID;
}

/* The parts of the device: [*first, *end) of the list. */
static void parts_of(const struct derived *d, uint32_t device, uint32_t *first, uint32_t *end)
{
	*first = derived_parts_of_device(d, device);
	*end = derived_parts_of_device(d, device + 1);
}

/* The step whose work lies on both sides; steps overlap few others. */
static uint32_t step_around(const struct step_device *parts, uint32_t n, const struct gap_span *span)
{
	enum { OVERLAPPED = 16 };
	uint32_t lo = 0, hi = n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (parts[mid].first_ns <= span->start_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (uint32_t looked = 0; lo-- > 0 && looked < OVERLAPPED; looked++)
		if (parts[lo].last_ns >= span->start_ns + span->dur_ns)
			return parts[lo].step;
	return NONE_ID;
}

static struct gap_place between(const struct derived *d, uint32_t id)
{
	const struct step_gap g = step_gap_of(&d->gaps.steps, id);
	return (struct gap_place){GAP_BETWEEN, g.step_before, g.step_after, id, NONE_ID};
}

/* The host's marker may have begun long before the first device work of its step. */
static uint32_t marked(const struct derived *d, uint32_t step, const struct gap_span *span)
{
	enum { NEARLY_ALL_PCT = 90 };
	const struct step *s = derived_step(d, step);
	int64_t a_ns = span->start_ns, b_ns = a_ns + span->dur_ns;
	a_ns = a_ns > s->start_ns ? a_ns : s->start_ns;
	b_ns = b_ns < s->time_end_ns ? b_ns : s->time_end_ns;
	bool nearly = (double)(b_ns - a_ns) * 100 >= (double)span->dur_ns * NEARLY_ALL_PCT;
	return s->marker != NONE_ID && nearly ? step : NONE_ID;
}

struct gap_place derived_gap_place(const struct derived *d, const struct gap_span *span)
{
	uint32_t first, end, step, of = span->scope == GAP_STEP ? span->id : gap_in_step_gap(d, span);
	if (of != NONE_ID)
		return between(d, of);
	parts_of(d, gaps_device(&d->gaps, span->id), &first, &end);
	if (first == end)
		return (struct gap_place){GAP_OUTSIDE, NONE_ID, NONE_ID, NONE_ID, NONE_ID};
	step = step_around(d->pub.parts + first, end - first, span);
	if (step != NONE_ID)
		return (struct gap_place){GAP_INSIDE, step, NONE_ID, NONE_ID, NONE_ID};
	if (span->start_ns < d->pub.parts[first].first_ns)
		return (struct gap_place){GAP_BEFORE, NONE_ID, NONE_ID, NONE_ID,
					  marked(d, d->pub.parts[first].step, span)};
	if (span->start_ns >= d->pub.parts[end - 1].last_ns)
		return (struct gap_place){GAP_AFTER, NONE_ID, NONE_ID, NONE_ID,
					  marked(d, d->pub.parts[end - 1].step, span)};
	return (struct gap_place){GAP_OUTSIDE, NONE_ID, NONE_ID, NONE_ID, NONE_ID};
}

const char *gap_kind_word(enum gap_kind k)
{
	static const char *const words[] = {
#define GAP_KIND_WORD(id, word, by) word,
		GAP_KINDS(GAP_KIND_WORD)
#undef GAP_KIND_WORD
	};
	return words[k];
}

const char *gap_kind_by(unsigned i)
{
	static const char *const words[] = {
#define GAP_KIND_BY(id, word, by) by,
		GAP_KINDS(GAP_KIND_BY)
#undef GAP_KIND_BY
	};
	return i < GAP_KIND_COUNT ? words[i] : NULL;
}

static struct gap_place place_of(const struct derived *d, const struct gap *g)
{
	struct gap_span span = {g->id, g->scope, g->start_ns, g->dur_ns};
	return derived_gap_place(d, &span);
}

const char *gap_place_words(const struct derived *d, const struct gap_place *p, struct arena *mem)
{
	if (derived_steps(d) == 0)
		return "";
	if (p->kind == GAP_BETWEEN)
		return arena_printf(mem, "between steps %s and %s", derived_step(d, p->step)->label,
				    derived_step(d, p->step_after)->label);
	if (p->kind == GAP_INSIDE)
		return arena_printf(mem, "inside step %s", derived_step(d, p->step)->label);
	if (p->marked != NONE_ID)
		return arena_printf(mem, "inside step %s, %s its work", derived_step(d, p->marked)->label,
				    p->kind == GAP_BEFORE ? "before" : "after");
	return gap_kind_word(p->kind);
}

const char *gap_place_text(const struct derived *d, const struct gap *g, struct arena *mem)
{
	struct gap_place p = place_of(d, g);
	return gap_place_words(d, &p, mem);
}

const char *gap_place_short(const struct derived *d, const struct gap *g, const char *arrow, struct arena *mem)
{
	if (derived_steps(d) == 0)
		return "idle";
	struct gap_place p = place_of(d, g);
	if (p.kind == GAP_BETWEEN)
		return arena_printf(mem, "%s%s%s", derived_step(d, p.step)->label, arrow,
				    derived_step(d, p.step_after)->label);
	if (p.kind == GAP_INSIDE || p.marked != NONE_ID)
		return arena_printf(mem, "in step %s",
				    derived_step(d, p.kind == GAP_INSIDE ? p.step : p.marked)->label);
	return arena_printf(mem, "%s steps", gap_kind_by(p.kind));
}

/* The step gap at this place of `ids`. */
static bool holds(const struct gap_store *s, uint32_t place, int64_t a_ns, int64_t b_ns)
{
	struct step_gap g = step_gap_of(&s->steps, s->ids[place]);
	return g.start_ns <= a_ns && b_ns <= g.end_ns;
}

bool gap_last_in_step_gap(struct gap_iter *it, const struct gap_span *last)
{
	const struct gap_store *s = it->gaps;
	const struct gap_run *run = &s->runs[it->run - 1];
	uint32_t end = s->of_device[run->device + 1];
	if (it->step_run != it->run)
		it->step_at = s->of_device[run->device];
	it->step_run = it->run;
	while (it->step_at + 1 < end && step_gap_of(&s->steps, s->ids[it->step_at + 1]).start_ns <= last->start_ns)
		it->step_at++;
	return it->step_at < end && holds(s, it->step_at, last->start_ns, last->start_ns + last->dur_ns);
}

static bool run_in_step_gaps(const struct gap_store *s, const struct gap_run *run, int64_t least_ns)
{
	uint32_t at = s->of_device[run->device], end = s->of_device[run->device + 1];
	for (uint32_t i = 0; i < run->n; i++) {
		int64_t a_ns = run->busy[i].b_ns, b_ns = run->busy[i + 1].a_ns;
		if (b_ns - a_ns < least_ns)
			continue;
		while (at + 1 < end && step_gap_of(&s->steps, s->ids[at + 1]).start_ns <= a_ns)
			at++;
		if (at >= end || !holds(s, at, a_ns, b_ns))
			return false;
	}
	return true;
}

bool gaps_all_in_step_gaps(const struct derived *d, int64_t least_ns)
{
	derived_step_gaps(d);
	const struct gap_store *s = &d->gaps;
	for (uint32_t i = 0; i < s->n_runs && s->runs[i].scope == GAP_DEVICE; i++)
		if (!run_in_step_gaps(s, &s->runs[i], least_ns))
			return false;
	return true;
}

const uint32_t *derived_step_gaps_of(const struct derived *d, uint32_t device, uint32_t *n)
{
	derived_step_gaps(d);
	const struct gap_store *s = &d->gaps;
	*n = s->of_device[device + 1] - s->of_device[device];
	return s->ids + s->of_device[device];
}
