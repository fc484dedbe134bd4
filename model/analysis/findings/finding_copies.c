/* Rules about copies, from the table 'copies': excess ones, pageable memory, copies on and between devices. Only time in
 * which a kernel waited counts as lost. */
#include "finding_ctx.h"
#include "model/analysis/copies/copies_columns.h"
#include "model/analysis/gaps/idle_advice.h"
#include <math.h>
#include <string.h>

enum { WARN_PCT = 3, FAIL_PCT = 15, MAX_PAIRS = 32 };
static const double NOTHING_PCT = 0.05; /* shown as 0.0 % */

struct copies_sum {
	double count, bytes, blocked_ns, exposed_ns, places, in_steps, of_steps;
	uint32_t rows, longest; /* row of the table with most of the lost time */
	uint32_t most_steps;    /* row of the most steps */
	double longest_ns;
	bool blocked_known;
};

static const char *lost_name(struct finding_ctx *c, const char *name, const struct copies_sum *s)
{
	return arena_printf(c->mem, "%s_%s_ns", name, s->blocked_known ? "blocking" : "exposed");
}

/* The sums, as far as sentences say them, under names that begin with `name`. Time that kernels waited is known of all or none. */
static void from_sum(struct finding_ctx *c, const char *name, const struct copies_sum *s, const char *rows)
{
	const struct table *t = ctx_table(c, "copies");
	from_known(c, name, s->count, t, COL_COPIES_COUNT, rows);
	from_known(c, lost_name(c, name, s), s->blocked_known ? s->blocked_ns : s->exposed_ns, t,
		   s->blocked_known ? COL_COPIES_BLOCKING : COL_COPIES_EXPOSED, rows);
}

/* What time is lost: time that kernels waited; where launches are not recorded, time without kernels. */
static double lost_ns(const struct copies_sum *s)
{
	return s->blocked_known ? s->blocked_ns : s->exposed_ns;
}

static void add(struct copies_sum *s, const struct table *t, uint32_t row)
{
	double blocked = 0, exposed = row_number(t, row, COL_COPIES_EXPOSED),
	       steps = row_number(t, row, COL_COPIES_IN_STEPS);
	bool known = row_real(t, row, COL_COPIES_BLOCKING, &blocked);
	s->blocked_known = s->rows ? s->blocked_known && known : known;
	s->count += row_number(t, row, COL_COPIES_COUNT);
	s->bytes += row_number(t, row, COL_COPIES_BYTES);
	s->blocked_ns += blocked;
	s->exposed_ns += exposed;
	s->places += row_number(t, row, COL_COPIES_PLACES);
	if (!s->rows || steps > s->in_steps) {
		s->in_steps = steps;
		s->of_steps = row_number(t, row, COL_COPIES_OF_STEPS);
		s->most_steps = row;
	}
	if (!s->rows++ || (known ? blocked : exposed) > s->longest_ns) {
		s->longest_ns = known ? blocked : exposed;
		s->longest = row;
	}
}

static bool is_kind(const struct table *t, uint32_t row, const char *kind)
{
	const char *text = row_text(t, row, COL_COPIES_DIRECTION);
	return text && !strcmp(text, kind);
}

static bool with_host(const struct table *t, uint32_t row)
{
	return is_kind(t, row, "H2D") || is_kind(t, row, "D2H");
}

static bool expected_known(const struct table *t, uint32_t row, bool *expected)
{
	double v;
	bool known = row_real(t, row, COL_COPIES_EXPECTED, &v);
	*expected = known && v != 0;
	return known;
}

static enum finding_state rated(double pct, enum finding_state low)
{
	return pct >= FAIL_PCT ? FINDING_FAIL : pct >= WARN_PCT ? FINDING_WARN : low;
}

