/* Which event a call lies in, where events overlap by a hair or are equally long: kernels find their op all the same. */
#include "tests/unit/ask.h"
#include "tests/unit/unit.h"
#include "model/analysis/derived/climb.h"
#include "model/analysis/derived/rows.h"

static struct derived *d;

static int done(void **state)
{
	(void)state;
	ask_done(d);
	d = NULL;
	return 0;
}

/* Op of the only kernel whose launch has this correlation id. */
static const char *op_of_kernel(int64_t start_us)
{
	const struct columns *c = derived_columns(d);
	for (row_id r = 0; r < c->n; r++)
		if (c->kind[r] == KIND_KERNEL && c->start_ns[r] == US(start_us))
			return derived_op(d, r);
	return NULL;
}

/* Clocks are rounded: one op ends a nanosecond after the next one has begun. */
static void ops_that_overlap_by_a_hair_keep_their_kernels(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	op(&b, 1, "first", 0, 10.001);
	op(&b, 1, "second", 10, 10);
	launch(&b, 1, 12, 2, 1);
	op(&b, 1, "inner", 15, 4);
	launch(&b, 1, 16, 2, 2);
	launch(&b, 1, 10, 0.001, 3);
	launch(&b, 1, 25, 1, 4);
	for (int i = 0; i < 4; i++)
		kernel(&b, 0, 7, "k", 100 + 10 * i, 5, (uint64_t)i + 1);
	d = derive(&b);
	assert_string_equal(op_of_kernel(100), "second");
	assert_string_equal(op_of_kernel(110), "inner");
	assert_string_equal(op_of_kernel(120), "second"); /* both are open: the later one called it */
	assert_string_equal(op_of_kernel(130), "");
}

/* The call stands before its op in the file, and lasts exactly as long. */
static void an_op_as_long_as_its_call_encloses_it(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	op(&b, 1, "outer", 0, 50);
	launch(&b, 1, 10, 4, 1);
	op(&b, 1, "tied", 10, 4);
	op(&b, 1, "alone", 20, 4);
	launch(&b, 1, 20, 4, 2);
	launch(&b, 1, 30, 4, 3);
	for (int i = 0; i < 3; i++)
		kernel(&b, 0, 7, "k", 100 + 10 * i, 5, (uint64_t)i + 1);
	d = derive(&b);
	assert_string_equal(op_of_kernel(100), "tied");
	assert_string_equal(op_of_kernel(110), "alone");
	assert_string_equal(op_of_kernel(120), "outer");
}

/* A staircase of overlaps: each event has one around it or none, and climbing ends. */
static void climbing_ends_in_a_staircase(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	for (int i = 0; i < 3000; i++)
		op(&b, 1, "stair", i, 2000);
	launch(&b, 1, 2999.5, 1, 1);
	kernel(&b, 0, 7, "k", 9000, 5, 1);
	d = derive(&b);
	const struct columns *c = derived_columns(d);
	for (row_id r = 0; r < c->n; r++) {
		uint32_t steps = 0;
		for (row_id at = parent_of(d, r); at != NONE_ID; at = parent_of(d, at), steps++) {
			assert_true(steps < c->n && at != r);
			assert_true(c->start_ns[at] <= c->start_ns[r] && row_end(c, at) >= row_end(c, r));
		}
	}
	assert_string_equal(op_of_kernel(9000), "stair");
}

/* Farther from the event around it than 16 bits tell: before, after and beside a nest of its own. */
static void many_ops_within_one_have_it_around_them(void **state)
{
	enum { MANY = 150000, NEST = 70000 };
	(void)state;
	struct build b = build_new("kineto");
	op(&b, 1, "outer", 0, 10 * MANY);
	for (int i = 0; i < MANY; i++)
		op(&b, 1, i == NEST ? "nest" : "within", 1 + 5 * i, i == NEST ? 5 * NEST : 2);
	op(&b, 1, "alone", 10 * MANY + 5, 1);
	for (int i = 0; i < 2; i++)
		op(&b, 2, i ? "inner" : "other thread", 2 * i, 10);
	d = derive(&b);
	const struct columns *c = derived_columns(d);
	uint32_t found[3] = {0};
	for (row_id r = 0; r < c->n; r++) {
		row_id at = parent_of(d, r);
		const char *around = at == NONE_ID ? "" : trace_str(derived_trace(d), c->name[at]);
		bool in_nest = c->start_ns[r] > US(1 + 5 * NEST) && c->start_ns[r] < US(1 + 10 * NEST);
		bool within = c->dur_ns[r] == US(2) || c->dur_ns[r] == US(5 * NEST);
		const char *should = in_nest && within ? "nest" : within ? "outer" : "";
		assert_string_equal(around, should);
		found[in_nest && within ? 0 : within ? 1 : 2]++;
	}
	assert_int_equal(found[0], NEST - 1);
	assert_int_equal(found[1], MANY - NEST + 1);
}

