/* Rules about what devices spend their busy time on: waiting for asynchronous copies, kernels that move bytes, products. */
#include "finding_ctx.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/kernels/kernel_families.h"
#include "model/analysis/kernels/kernel_families_columns.h"
#include "model/store/base/spans.h"
#include <math.h>
#include <string.h>

/* ---- copies that devices wait for --------------------------------------------------------------------------------- */

/* Types of device ops that do nothing but wait until a transfer is done. */
static const char *const waits[] = {"copy-done", "async-done", "slice-done", "send-done", "recv-done"};

static bool waits_for_transfer(const struct op_stat *op)
{
	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
		if (op->type.n == strlen(waits[i]) && !memcmp(op->type.p, waits[i], op->type.n))
			return true;
	return false;
}

static void from_waits(struct finding_ctx *c, const struct op_stat *most, int64_t ns, double pct)
{
	const char *name = arena_strndup(c->mem, most->name.p, most->name.n);
	struct finding_input x = {
		.name = "waits_ns",
		.value = (double)ns,
		.unit = UNIT_NS,
		.table = "ops",
		.column = "total_self_time",
		.rows = "host_or_device=Device and type=copy-done|async-done|slice-done|send-done|recv-done"};
	from_table(c, x);
	made_of(c, "waits_pct", pct, UNIT_PERCENT, "100 * waits_ns / watched_ns");
	x.name = "most_ns";
	x.value = (double)most->side[OP_DEVICE].self_ns;
	x.rows = arena_printf(c->mem, "host_or_device=Device and operation=%s", name);
	from_table(c, x);
	from_table(c, (struct finding_input){.name = "most",
					     .value = NAN,
					     .text = name,
					     .table = "ops",
					     .column = "operation",
					     .rows = x.rows});
}

void finding_transfer_waits(struct finding_ctx *c)
{
	enum { INFO_PCT = 2, WARN_PCT = 5, FAIL_PCT = 20 };
	const struct op_stats *s = c->answers.ops;
	const struct op_stat *most = NULL;
	int64_t ns = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		if (!waits_for_transfer(&s->at[i]))
			continue;
		ns += s->at[i].side[OP_DEVICE].self_ns;
		if (!most || s->at[i].side[OP_DEVICE].self_ns > most->side[OP_DEVICE].self_ns)
			most = &s->at[i];
	}
	double pct = share_of_time_pct(c, (double)ns);
	if (!most || pct < INFO_PCT) {
		say_nothing(c, most ? "devices wait for such copies for less than 2 % of the time"
				    : "no device op of a type that only waits for a copy");
		return;
	}
	from_waits(c, most, ns, pct);
	const struct columns *cols = trace_columns(derived_trace(c->d));
	row_id r = most->side[OP_DEVICE].longest;
	struct finding *x =
		say(c,
		    pct >= FAIL_PCT   ? FINDING_FAIL
		    : pct >= WARN_PCT ? FINDING_WARN
				      : FINDING_INFO,
		    "Copies: devices spend %s (%s of the time) waiting for asynchronous copies, most of it in %.*s "
		    "(%s); they count as busy meanwhile.",
		    ns_text(c, (double)ns), pct_text(c, pct), (int)(most->name.n < 100 ? most->name.n : 100),
		    most->name.p, ns_text(c, (double)most->side[OP_DEVICE].self_ns));
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = WARN_PCT;
	x->lost_ns = ns;
	x->formula = "self time of device ops of the types copy-done, async-done, slice-done, send-done and recv-done "
		     "/ time watched; warning from 5 %, fail from 20 %";
	x->advice = "Keep these arrays in device memory (no offload to the host), or start the copies earlier, so that "
		    "more work hides them.";
	if (r != NONE_ID)
		finding_evidence(c->out, x, cols->start_ns[r], cols->start_ns[r] + cols->dur_ns[r], &r, 1);
}