static void fill(struct finding_ctx *c, struct finding *x, const struct copies_sum *s, double pct)
{
	const struct evidence *e = table_evidence_of(ctx_table(c, "copies"), s->longest);
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = WARN_PCT;
	x->lost_ns = llround(lost_ns(s));
	finding_evidence(c->out, x, e->a_ns, e->b_ns, e->rows, e->n);
}

static const char *copies_text(struct finding_ctx *c, const struct copies_sum *s)
{
	return arena_printf(c->mem, s->count > 1 ? "%s copies" : "%s copy", count_text(c, s->count));
}

static const char *blocks_text(const struct copies_sum *s)
{
	if (!s->blocked_known)
		return s->count > 1 ? "leave the device without kernels for" : "leaves the device without kernels for";
	return s->count > 1 ? "block kernels for" : "blocks kernels for";
}

/* ---- what is copied to the host -------------------------------------------------------------------------------------- */

static bool is_large(const struct table *t, uint32_t row)
{
	enum { LARGE_BYTES = 1 << 20 };
	return row_number(t, row, COL_COPIES_BYTES) >= LARGE_BYTES * row_number(t, row, COL_COPIES_COUNT);
}

enum host_copies copies_to_host(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "copies");
	double all_ns = 0, large_ns = 0, bytes = 0, back_bytes = 0;
	for (uint32_t row = 0; t && row < t->n_rows; row++) {
		bool large = is_large(t, row), input;
		double exposed = row_number(t, row, COL_COPIES_EXPOSED), size = row_number(t, row, COL_COPIES_BYTES);
		if (is_kind(t, row, "D2H")) {
			all_ns += exposed;
			large_ns += large ? exposed : 0;
			bytes += large ? size : 0;
		} else if (is_kind(t, row, "H2D") && large && !(expected_known(t, row, &input) && input)) {
			back_bytes += size;
		}
	}
	return 2 * large_ns <= all_ns    ? HOST_COPIES_VALUES
	       : 2 * back_bytes >= bytes ? HOST_COPIES_OFFLOADED
					 : HOST_COPIES_LARGE;
}

const char *saved_copies_advice(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "copies");
	uint32_t most = NONE_ID;
	for (uint32_t row = 0; t && row < t->n_rows; row++)
		if (is_kind(t, row, "D2H") && (most == NONE_ID || row_number(t, row, COL_COPIES_EXPOSED) >
									  row_number(t, most, COL_COPIES_EXPOSED)))
			most = row;
	const struct evidence *e = most == NONE_ID ? NULL : table_evidence_of(t, most);
	return e && e->n ? idle_advice_of_saving(c->d, derived_columns(c->d)->link[e->rows[0]]) : NULL;
}

/* ---- excess copies -------------------------------------------------------------------------------------------------- */

static const char *const excess_advice[FRAMEWORKS] = {
	"Keep data on the device between its input and its output; copy asynchronously from pinned memory.",
	("Keep the ops that ask for these copies on the device: no py_function, metrics on the host or prints inside "
	 "the step."),
	"Keep values as device arrays inside the step: no np.asarray, float() or host callbacks.",
	"Avoid .item(), .cpu(), .numpy() and tensors made on the CPU inside the step; copy with non_blocking=True.",
};

static const char excess_rows[] = "direction=H2D|D2H and expected=false";

static void no_excess(struct finding_ctx *c, const struct copies_sum *expected, const struct copies_sum *unknown)
{
	if (unknown->count > 0 && expected->count <= 0) {
		say_untold(c, "input and output from excess copies",
			   arena_printf(c->mem, "none of the %s copies between host and devices belongs to a step",
					count_text(c, unknown->count)),
			   "Mark the steps, or name them with --steps-by REGEX.");
		return;
	}
	if (expected->count <= 0)
		say(c, FINDING_PASS, "Nothing is copied between host and devices.");
	else if (expected->count > 1)
		say(c, FINDING_PASS, "All %s copies between host and devices inside steps are their input and output.",
		    count_text(c, expected->count));
	else
		say(c, FINDING_PASS, "The only copy between host and devices inside steps is input or output.");
}

