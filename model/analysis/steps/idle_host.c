/* The host's part of an idle time: until the work that ends it is launched. */
#include "idle_one.h"
#include "model/analysis/causes/cause_sums.h"
#include "model/analysis/causes/thread_causes.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"

/* One file asks for each piece, others now and then. */
static inline struct idle_part *part_of(struct one *o, enum cause cause)
{
	if (!(o->used >> cause & 1))
		o->mine[cause] = (struct idle_part){.row = NONE_ID};
	o->used |= 1u << cause;
	return &o->mine[cause];
}

struct idle_part *idle_part_of(struct one *o, enum cause cause)
{
	return part_of(o, cause);
}

void idle_charged_no_more(struct one *o)
{
	o->n_charged = CHARGED_MOST + 1;
}

static inline void note_charged(struct one *o, enum cause cause, int64_t a_ns, int64_t b_ns)
{
	if (o->n_charged > CHARGED_MOST)
		return;
	if (o->n_charged < CHARGED_MOST)
		o->charged[o->n_charged] = (struct idle_charged){a_ns, b_ns, cause};
	o->n_charged++;
}

static inline void charge(struct one *o, enum cause cause, uint8_t trust, row_id row, int64_t a_ns, int64_t b_ns)
{
	a_ns = later(a_ns, o->from_ns);
	b_ns = earlier(b_ns, o->to_ns);
	int64_t ns = b_ns - a_ns;
	if (ns <= 0)
		return;
	note_charged(o, cause, a_ns, b_ns);
	struct idle_part *p = part_of(o, cause);
	p->ns += ns;
	p->trusted += (__int128)ns * trust;
	if (row != NONE_ID && ns > p->row_ns) {
		p->row = row;
		p->row_ns = ns;
	}
}

void idle_charge(struct one *o, enum cause cause, uint8_t trust, row_id row, int64_t a_ns, int64_t b_ns)
{
	charge(o, cause, trust, row, a_ns, b_ns);
}

static void note_hole(struct one *o, int64_t a_ns, int64_t b_ns)
{
	if (o->hole.b_ns == a_ns && o->hole.a_ns < a_ns)
		o->hole.b_ns = b_ns;
	else if (b_ns - a_ns > o->hole.b_ns - o->hole.a_ns)
		o->hole = (struct interval){a_ns, b_ns};
}

static inline void charge_piece(struct one *o, const struct cause_at *p, bool launching, int64_t a_ns, int64_t b_ns)
{
	bool guess = p->hole || p->frame || p->trust <= CAUSE_TRUST_GUESS;
	if (p->hole && !launching)
		note_hole(o, a_ns, b_ns);
	if (guess && a_ns < o->drained_ns) {
		idle_charge(o, CAUSE_SYNC, TRUST_DRAINED, o->drained, a_ns, earlier(b_ns, o->drained_ns));
		a_ns = earlier(b_ns, o->drained_ns);
	}
	bool short_one = p->hole && o->launch != NONE_ID && o->b_ns - o->a_ns <= IDLE_SHORT_NS;
	bool unclear =
		p->hole || p->cause == CAUSE_UNKNOWN || p->cause == CAUSE_HOST_COMPUTE || p->cause == CAUSE_PYTHON;
	bool launches = short_one || (launching && unclear);
	charge(o, launches ? CAUSE_LAUNCH : (enum cause)p->cause, launches ? TRUST_QUEUED : p->trust,
	       launches ? o->launch : p->row, a_ns, b_ns);
}

void idle_charge_piece(struct one *o, const struct cause_at *p, bool launching, int64_t a_ns, int64_t b_ns)
{
	charge_piece(o, p, launching, a_ns, b_ns);
}

void idle_note_wider(struct one *o, const struct cause_walk *w)
{
	if (!o->out->wider)
		o->out->wider =
			cause_walk_reaches_out(w, o->a_ns - CAUSE_LINES_BEYOND_NS, o->b_ns + CAUSE_LINES_BEYOND_NS);
}

