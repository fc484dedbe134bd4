/* Rules about idle time, from the table 'idle_causes': one finding per cause, and one about recordings of little but first calls. */
#include "finding_ctx.h"
#include "model/analysis/gaps/verdicts_columns.h"
#include "model/analysis/gaps/idle_causes_columns.h"
#include "model/analysis/names/kernel_name.h"
#include "model/analysis/rules/cause.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Per cent of the time watched. Causes that one change removes warn earlier than those that everything eager has. */
enum { INFO_PCT = 2, NAMED_PCT = 5, NAMED_FAIL_PCT = 20, WARM_UP_PCT = 50 };
enum { PART_PCT = 5 }; /* a smaller part of the idle time is not told */
enum { DIFFUSE_INFO_PCT = 5, DIFFUSE_PCT = 10, DIFFUSE_FAIL_PCT = 30 };

struct idle_sum {
	double idle_ns, lost_ns, watched_ns, startup_ns, between_ns, edge_ns, sure_ns;
	uint32_t devices, most; /* row of the device that has most of it */
	double most_ns;
	bool startup_known;
	enum cause cause;
};

static const struct table *causes_of(struct finding_ctx *c)
{
	return ctx_table(c, "idle_causes");
}

static void add_row(struct idle_sum *s, const struct table *t, uint32_t row)
{
	double idle = row_number(t, row, COL_IDLE_CAUSES_IDLE_NS),
	       now = row_number(t, row, COL_IDLE_CAUSES_LOST_PCT) / 100, startup, sure;
	s->idle_ns += idle;
	s->lost_ns += now * row_number(t, row, COL_IDLE_CAUSES_WATCHED_NS);
	s->edge_ns += row_number(t, row, COL_IDLE_CAUSES_EDGE_NS);
	s->between_ns += row_number(t, row, COL_IDLE_CAUSES_BETWEEN_NS);
	s->startup_known |= row_real(t, row, COL_IDLE_CAUSES_STARTUP_NS, &startup);
	s->startup_ns += row_number(t, row, COL_IDLE_CAUSES_STARTUP_NS);
	s->sure_ns += row_real(t, row, COL_IDLE_CAUSES_CONFIDENCE, &sure) ? sure * idle : 0;
	if (!s->devices++ || idle > s->most_ns) {
		s->most = row;
		s->most_ns = idle;
	}
}

/* The time watched on all devices that were idle at all: every device has its own in each of its rows, and each cause once.
 * Two recordings of one worker bring two devices of one name. */
static double all_watched_ns(struct finding_ctx *c, const struct table *t)
{
	double sum = 0;
	if (c->idle_watched_ns > 0)
		return c->idle_watched_ns;
	for (uint32_t row = 0, first = 0; row < t->n_rows; row++) {
		uint32_t same = first;
		while (same < row &&
		       strcmp(row_text(t, same, COL_IDLE_CAUSES_CAUSE), row_text(t, row, COL_IDLE_CAUSES_CAUSE)) != 0)
			same++;
		if (row && same == row && device_of_row(c, t, row) == device_of_row(c, t, first))
			continue;
		first = row;
		sum += row_number(t, row, COL_IDLE_CAUSES_WATCHED_NS);
	}
	return c->idle_watched_ns = sum;
}

/* CAUSE_COUNT: of none of that word. */
static enum cause cause_of(const char *word)
{
	int cause = 0;
	while (cause < CAUSE_COUNT && strcmp(cause_word((enum cause)cause), word) != 0)
		cause++;
	return (enum cause)cause;
}

/* Of all causes at once: of a thousand devices no rule reads the rows for each cause anew. */
static struct idle_sum *sums_of(struct finding_ctx *c)
{
	const struct table *t = causes_of(c);
	struct idle_sum *sums = arena_alloc(c->mem, (CAUSE_COUNT + 1) * sizeof *sums);
	for (uint32_t row = 0; row < t->n_rows; row++)
		add_row(&sums[cause_of(row_text(t, row, COL_IDLE_CAUSES_CAUSE))], t, row);
	for (int i = 0; i < CAUSE_COUNT; i++) {
		sums[i].cause = (enum cause)i;
		sums[i].watched_ns = all_watched_ns(c, t);
	}
	return sums;
}

