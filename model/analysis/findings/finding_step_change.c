/* The rule about steps that take longer, or less long, from one of them on: a slower clock, a growing cache, a neighbour on the machine. */
#include "finding_ctx.h"
#include "model/analysis/maths/change_point.h"
#include "model/analysis/maths/median.h"
#include "model/analysis/steps/step_part.h"
#include "model/analysis/steps/steps_columns.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_STEPS = 4, TELL_PCT = 10, SPREADS = 4, MAX_DEVICES = 16 };
static const double SURE_P = 0.05;

/* Steps of one device in order, without the warm-up, those that the window cuts, and those of another run with the same numbers. */
struct series {
	uint32_t *row;
	int64_t *dur_ns;
	uint32_t n;
};
struct change {
	struct series s;
	uint32_t at;            /* place of the first later step */
	uint32_t before, after; /* rows of steps of median length */
	double before_ns, after_ns, pct;
};

/* Whose steps a row is about. */
struct place {
	int64_t device, rank;
	const char *host;
};
/* The first few places, and for each row, in `of`, whose series it is one of: NO_PLACE = of none. */
enum { NO_PLACE = 255 };
struct places {
	struct place at[MAX_DEVICES];
	uint32_t n;
	uint8_t *of;
};

static bool same_place(const struct place *x, const struct place *y)
{
	return x->device == y->device && x->rank == y->rank &&
	       (x->host == y->host || (x->host && y->host && !strcmp(x->host, y->host)));
}

static uint8_t place_of(struct places *p, const struct place *x)
{
	uint32_t i = 0;
	while (i < p->n && !same_place(&p->at[i], x))
		i++;
	if (i == MAX_DEVICES)
		return NO_PLACE;
	if (i == p->n)
		p->at[p->n++] = *x;
	return (uint8_t)i;
}

/* One of the places may be on that device. */
static bool may_be_one(const struct places *p, int64_t device)
{
	bool found = p->n < MAX_DEVICES;
	for (uint32_t i = 0; i < p->n && !found; i++)
		found = p->at[i].device == device;
	return found;
}

/* Rows before and after those that may be about one of the places are none of a series; none left: all are. Only their device was read.
 * Returns those of the rows that are left. */
static const int64_t *narrow(struct places *p, struct row_block *b, int64_t device[BLOCK_ROWS])
{
	uint32_t first = 0, end = b->n;
	row_block_numbers(b, COL_STEPS_DEVICE, device);
	while (first < end && !may_be_one(p, device[first]))
		first++;
	while (end > first && !may_be_one(p, device[end - 1]))
		end--;
	memset(p->of + b->from, NO_PLACE, b->n);
	b->from += first;
	b->n = end - first;
	return device + first;
}

/* Of each row whose steps it is about. */
static void find_places(struct places *p, const struct row_block *b, const int64_t *device)
{
	int64_t rank[BLOCK_ROWS];
	const char *host[BLOCK_ROWS];
	row_block_numbers(b, COL_STEPS_RANK, rank);
	row_block_texts(b, COL_STEPS_HOST, host);
	for (uint32_t i = 0; i < b->n; i++) {
		bool same = i && device[i] == device[i - 1] && rank[i] == rank[i - 1] && host[i] == host[i - 1];
		p->of[b->from + i] =
			same ? p->of[b->from + i - 1] : place_of(p, &(struct place){device[i], rank[i], host[i]});
	}
}

/* Which rows are of the warm-up, or not known to be of a step at all. Mostly a row's phase is that of the row before. */
static void find_warm_up(const struct row_block *b, bool out[BLOCK_ROWS])
{
	const char *phase[BLOCK_ROWS];
	row_block_texts(b, COL_STEPS_PHASE, phase);
	for (uint32_t i = 0; i < b->n; i++)
		out[i] = i && phase[i] == phase[i - 1] ? out[i - 1] : !phase[i] || !strcmp(phase[i], "warmup");
}

/* Rows that are none of a series are taken out. */
static void leave_out(struct places *p, const struct row_block *b)
{
	int64_t dur_ns[BLOCK_ROWS], cut[BLOCK_ROWS];
	const char *label[BLOCK_ROWS];
	bool warm_up[BLOCK_ROWS];
	row_block_numbers(b, COL_STEPS_DUR_NS, dur_ns);
	row_block_numbers(b, COL_STEPS_CUT, cut);
	find_warm_up(b, warm_up);
	row_block_texts(b, COL_STEPS_STEP, label);
	for (uint32_t i = 0; i < b->n; i++)
		if (warm_up[i] || cut[i] == 1 || !label[i] || strchr(label[i], '#') || dur_ns[i] == UNKNOWN_I64)
			p->of[b->from + i] = NO_PLACE;
}

