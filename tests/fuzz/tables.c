#include "tables.h"
#include "model/analysis/analysis.h"

void make_tables(struct trace *t)
{
	struct err e = {.at = -1};
	struct derived *d = derived_new(t, NULL, NULL, &e);
	struct query q = query_all();
	uint32_t n = 0;
	const struct table_desc *const *all = analysis_list(&n);
	q.all_columns = true;
	for (uint32_t i = 0; d && i < n; i++) {
		struct arena mem = {0};
		all[i]->run(d, &q, &mem, NULL, &e);
		arena_free(&mem);
	}
	derived_free(d);
}
