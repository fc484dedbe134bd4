/* The host's part of an idle time: until the work that ends it is launched. */
#include "idle_one.h"
#include "cause_sums.h"
#include "model/analysis/maths/order.h"

struct idle_part *idle_part_of(struct one *o, enum cause cause)
{
	if (!(o->used >> cause & 1))
		o->mine[cause] = (struct idle_part){.row = NONE_ID};
	o->used |= 1u << cause;
	return &o->mine[cause];
}

void idle_charged_no_more(struct one *o)
{
	o->n_charged = CHARGED_MOST + 1;
}

static void note_charged(struct one *o, enum cause cause, int64_t a_ns, int64_t b_ns)
{
	if (o->n_charged < CHARGED_MOST)
		o->charged[o->n_charged] = (struct idle_charged){a_ns, b_ns, cause};
	o->n_charged += o->n_charged <= CHARGED_MOST;
}

void idle_charge(struct one *o, enum cause cause, uint8_t trust, row_id row, int64_t a_ns, int64_t b_ns)
{
	a_ns = later(a_ns, o->from_ns);
	b_ns = earlier(b_ns, o->to_ns);
	int64_t ns = b_ns - a_ns;
	if (ns <= 0)
		return;
	note_charged(o, cause, a_ns, b_ns);
	struct idle_part *p = idle_part_of(o, cause);
	p->ns += ns;
	p->trusted += (__int128)ns * trust;
	if (row != NONE_ID && ns > p->row_ns) {
		p->row = row;
		p->row_ns = ns;
	}
}

static void note_hole(struct one *o, int64_t a_ns, int64_t b_ns)
{
	if (o->hole.b_ns == a_ns && o->hole.a_ns < a_ns)
		o->hole.b_ns = b_ns;
	else if (b_ns - a_ns > o->hole.b_ns - o->hole.a_ns)
		o->hole = (struct interval){a_ns, b_ns};
}

void idle_charge_piece(struct one *o, struct cause_at p, bool launching, int64_t a_ns, int64_t b_ns)
{
	bool guess = p.hole || p.frame || p.trust <= CAUSE_TRUST_GUESS;
	if (p.hole && !launching)
		note_hole(o, a_ns, b_ns);
	if (guess && a_ns < o->drained_ns) {
		idle_charge(o, CAUSE_SYNC, TRUST_DRAINED, o->drained, a_ns, earlier(b_ns, o->drained_ns));
		a_ns = earlier(b_ns, o->drained_ns);
	}
	bool short_one = p.hole && o->launch != NONE_ID && o->b_ns - o->a_ns <= IDLE_SHORT_NS;
	bool unclear = p.hole || p.cause == CAUSE_UNKNOWN || p.cause == CAUSE_HOST_COMPUTE || p.cause == CAUSE_PYTHON;
	if (short_one || (launching && unclear))
		idle_charge(o, CAUSE_LAUNCH, TRUST_QUEUED, o->launch, a_ns, b_ns);
	else
		idle_charge(o, (enum cause)p.cause, p.trust, p.row, a_ns, b_ns);
}

void idle_note_wider(struct one *o, const struct cause_walk *w)
{
	if (!o->out->wider)
		o->out->wider =
			cause_walk_reaches_out(w, o->a_ns - CAUSE_LINES_BEYOND_NS, o->b_ns + CAUSE_LINES_BEYOND_NS);
}

/* Until when a block that begins with the piece must end to be taken as a whole, whatever lies before it: of what counts, or beside it.
 * INT64_MIN: never. */
static int64_t block_until(const struct one *o, const struct cause_at *p)
{
	bool beside = p->at_ns < o->from_ns || p->at_ns >= o->to_ns;
	if ((!beside && p->at_ns < o->drained_ns) || o->b_ns - o->a_ns <= IDLE_SHORT_NS ||
	    (p->hole && o->hole.b_ns == p->at_ns))
		return INT64_MIN;
	return !beside ? o->to_ns : p->at_ns < o->from_ns ? o->from_ns : INT64_MAX;
}