static struct places places_of(struct arena *work, const struct table *t)
{
	struct places p = {.of = arena_alloc(work, t->n_rows + (size_t)1)};
	for (struct row_block all = {.t = t}; row_block_next(&all);) {
		struct row_block b = all;
		int64_t room[BLOCK_ROWS];
		const int64_t *device = narrow(&p, &b, room);
		if (!b.n)
			continue;
		find_places(&p, &b, device);
		leave_out(&p, &b);
	}
	return p;
}

/* Those of all places. */
static void find_series(struct arena *work, const struct table *t, const struct places *p,
			struct series of[MAX_DEVICES])
{
	uint32_t most[NO_PLACE + 1] = {0};
	int col = table_place(t, COL_STEPS_DUR_NS);
	for (uint32_t row = 0; row < t->n_rows; row++)
		most[p->of[row]]++;
	for (uint32_t i = 0; i < p->n; i++)
		of[i] = (struct series){arena_alloc(work, (most[i] + (size_t)1) * sizeof *of->row),
					arena_alloc(work, (most[i] + (size_t)1) * sizeof *of->dur_ns), 0};
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (p->of[row] != NO_PLACE)
			of[p->of[row]].row[of[p->of[row]].n++] = row;
	for (uint32_t i = 0; i < p->n; i++)
		if (of[i].n) /* of a table that tells how long steps are */
			table_numbers(t, (uint32_t)col, of[i].row, of[i].n, of[i].dur_ns);
}

/* Median distance from the median. */
static double spread_of(struct arena *work, const int64_t *v, uint32_t n, int64_t median)
{
	int64_t *far = arena_alloc(work, n * sizeof *far);
	for (uint32_t i = 0; i < n; i++)
		far[i] = llabs(v[i] - median);
	return (double)median_of(far, n);
}

static uint32_t row_of_length(const struct series *s, uint32_t a, uint32_t b, int64_t dur_ns)
{
	while (a + 1 < b && s->dur_ns[a] != dur_ns)
		a++;
	return s->row[a];
}

/* Median and spread of the steps a .. b - 1, and a step of that length. */
static double level(struct arena *work, const struct series *s, uint32_t a, uint32_t b, uint32_t *row, double *spread)
{
	int64_t *v = arena_alloc(work, (b - a) * sizeof *v);
	memcpy(v, s->dur_ns + a, (b - a) * sizeof *v);
	int64_t median = upper_median(v, b - a);
	*row = row_of_length(s, a, b, median);
	*spread = spread_of(work, s->dur_ns + a, b - a, median);
	return (double)median;
}

static bool changes(struct arena *work, struct change *x)
{
	struct change_point at = change_point_of(x->s.dur_ns, x->s.n);
	double before_spread, after_spread;
	x->at = at.at;
	if (at.p > SURE_P || at.at < LEAST_STEPS || x->s.n - at.at < LEAST_STEPS)
		return false;
	x->before_ns = level(work, &x->s, 0, at.at, &x->before, &before_spread);
	x->after_ns = level(work, &x->s, at.at, x->s.n, &x->after, &after_spread);
	x->pct = x->before_ns > 0 ? 100 * (x->after_ns - x->before_ns) / x->before_ns : 0;
	return fabs(x->pct) >= TELL_PCT &&
	       fabs(x->after_ns - x->before_ns) >= SPREADS * fmax(before_spread, after_spread);
}

/* The shortest and the longest step of all devices, without the warm-up and what the window cuts. */
struct range {
	int64_t least_ns, most_ns;
};

static void widen(struct range *r, const struct row_block *b)
{
	int64_t dur_ns[BLOCK_ROWS], cut[BLOCK_ROWS];
	bool warm_up[BLOCK_ROWS];
	row_block_numbers(b, COL_STEPS_DUR_NS, dur_ns);
	row_block_numbers(b, COL_STEPS_CUT, cut);
	find_warm_up(b, warm_up);
	for (uint32_t i = 0; i < b->n; i++) {
		if (warm_up[i] || cut[i] == 1 || dur_ns[i] == UNKNOWN_I64)
			continue;
		r->least_ns = dur_ns[i] < r->least_ns ? dur_ns[i] : r->least_ns;
		r->most_ns = dur_ns[i] > r->most_ns ? dur_ns[i] : r->most_ns;
	}
}

/* Medians of steps that are all about as long are about as long, too. */
static bool all_alike(const struct table *t)
{
	struct range r = {INT64_MAX, INT64_MIN};
	bool alike = true;
	for (struct row_block b = {.t = t}; alike && row_block_next(&b);) {
		widen(&r, &b);
		alike = r.most_ns < r.least_ns ||
			(r.least_ns > 0 && r.most_ns - r.least_ns < r.least_ns / 100 * TELL_PCT);
	}
	return alike;
}