/* ---- kernels that move bytes --------------------------------------------------------------------------------------- */

/* Families by what limits them as a rule. */
static const char *const moving[] = {"norm",    "copy/cast", "indexing",  "elementwise", "reduce",
				     "softmax", "optimizer", "embedding", "rng"};
static const char *const computing[] = {"gemm", "conv", "attention"};

struct kernel_time {
	double all_ns, moving_ns, computing_ns, count;
	const char *most[3]; /* "norm 43.4 %" of the largest that move bytes */
	uint32_t n;
	const char *leading; /* the largest family that moves bytes */
	double leading_ns;
};

static struct kernel_time kernel_time(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "kernel_families");
	struct kernel_time k = {0};
	for (uint32_t row = 0; t && row < t->n_rows; row++) {
		const char *family = row_text(t, row, COL_KERNEL_FAMILIES_FAMILY);
		double ns = row_number(t, row, COL_KERNEL_FAMILIES_TOTAL),
		       pct = row_number(t, row, COL_KERNEL_FAMILIES_SHARE);
		bool counts = TEXT_IS_ONE_OF(family, moving);
		if (counts && k.n < 3) {
			from_text(c, arena_printf(c->mem, "family_%u", k.n + 1), t, row, COL_KERNEL_FAMILIES_FAMILY);
			from_cell(c, arena_printf(c->mem, "family_%u_pct", k.n + 1), t, row, COL_KERNEL_FAMILIES_SHARE);
		}
		k.all_ns += ns;
		k.count += row_number(t, row, COL_KERNEL_FAMILIES_COUNT);
		k.computing_ns += TEXT_IS_ONE_OF(family, computing) ? ns : 0;
		if (!counts)
			continue;
		k.moving_ns += ns;
		if (!k.n) {
			k.leading = family;
			k.leading_ns = ns;
		}
		if (k.n < 3)
			k.most[k.n++] = arena_printf(c->mem, "%s %s", family, pct_text(c, pct));
	}
	return k;
}

static const char *rows_of(struct finding_ctx *c, const char *const *families, size_t n)
{
	const char *rows = "family=";
	for (size_t i = 0; i < n; i++)
		rows = arena_printf(c->mem, "%s%s%s", rows, i ? "|" : "", families[i]);
	return rows;
}

static void from_kernel_time(struct finding_ctx *c, const struct kernel_time *k)
{
	const struct table *t = ctx_table(c, "kernel_families");
	from_known(c, "kernel_ns", k->all_ns, t, COL_KERNEL_FAMILIES_TOTAL, NULL);
	from_known(c, "kernels", k->count, t, COL_KERNEL_FAMILIES_COUNT, NULL);
	from_known(c, "moving_ns", k->moving_ns, t, COL_KERNEL_FAMILIES_TOTAL,
		   rows_of(c, moving, sizeof moving / sizeof *moving));
	from_known(c, "computing_ns", k->computing_ns, t, COL_KERNEL_FAMILIES_TOTAL,
		   rows_of(c, computing, sizeof computing / sizeof *computing));
	if (k->all_ns <= 0)
		return;
	made_of(c, "moving_pct", 100 * k->moving_ns / k->all_ns, UNIT_PERCENT, "100 * moving_ns / kernel_ns");
	made_of(c, "computing_pct", 100 * k->computing_ns / k->all_ns, UNIT_PERCENT, "100 * computing_ns / kernel_ns");
}

