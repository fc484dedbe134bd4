/* The descriptors of all tables: what scripts rely on, and what people look at first. */
#include "model/analysis/analysis.h"
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <cmocka.h>

/* Words that SQLite takes for no column's name unless they are quoted. */
static const char *const reserved[] = {
	"add",       "all",      "alter",  "and",        "as",     "autoincrement", "between", "case",
	"check",     "collate",  "commit", "constraint", "create", "cross",         "default", "deferrable",
	"delete",    "distinct", "drop",   "else",       "escape", "exists",        "foreign", "from",
	"full",      "group",    "having", "in",         "index",  "inner",         "insert",  "into",
	"is",        "isnull",   "join",   "left",       "limit",  "natural",       "not",     "nothing",
	"notnull",   "null",     "on",     "or",         "order",  "outer",         "primary", "references",
	"returning", "right",    "select", "set",        "table",  "then",          "to",      "transaction",
	"unique",    "update",   "using",  "values",     "when",   "where"};

static bool is_reserved(const char *name)
{
	for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
		if (!strcasecmp(reserved[i], name))
			return true;
	return false;
}

static void every_table_says_what_it_is_for(void **state)
{
	(void)state;
	uint32_t n;
	const struct table_desc *const *all = analysis_list(&n);
	assert_true(n >= 30);
	for (uint32_t i = 0; i < n; i++) {
		assert_true(all[i]->name && all[i]->title && all[i]->help && all[i]->cols && all[i]->run);
		assert_ptr_equal(analysis_find(all[i]->name), all[i]);
		assert_ptr_equal(analysis_at(i), all[i]);
	}
}

static void no_column_is_a_reserved_word_or_named_twice(void **state)
{
	(void)state;
	uint32_t n;
	const struct table_desc *const *all = analysis_list(&n);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t c = 0; c < all[i]->n_cols; c++) {
			const char *name = all[i]->cols[c].name;
			if (is_reserved(name) || !isalpha((unsigned char)*name))
				fail_msg("%s.%s must be quoted in SQL", all[i]->name, name);
			for (uint32_t b = 0; b < c; b++)
				if (!strcmp(all[i]->cols[b].name, name))
					fail_msg("%s has two columns %s", all[i]->name, name);
		}
}

/* Columns that are the same thing of another row: what their help says differs by what a row is. */
static const struct {
	const char *name, *why;
} vary[] = {
	{"name", "of the device, stream, step, kernel ... that the row is"},
	{"op", "the op that the row is, or that its work belongs to"},
	{"start_ns", "begin of what the row is"},
	{"dur_ns", "length of what the row is"},
	{"total_ns", "sum over what the row counts"},
	{"avg_ns", "mean over what the row counts"},
	{"min_ns", "least of what the row counts"},
	{"max_ns", "most of what the row counts"},
	{"compilation_ns", "part of a step, or of its idle time"},
	{"host_compute_ns", "part of a step, or of its idle time"},
};

static bool may_vary(const char *name)
{
	for (size_t i = 0; i < sizeof vary / sizeof *vary; i++)
		if (!strcmp(vary[i].name, name))
			return true;
	return false;
}

static void same_meaning(const struct table_desc *a, const struct column *x, const struct table_desc *b,
			 const struct column *y)
{
	if (x->unit != y->unit)
		fail_msg("%s is %s in %s and %s in %s", x->name, unit_name(x->unit), a->name, unit_name(y->unit),
			 b->name);
	if (strcmp(x->help, y->help) != 0 && !may_vary(x->name))
		fail_msg("%s has two meanings:\n%s: %s\n%s: %s", x->name, a->name, x->help, b->name, y->help);
}

static void compare(const struct table_desc *a, const struct table_desc *b, unsigned *names)
{
	for (uint32_t i = 0; i < a->n_cols; i++)
		for (uint32_t k = 0; k < b->n_cols; k++)
			if (!strcmp(a->cols[i].name, b->cols[k].name)) {
				same_meaning(a, &a->cols[i], b, &b->cols[k]);
				++*names;
			}
}

static void one_name_has_one_unit_and_one_meaning_in_all_tables(void **state)
{
	(void)state;
	uint32_t n;
	unsigned names = 0;
	const struct table_desc *const *all = analysis_list(&n);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < i; k++)
			compare(all[i], all[k], &names);
	assert_true(names > 100);
}

/* How many texts a name has; they were compared above for all others. */
static uint32_t meanings(const char *name)
{
	uint32_t n, found = 0;
	const char *first = NULL;
	const struct table_desc *const *all = analysis_list(&n);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t c = 0; c < all[i]->n_cols; c++) {
			const struct column *x = &all[i]->cols[c];
			if (strcmp(x->name, name) != 0 || (first && !strcmp(first, x->help)))
				continue;
			first = x->help;
			found++;
		}
	return found;
}

static void what_may_vary_does(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof vary / sizeof *vary; i++)
		if (meanings(vary[i].name) < 2)
			fail_msg("%s (%s) has one meaning: it does not vary", vary[i].name, vary[i].why);
}

static void check_list(const struct table_desc *d, const char *what, struct column_list v)
{
	for (uint32_t i = 0; i < v.n; i++) {
		if (v.at[i] >= d->n_cols)
			fail_msg("%s: %s names column %u of %u", d->name, what, v.at[i], d->n_cols);
		for (uint32_t k = 0; k < i; k++)
			if (v.at[i] == v.at[k])
				fail_msg("%s: %s names %s twice", d->name, what, d->cols[v.at[i]].name);
	}
}

static void lists_of_columns_name_columns_once(void **state)
{
	(void)state;
	uint32_t n;
	const struct table_desc *const *all = analysis_list(&n);
	for (uint32_t i = 0; i < n; i++) {
		check_list(all[i], "first", all[i]->first);
		check_list(all[i], "brief", all[i]->report.brief);
		check_list(all[i], "wide", all[i]->report.wide);
		assert_true(all[i]->report.sort.n <= 1);
		check_list(all[i], "sort", all[i]->report.sort);
	}
}

/* A table of two of the steps' columns, in another order. */
static void columns_are_found_where_a_table_has_others(void **state)
{
	(void)state;
	struct arena mem = {0};
	static const struct column cols[] = {{"dur_ns", CELL_INT, UNIT_NS, ""}, {"cut", CELL_BOOL, UNIT_NONE, ""}};
	const struct table *whole = table_new(&mem, &steps_desc);
	const struct table *t = table_with(&mem, &steps_desc, cols, 2);
	uint32_t dur = (uint32_t)table_column(whole, "dur_ns"), first[8];
	assert_int_equal(table_place(whole, dur), dur);
	assert_int_equal(table_place(t, dur), 0);
	assert_int_equal(table_place(t, (uint32_t)table_column(whole, "name")), -1);
	assert_int_equal(table_first(t, false, first, 8), 1);
	assert_int_equal(table_first(t, true, first, 8), 2);
	assert_int_equal(first[0], 1);
	assert_int_equal(table_first(whole, true, first, 3), 3);
	assert_int_equal(table_first(table_bare(&mem, "x", "X", cols, 2), true, first, 8), 0);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_table_says_what_it_is_for),
		cmocka_unit_test(no_column_is_a_reserved_word_or_named_twice),
		cmocka_unit_test(one_name_has_one_unit_and_one_meaning_in_all_tables),
		cmocka_unit_test(what_may_vary_does),
		cmocka_unit_test(lists_of_columns_name_columns_once),
		cmocka_unit_test(columns_are_found_where_a_table_has_others),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