/* Until when pieces must end to be taken in sums with the one that begins there: of what counts, or beside it. INT64_MIN: never. */
static int64_t sums_until(const struct one *o, int64_t at_ns)
{
	bool beside = at_ns < o->from_ns || at_ns >= o->to_ns;
	if ((!beside && at_ns < o->drained_ns) || o->b_ns - o->a_ns <= IDLE_SHORT_NS)
		return INT64_MIN;
	return !beside ? o->to_ns : at_ns < o->from_ns ? o->from_ns : INT64_MAX;
}

/* Of pieces [from, to), in r. */
static void charge_sums(struct one *o, const struct cause_sums *sums, const struct cause_range *r, uint32_t from,
			uint32_t to)
{
	const struct cause_at *at = sums->line->at;
	if (o->drawn.sums)
		idle_charged_no_more(o);
	else
		o->drawn = (struct idle_drawn){sums, r, from, to, at[from].at_ns, at[to].at_ns};
	for (uint32_t i = 0; i < sums->n_causes; i++) {
		const struct cause_sum *s = &r->at[i];
		if (!s->ns)
			continue;
		struct idle_part *p = part_of(o, (enum cause)sums->causes[i]);
		p->ns += s->ns;
		p->trusted += s->trusted;
		if (s->row_ns > p->row_ns) {
			p->row = s->row;
			p->row_ns = s->row_ns;
		}
	}
}

/* Goes on with piece i, which begins at a_ns, as far as pieces lie before b_ns that were drawn once for all devices; the piece after them. */
static uint32_t charge_drawn(struct one *o, const struct cause_sums *sums, uint32_t i, int64_t b_ns)
{
	const struct cause_line *l = sums->line;
	uint32_t to;
	for (; i + 1 < l->n && l->at[i + 1].at_ns < b_ns; i = to) {
		struct cause_range another, *r = o->drawn.sums ? &another : &o->drawn_range;
		int64_t a_ns = l->at[i].at_ns;
		to = cause_sums_at(sums, earlier(b_ns - 1, sums_until(o, a_ns)));
		if (to > i) {
			cause_sums_of(sums, i, to, o->hole, r);
			o->hole = r->hole;
			if (a_ns >= o->from_ns && a_ns < o->to_ns) /* else only its hole counts */
				charge_sums(o, sums, r, i, to);
		} else {
			idle_charge_piece(o, &l->at[i], false, a_ns, l->at[i + 1].at_ns);
			r->mixed = l->at[i].mixed;
			to = i + 1;
		}
		o->out->wider |= l->joined && r->mixed;
	}
	return i;
}

/* ---- piece by piece -------------------------------------------------------------------------------------------------- */

/* What the thread itself does and others tell; from_ns: where it counts from. */
static void read_all(struct one *o, int64_t a_ns, int64_t from_ns, int64_t to_ns, int64_t b_ns, bool launching,
		     const struct cause_sums *sums)
{
	struct launcher_walk *w = &o->x->launcher;
	if (o->walks)
		launcher_walk_on(w, from_ns);
	else
		launcher_walk_at(w, o->x->lines, o->x->d, o->thread, (struct interval){o->a_ns, o->b_ns}, from_ns);
	o->walks = true;
	/* pieces end where one of the two changes, from wherever they are looked at */
	a_ns = from_ns == a_ns ? a_ns : later(a_ns, launcher_walk_since(w));
	for (int64_t until_ns; a_ns < to_ns; a_ns = until_ns) {
		until_ns = b_ns;
		const struct cause_at *p = launcher_walk_to(w, a_ns, &until_ns);
		charge_piece(o, p, launching, a_ns, until_ns);
		uint32_t i = sums ? cause_sums_at(sums, until_ns) : 0;
		if (!sums || sums->line->at[i].at_ns != until_ns)
			continue;
		until_ns = sums->line->at[charge_drawn(o, sums, i, to_ns)].at_ns;
		launcher_walk_on(w, until_ns);
		sums = NULL;
	}
	o->out->wider |= w->wider;
}