/* What to do where one family is more than half of what moves bytes; families that are not here are told what holds for all. */
static const struct {
	enum kernel_family family;
	const char *advice;
} advice_of_family[] = {
	{FAMILY_INDEXING,
	 "Look up whole rows instead of single values, in the order in which they lie, and use a mask (where) instead "
	 "of boolean indexing; equal indices of index_put, index_add or scatter_add wait for each other: sum them "
	 "first."},
	{FAMILY_NORM,
	 "Use fused norms (a compiler, or a library that has them), 16 bit where 32 bit is not needed, and "
	 "channels_last for convolutions."},
	{FAMILY_SOFTMAX,
	 "A softmax on its own is mostly attention written out: attention in one kernel "
	 "(scaled_dot_product_attention, jax.nn.dot_product_attention) does not write the scores to memory."},
	{FAMILY_OPTIMIZER,
	 "Use a fused optimizer (PyTorch: fused=True), update less often by accumulating gradients, or keep its "
	 "state in fewer bits."},
	{FAMILY_EMBEDDING,
	 "Look up all tables in one kernel (batched embeddings), keep them in 16 bit, and use gradients of the rows "
	 "that were looked up (sparse) instead of whole tables."},
};

static const char *advice_for(struct finding_ctx *c, const char *leading)
{
	const char *copying = strcmp(leading, kernel_family_word(FAMILY_COPY)) ? NULL : copying_advice(c);
	if (copying)
		return copying;
	for (size_t i = 0; i < sizeof advice_of_family / sizeof *advice_of_family; i++)
		if (!strcmp(leading, kernel_family_word(advice_of_family[i].family)))
			return advice_of_family[i].advice;
	return "Fuse them with their neighbours (a compiler, fused norms and optimizers), avoid copies between layouts "
	       "(channels_last for convolutions), and use 16 bit where 32 bit is not needed.";
}

/* The op, or without ops the kernel, that takes more than half of `ns` by itself; NULL: none does. */
static const char *one_that_leads(struct finding_ctx *c, double ns)
{
	const struct kernel_stats *s = c->answers.kernels;
	const struct kernel_kind *most = NULL;
	bool moves[FAMILY_COUNT];
	for (int f = 0; f < FAMILY_COUNT; f++)
		moves[f] = TEXT_IS_ONE_OF(kernel_family_word((enum kernel_family)f), moving);
	for (uint32_t i = 0; i < s->n_kinds; i++)
		if (moves[c->answers.said->family[i]] && (!most || s->kinds[i].total_ns > most->total_ns))
			most = &s->kinds[i];
	return most && 2 * (double)most->total_ns > ns ? kernel_kind_words(c, most) : NULL;
}

void finding_memory_bound(struct finding_ctx *c)
{
	enum { INFO_PCT = 40, OF_TIME_PCT = 5, BUSY_PCT = 50, SMALL_NS = 20000, WARN_PCT = 50, WARN_BUSY_PCT = 80 };
	struct kernel_time k = kernel_time(c);
	double pct = k.all_ns > 0 ? 100 * k.moving_ns / k.all_ns : 0;
	from_kernel_time(c, &k);
	bool small = k.all_ns < SMALL_NS * k.count &&
		     share_of_time_pct(c, k.all_ns) < BUSY_PCT; /* launches are what counts */
	if (pct < INFO_PCT || small || share_of_time_pct(c, k.moving_ns) < OF_TIME_PCT) {
		say_nothing(c, pct < INFO_PCT ? "kernels that move bytes take less than 40 % of the kernel time"
			       : small ? "kernels are shorter than 20 us on average and run for less than half of the "
					 "time: launches matter more"
				       : "kernels that move bytes take less than 5 % of the time");
		return;
	}
	bool warns = pct >= WARN_PCT && share_of_time_pct(c, k.all_ns) >= WARN_BUSY_PCT;
	const char *leads = one_that_leads(c, k.moving_ns);
	struct finding *x =
		say(c, warns ? FINDING_WARN : FINDING_INFO,
		    "Memory-bound ops: kernels that move bytes take %s (%s of the kernel time): %s%s%s%s%s%s%s.",
		    ns_text(c, k.moving_ns), pct_text(c, pct), k.most[0], k.n > 1 ? ", " : "", k.n > 1 ? k.most[1] : "",
		    k.n > 2 ? ", " : "", k.n > 2 ? k.most[2] : "", leads ? "; most in " : "", leads ? leads : "");
	x->about = leads;
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = INFO_PCT;
	x->formula = "time of the kernel families norm, copy/cast, indexing, elementwise, reduce, softmax, optimizer, "
		     "embedding and rng / time of all kernels; reported from 40 %, a warning from 50 % where kernels "
		     "run for 80 % of the time. How much fusion or a better layout would save is not known";
	x->advice = advice_for(c, 2 * k.leading_ns > k.moving_ns ? k.leading : "");
}

