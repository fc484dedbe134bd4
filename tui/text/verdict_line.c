#include "verdict_line.h"
#include "guide.h"
#include "utf8.h"
#include "model/analysis/findings/findings_columns.h"
#include "model/store/base/spans.h"
#include "model/store/base/units.h"
#include <math.h>
#include <string.h>
#include <strings.h>

enum { NEXT_MOST = 2 };

/* A rule in a few words (NULL: by what its finding is about), and what its percentage is of; of a rule that speaks of several things,
 * by how what its finding is about begins (NULL: whatever that is; it stands after the head then). Rules that are not here speak in
 * their own sentence. */
static const struct phrase {
	const char *rule, *head, *share, *about;
} phrases[] = {
	{"input-bound", "copies to the device", "of the step waits for them", "copies that are no input"},
	{"input-bound", "input-bound", "of the step goes to copies to the device", "copies of input"},
	{"input-bound", "input-bound", "of the step waits for input or copies it to the device",
	 "input and its copies"},
	{"input-bound", "input-bound", "of the step waits for input", NULL},
	{"kernel-launch", "launch-bound", "of the step goes to nothing but launch calls", NULL},
	{"collectives", NULL, "of the step goes to collectives that nothing hides, most of it waiting", "waiting for "},
	{"collectives", NULL, "of the step waits for other ranks or transfers data; the trace cannot tell which",
	 "exposed "},
	{"collectives", "communication-bound", "of the step goes to collectives that nothing hides", NULL},
	{"synchronisation", NULL, "of the time devices are idle because calls waited for them", "overflow check"},
	{"synchronisation", "synchronisation", "of the time devices are idle because calls waited for them", NULL},
	{"output", NULL, "of the step waits for its copies to the host", "saving of checkpoints"},
	{"output", "copies to the host", "of the step waits for them", NULL},
	{"worth-the-device", "more overhead than compute",
	 "of the step goes to launches, waits for input, copies from or to the host, or to no op", NULL},
	{"other", "Python outside ops", "of the step is spent there, or explained by no recorded event",
	 "Python outside ops"},
	{"other", "unexplained time", "of the step is explained by no recorded event", NULL},
	{"tensor-cores", "Tensor Cores unused", "of the kernel time could use them and does not", NULL},
	{"precision-16bit", "little 16-bit compute", "of the kernel time is 16 bit", NULL},
	{"memory-bound", "memory-bound", "of the kernel time goes to kernels that move bytes", NULL},
	{"small-kernels", "small kernels", "of the time devices wait for their launches", NULL},
	{"fusion", "unfused element-wise kernels", "of the time on devices could be saved at most", NULL},
	{"copying-kernels", "copies by kernels", "of the kernel time only moves values", NULL},
	{"step-change", "steps become slower", "more time per step", NULL},
	{"device-busy", "devices idle", NULL, NULL},
	{"waits-for-rank", NULL, NULL, "waiting for "},
	{"replicas", "uneven compute", NULL, NULL},
	{"read-whole", "records that could not be read", NULL, NULL},
	{"iterations", "time between iterations", NULL, NULL},
	{"collective-speed", "slow links", NULL, NULL},
	{"collective-sizes", "many small collectives", NULL, NULL},
	{"serial-devices", "devices take turns", NULL, NULL},
	{"uneven-exchange", "uneven all-to-alls", NULL, NULL},
	{"input-replicas", "late input on one device", NULL, NULL},
	{"pipeline-bubble", "pipeline bubble", NULL, NULL},
	{"launch-order", "devices launched late", NULL, NULL},
	{"memory-full", "memory nearly full", NULL, NULL},
	{"op-placement", "heavy ops on the host", NULL, NULL},
	{"tensor-core-dims", "16-bit products held back", NULL, NULL},
};

static bool same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static bool begins(const char *text, const char *with)
{
	return text && strncmp(text, with, strlen(with)) == 0;
}