/* counts: else only its hole does. */
static void charge_block(struct one *o, const struct cause_sums *sums, const struct cause_block *b, bool counts)
{
	if (counts)
		idle_charged_no_more(o);
	for (const struct cause_sum *s = sums->sums + b->from; counts && s < sums->sums + b->from + b->n; s++) {
		struct idle_part *p = idle_part_of(o, s->cause);
		p->ns += s->ns;
		p->trusted += s->trusted;
		if (s->row_ns > p->row_ns) {
			p->row = s->row;
			p->row_ns = s->row_ns;
		}
	}
	if (b->hole.b_ns - b->hole.a_ns > o->hole.b_ns - o->hole.a_ns)
		o->hole = b->hole;
}

/* Goes on from a_ns, where a piece begins, as far as pieces lie before b_ns that were drawn once for all devices. */
static int64_t charge_drawn(struct one *o, struct launcher_walk *w, int64_t a_ns, int64_t b_ns)
{
	const struct cause_sums *sums;
	const struct cause_line *l = cause_line_launcher(o->x->lines, o->thread, w->about, &sums);
	if (!l)
		return a_ns;
	uint32_t i = cause_walk_at(l, a_ns).i;
	for (uint32_t pieces = 1; l->at[i].at_ns == a_ns && i + 1 < l->n && l->at[i + 1].at_ns < b_ns; pieces = 1) {
		int64_t until_ns = earlier(b_ns - 1, block_until(o, &l->at[i]));
		const struct cause_block *whole = cause_block_at(sums, l, i, until_ns, &pieces);
		if (whole)
			charge_block(o, sums, whole, a_ns >= o->from_ns && a_ns < o->to_ns);
		else
			idle_charge_piece(o, l->at[i], false, a_ns, l->at[i + 1].at_ns);
		w->wider |= whole ? whole->mixed : l->at[i].mixed;
		i += pieces;
		a_ns = l->at[i].at_ns;
	}
	w->own = cause_walk_from(w->own.line, w->own.i, a_ns);
	w->profiler = cause_walk_from(w->profiler.line, w->profiler.i, a_ns);
	return a_ns;
}

void idle_host_part(struct one *o, int64_t a_ns, int64_t b_ns, bool launching)
{
	if (a_ns >= b_ns)
		return;
	struct interval about = {o->a_ns, o->b_ns};
	bool part = launching || o->hole_known; /* what does not count tells nothing */
	int64_t from_ns = part ? later(a_ns, o->from_ns) : a_ns, to_ns = part ? earlier(b_ns, o->to_ns) : b_ns;
	struct launcher_walk w = launcher_walk_at(o->x->lines, o->thread, about, o->x->beside_at, from_ns);
	bool first = !launching;
	/* pieces end where one of the two changes, from wherever they are looked at */
	a_ns = from_ns == a_ns ? a_ns : later(a_ns, later(cause_walk_since(&w.own), cause_walk_since(&w.profiler)));
	for (int64_t until_ns; a_ns < to_ns; a_ns = until_ns) {
		until_ns = b_ns;
		struct cause_at p = launcher_walk_to(&w, a_ns, &until_ns);
		idle_charge_piece(o, p, launching, a_ns, until_ns);
		if (first)
			until_ns = charge_drawn(o, &w, until_ns, to_ns);
		first = false;
	}
	o->x->beside_at = w.beside_at;
	o->out->wider |= w.wider;
}

void idle_any_thread(struct one *o)
{
	struct interval about = {o->a_ns, o->b_ns};
	int64_t a_ns = later(o->a_ns, o->from_ns), b_ns = earlier(o->b_ns, o->to_ns);
	struct cause_walk w = cause_walk_at(cause_line_host(o->x->lines, o->host, about), a_ns);
	for (int64_t until_ns; a_ns < b_ns; a_ns = until_ns) {
		until_ns = b_ns;
		struct cause_at p = cause_walk_to(&w, a_ns, &until_ns);
		idle_note_wider(o, &w);
		idle_charge(o, (enum cause)p.cause, (uint8_t)(p.trust * HOST_PCT / 100), p.row, a_ns, until_ns);
	}
}
