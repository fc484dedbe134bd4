#include "cli_vs.h"
#include "model/analysis/analysis.h"
#include "model/analysis/compare/compare.h"
#include "tui/text/words.h"

bool cli_vs_known(const struct cli *c, const struct table_desc *desc, struct err *e)
{
	char names[480] = "";
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	if (!cli_has(c, OPT_VS) || compare_knows(desc))
		return true;
	for (uint32_t i = 0, used = 0; i < n && used < sizeof names; i++)
		if (compare_knows(list[i]))
			used += (uint32_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
						   list[i]->name);
	return err_usage(e, "rows of '%s' have no counterparts in another run; --vs is for: %s", desc->name, names);
}

static struct table *beside(const struct opened *a, const struct opened *b, const struct cli *c,
			    const struct table_desc *desc, const struct query *q, struct arena *mem, struct err *e)
{
	struct arena made = {0};
	struct compare_side before = {0}, after = {0};
	struct query qb = window_query(&b->window, b->filter);
	qb.by = q->by;
	qb.idle = q->idle;
	qb.all_steps = q->all_steps;
	struct table *t = NULL;
	if (compare_side_of(a->d, q, words_base(c->paths[0]), &made, NULL, &before, e) &&
	    compare_side_of(b->d, &qb, words_base(c->value[OPT_VS]), &made, NULL, &after, e))
		t = compare_table(desc, &before, &after, &made, NULL, e);
	t = t ? table_copy(t, mem) : NULL; /* b's texts go with it */
	compare_side_done(&before, &made);
	compare_side_done(&after, &made);
	arena_free(&made);
	return t;
}

struct table *cli_vs_table(const struct cli *c, const struct opened *o, const struct table_desc *desc,
			   const struct query *q, struct arena *mem, struct err *e)
{
	struct cli other = *c;
	struct opened b;
	other.paths = &c->value[OPT_VS];
	other.n_paths = 1;
	if (!opened_new(&b, &other, e))
		return NULL;
	struct table *t = beside(o, &b, c, desc, q, mem, e);
	opened_free(&b);
	return t;
}
