#include "cli_vs.h"
#include "model/analysis/compare/compare.h"

bool cli_vs_known(const struct cli *c, const struct table_desc *desc, struct err *e)
{
	if (!cli_has_after(c))
		return true;
	TRY(cli_after_fits(c, e));
	return compare_knows(desc) || err_usage(e, "rows of '%s' have no counterparts in another run: %s", desc->name,
						desc->vs.why_not ? desc->vs.why_not : "nothing distinguishes them");
}

static struct table *beside(const struct opened *a, const struct opened *b, const struct cli *c,
			    const struct table_desc *desc, const struct query *q, struct arena *mem, struct err *e)
{
	struct arena made = {0};
	const char *path_b = cli_same_trace(c) ? c->paths[0] : c->value[OPT_VS];
	struct compare_side before = {0}, after = {0};
	struct query qb = window_query(&b->window, b->filter);
	qb.by = q->by;
	qb.idle = q->idle;
	qb.all_steps = q->all_steps;
	struct table *t = NULL;
	if (compare_side_of(a->d, q, opened_label(a, c->paths[0], &made), &made, NULL, &before, e) &&
	    compare_side_of(b->d, &qb, opened_label(b, path_b, &made), &made, NULL, &after, e)) {
		before.whole = a->whole;
		before.rank = a->rank;
		after.whole = b->whole;
		after.rank = b->rank;
		t = compare_table(desc, &before, &after, &made, NULL, e);
	}
	t = t ? table_copy(t, mem) : NULL; /* b's texts go with it */
	compare_side_done(&before, &made);
	compare_side_done(&after, &made);
	arena_free(&made);
	return t;
}

struct table *cli_vs_table(const struct cli *c, const struct opened *o, const struct table_desc *desc,
			   const struct query *q, struct arena *mem, struct err *e)
{
	struct opened b;
	if (!opened_after(&b, o, c, e))
		return NULL;
	struct table *t = beside(o, &b, c, desc, q, mem, e);
	opened_free(&b);
	return t;
}