/* "40 places in 5 of 5 steps"; places that do not recur are not counted. */
static const char *places_text(struct finding_ctx *c, const struct copies_sum *s)
{
	if (s->places <= 0 || s->of_steps < 2)
		return "at no place that recurs";
	from_cell(c, "in_steps", ctx_table(c, "copies"), s->most_steps, COL_COPIES_IN_STEPS);
	from_cell(c, "of_steps", ctx_table(c, "copies"), s->most_steps, COL_COPIES_OF_STEPS);
	return arena_printf(c->mem, "%s places in %s of %s steps", count_text(c, s->places), count_text(c, s->in_steps),
			    count_text(c, s->of_steps));
}

static const char *source_text(struct finding_ctx *c, const struct copies_sum *s)
{
	const struct table *t = ctx_table(c, "copies");
	const char *op = from_text(c, "op", t, s->longest, COL_COPIES_OP);
	const char *by = from_text(c, "op_by", t, s->longest, COL_COPIES_OP_BY);
	const char *in = from_text(c, "caller", t, s->longest, COL_COPIES_CALLER);
	if (!op || s->longest_ns <= 0)
		return "";
	return arena_printf(c->mem, ", the largest part for %s%s%s (known by %s)", op, in ? " in " : "", in ? in : "",
			    by);
}

void finding_excess_copies(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "copies");
	struct copies_sum excess = {0}, expected = {0}, unknown = {0};
	if (!t || trace_devices(derived_trace(c->d)) == 0)
		return;
	for (uint32_t row = 0; row < t->n_rows; row++) {
		bool is_expected;
		if (with_host(t, row))
			add(!expected_known(t, row, &is_expected) ? &unknown
			    : is_expected                         ? &expected
								  : &excess,
			    t, row);
	}
	from_known(c, "input_and_output", expected.count, t, COL_COPIES_COUNT, "direction=H2D|D2H and expected=true");
	from_known(c, "of_no_step", unknown.count, t, COL_COPIES_COUNT, "direction=H2D|D2H and expected=null");
	if (excess.count <= 0) {
		no_excess(c, &expected, &unknown);
		return;
	}
	from_sum(c, "excess", &excess, excess_rows);
	from_known(c, "places", excess.places, t, COL_COPIES_PLACES, excess_rows);
	double pct;
	const char *lost = step_time_text(c, lost_name(c, "excess", &excess), lost_ns(&excess), &pct);
	enum finding_state state = rated(pct, pct < NOTHING_PCT ? FINDING_PASS : FINDING_INFO);
	struct finding *x = say(c, state, "%s excess copies (%s; %s more are input and output) %s %s%s.",
				count_text(c, excess.count), places_text(c, &excess), count_text(c, expected.count),
				excess.blocked_known ? "block kernels for" : "leave the device without kernels for",
				lost, source_text(c, &excess));
	fill(c, x, &excess, pct);
	x->formula = "time of copies between host and devices, other than the step's input and output, in which no "
		     "kernel ran although one was waiting / first to last device work of the steps; moderate from 3 %, "
		     "high from 15 %";
	bool offloaded = copies_are_no_input(c) || copies_to_host(c) == HOST_COPIES_OFFLOADED;
	x->advice = state == FINDING_INFO || state == FINDING_PASS ? NULL
		    : offloaded                                    ? copies_advice
								   : excess_advice[c->framework];
}

/* ---- pageable memory ------------------------------------------------------------------------------------------------ */

static const char loader_pins[] =
	"Use DataLoader(pin_memory=True) and tensor.to(device, non_blocking=True), and prefetch the next batch.";