static struct idle_sum sum_of(struct finding_ctx *c, enum cause cause)
{
	if (!c->idle_sums)
		c->idle_sums = sums_of(c);
	return c->idle_sums[cause];
}

/* ---- handing over ------------------------------------------------------------------------------------------------------ */

static const char *rows_of(struct finding_ctx *c, enum cause cause)
{
	return arena_printf(c->mem, "cause=%s", cause_word(cause));
}

/* Where the table tells no lost time, as of what is not recorded, the shares of the devices give it. */
static void from_shares(struct finding_ctx *c, double lost_ns, enum cause cause)
{
	const struct table *t = causes_of(c);
	enum { TERM_BYTES = 64 }; /* of one device */
	const char *rows = rows_of(c, cause);
	char *formula = arena_alloc(c->mem, ((size_t)t->n_rows + 1) * TERM_BYTES), *end = formula;
	for (uint32_t row = 0; row < t->n_rows; row++) {
		if (!row_meets(t, row, rows))
			continue;
		const char *share = arena_printf(c->mem, "share_pct_%u", row + 1),
			   *whole = arena_printf(c->mem, "watched_ns_%u", row + 1);
		from_cell(c, share, t, row, COL_IDLE_CAUSES_LOST_PCT);
		from_cell(c, whole, t, row, COL_IDLE_CAUSES_WATCHED_NS);
		end += snprintf(end, TERM_BYTES, "%s%s / 100 * %s", end > formula ? " + " : "", share, whole);
	}
	made_of(c, "lost_ns", lost_ns, UNIT_NS, end > formula ? formula : "0");
}

static void from_watched(struct finding_ctx *c, double ns)
{
	from_known(c, "watched_ns", ns, causes_of(c), COL_IDLE_CAUSES_WATCHED_NS, "one per device");
}

static void from_cause(struct finding_ctx *c, enum cause cause, const struct idle_sum *s)
{
	const char *rows = rows_of(c, cause);
	from_known(c, "idle_ns", s->idle_ns, causes_of(c), COL_IDLE_CAUSES_IDLE_NS, rows);
	if (cause_loses(cause) == LOSES_NOTHING)
		from_shares(c, s->lost_ns, cause);
	else
		from_known(c, "lost_ns", s->lost_ns, causes_of(c), COL_IDLE_CAUSES_LOST_NS, rows);
	from_watched(c, s->watched_ns);
	if (s->watched_ns > 0)
		made_of(c, "share_pct", 100 * s->lost_ns / s->watched_ns, UNIT_PERCENT, "100 * lost_ns / watched_ns");
	from_known(c, "edge_ns", s->edge_ns, causes_of(c), COL_IDLE_CAUSES_EDGE_NS, rows);
	made_of(c, "lost_inside_ns", s->lost_ns - s->edge_ns, UNIT_NS, "lost_ns - edge_ns");
	from_known(c, "between_steps_ns", s->between_ns, causes_of(c), COL_IDLE_CAUSES_BETWEEN_NS, rows);
	from_known(c, "startup_ns", s->startup_ns, causes_of(c), COL_IDLE_CAUSES_STARTUP_NS, rows);
	from_count(c, "devices", causes_of(c), rows);
	if (s->devices) {
		from_cell(c, "stretch_ns", causes_of(c), s->most, COL_IDLE_CAUSES_STRETCH_NS);
		from_text(c, "main_event", causes_of(c), s->most, COL_IDLE_CAUSES_MAIN_EVENT);
	}
}

double lost_to_cause_ns(struct finding_ctx *c, enum cause cause)
{
	if (!causes_of(c))
		return 0;
	struct idle_sum s = sum_of(c, cause);
	from_cause(c, cause, &s);
	return s.lost_ns;
}

