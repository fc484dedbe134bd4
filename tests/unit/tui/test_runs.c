/* Answers of a report that are made ahead on a second thread. */
#include "tests/unit/derive_trace.h"
#include "tui/report/content.h"
#include <stdatomic.h>
#include <time.h>

enum { PATIENCE_MS = 120000 };

static atomic_bool may_end;
static atomic_uint asked_made, later_made;

static void wait_a_bit(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static bool comes_true(atomic_uint *count)
{
	for (int ms = 0; ms < PATIENCE_MS && !atomic_load(count); ms++)
		wait_a_bit();
	return atomic_load(count) > 0;
}

#define NOBODY_ASKS const struct derived *d, const struct query *q, struct arena *mem, struct progress *p, struct err *e
static const struct column one_column[] = {{"n", CELL_INT, UNIT_NONE, "a number"}};
static struct table *run_slow(NOBODY_ASKS);
static struct table *run_asked(NOBODY_ASKS);
static struct table *run_later(NOBODY_ASKS);
static const struct table_desc slow = {.name = "slow", .cols = one_column, .n_cols = 1, .run = run_slow},
			       asked = {.name = "asked", .cols = one_column, .n_cols = 1, .run = run_asked},
			       later = {.name = "later", .cols = one_column, .n_cols = 1, .run = run_later};

static struct table *run_slow(NOBODY_ASKS)
{
	(void)d, (void)q, (void)p, (void)e;
	for (int ms = 0; ms < PATIENCE_MS && !atomic_load(&may_end); ms++)
		wait_a_bit();
	return table_new(mem, &slow);
}

static struct table *run_asked(NOBODY_ASKS)
{
	(void)d, (void)q, (void)p, (void)e;
	atomic_fetch_add(&asked_made, 1);
	return table_new(mem, &asked);
}

static struct table *run_later(NOBODY_ASKS)
{
	(void)d, (void)q, (void)p, (void)e;
	atomic_fetch_add(&later_made, 1);
	return table_new(mem, &later);
}

static void what_was_made_and_dropped_is_not_made_again(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	struct derived *d = derive(&b);
	struct report_req req = {.d = d, .window = window_all(d)};
	struct content c = {.req = &req};
	struct runs *x = runs_new(&c);
	static const struct planned plan[] = {{&slow, false}, {&asked, false}, {&later, false}};
	struct err e = {0};

	/* the second thread is in the first answer when the second one is asked for and dropped */
	runs_plan(x, plan, 3);
	struct answer *r = runs_ask(x, &asked, false, &e);
	assert_non_null(r);
	runs_drop(x, r);
	atomic_store(&may_end, true);
	assert_true(comes_true(&later_made));
	assert_int_equal(atomic_load(&asked_made), 1);
	runs_free(x);
	derived_free(d);
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_made_and_dropped_is_not_made_again)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