/* The same of a thread that tells all by itself. */
static void read_own(struct one *o, int64_t a_ns, int64_t from_ns, int64_t to_ns, int64_t b_ns, bool launching,
		     const struct cause_sums *sums)
{
	const struct cause_line *l = sums->line;
	struct cause_walk w = {l, cause_sums_near(sums, o->near, from_ns)};
	a_ns = from_ns == a_ns ? a_ns : later(a_ns, cause_walk_since(&w));
	for (int64_t until_ns; a_ns < to_ns; a_ns = until_ns) {
		until_ns = w.i + 1 < l->n ? earlier(b_ns, l->at[w.i + 1].at_ns) : b_ns;
		if (l->at[w.i].mixed)
			idle_note_wider(o, &w);
		charge_piece(o, &l->at[w.i], launching, a_ns, until_ns);
		if (until_ns < to_ns)
			w.i = launching ? w.i + 1 : charge_drawn(o, sums, w.i + 1, to_ns);
		until_ns = until_ns < to_ns ? l->at[w.i].at_ns : until_ns;
	}
	o->near = w.i;
}

/* The call is all that anybody could tell of. */
static bool only_launches(const struct one *o, struct cause_at *p)
{
	const struct derived *d = o->x->d;
	struct thread_piece call;
	const struct track_info *k = trace_track(derived_trace(d), o->thread);
	uint32_t n;
	if (k->n_rows != 1 || o->launch == NONE_ID || derived_columns(d)->start_ns[o->launch] < o->a_ns)
		return false;
	process_tracks(d, k->process, &n);
	if (n > 1)
		return false;
	cause_overheads(d, &n);
	if (n || !thread_only_launches(d, o->launch, o->a_ns, o->b_ns, &call))
		return false;
	*p = (struct cause_at){0, call.owner, (uint8_t)call.cause, call.trust, false, false, false};
	return true;
}

void idle_host_part(struct one *o, int64_t a_ns, int64_t b_ns, bool launching)
{
	if (a_ns >= b_ns)
		return;
	if (!o->call_asked)
		o->call_only = only_launches(o, &o->call);
	o->call_asked = true;
	if (o->call_only) {
		static const struct cause_at nothing = {.row = NONE_ID, .hole = true};
		idle_charge_piece(o, launching ? &o->call : &nothing, launching, a_ns, b_ns);
		return;
	}
	const struct drawn_line *drawn = cause_line_launcher(o->x->lines, o->thread);
	bool part = launching || o->hole_known; /* what does not count tells nothing */
	int64_t from_ns = part ? later(a_ns, o->from_ns) : a_ns, to_ns = part ? earlier(b_ns, o->to_ns) : b_ns;
	if (drawn && !drawn->line.joined)
		read_own(o, a_ns, from_ns, to_ns, b_ns, launching, &drawn->sums);
	else
		read_all(o, a_ns, from_ns, to_ns, b_ns, launching, drawn && !launching ? &drawn->sums : NULL);
}

/* ---- a thread by itself ---------------------------------------------------------------------------------------------- */

/* Its cause may depend on how much of it is asked about, if it is longer than this. */
enum { WHOLE_NS = 1000000 };

static bool may_be_cut(const struct cause_line *l, uint32_t i)
{
	return l->at[i].hole || (i + 1 < l->n && l->at[i + 1].at_ns - l->at[i].at_ns <= WHOLE_NS);
}

static void add_cut(const struct cause_line *l, uint32_t i, struct interval part, enum cause cause,
		    struct cause_before *sum)
{
	int64_t a_ns = later(l->at[i].at_ns, part.a_ns);
	int64_t ns = i + 1 < l->n ? earlier(l->at[i + 1].at_ns, part.b_ns) - a_ns : part.b_ns - a_ns;
	if (l->at[i].cause != cause)
		return;
	sum->ns += ns;
	sum->trusted += ns * l->at[i].trust;
}

/* Pieces that begin by the two moments; `of` holds what lies between them where `drawn` knows most of that. */
struct own_pieces {
	uint32_t from, to;
	struct cause_before of;
	bool known;
};