/* The device whose steps change most; false: none's do. */
static bool largest_change(struct arena *work, const struct table *t, struct change *most)
{
	if (all_alike(t))
		return false;
	struct places p = places_of(work, t);
	struct series of[MAX_DEVICES];
	find_series(work, t, &p, of);
	most->pct = 0;
	for (uint32_t i = 0; i < p.n; i++) {
		struct change x = {.s = of[i]};
		if (changes(work, &x) && fabs(x.pct) > fabs(most->pct))
			*most = x;
	}
	return most->pct != 0;
}

/* What of the part input is more, or less, in the one step than in the other. */
static enum input_holds changed_input(const struct table *t, const struct change *x)
{
	double input = row_number(t, x->after, COL_STEPS_INPUT_NS) - row_number(t, x->before, COL_STEPS_INPUT_NS),
	       copies = row_number(t, x->after, COL_STEPS_INPUT_COPY_NS) -
			row_number(t, x->before, COL_STEPS_INPUT_COPY_NS);
	return input < 0 ? input_holds(-input, -copies) : input_holds(input, copies);
}

/* The part that changed most between two steps of median length, where it is half of the change or more; else NULL. */
static const char *largest_part(struct finding_ctx *c, const struct table *t, const struct change *x, double *ns)
{
	const double sign = x->pct < 0 ? -1 : 1;
	size_t at = 0;
	*ns = 0;
	for (size_t i = 0; i < STEP_PARTS; i++) {
		double part_ns = sign * (row_number(t, x->after, step_parts[i].column) -
					 row_number(t, x->before, step_parts[i].column));
		if (part_ns > *ns) {
			*ns = part_ns;
			at = i;
		}
	}
	if (2 * *ns < fabs(x->after_ns - x->before_ns))
		return NULL;
	from_cell(c, "part_before_ns", t, x->before, step_parts[at].column);
	from_cell(c, "part_after_ns", t, x->after, step_parts[at].column);
	*ns = made_of(c, "part_ns", *ns, UNIT_NS,
		      sign < 0 ? "part_before_ns - part_after_ns" : "part_after_ns - part_before_ns");
	return at == STEP_PART_INPUT ? input_words(changed_input(t, x)) : step_parts[at].words;
}

static const char *advice_of(struct finding_ctx *c, const struct table *t, const struct change *x, const char *part)
{
	bool compute = part && !strcmp(part, step_parts[STEP_PART_COMPUTE].words) && x->pct > 0;
	return arena_printf(
		c->mem, "See what changed between two such steps: `stepscope diff TRACE --step %s --vs-step %s`.%s",
		row_text(t, x->before, COL_STEPS_STEP), row_text(t, x->after, COL_STEPS_STEP),
		compute ? " Where the same kernels take longer, look at clocks, power and who else uses the device."
			: "");
}

static void say_change(struct finding_ctx *c, const struct table *t, const struct change *x)
{
	uint32_t row = x->s.row[x->at];
	const char *label = from_text(c, "changed_at", t, row, COL_STEPS_STEP);
	from_cell(c, "before_ns", t, x->before, COL_STEPS_DUR_NS);
	from_cell(c, "after_ns", t, x->after, COL_STEPS_DUR_NS);
	bool slower = x->pct > 0;
	double pct = made_of(c, "change_pct", fabs(x->pct), UNIT_PERCENT,
			     slower ? "100 * (after_ns - before_ns) / before_ns"
				    : "100 * (before_ns - after_ns) / before_ns");
	double part_ns;
	const char *part = largest_part(c, t, x, &part_ns);
	const char *of_it = part ? arena_printf(c->mem, ", %s of it %s", ns_text(c, part_ns), part) : "";
	struct finding *out =
		say(c, slower ? FINDING_WARN : FINDING_INFO,
		    "From step %s on steps take %s %s: %s instead of %s (medians)%s.", label, pct_text(c, pct),
		    slower ? "longer" : "less", ns_text(c, x->after_ns), ns_text(c, x->before_ns), of_it);
	show_row(c, out, t, row);
	out->value = pct;
	out->unit = UNIT_PERCENT;
	out->threshold = TELL_PCT;
	out->lost_ns = slower ? llround((x->after_ns - x->before_ns) * (x->s.n - x->at)) : UNKNOWN_I64;
	out->formula = "Pettitt's test for a change of level over the steps of a device after the warm-up, p <= 0.05; "
		       "reported where the medians differ by 10 % and by four times the median distance from them, "
		       "with at least four steps on either side";
	out->advice = advice_of(c, t, x, part);
}

void finding_step_change(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "steps");
	struct change x = {0};
	struct arena work = {0};
	if (t && t->n_rows && largest_change(&work, t, &x))
		say_change(c, t, &x);
	else
		say_nothing(c, "there is no step after which steps take clearly longer or less time");
	arena_free(&work);
}
