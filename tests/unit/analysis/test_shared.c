/* What several answers to one question are made of is made once, and answers do not depend on whether it is shared. */
#include "model/analysis/analysis.h"
#include "model/analysis/query/shared.h"
#include "model/store/base/both.h"
#include "tests/unit/ask.h"
#include <stdatomic.h>
#include <string.h>

TABLE_DECL(kernel_families);

static atomic_int made; /* how often */

static bool count(const struct derived *d, const struct query *q, void *out, struct arena *mem, struct progress *p,
		  struct err *e)
{
	(void)d, (void)q, (void)mem, (void)p, (void)e;
	*(int *)out = atomic_fetch_add(&made, 1) + 1;
	return true;
}
static bool cannot(const struct derived *d, const struct query *q, void *out, struct arena *mem, struct progress *p,
		   struct err *e)
{
	(void)d, (void)q, (void)out, (void)mem, (void)p;
	atomic_fetch_add(&made, 1);
	return err_usage(e, "it cannot be made");
}
static const struct shared_part counted = {sizeof(int), count}, failing = {sizeof(int), cannot};

static int how_many(const struct query *q, struct arena *mem)
{
	return *(const int *)shared_part(&counted, NULL, q, mem, NULL, NULL);
}

static void parts_are_made_once_per_question(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct query q = query_all(), alone = query_all(), other;
	made = 0;
	q.shared = shared_new(&q);
	other = q;
	other.a_ns = 5;
	assert_true(shared_fits(&q));
	assert_false(shared_fits(&other));
	assert_int_equal(how_many(&q, &mem), 1);
	assert_int_equal(how_many(&q, &mem), 1);
	assert_int_equal(how_many(&other, &mem), 2);
	assert_int_equal(how_many(&alone, &mem), 3);
	assert_int_equal(how_many(&q, &mem), 1);
	shared_free(q.shared);
	arena_free(&mem);
}

static void who_can_do_without_takes_what_others_asked_for(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct query q = query_all(), alone = query_all();
	made = 0;
	q.shared = shared_new(&q);
	assert_null(shared_part_if_asked(&counted, &q));
	assert_int_equal(how_many(&q, &mem), 1);
	assert_int_equal(*(const int *)shared_part_if_asked(&counted, &q), 1);
	assert_null(shared_part_if_asked(&counted, &alone));
	assert_int_equal(made, 1);
	shared_free(q.shared);
	arena_free(&mem);
}

static void a_failure_is_told_to_all_who_ask(void **state)
{
	(void)state;
	struct query q = query_all();
	made = 0;
	q.shared = shared_new(&q);
	for (int i = 0; i < 2; i++) {
		char text[200];
		struct err e = {.at = -1};
		assert_null(shared_part(&failing, NULL, &q, NULL, NULL, &e));
		assert_non_null(strstr(err_text(&e, text, sizeof text), "it cannot be made"));
	}
	assert_int_equal(made, 1);
	shared_free(q.shared);
}

static bool ask_often(void *ctx)
{
	for (int i = 0; i < 1000; i++)
		if (how_many(ctx, NULL) != 1)
			return false;
	return true;
}

static void two_threads_share_one_part(void **state)
{
	(void)state;
	struct query q = query_all();
	made = 0;
	q.shared = shared_new(&q);
	assert_true(both(2, ask_often, ask_often, &q));
	assert_int_equal(made, 1);
	shared_free(q.shared);
}

static void what_was_made_lives_on_when_it_is_adopted(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct query q = query_all();
	made = 41;
	q.shared = shared_new(&q);
	const int *v = shared_part(&counted, NULL, &q, NULL, NULL, NULL);
	shared_adopt(q.shared, &mem);
	assert_int_equal(*v, 42);
	arena_free(&mem);
}

/* Few kernels in two steps, so that most tables have rows. */
static struct derived *little_trace(void)
{
	struct build b = build_new("chrome");
	for (int i = 0; i < 40; i++) {
		const char *name = i % 3 ? "volta_h884gemm" : "ncclAllReduceRingLLKernel";
		struct event_in e =
			build_event(&b, KIND_KERNEL, build_stream(&b, 0, 7 + i % 2), name, i * 10, 1 + i % 7);
		build_add(&b, &e);
	}
	return derive(&b);
}

static void assert_same_rows(const struct table *x, const struct table *y)
{
	char a[64], b[64];
	assert_int_equal(x->n_rows, y->n_rows);
	for (uint32_t r = 0; r < x->n_rows; r++)
		for (uint32_t c = 0; c < x->n_cols; c++)
			assert_string_equal(cell_format(x, r, c, a, sizeof a), cell_format(y, r, c, b, sizeof b));
}

static void every_table_is_the_same_shared_or_not(void **state)
{
	(void)state;
	struct derived *d = little_trace();
	struct arena mem = {0};
	struct query alone = query_all(), q = query_all();
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	q.shared = shared_new(&q);
	for (int round = 0; round < 2; round++) /* the second one asks for what is there */
		for (uint32_t i = n; i-- > 0;) {
			struct table *x = shared_table(list[i], d, &q, NULL, NULL, NULL);
			struct table *y = list[i]->run(d, &alone, &mem, NULL, NULL);
			assert_true(!x == !y);
			if (x)
				assert_same_rows(x, y);
		}
	struct table *families = shared_table(&kernel_families_desc, d, &q, NULL, NULL, NULL);
	assert_ptr_equal(families, shared_table(&kernel_families_desc, d, &q, NULL, NULL, NULL));
	assert_true(families->n_rows > 0);
	shared_drop(q.shared, &kernel_families_desc);
	assert_true(shared_table(&kernel_families_desc, d, &q, NULL, NULL, NULL)->n_rows > 0);
	shared_free(q.shared);
	arena_free(&mem);
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_made_once_per_question),
		cmocka_unit_test(who_can_do_without_takes_what_others_asked_for),
		cmocka_unit_test(a_failure_is_told_to_all_who_ask),
		cmocka_unit_test(two_threads_share_one_part),
		cmocka_unit_test(what_was_made_lives_on_when_it_is_adopted),
		cmocka_unit_test(every_table_is_the_same_shared_or_not),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