/* ---- nothing to gain ------------------------------------------------------------------------------------------------ */

static bool something_stands(const struct findings *f)
{
	for (uint32_t i = 0; i < f->n; i++)
		if (finding_stands(f->at[i].state))
			return true;
	return false;
}

/* The last rule: it looks at what the others found. */
void finding_compute_bound(struct finding_ctx *c)
{
	enum { BUSY_PCT = 90, COMPUTING_PCT = 50 };
	struct kernel_time k = kernel_time(c);
	if (k.all_ns <= 0) {
		say_nothing(c, "there are no kernels");
		return;
	}
	double busy = share_of_time_pct(c, k.all_ns), pct = 100 * k.computing_ns / k.all_ns;
	from_kernel_time(c, &k);
	made_of(c, "busy_pct", busy > 100 ? 100 : busy, UNIT_PERCENT, "min(100, 100 * kernel_ns / watched_ns)");
	if (busy < BUSY_PCT || pct < COMPUTING_PCT || something_stands(c->out)) {
		say_nothing(c, busy < BUSY_PCT ? "kernels run for less than 90 % of the time"
			       : pct < COMPUTING_PCT
				       ? "products, convolutions and attention take less than half of the "
					 "kernel time"
				       : "another rule warns");
		return;
	}
	struct finding *x = say(c, FINDING_PASS,
				"Kernels run for %s of the time, and %s of that is matrix products, convolutions "
				"and attention: compute-bound.",
				pct_text(c, busy > 100 ? 100 : busy), pct_text(c, pct));
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = COMPUTING_PCT;
	x->formula =
		"kernels run for 90 % of the time watched, half of that is gemm, conv and attention, and no rule warns";
}

/* ---- how much was recorded ------------------------------------------------------------------------------------------ */

const char *softened_by_one_iteration(struct finding_ctx *c, enum finding_state *state)
{
	if (*state != FINDING_WARN || derived_job_steps(c->d)->n != 1)
		return "";
	*state = FINDING_INFO;
	return "; from a single iteration, whose first batch may wait longer than later ones";
}

void finding_few_steps(struct finding_ctx *c)
{
	enum { ENOUGH = 4 };
	const struct job_steps *job = derived_job_steps(c->d);
	from_job_steps(c, job);
	bool cut = derived_steps_all_cut(c->d);
	if (!job->n || job->n >= ENOUGH || c->q->by_step || c->warm_up_only || cut) {
		say_nothing(c, !job->n            ? "there are no steps"
			       : job->n >= ENOUGH ? "four steps or more"
			       : c->q->by_step    ? "the window is one of steps"
			       : cut              ? "the exported window cuts every step"
						  : "the trace shows little but first calls");
		return;
	}
	const char *what = step_word(c);
	struct finding *x = say(c, FINDING_INFO, "Few %ss: %s; %s, and steady %ss cannot be distinguished from others.",
				what, job_steps_text(what, job->n, job->most, c->mem),
				job->n == 1 ? "it may be warm-up" : "they may be warm-up", what);
	x->value = job->n;
	x->unit = UNIT_COUNT;
	x->threshold = ENOUGH;
	x->formula = "steps of the job; it takes four to tell warm-up, steady steps and outliers apart";
	x->advice = arena_printf(c->mem, "Record ten %ss or more after the warm-up.", what);
}