double idle_watched_ns(struct finding_ctx *c)
{
	const struct table *t = causes_of(c);
	double ns = t && t->n_rows ? all_watched_ns(c, t) : 0;
	if (ns > 0)
		from_watched(c, ns);
	return ns;
}

double idle_of_cause_ns(struct finding_ctx *c, enum cause cause)
{
	return causes_of(c) ? from_rows(c, "idle_ns", causes_of(c), COL_IDLE_CAUSES_IDLE_NS, rows_of(c, cause)) : 0;
}

static const char causes_formula[] =
	"idle time of this cause in the table 'idle_causes', with steps before the first and after the last work but "
	"without start-up / time watched; reported from 2 %, warning from 5 %, fail from 20 %; for launch latency, "
	"Python overhead, host compute and synchronisation from 5, 10 and 30 %; for not recorded and held back from 5 "
	"and 10 %";

/* ---- one cause ------------------------------------------------------------------------------------------------------- */

static bool is_diffuse(enum cause cause)
{
	return cause == CAUSE_LAUNCH || cause == CAUSE_PYTHON || cause == CAUSE_HOST_COMPUTE || cause == CAUSE_SYNC ||
	       cause == CAUSE_UNKNOWN || cause == CAUSE_HELD;
}

static enum finding_state state_of(enum cause cause, double pct)
{
	int warn = is_diffuse(cause) ? DIFFUSE_PCT : NAMED_PCT;
	if (cause == CAUSE_LOST)
		return pct >= NAMED_PCT ? FINDING_UNKNOWN : FINDING_PASS;
	if (pct < warn || cause == CAUSE_PROFILER)
		return FINDING_INFO;
	bool much = pct >= (is_diffuse(cause) ? DIFFUSE_FAIL_PCT : NAMED_FAIL_PCT);
	bool may_fail = cause_loses(cause) != LOSES_NOTHING && cause != CAUSE_HOST_WAIT; /* nobody may have asked */
	return much && may_fail ? FINDING_FAIL : FINDING_WARN;
}

static const char *who(struct finding_ctx *c, const struct idle_sum *s)
{
	char label[128];
	const struct table *t = causes_of(c);
	if (s->devices > 1)
		return arena_strdup(c->mem, trace_devices_text(derived_trace(c->d), s->devices, label, sizeof label));
	uint32_t device = device_of_row(c, t, s->most);
	return device == NONE_ID
		       ? "a device"
		       : arena_strdup(c->mem, trace_device_label(derived_trace(c->d), device, label, sizeof label));
}

/* "; 1.939 s more before the first steady step" */
static const char *startup_words(struct finding_ctx *c, const struct idle_sum *s)
{
	if (!s->startup_known || s->startup_ns < s->lost_ns / 100)
		return "";
	return arena_printf(c->mem, "; %s more before the first steady step", ns_text(c, s->startup_ns));
}

/* "; the longest, 463.232 ms, before add_kernel: what held stream 3 back is not in the file" */
static const char *held_words(struct finding_ctx *c, const struct idle_sum *s)
{
	const struct table *t = causes_of(c);
	const char *name = row_text(t, s->most, COL_IDLE_CAUSES_MAIN_EVENT);
	return name && s->cause == CAUSE_HELD
		       ? arena_printf(c->mem, "; the longest, %s, before %.80s: what held %s back is not in the file",
				      ns_text(c, row_number(t, s->most, COL_IDLE_CAUSES_LONGEST_NS)),
				      kernel_name_short(c->mem, name),
				      row_text(t, s->most, COL_IDLE_CAUSES_HELD_STREAM))
		       : "";
}

/* " (the longest stretch, 68.153 ms, in cudaFree)" */
static const char *event_words(struct finding_ctx *c, const struct idle_sum *s)
{
	const struct table *t = causes_of(c);
	const char *name = row_text(t, s->most, COL_IDLE_CAUSES_MAIN_EVENT);
	/* it may lie before the first steady step */
	return name && s->cause != CAUSE_HELD
		       ? arena_printf(c->mem, " (the longest stretch%s, %s, in %.80s)",
				      *startup_words(c, s) ? " of all" : "",
				      ns_text(c, row_number(t, s->most, COL_IDLE_CAUSES_STRETCH_NS)), name)
		       : "";
}

