/* Which findings a change has cured, and which it has brought. */
#include "compare.h"
#include "model/analysis/findings/findings.h"
#include "model/store/base/spans.h"
#include <stdlib.h>
#include <string.h>

const char *finding_change_word(enum finding_change c)
{
	static const char *const words[] = {
		[FINDING_GONE] = "gone",     [FINDING_NEW] = "new",     [FINDING_WORSE] = "worse",
		[FINDING_BETTER] = "better", [FINDING_STAYS] = "stays", [FINDING_CANNOT_TELL] = "cannot tell"};
	return words[c];
}

struct sides {
	int64_t a_ns, b_ns; /* the step of both; 0: none */
};

/* A rule may say more than one thing: of each side its worst, the earlier one of several. */
static int badness(const struct finding *x)
{
	static const int rank[FINDING_STATES] = {
		[FINDING_PASS] = 0, [FINDING_UNKNOWN] = 1, [FINDING_INFO] = 2, [FINDING_WARN] = 3, [FINDING_FAIL] = 4};
	return x ? rank[x->state] : -1;
}

bool compare_stands(const struct finding *x)
{
	return x && finding_stands(x->state);
}

const struct finding *compare_worst(const struct findings *f, const char *rule, int cause)
{
	const struct finding *worst = NULL;
	for (uint32_t i = 0; i < f->n; i++)
		if (!strcmp(f->at[i].rule, rule) && f->at[i].cause == cause && badness(&f->at[i]) > badness(worst))
			worst = &f->at[i];
	return worst;
}

/* A larger share of a shorter step, which takes no more time than before, is not worse; nor is a smaller one of a longer step, which
 * takes no less, better. sign: 1 for more time, -1 for less. */
static bool takes(const struct sides *s, const struct finding *a, const struct finding *b, int sign)
{
	bool share = a->unit == UNIT_PERCENT && a->value > a->threshold && s->a_ns > 0 && s->b_ns > 0;
	return !share || sign * (b->value * (double)s->b_ns - a->value * (double)s->a_ns) > 0;
}

/* Of one state on both sides: by how far the number moved towards or away from its threshold; within a tenth it stays. */
static enum finding_change by_value(const struct sides *s, const struct finding *a, const struct finding *b)
{
	double limit = a->threshold, was = a->value, is = b->value;
	bool known = was == was && is == is && limit == limit && was != limit;
	if (!known || a->unit != b->unit)
		return FINDING_STAYS;
	double over = (is - limit) / (was - limit);
	return over > 1.1 && takes(s, a, b, 1)    ? FINDING_WORSE
	       : over < 0.9 && takes(s, a, b, -1) ? FINDING_BETTER
						  : FINDING_STAYS;
}

static enum finding_change change_of(const struct sides *s, const struct finding *a, const struct finding *b)
{
	if (compare_stands(a) && compare_stands(b))
		return a->state == b->state ? by_value(s, a, b) : a->state < b->state ? FINDING_WORSE : FINDING_BETTER;
	const struct finding *other = compare_stands(a) ? b : a;
	if (other && other->state == FINDING_UNKNOWN)
		return FINDING_CANNOT_TELL;
	return compare_stands(a) ? FINDING_GONE : FINDING_NEW;
}

static void add(struct changed_findings *out, const struct sides *s, const struct finding *a, const struct finding *b)
{
	const struct finding *any = a ? a : b;
	if (!compare_stands(a) && !compare_stands(b))
		return;
	out->at[out->n++] = (struct changed_finding){.change = change_of(s, a, b),
						     .rule = any->rule,
						     .title = any->title,
						     .a_state = a ? finding_state_name(a->state) : NULL,
						     .b_state = b ? finding_state_name(b->state) : NULL,
						     .a_sentence = a ? a->sentence : NULL,
						     .b_sentence = b ? b->sentence : NULL};
}

static void sort_by_change(struct changed_findings *f)
{
	for (uint32_t i = 1; i < f->n; i++) {
		struct changed_finding x = f->at[i];
		uint32_t at = i;
		for (; at > 0 && f->at[at - 1].change > x.change; at--)
			f->at[at] = f->at[at - 1];
		f->at[at] = x;
	}
}

/* What no rank knows by itself: of one rank of a trace they would tell of a recording that lacks the others. */
static bool is_of_job(const char *rule)
{
	static const char *const rules[] = {"collectives",    "collective-speed", "collective-sizes", "waits-for-rank",
					    "replicas",       "serial-devices",   "missing-ranks",    "uneven-exchange",
					    "input-replicas", "pipeline-bubble"};
	return TEXT_IS_ONE_OF(rule, rules);
}

void compare_findings(const struct compare_side *a, const struct compare_side *b, const struct findings *before,
		      const struct findings *after, struct arena *mem, struct changed_findings *out)
{
	uint32_t n;
	const struct finding_rule *rules = finding_rules(&n);
	const struct sides sides = {a->step.ns, b->step.ns};
	*out = (struct changed_findings){
		.at = arena_alloc(mem, (n + (size_t)1) * (COMPARE_CAUSES + 1) * sizeof *out->at),
		.before = *before,
		.after = *after};
	const bool one_rank = a->whole && b->whole;
	for (uint32_t i = 0; i < n; i++) {
		if (one_rank && is_of_job(rules[i].word))
			continue;
		for (int cause = COMPARE_NO_CAUSE; cause < COMPARE_CAUSES; cause++)
			add(out, &sides, compare_worst(&out->before, rules[i].word, cause),
			    compare_worst(&out->after, rules[i].word, cause));
	}
	sort_by_change(out);
}