static const struct phrase *phrase_of(const struct guide_item *x)
{
	for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
		if (same(phrases[i].rule, x->rule) && (!phrases[i].about || begins(x->about, phrases[i].about)))
			return &phrases[i];
	return NULL;
}

static const char *head_of(const struct phrase *p, const struct guide_item *x, struct arena *mem)
{
	if (!p->head)
		return x->about;
	return p->about || !x->about ? p->head : arena_printf(mem, "%s (above all %s)", p->head, x->about);
}

/* A sentence as part of a line: without its full stop. */
static const char *clause(const char *sentence, struct arena *mem)
{
	size_t n = sentence ? strlen(sentence) : 0;
	return n ? arena_strndup(mem, sentence, n - (sentence[n - 1] == '.')) : "";
}

/* Of idle time; NULL: nothing tells it. */
static const char *cause_of(const struct guide_item *x)
{
	return same(x->rule, "idle") ? x->about : NULL;
}

static const char *percent(const struct table *t, uint32_t row, struct arena *mem)
{
	const struct cell *v = column_cell(t, row, COL_FINDINGS_VALUE);
	bool share = same(column_text(t, row, COL_FINDINGS_UNIT), "percent") && !v->null;
	return share ? fmt_pct(arena_alloc(mem, UNITS_BUF), v->r) : NULL;
}

/* "of the step waits for input"; where no step lies in the window as a whole "of the step time in the window waits for input". */
static const char *share_of(const struct phrase *p, const struct guide_item *x, struct arena *mem)
{
	static const char step[] = "of the step ";
	bool part = begins(p->share, step) && x->sentence && strstr(x->sentence, STEP_TIME_IN_WINDOW);
	return part ? arena_printf(mem, "of " STEP_TIME_IN_WINDOW " %s", p->share + strlen(step)) : p->share;
}

/* The sentence gives an upper bound, and so does the line. */
static const char *bound_of(const struct guide_item *x)
{
	return same(x->rule, "synchronisation") && x->sentence && strstr(x->sentence, COST_THE_LEAD) ? "up to " : "";
}

/* What the first finding says. */
static const char *lead(const struct table *t, uint32_t row, struct arena *mem)
{
	struct guide_item x = guide_item(t, row);
	const struct phrase *p = phrase_of(&x);
	const char *share = percent(t, row, mem), *cause = cause_of(&x);
	const char *device = column_text(t, row, COL_FINDINGS_DEVICE_LABEL),
		   *stream = column_text(t, row, COL_FINDINGS_HELD_STREAM);
	if (cause && share)
		return arena_printf(mem, "%s: %s idle %s of the time%s", arena_capital(mem, cause),
				    device ? device : "devices", share,
				    stream ? arena_printf(mem, "; what held %s back is not in the file", stream) : "");
	if (p && p->share && share)
		return arena_printf(mem, "%s: %s%s %s", head_of(p, &x, mem), bound_of(&x), share, share_of(p, &x, mem));
	return clause(x.sentence, mem);
}

/* One of those that come next. */
static const char *head(const struct table *t, uint32_t row, struct arena *mem)
{
	struct guide_item item = guide_item(t, row), *x = &item;
	const struct phrase *p = phrase_of(x);
	const char *cause = cause_of(x);
	bool untold = same(x->rule, "idle") && !cause;
	const char *text = cause      ? cause
			   : untold   ? "unexplained idle time"
			   : p        ? head_of(p, x, mem)
			   : x->title ? x->title
				      : "";
	return p ? text : arena_small(mem, text);
}

/* Steps and devices that wait for input tell one thing. */
static bool both_input(const struct guide_item *x, const struct guide_item *y)
{
	return same(x->rule, "input-bound") && same(y->rule, "idle") && same(y->about, "input wait");
}

/* Collectives that are named by waiting, and who is waited for, are one thing. */
static bool both_wait(const struct guide_item *x, const struct guide_item *y)
{
	return same(x->rule, "waits-for-rank") && same(y->rule, "collectives") && begins(y->about, "waiting for ");
}