bool idle_held_back(struct finding_ctx *c, struct held_back *out)
{
	const struct table *t = causes_of(c);
	struct idle_sum s = t ? sum_of(c, CAUSE_HELD) : (struct idle_sum){0};
	if (!s.devices)
		return false;
	*out = (struct held_back){from_cell(c, "held_ns", t, s.most, COL_IDLE_CAUSES_LONGEST_NS),
				  from_text(c, "held_stream", t, s.most, COL_IDLE_CAUSES_HELD_STREAM)};
	return true;
}

const char *idle_cause_advice(struct finding_ctx *c, enum cause cause)
{
	const struct table *t = causes_of(c);
	struct idle_sum s = t ? sum_of(c, cause) : (struct idle_sum){0};
	return s.devices ? row_text(t, s.most, COL_IDLE_CAUSES_ADVICE) : idle_advice(c->d, cause, NONE_ID);
}

void finding_held_back(struct finding *x, struct held_back held)
{
	x->held_ns = llround(held.ns);
	x->held_stream = held.stream;
}

static const char *between_words(struct finding_ctx *c, const struct idle_sum *s)
{
	if (s->between_ns <= 0 || 100 * s->between_ns < PART_PCT * s->idle_ns || s->startup_ns > 0)
		return "";
	uint32_t device = s->devices == 1 ? device_of_row(c, causes_of(c), s->most) : NONE_ID;
	const char *which = device != NONE_ID ? between_which_steps(c, s->cause, device, s->between_ns) : "steps";
	return s->between_ns >= s->idle_ns
		       ? arena_printf(c->mem, ", all of it between %s", which)
		       : arena_printf(c->mem, ", %s of it between %s", ns_text(c, s->between_ns), which);
}

/* "12.000 ms, and 4.000 ms before its first or after its last work", of several "their first or after their last work" */
static const char *time_words(struct finding_ctx *c, const struct idle_sum *s)
{
	const char *ns = ns_text(c, s->lost_ns - s->edge_ns);
	if (s->edge_ns < s->lost_ns / 100)
		return ns_text(c, s->lost_ns);
	const char *whose = s->devices > 1 ? "their" : "its",
		   *edge = arena_printf(c->mem, "%s before %s first or after %s last work", ns_text(c, s->edge_ns),
					whose, whose);
	return s->edge_ns >= s->lost_ns ? edge : arena_printf(c->mem, "%s, and %s", ns, edge);
}

/* "maybe input wait"; NULL: nothing tells the cause. */
static const char *about_cause(struct finding_ctx *c, const struct idle_sum *s)
{
	bool guess = s->idle_ns > 0 && s->sure_ns / s->idle_ns < 0.5;
	if (s->cause == CAUSE_UNKNOWN)
		return NULL;
	return guess ? arena_printf(c->mem, "maybe %s", cause_word(s->cause)) : cause_word(s->cause);
}

static struct finding *say_cause(struct finding_ctx *c, enum cause cause, const struct idle_sum *s, double pct)
{
	enum finding_state state = state_of(cause, pct);
	const char *but = cause == CAUSE_INPUT ? softened_by_one_iteration(c, &state) : "";
	const char *ns = time_words(c, s), *share = pct_text(c, pct), *idles = s->devices > 1 ? "idle" : "idles";
	if (cause == CAUSE_LOST)
		return say(c, state, "Records were lost: cannot tell whether %s was idle for %s (%s of the time).",
			   who(c, s), ns, share);
	const char *name = arena_printf(c->mem, "%s %s", who(c, s), idles);
	if (cause == CAUSE_UNKNOWN)
		return say(c, state, "Cannot tell why %s for %s (%s of the time): %s%s%s.", name, ns, share,
			   cause_word(cause), between_words(c, s), startup_words(c, s));
	const char *about = about_cause(c, s);
	return say(c, state, "%s: %s for %s (%s of the time) %s%s%s%s%s%s.", arena_capital(c->mem, about), name, ns,
		   share, cause_while(cause), event_words(c, s), between_words(c, s), startup_words(c, s),
		   held_words(c, s), but);
}

