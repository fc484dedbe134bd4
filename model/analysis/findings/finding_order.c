/* The guide's order: what cannot be told for one reason is one finding, and what waits for an earlier finding says so. */
#include "finding_ctx.h"
#include "model/store/base/spans.h"
#include <string.h>

/* ---- abstentions for one reason ---------------------------------------------------------------------------------------- */

struct finding *say_untold(struct finding_ctx *c, const char *what, const char *reason, const char *advice)
{
	struct finding *x = say(c, FINDING_UNKNOWN, "Cannot tell %s: %s.", what, reason);
	x->untold = what;
	x->reason = reason;
	x->advice = advice;
	return x;
}

/* In a window the advice is the same whatever is missing there. */
static bool one_reason(const struct finding_ctx *c, const struct finding *a, const struct finding *b)
{
	return a->untold && b->untold && a->advice && b->advice && !strcmp(a->advice, b->advice) &&
	       (!c->q->windowed || !strcmp(a->reason, b->reason));
}

/* What is the same at the beginning of both is said once: "how much of the step time goes to A, B". */
static const char *rest_of(const char *what, const char *before)
{
	static const char share[] = "how much of the step time goes to ";
	bool both = !strncmp(what, share, sizeof share - 1) && !strncmp(before, share, sizeof share - 1);
	return both ? what + sizeof share - 1 : what;
}

/* The finding at `i` says what those after it with the same advice cannot tell either; *last: what it named last. */
static void take_in(struct finding_ctx *c, struct finding *x, const struct finding *other, const char **last)
{
	x->untold = arena_printf(c->mem, "%s, %s", x->untold, rest_of(other->untold, *last));
	*last = other->untold;
	if (text_starts(other->reason, x->reason))
		x->reason = other->reason; /* it names more that is missing */
	x->sentence = arena_printf(c->mem, "Cannot tell %s: %s.", x->untold, x->reason);
	struct finding silent = *other;
	silent.why = arena_printf(c->mem, "it cannot tell %s: %s; said once, under the rule %s", other->untold,
				  other->reason, x->rule);
	c->out->silent = arena_next_row(c->mem, c->out->silent, c->out->n_silent, sizeof silent);
	c->out->silent[c->out->n_silent++] = silent;
}

static void fold_repeats(struct finding_ctx *c)
{
	struct findings *f = c->out;
	for (uint32_t i = 0; i < f->n; i++) {
		const char *last = f->at[i].untold;
		uint32_t kept = i + 1;
		for (uint32_t k = i + 1; k < f->n; k++) {
			if (one_reason(c, &f->at[i], &f->at[k]))
				take_in(c, &f->at[i], &f->at[k], &last);
			else
				f->at[kept++] = f->at[k];
		}
		f->n = kept;
	}
}

/* ---- what waits -------------------------------------------------------------------------------------------------------- */

/* What kernels do matters once the device runs them; what several devices do, once one does well. */
static const char *const of_kernels[] = {"memory-bound", "fusion",           "copying-kernels", "precision-16bit",
					 "tensor-cores", "tensor-core-dims", "half-bytes",      "softmax-16bit"};
static const char *const of_launches[] = {"kernel-launch", "small-kernels", "synchronisation"};
static const char *const of_several[] = {"collectives"};

static bool about_input(const struct finding *x)
{
	return !strcmp(x->rule, "input-bound") || !strcmp(x->rule, "input-bottleneck") ||
	       (!strcmp(x->rule, "idle") && x->cause == CAUSE_INPUT);
}

/* "Once the device no longer waits for input" */
static const char *until(const struct finding *x)
{
	if (about_input(x))
		return "Once the device no longer waits for input";
	if (!strcmp(x->rule, "synchronisation"))
		return "Once the host no longer waits for the device";
	switch (x->cause) {
	case CAUSE_COMPILE:
		return "Once nothing is compiled any more";
	case CAUSE_ALLOCATOR:
		return "Once the allocator no longer stalls the device";
	case CAUSE_COMMUNICATION:
		return "Once the device no longer waits for other ranks";
	default:
		return "Once the device no longer waits for its host";
	}
}

/* Calls that wait for the device cost the host its lead: that it launches late afterwards, one piece after another, follows from them. */
static bool took_the_lead(const struct finding *first, const struct finding *x)
{
	bool late = !strcmp(x->rule, "idle") ? x->cause == CAUSE_LAUNCH || x->cause == CAUSE_PYTHON
					     : TEXT_IS_ONE_OF(x->rule, of_launches);
	return late && first != x && !strcmp(first->rule, "synchronisation") && finding_stands(first->state) &&
	       2 * first->lost_ns >= x->lost_ns;
}

/* Whether the finding makes others wait: it fails, and more of the time is at stake in it. */
static bool comes_first(const struct finding *first, const struct finding *x)
{
	if (took_the_lead(first, x))
		return true;
	bool stops = first->state == FINDING_FAIL && (about_input(first) || !strcmp(first->rule, "idle"));
	if (!stops || first->lost_ns == UNKNOWN_I64 || (x->lost_ns != UNKNOWN_I64 && x->lost_ns >= first->lost_ns))
		return false;
	return TEXT_IS_ONE_OF(x->rule, of_kernels) || TEXT_IS_ONE_OF(x->rule, of_several) ||
	       (TEXT_IS_ONE_OF(x->rule, of_launches) && about_input(first));
}

static void let_wait(struct finding_ctx *c, struct finding *x)
{
	const struct finding *first = NULL;
	bool asks = x->advice && (finding_stands(x->state) || x->state == FINDING_INFO);
	for (uint32_t i = 0; asks && i < c->out->n; i++)
		if (comes_first(&c->out->at[i], x) && (!first || c->out->at[i].lost_ns > first->lost_ns))
			first = &c->out->at[i];
	if (!first)
		return;
	x->waits_for = first->rule;
	bool of_all = TEXT_IS_ONE_OF(x->rule, of_several);
	x->advice = arena_printf(c->mem, "%s%s%s %s", of_all ? "One GPU first. " : "", until(first), of_all ? ":" : ",",
				 arena_small(c->mem, x->advice));
}

void findings_in_order(struct finding_ctx *c)
{
	fold_repeats(c);
	for (uint32_t i = 0; i < c->out->n; i++)
		let_wait(c, &c->out->at[i]);
}