/* What asks for the same thing as an earlier finding, or has its name, says nothing new; idle time comes once for each cause. */
static bool told_before(const struct table *t, uint32_t row, struct arena *mem)
{
	struct guide_item x = guide_item(t, row);
	const char *name = head(t, row, mem);
	for (uint32_t i = 0; i < row; i++) {
		struct guide_item y = guide_item(t, i);
		bool one_rule = same(x.rule, y.rule) && !same(x.rule, "idle");
		if (one_rule || both_wait(&x, &y) || both_wait(&y, &x) || both_input(&x, &y) || both_input(&y, &x) ||
		    same(x.advice, y.advice) || strcasecmp(name, head(t, i, mem)) == 0)
			return true;
	}
	return false;
}

static const char *of_warnings(const struct table *t, int cols, struct arena *mem)
{
	const char *line = lead(t, 0, mem);
	for (uint32_t row = 1, n = 0; row < t->n_rows && n < NEXT_MOST; row++) {
		struct guide_item x = guide_item(t, row);
		/* that devices idle follows from the causes named before */
		if (!finding_stands(x.state) || told_before(t, row, mem) || same(x.rule, "device-busy"))
			continue;
		const char *longer = arena_printf(mem, "%s%s%s", line, n ? ", " : "; then: ", head(t, row, mem));
		if (n && utf8_width(longer) > cols)
			break;
		line = longer;
		n++;
	}
	return line;
}

/* Nothing is wrong: what the devices do instead of waiting; NULL: no finding says that. */
static const char *of_passes(const struct table *t, struct arena *mem)
{
	static const char *const rules[] = {"compute-bound", "device-busy"};
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		for (uint32_t row = 0; row < t->n_rows; row++) {
			struct guide_item x = guide_item(t, row);
			if (same(x.rule, rules[i]) && x.state == FINDING_PASS)
				return arena_printf(mem, "nothing to warn of: %s",
						    arena_small(mem, clause(x.sentence, mem)));
		}
	return NULL;
}

/* Many rules need what such a finding lacks: that the others pass says little. */
static bool judges_little(const struct guide_item *x)
{
	static const char *const rules[] = {"device-busy", "step-markers", "input-bound"};
	return TEXT_IS_ONE_OF(x->rule, rules) || x->lost_ns != UNKNOWN_I64;
}

/* Time of which nothing is known is no time without a fault. */
static const char *of_unknown(const struct guide_item *x, struct arena *mem)
{
	const char *text = clause(x->sentence, mem);
	if (same(x->rule, "device-busy")) /* without devices hardly a rule can warn: that none does says little */
		return text;
	return x->lost_ns != UNKNOWN_I64 ? text : arena_printf(mem, "nothing to warn of; %s", arena_small(mem, text));
}

/* Where neither steps nor devices are recorded hardly a rule can warn: the finding that says so comes before that of the steps. */
static struct guide_item most_untold(const struct table *t, uint32_t row)
{
	struct guide_item x = guide_item(t, row);
	for (uint32_t i = row + 1; same(x.rule, "step-markers") && i < t->n_rows; i++) {
		struct guide_item y = guide_item(t, i);
		if (same(y.rule, "device-busy") && y.state == FINDING_UNKNOWN)
			return y;
	}
	return x;
}

const char *verdict_line(const struct table *findings, int cols, enum finding_state *state, struct arena *mem)
{
	*state = FINDING_PASS;
	for (uint32_t row = 0; row < findings->n_rows; row++) {
		struct guide_item x = guide_item(findings, row);
		if (finding_stands(x.state) && row == 0) {
			*state = x.state;
			return of_warnings(findings, cols, mem);
		}
		if (x.state == FINDING_UNKNOWN) {
			x = most_untold(findings, row);
			const char *passes = judges_little(&x) ? NULL : of_passes(findings, mem);
			*state = passes ? FINDING_PASS : x.state;
			return passes ? passes : of_unknown(&x, mem);
		}
	}
	const char *passes = of_passes(findings, mem);
	return passes ? passes : "nothing to warn of";
}