/* By where most of the lost time goes: to the devices, or back. */
static const char *const pinned_advice[2][FRAMEWORKS] = {
	{
		"Copy from pinned memory, asynchronously.",
		"Prefetch to the device (tf.data prefetch_to_device, or strategy.experimental_distribute_dataset).",
		"Start the copy ahead of time with jax.device_put on the next batch.",
		"Pin what is copied in every step (tensor.pin_memory()), and copy it before it is needed with "
		"tensor.to(device, non_blocking=True).",
	},
	{
		"Copy into pinned memory, asynchronously, and read it later.",
		"Fetch values every k steps, all at once.",
		"Start the copy with copy_to_host_async() and read the values later; fetch them every k steps.",
		"Copy into pinned tensors with non_blocking=True and read them later, or every k steps; save "
		"checkpoints "
		"asynchronously (torch.distributed.checkpoint.async_save).",
	},
};

static const char *pinned_advice_of(struct finding_ctx *c, bool back)
{
	bool loader = c->framework == FRAMEWORK_PYTORCH && idle_facts(c->d)->loader;
	return loader && !back ? loader_pins : pinned_advice[back][c->framework];
}

void finding_pageable_copies(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "copies");
	struct copies_sum s = {0}, back = {0};
	for (uint32_t row = 0; t && row < t->n_rows; row++) {
		const char *memory = row_text(t, row, COL_COPIES_MEMORY);
		bool expected, excess = expected_known(t, row, &expected) && !expected; /* another rule's */
		if (!with_host(t, row) || excess || !memory || !strstr(memory, "pageable"))
			continue;
		add(&s, t, row);
		if (is_kind(t, row, "D2H"))
			add(&back, t, row);
	}
	if (s.count <= 0) {
		say_nothing(c, "no copy from or to pageable memory but excess ones");
		return;
	}
	from_sum(c, "copies", &s, "direction=H2D|D2H and expected!=false and memory~pageable");
	double pct;
	const char *lost = device_time_text(c, lost_name(c, "copies", &s), lost_ns(&s), &pct);
	enum finding_state state = rated(pct, FINDING_PASS);
	struct finding *x = say(c, state == FINDING_FAIL ? FINDING_WARN : state, "%s from or to pageable memory %s %s.",
				copies_text(c, &s), blocks_text(&s), lost);
	fill(c, x, &s, pct);
	x->formula = "time of copies with pageable memory, excess ones aside, in which no kernel ran although one was "
		     "waiting / first to last work of the devices; moderate from 3 %";
	x->advice = state == FINDING_PASS ? NULL : pinned_advice_of(c, 2 * lost_ns(&back) > lost_ns(&s));
}

/* ---- on and between devices ----------------------------------------------------------------------------------------- */

struct pair {
	const char *from, *to;
	struct copies_sum sum;
};

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* What there is no room for goes to the last one, which is named after no pair. */
static struct pair *pair_of(struct pair *pairs, uint32_t *n, const char *from, const char *to)
{
	for (uint32_t i = 0; i < *n; i++)
		if (same_text(pairs[i].from, from) && same_text(pairs[i].to, to))
			return &pairs[i];
	bool room = *n + 1 < MAX_PAIRS;
	if (*n < MAX_PAIRS)
		pairs[(*n)++] = (struct pair){.from = room ? from : NULL, .to = room ? to : NULL};
	return &pairs[*n - 1];
}

static void join(struct copies_sum *all, const struct copies_sum *one)
{
	all->blocked_known = all->rows ? all->blocked_known && one->blocked_known : one->blocked_known;
	all->count += one->count;
	all->bytes += one->bytes;
	all->blocked_ns += one->blocked_ns;
	all->exposed_ns += one->exposed_ns;
	if (!all->rows || one->longest_ns > all->longest_ns) {
		all->longest_ns = one->longest_ns;
		all->longest = one->longest;
	}
	all->rows += one->rows;
}

static const char *where_text(struct finding_ctx *c, const struct pair *p)
{
	if (!p->from && !p->to)
		return "on and between devices";
	if (same_text(p->from, p->to))
		return arena_printf(c->mem, "inside %s", p->from);
	return arena_printf(c->mem, "from %s to %s", p->from ? p->from : "a device", p->to ? p->to : "another one");
}