static uint32_t questions;

static bool is_op(void *columns, row_id r)
{
	questions++;
	return ((const struct columns *)columns)->kind[r] == KIND_OP;
}

/* Calls within calls, thousands deep: from each of them the op around all is found, with a few questions for each. */
static void a_deep_nest_is_climbed_once(void **state)
{
	enum { DEEP = 3000, OUTSIDE = 500, NEAR = 22 };
	(void)state;
	struct build b = build_new("kineto");
	for (int i = 0; i < DEEP; i++)
		launch(&b, 1, 10000 + i, 20000 - 2 * i, (uint64_t)i + 1);
	for (int i = 0; i < DEEP; i++)
		kernel(&b, 0, 7, "k", 100000 + i, 1, (uint64_t)i + 1);
	op(&b, 1, "around", 9000, 30000);
	for (int i = 0; i < OUTSIDE; i++)
		launch(&b, 1, 50000 + i, 2000 - 2 * i, (uint64_t)i + DEEP + 1);
	d = derive(&b);
	const struct columns *c = derived_columns(d);
	struct climb ops = {0};
	uint32_t found = 0;
	for (row_id r = 0; r < c->n; r++) {
		row_id at = climb_find(&ops, d, r, is_op, (void *)c);
		bool inside = c->kind[r] == KIND_RUNTIME && c->start_ns[r] < US(50000 - 9000);
		found += inside && at != NONE_ID && !strcmp(trace_str(derived_trace(d), c->name[at]), "around");
		if (inside != (at != NONE_ID) && c->kind[r] != KIND_OP)
			fail_msg("row %u: %u", r, at);
	}
	climb_free(&ops);
	assert_int_equal(found, DEEP);
	assert_true(questions < c->n * NEAR);
	for (int i = 0; i < DEEP; i++)
		assert_string_equal(op_of_kernel(100000 - 9000 + i), "around");
}

/* Of a step inside a thousand ops only what is in it is gone through; what reaches into it from the side stays. */
static void what_is_around_a_step_is_left_out_of_a_deep_nest(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	uint32_t seen = 0;
	for (int i = 0; i < 1000; i++)
		op(&b, 1, "around", i, 4000 - 2.0 * i);
	op(&b, 1, "before", 1100, 100);
	op(&b, 1, "part of it", 1250, 100);
	op(&b, 1, "in it", 1340, 5);
	op(&b, 1, "later", 1500, 100);
	d = derive(&b);
	const struct trace *t = derived_trace(d);
	struct event_iter it = event_iter(t, 0, US(1300), US(1400), KINDS_ALL);
	leave_out_around(d, 0, US(1300), US(1400), &it);
	for (; event_next(&it); seen++)
		assert_string_not_equal(trace_str(t, derived_columns(d)->name[it.row]), "around");
	assert_int_equal(seen, 2);
	it = event_iter(t, 0, US(500), US(4000), KINDS_ALL); /* few are around all of that */
	leave_out_around(d, 0, US(500), US(4000), &it);
	for (seen = 0; event_next(&it); seen++)
		;
	assert_int_equal(seen, 1004);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(ops_that_overlap_by_a_hair_keep_their_kernels, done),
		cmocka_unit_test_teardown(an_op_as_long_as_its_call_encloses_it, done),
		cmocka_unit_test_teardown(climbing_ends_in_a_staircase, done),
		cmocka_unit_test_teardown(many_ops_within_one_have_it_around_them, done),
		cmocka_unit_test_teardown(a_deep_nest_is_climbed_once, done),
		cmocka_unit_test_teardown(what_is_around_a_step_is_left_out_of_a_deep_nest, done),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