/* NULL: it is too small to do something about. */
static const char *advice_of(struct finding_ctx *c, const struct idle_sum *s, double pct, enum finding_state state)
{
	if (state == FINDING_INFO && pct < NAMED_PCT)
		return NULL;
	/* what is over when the devices begin is over once */
	return s->cause == CAUSE_COMPILE && s->edge_ns >= s->lost_ns * 9 / 10
		       ? how_to_record(c, RECORD_LATER)
		       : row_text(causes_of(c), s->most, COL_IDLE_CAUSES_ADVICE);
}

static void tell_cause(struct finding_ctx *c, enum cause cause)
{
	struct idle_sum s = sum_of(c, cause);
	double pct = s.watched_ns > 0 ? 100 * s.lost_ns / s.watched_ns : 0;
	const struct table *t = causes_of(c);
	struct held_back held;
	if (!s.devices || pct < (is_diffuse(cause) ? DIFFUSE_INFO_PCT : INFO_PCT))
		return;
	from_cause(c, cause, &s);
	bool is_held = cause == CAUSE_HELD && idle_held_back(c, &held);
	struct finding *x = say_cause(c, cause, &s, pct);
	x->device = s.devices == 1 ? device_of_row(c, t, s.most) : NONE_ID;
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = is_diffuse(cause) ? DIFFUSE_PCT : NAMED_PCT;
	x->idle_ns = llround(s.idle_ns);
	x->lost_ns = cause_loses(cause) == LOSES_NOTHING ? UNKNOWN_I64 : llround(s.lost_ns);
	x->confidence = s.idle_ns > 0 && cause_loses(cause) != LOSES_NOTHING ? s.sure_ns / s.idle_ns : NAN;
	x->cause = (int)cause;
	x->about = about_cause(c, &s);
	x->formula = causes_formula;
	x->advice = advice_of(c, &s, pct, x->state);
	show_row(c, x, t, s.most);
	if (is_held)
		finding_held_back(x, held);
}

void finding_idle_causes(struct finding_ctx *c)
{
	const struct table *t = causes_of(c);
	uint32_t before = c->out->n;
	if (!t || !t->n_rows || c->warm_up_only) {
		say_nothing(c, c->warm_up_only ? "the trace shows little but first calls" : "no device is idle");
		return;
	}
	for (int i = 0; i < CAUSE_COUNT; i++)
		tell_cause(c, (enum cause)i);
	if (c->out->n == before) {
		from_rows(c, "idle_ns", t, COL_IDLE_CAUSES_IDLE_NS, NULL);
		struct finding *x =
			say(c, FINDING_PASS,
			    "No cause of idle time takes %d %% of the time; devices are idle for %s in all.", INFO_PCT,
			    ns_text(c, column_sum(t, COL_IDLE_CAUSES_IDLE_NS)));
		x->idle_ns = llround(column_sum(t, COL_IDLE_CAUSES_IDLE_NS));
		x->formula = causes_formula;
	}
}

enum cause dominant_cause(struct finding_ctx *c, bool watched, double *pct)
{
	const struct table *t = causes_of(c);
	enum cause most = CAUSE_UNKNOWN;
	double most_ns = 0, all_ns = 0;
	for (int i = 0; t && i < CAUSE_COUNT; i++) {
		struct idle_sum s = sum_of(c, (enum cause)i);
		double ns = watched ? s.lost_ns : s.idle_ns;
		all_ns += ns;
		if (ns <= most_ns)
			continue;
		most_ns = ns;
		most = (enum cause)i;
	}
	*pct = most_ns > 0 ? 100 * most_ns / all_ns : NAN;
	if (watched || most_ns <= 0)
		return most;
	from_known(c, "most_idle_ns", most_ns, causes_of(c), COL_IDLE_CAUSES_IDLE_NS, rows_of(c, most));
	from_known(c, "all_idle_ns", all_ns, causes_of(c), COL_IDLE_CAUSES_IDLE_NS, NULL);
	made_of(c, "most_idle_pct", *pct, UNIT_PERCENT, "100 * most_idle_ns / all_idle_ns");
	return most;
}