static const char device_rows[] = "direction=D2D|P2P";

static const char *rows_of(struct finding_ctx *c, const struct pair *p)
{
	return p->from || p->to ? arena_printf(c->mem, "%s and src=%s and dst=%s", device_rows,
					       p->from ? p->from : "null", p->to ? p->to : "null")
				: device_rows;
}

static bool stands_alone(struct finding_ctx *c, const struct pair *p, uint32_t n)
{
	double watched = watched_ns(c);
	return n == 1 || (watched > 0 && 100 * lost_ns(&p->sum) >= WARN_PCT * watched);
}

/* The sums of all pairs that do not stand alone, each of its own first. */
static void from_rest(struct finding_ctx *c, const struct pair *pairs, uint32_t n, const struct copies_sum *rest)
{
	const char *formula = NULL, *lost = NULL;
	for (uint32_t i = 0; i < n; i++) {
		if (stands_alone(c, &pairs[i], n))
			continue;
		const char *name = arena_printf(c->mem, "copies_%u", i + 1);
		from_sum(c, name, &pairs[i].sum, rows_of(c, &pairs[i]));
		formula = formula ? arena_printf(c->mem, "%s + %s", formula, name) : name;
		name = lost_name(c, name, rest);
		from_known(c, name, pairs[i].sum.exposed_ns, ctx_table(c, "copies"), COL_COPIES_EXPOSED,
			   rows_of(c, &pairs[i]));
		lost = lost ? arena_printf(c->mem, "%s + %s", lost, name) : name;
	}
	made_of(c, "copies", rest->count, UNIT_COUNT, formula);
	made_of(c, lost_name(c, "copies", rest), lost_ns(rest), UNIT_NS, lost);
}

static void tell_pair(struct finding_ctx *c, const struct pair *p)
{
	double pct;
	if (p->from || p->to)
		from_sum(c, "copies", &p->sum, rows_of(c, p));
	const char *lost = device_time_text(c, lost_name(c, "copies", &p->sum), lost_ns(&p->sum), &pct);
	enum finding_state state = rated(pct, FINDING_PASS);
	struct finding *x = say(c, state == FINDING_FAIL ? FINDING_WARN : state, "%s %s %s %s.",
				copies_text(c, &p->sum), where_text(c, p), blocks_text(&p->sum), lost);
	fill(c, x, &p->sum, pct);
	x->formula = "time of copies on or between devices in which no kernel ran although one was waiting / first to "
		     "last work of the devices; moderate from 3 %";
	if (state == FINDING_PASS)
		return;
	x->advice =
		same_text(p->from, p->to)
			? "Avoid clones, contiguous() and concatenations of large tensors; let a compiler fuse them."
			: "Place producers and consumers on the same device, or replace the copies by a collective.";
}

/* Each pair of devices that loses time on its own; all others together. */
static void tell_pairs(struct finding_ctx *c, const struct pair *pairs, uint32_t n)
{
	struct pair rest = {0};
	for (uint32_t i = 0; i < n; i++) {
		if (stands_alone(c, &pairs[i], n))
			tell_pair(c, &pairs[i]);
		else
			join(&rest.sum, &pairs[i].sum);
	}
	if (rest.sum.count <= 0)
		return;
	from_rest(c, pairs, n, &rest.sum);
	tell_pair(c, &rest);
}

void finding_device_copies(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "copies");
	struct pair pairs[MAX_PAIRS];
	uint32_t n = 0;
	for (uint32_t row = 0; t && row < t->n_rows; row++) {
		if (!is_kind(t, row, "D2D") && !is_kind(t, row, "P2P"))
			continue;
		struct pair *p = pair_of(pairs, &n, row_text(t, row, COL_COPIES_FROM), row_text(t, row, COL_COPIES_TO));
		add(&p->sum, t, row);
	}
	tell_pairs(c, pairs, n);
}
