/* tests/unit/ask.h - one question to one trace: ask(d, "kernels"), ask_window, ask_filter. Tables live until ask_done. */
#ifndef ASK_H
#define ASK_H
#include "derive_trace.h"

static struct arena asked;

static inline struct table *ask_query(const struct derived *d, const char *name, const struct query *q)
{
	struct err e = {0};
	const struct table_desc *a = analysis_find(name);
	assert_non_null(a);
	struct table *t = a->run(d, q, &asked, NULL, &e);
	if (!t)
		fail_msg("%s: %s", name, e.msg);
	assert_string_equal(t->name, name);
	return t;
}
static inline struct table *ask(const struct derived *d, const char *name)
{
	struct query q = query_all();
	return ask_query(d, name, &q);
}
static inline struct table *ask_window(const struct derived *d, const char *name, int64_t a_ns, int64_t b_ns)
{
	struct query q = {.a_ns = a_ns, .b_ns = b_ns, .windowed = true};
	return ask_query(d, name, &q);
}
static inline struct table *ask_filter(const struct derived *d, const char *name, const char *text)
{
	struct err e = {0};
	struct query q = query_all();
	struct filter *f = filter_new(text, &e);
	if (!f || !filter_bind(f, derived_trace(d), NULL, &e))
		fail_msg("%s", e.msg);
	q.filter = f;
	struct table *t = ask_query(d, name, &q);
	filter_free(f);
	return t;
}
static inline void ask_done(struct derived *d)
{
	arena_free(&asked);
	derived_free(d);
}
/* The first row that says so in this column. */
static inline uint32_t row_that_says(const struct table *t, const char *column, const char *text)
{
	for (uint32_t r = 0; r < t->n_rows; r++)
		if (!strcmp(text_of(t, r, column), text))
			return r;
	fail_msg("no %s %s", column, text);
	return 0;
}

/* Of the finding of a rule. */
static inline const char *rule_says(const struct table *t, const char *rule, const char *column)
{
	return text_of(t, row_that_says(t, "rule", rule), column);
}
/* Row of a key/value table. */
static inline uint32_t row_of_key(const struct table *t, const char *key)
{
	return row_that_says(t, "key", key);
}
static inline const struct cell *value_of(const struct table *t, const char *key)
{
	return cell_of(t, row_of_key(t, key), "value");
}
/* As a person reads it: "99.1 %". */
static inline const char *told(const struct table *t, const char *key)
{
	return shown(t, row_of_key(t, key), "value");
}
#endif
