/* The rule about kernels that only move values: into another layout, another type, another tensor. */
#include "finding_ctx.h"
#include "model/analysis/kernels/kernel_families.h"
#include "model/analysis/kernels/kernel_families_columns.h"
#include <string.h>

enum { TOLD_PCT = 1, INFO_PCT = 10, INFO_OF_TIME_PCT = 5, WARN_PCT = 15, WARN_OF_TIME_PCT = 10 };

static const struct {
	const char *name, *rows; /* of the number handed over; where it stands in the table kernels */
	const char *advice;
} kinds[COPYING_COUNT] = {
	[COPYING_LAYOUT] =
		{"layout_ns", "copying=layout",
		 "Keep one layout from the input onwards (PyTorch: memory_format=torch.channels_last for model and "
		 "batch; TensorFlow: NHWC with mixed_float16; JAX: dimension_numbers of the NHWC form)."},
	[COPYING_CONVERSION] = {"conversion_ns", "copying=conversion",
				"Keep values in the type that they are computed in: store weights in 16 bit (or cast "
				"them once per step), and do not cast back and forth inside a layer; a compiler merges "
				"the remaining casts into their neighbours."},
	[COPYING_CONCATENATION] = {"concatenation_ns", "copying=concatenation",
				   "Write the parts into one preallocated tensor (out=, slices, a KV cache of fixed "
				   "size) instead of concatenating them each time."},
	[COPYING_PLAIN] =
		{"copy_ns", "copying=copy",
		 "See which ops copy (table kernels, copying=copy): clones, and .contiguous() after transposed views "
		 "that the next op could read as they are; a compiler merges the others into their neighbours."},
};

struct copying_time {
	double ns[COPYING_COUNT], sum_ns;
	enum copying order[COPYING_COUNT]; /* the largest first */
	uint32_t n;
	uint32_t most;   /* kind of kernel with most time among the largest sort */
	uint8_t *marked; /* kinds that count */
};

static void add_kinds(struct copying_time *x, const struct kernel_stats *k, const struct kernel_said *said)
{
	for (uint32_t i = 0; i < k->n_kinds; i++) {
		x->marked[i] = said->copying[i] != COPYING_NONE;
		x->ns[said->copying[i]] += (double)k->kinds[i].total_ns;
	}
	for (int c = COPYING_NONE + 1; c < COPYING_COUNT; c++) {
		uint32_t at = x->n;
		x->sum_ns += x->ns[c];
		if (x->ns[c] <= 0)
			continue;
		for (; at > 0 && x->ns[x->order[at - 1]] < x->ns[c]; at--)
			x->order[at] = x->order[at - 1];
		x->order[at] = (enum copying)c;
		x->n++;
	}
}

static void find_most(struct copying_time *x, const struct kernel_stats *k, const struct kernel_said *said)
{
	x->most = NONE_ID;
	for (uint32_t i = 0; x->n && i < k->n_kinds; i++)
		if (said->copying[i] == x->order[0] &&
		    (x->most == NONE_ID || k->kinds[i].total_ns > k->kinds[x->most].total_ns))
			x->most = i;
}

/* "layout 15.4 %, copy 8.6 %": what is a hundredth of the kernel time or more; all is handed over. */
static const char *sorts_text(struct finding_ctx *c, const struct copying_time *x, double kernel_ns)
{
	const char *out = "", *sum = "";
	for (uint32_t i = 0; i < x->n; i++) {
		enum copying sort = x->order[i];
		from_table(c, (struct finding_input){kinds[sort].name, x->ns[sort], NULL, UNIT_NS, "kernels",
						     "total_ns", kinds[sort].rows, NULL});
		double pct =
			made_of(c, arena_printf(c->mem, "%s_pct", copying_word(sort)), 100 * x->ns[sort] / kernel_ns,
				UNIT_PERCENT, arena_printf(c->mem, "100 * %s / kernel_ns", kinds[sort].name));
		sum = arena_printf(c->mem, "%s%s%s", sum, i ? " + " : "", kinds[sort].name);
		if (i && pct < TOLD_PCT)
			continue;
		out = arena_printf(c->mem, "%s%s%s %s", out, i ? ", " : "", copying_word(sort), pct_text(c, pct));
	}
	made_of(c, "copying_ns", x->sum_ns, UNIT_NS, sum);
	made_of(c, "copying_pct", 100 * x->sum_ns / kernel_ns, UNIT_PERCENT, "100 * copying_ns / kernel_ns");
	return out;
}

static struct copying_time copying_time(struct finding_ctx *c)
{
	const struct kernel_stats *k = c->answers.kernels;
	struct copying_time x = {.marked = arena_alloc(c->mem, k->n_kinds + (size_t)1)};
	add_kinds(&x, k, c->answers.said);
	return x;
}

const char *copying_advice(struct finding_ctx *c)
{
	struct copying_time x = copying_time(c);
	return x.n ? kinds[x.order[0]].advice : NULL;
}

void finding_copying(struct finding_ctx *c)
{
	const struct kernel_stats *k = c->answers.kernels;
	const struct kernel_said *said = c->answers.said;
	struct copying_time x = copying_time(c);
	find_most(&x, k, said);
	double kernel_ns = (double)k->total_ns, pct = kernel_ns > 0 ? 100 * x.sum_ns / kernel_ns : 0,
	       of_time_pct = share_of_time_pct(c, x.sum_ns);
	if (pct < INFO_PCT || of_time_pct < INFO_OF_TIME_PCT) {
		say_nothing(c, pct < INFO_PCT ? "kernels that only move values take less than 10 % of the kernel time"
					      : "kernels that only move values take less than 5 % of the time");
		return;
	}
	from_known(c, "kernel_ns", kernel_ns, ctx_table(c, "kernel_families"), COL_KERNEL_FAMILIES_TOTAL, NULL);
	bool warns = pct >= WARN_PCT && of_time_pct >= WARN_OF_TIME_PCT;
	const char *sorts = sorts_text(c, &x, kernel_ns);
	struct finding *out =
		say(c, warns ? FINDING_WARN : FINDING_INFO,
		    "Kernels that only move values take %s (%s of the kernel time): %s; most in %s.",
		    ns_text(c, x.sum_ns), pct_text(c, pct), sorts, kernel_kind_words(c, &k->kinds[x.most]));
	out->value = pct;
	out->unit = UNIT_PERCENT;
	out->threshold = INFO_PCT;
	out->formula =
		"time of kernels that change only the layout, the type or the place of values, judged by their names "
		"and ops (rules/families.rules, section copying) / time of all kernels; reported from 10 % of it and 5 "
		"% of the time watched, a warning from 15 % and 10 %. How much of it is avoidable is not known";
	out->advice = kinds[x.order[0]].advice;
	show_longest_kernel(c, x.marked, out);
}
