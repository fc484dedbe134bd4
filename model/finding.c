#include "finding.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_names[FINDING_STATES] = {
	[FINDING_PASS] = "pass", [FINDING_INFO] = "info",       [FINDING_WARN] = "warn",
	[FINDING_FAIL] = "fail", [FINDING_UNKNOWN] = "unknown",
};

const char *finding_state_name(enum finding_state s)
{
	return (unsigned)s < FINDING_STATES ? state_names[s] : "unknown";
}

bool finding_state_parse(const char *word, enum finding_state *s)
{
	for (int i = 0; i < FINDING_STATES; i++) {
		if (strcmp(state_names[i], word) != 0)
			continue;
		*s = (enum finding_state)i;
		return true;
	}
	return false;
}

bool finding_stands(enum finding_state s)
{
	return s == FINDING_WARN || s == FINDING_FAIL;
}

static const char *text_copy(const char *s, struct arena *mem)
{
	return s ? arena_strdup(mem, s) : NULL;
}

struct finding_inputs *finding_inputs_copy(const struct finding_inputs *x, struct arena *mem)
{
	struct finding_inputs *out = arena_alloc(mem, sizeof *out);
	struct finding_input *at = arena_alloc(mem, (x->n + (size_t)1) * sizeof *at);
	for (uint32_t i = 0; i < x->n; i++) {
		at[i] = x->at[i];
		at[i].name = text_copy(at[i].name, mem);
		at[i].text = text_copy(at[i].text, mem);
		at[i].table = text_copy(at[i].table, mem);
		at[i].column = text_copy(at[i].column, mem);
		at[i].rows = text_copy(at[i].rows, mem);
		at[i].made_of = text_copy(at[i].made_of, mem);
	}
	*out = (struct finding_inputs){at, x->n};
	return out;
}

struct finding finding_blank(const char *rule, const char *question, const char *title)
{
	return (struct finding){.rule = rule,
				.question = question,
				.title = title,
				.device = NONE_ID,
				.step = NONE_ID,
				.sentence = "",
				.value = NAN,
				.threshold = NAN,
				.idle_ns = UNKNOWN_I64,
				.lost_ns = UNKNOWN_I64,
				.held_ns = UNKNOWN_I64,
				.confidence = NAN,
				.cause = -1};
}

struct finding *finding_add(struct findings *f, const char *rule, const char *question, const char *title)
{
	f->at = arena_next_row(f->mem, f->at, f->n, sizeof *f->at);
	struct finding *x = &f->at[f->n++];
	*x = finding_blank(rule, question, title);
	return x;
}

void finding_evidence(struct findings *f, struct finding *x, int64_t a_ns, int64_t b_ns, const row_id *rows, uint32_t n)
{
	row_id *kept = n ? arena_alloc(f->mem, n * sizeof *kept) : NULL;
	if (n)
		memcpy(kept, rows, n * sizeof *kept);
	x->evidence = (struct evidence){a_ns, b_ns, kept, n, NULL};
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

static int urgency(const struct finding *x)
{
	enum { WAITING = 2 };
	static const int order[FINDING_STATES] = {
		[FINDING_FAIL] = 0, [FINDING_WARN] = 1, [FINDING_UNKNOWN] = 3, [FINDING_INFO] = 4, [FINDING_PASS] = 5};
	return x->waits_for && order[x->state] < WAITING ? WAITING : order[x->state];
}

/* UNKNOWN_I64 is the least. */
static int64_t at_stake_ns(const struct finding *x)
{
	return x->lost_ns != UNKNOWN_I64 ? x->lost_ns : x->idle_ns;
}

static bool comes_after(const struct finding *a, const struct finding *b)
{
	int ua = urgency(a), ub = urgency(b);
	return ua != ub ? ua > ub : at_stake_ns(a) < at_stake_ns(b);
}

/* By insertion: a few dozen, and equal ones must keep the order of the rules. */
void findings_sort(struct findings *f)
{
	for (uint32_t i = 1; i < f->n; i++) {
		struct finding x = f->at[i];
		uint32_t j = i;
		for (; j > 0 && comes_after(&f->at[j - 1], &x); j--)
			f->at[j] = f->at[j - 1];
		f->at[j] = x;
	}
}