/* What was drawn begins with the piece after the first one, and ends a few before the last one. */
static bool own_of_drawn(const struct idle_drawn *drawn, struct interval stretch, enum cause cause,
			 struct own_pieces *out)
{
	enum { FEW = 8 };
	const struct cause_at *at = drawn->sums->line->at;
	uint32_t last = drawn->sums->line->n - 1, to = drawn->to;
	if (!drawn->from || at[drawn->from - 1].at_ns > stretch.a_ns || at[drawn->from].at_ns <= stretch.a_ns ||
	    at[to].at_ns > stretch.b_ns)
		return false;
	const struct cause_sum *sum = &drawn->range->at[drawn->sums->place[cause]];
	*out = (struct own_pieces){drawn->from - 1, to, {sum->ns, sum->trusted}, true};
	for (; out->to < last && at[out->to + 1].at_ns <= stretch.b_ns; out->to++) {
		if (out->to - to == FEW)
			return false;
		int64_t ns = at[out->to].cause == cause ? at[out->to + 1].at_ns - at[out->to].at_ns : 0;
		out->of.ns += ns;
		out->of.trusted += ns * at[out->to].trust;
	}
	return true;
}

static struct own_pieces own_pieces_of(const struct cause_sums *sums, struct interval stretch, enum cause cause,
				       const struct idle_drawn *drawn)
{
	struct own_pieces p;
	if (drawn && drawn->sums == sums && own_of_drawn(drawn, stretch, cause, &p))
		return p;
	p.from = cause_sums_at(sums, stretch.a_ns);
	p.to = cause_sums_at(sums, stretch.b_ns);
	p.known = false;
	return p;
}

static struct idle_own own_in(const struct cause_sums *sums, struct interval stretch, enum cause cause,
			      const struct idle_drawn *drawn)
{
	const struct cause_line *l = sums->line;
	uint32_t place = sums->place[cause];
	if (place == sums->n_causes || sums->causes[place] != cause)
		return (struct idle_own){0};
	struct own_pieces p = own_pieces_of(sums, stretch, cause, drawn);
	uint32_t from = p.from, to = p.to;
	if (!may_be_cut(l, from) || !may_be_cut(l, to))
		return (struct idle_own){0};
	struct cause_before sum = p.known ? p.of : cause_sums_within(sums, cause, from + 1, to > from ? to : from + 1);
	add_cut(l, from, stretch, cause, &sum);
	if (to > from)
		add_cut(l, to, stretch, cause, &sum);
	return (struct idle_own){.ns = sum.ns, .trusted = sum.trusted};
}

struct idle_own idle_own_of(struct idles *x, row_id next, struct interval stretch, enum cause cause,
			    const struct idle_drawn *drawn_before)
{
	const struct columns *c = derived_columns(x->d);
	row_id launch = next == NONE_ID ? NONE_ID : c->link[next];
	struct idle_own own = {0};
	const struct drawn_line *drawn = launch == NONE_ID ? NULL : cause_line_launcher(x->lines, c->track[launch]);
	if (!drawn || drawn->line.joined || drawn->scales || row_end(c, launch) <= stretch.a_ns)
		return own;
	stretch.b_ns = earlier(stretch.b_ns, row_end(c, launch));
	return own_in(&drawn->sums, stretch, cause, drawn_before);
}

void idle_any_thread(struct one *o)
{
	struct interval about = {o->a_ns, o->b_ns};
	int64_t a_ns = later(o->a_ns, o->from_ns), b_ns = earlier(o->b_ns, o->to_ns);
	struct cause_walk w = cause_walk_at(cause_line_host(o->x->lines, o->host, about), a_ns);
	for (int64_t until_ns; a_ns < b_ns; a_ns = until_ns) {
		until_ns = b_ns;
		const struct cause_at *p = cause_walk_to(&w, a_ns, &until_ns);
		idle_note_wider(o, &w);
		idle_charge(o, (enum cause)p->cause, (uint8_t)(p->trust * HOST_PCT / 100), p->row, a_ns, until_ns);
	}
}