/* ---- little but first calls ------------------------------------------------------------------------------------------ */

static bool has_steady_steps(const struct finding_ctx *c)
{
	double v;
	const struct table *t = ctx_table((struct finding_ctx *)c, "idle_causes");
	return t->n_rows && row_real(t, 0, COL_IDLE_CAUSES_STARTUP_NS, &v);
}

/* How many rows of the table 'verdicts' have that cause. */
static uint32_t blamed_in(const struct row_block *b, enum cause cause)
{
	const char *causes[BLOCK_ROWS];
	uint32_t n = 0;
	row_block_texts(b, COL_VERDICTS_CAUSE, causes);
	for (uint32_t i = 0; i < b->n; i++)
		n += !strcmp(causes[i], cause_word(cause));
	return n;
}

/* Most steps hold nothing of it: the time before the devices' first work, and stretches of idle time, are fewer than half of them. A host that is
 * far ahead has no steady steps to tell it by. */
static bool most_steps_run(struct finding_ctx *c, const struct idle_sum *s)
{
	enum { FEWEST_STEPS = 4 };
	const struct table *t = ctx_table(c, "verdicts");
	uint32_t steps = 0, stretches = s->edge_ns > 0;
	for (uint32_t i = 0; i < derived_steps(c->d); i++)
		steps += !derived_step(c->d, i)->cut;
	for (struct row_block b = {.t = t}; t && row_block_next(&b);)
		stretches += blamed_in(&b, s->cause);
	return steps >= FEWEST_STEPS && 2 * stretches < steps;
}

/* Work of the devices itself is none of start-up's time: only what they wait for. */
void finding_warm_up(struct finding_ctx *c)
{
	const struct table *t = causes_of(c);
	if (!t || !t->n_rows)
		return;
	struct idle_sum s = sum_of(c, CAUSE_COMPILE);
	double pct = s.watched_ns > 0 ? 100 * s.lost_ns / s.watched_ns : 0;
	struct finding *x;
	from_cause(c, CAUSE_COMPILE, &s);
	if (has_steady_steps(c)) {
		double idle = column_sum(t, COL_IDLE_CAUSES_STARTUP_NS);
		from_rows(c, "startup_idle_ns", t, COL_IDLE_CAUSES_STARTUP_NS, NULL);
		if (idle <= 0 || s.startup_ns < idle / 10) {
			say_nothing(c, "there are steady steps, and less than a tenth of the idle time before them is "
				       "spent in first calls");
			return;
		}
		x = say(c, FINDING_INFO,
			"Warm-up: devices idle for %s before the first steady step, %s of it in first calls%s.",
			ns_text(c, idle), ns_text(c, s.startup_ns), event_words(c, &s));
		x->idle_ns = UNKNOWN_I64;
		x->lost_ns = llround(s.startup_ns); /* once per run */
	} else if (pct >= WARM_UP_PCT && !most_steps_run(c, &s)) {
		c->warm_up_only = true;
		x = say(c, FINDING_WARN,
			"Warm-up only: %s of %s are spent in first calls (loading code, searching for algorithms, "
			"capturing graphs)%s; nothing here is steady.",
			ns_text(c, s.lost_ns), ns_text(c, s.watched_ns), event_words(c, &s));
		x->idle_ns = llround(s.idle_ns);
		x->advice = how_to_record(c, RECORD_LATER);
	} else {
		say_nothing(c, pct < WARM_UP_PCT ? "first calls take less than half of the time watched"
						 : "most steps have none of the first calls");
		return;
	}
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = WARM_UP_PCT;
	x->formula = "idle time of the cause compilation (first calls of ops and of the runtime, loading, capture) / "
		     "time watched; from 50 % on, without steady steps, nothing else is judged";
	show_row(c, x, t, s.most);
}
