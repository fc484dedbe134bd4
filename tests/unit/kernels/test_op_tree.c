/* The tree of calls: who calls whom, and device time that climbs to the callers. */
#include "tests/unit/ask.h"

static uint32_t node_row(const struct table *t, const char *tree)
{
	for (uint32_t r = 0; r < t->n_rows; r++)
		if (!strcmp(text_of(t, r, "tree"), tree))
			return r;
	fail_msg("no '%s' in the tree", tree);
	return 0;
}

/* linear calls t and addmm, which launches two kernels; addmm is called alone, too; a sum launches nothing. */
static struct derived *layers(void)
{
	struct build b = build_new("chrome");
	op(&b, 1, "aten::linear", 0, 40);
	op(&b, 1, "aten::t", 2, 3);
	op(&b, 1, "aten::addmm", 10, 20);
	launch(&b, 1, 15, 2, 1);
	launch(&b, 1, 20, 2, 2);
	op(&b, 1, "aten::addmm", 50, 20);
	launch(&b, 1, 55, 2, 3);
	op(&b, 1, "aten::sum", 80, 10);
	launch(&b, 1, 95, 2, 4);
	kernel(&b, 0, 7, "gemm", 100, 10, 1);
	kernel(&b, 0, 7, "reduce", 110, 5, 2);
	kernel(&b, 0, 7, "gemm", 120, 30, 3);
	kernel(&b, 0, 7, "nobody's", 150, 9, 4);
	return derive(&b);
}

static void callers_have_the_device_time_of_what_they_call(void **state)
{
	(void)state;
	struct derived *d = layers();
	struct table *t = ask(d, "op_tree");
	uint32_t linear = node_row(t, "aten::linear"), inner = node_row(t, ". aten::addmm"),
		 alone = node_row(t, "aten::addmm");
	assert_int_equal(int_of(t, linear, "device_total_ns"), 15000);
	assert_int_equal(int_of(t, linear, "device_self_ns"), 0);
	assert_int_equal(int_of(t, linear, "launches"), 2);
	assert_int_equal(int_of(t, linear, "host_self_ns"), 17000);
	assert_int_equal(int_of(t, inner, "device_self_ns"), 15000);
	assert_int_equal(int_of(t, inner, "parent_node"), int_of(t, linear, "node"));
	assert_int_equal(int_of(t, alone, "device_total_ns"), 30000);
	assert_string_equal(shown(t, alone, "device_pct"), "66.7 %"); /* what no op launches is left out */
	ask_done(d);
}

static void rows_follow_their_callers_largest_first(void **state)
{
	static const char *const expected[] = {"aten::addmm", "aten::linear", ". aten::addmm", ". aten::t",
					       "aten::sum"};
	(void)state;
	struct derived *d = layers();
	struct table *t = ask(d, "op_tree");
	assert_int_equal(t->n_rows, 5);
	for (uint32_t i = 0; i < 5; i++)
		assert_string_equal(text_of(t, i, "tree"), expected[i]);
	ask_done(d);
}

static void windows_add_up_to_the_whole(void **state)
{
	static const char *const columns[] = {"op_calls", "host_self_ns", "device_self_ns", "host_total_ns"};
	(void)state;
	struct derived *d = layers();
	for (size_t c = 0; c < 4; c++) {
		int64_t parts = 0;
		for (int64_t a = 0; a < 170000; a += 17000)
			parts += sum_of(ask_window(d, "op_tree", a, a + 17000), columns[c]);
		assert_int_equal(parts, sum_of(ask(d, "op_tree"), columns[c]));
	}
	ask_done(d);
}

static void without_ops_the_tree_is_empty(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "k", 0, 10, 0);
	struct derived *d = derive(&b);
	assert_int_equal(ask(d, "op_tree")->n_rows, 0);
	ask_done(d);
}

/* Ever deeper calls end at a limit, and their time is still there. */
static void depth_has_an_end(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int i = 0; i < 1000; i++)
		op(&b, 1, "aten::again", i, 2000 - 2 * i);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "op_tree");
	assert_in_range(t->n_rows, 100, 300);
	assert_int_equal(sum_of(t, "host_self_ns"), 2000000);
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_have_the_device_time_of_what_they_call),
		cmocka_unit_test(rows_follow_their_callers_largest_first),
		cmocka_unit_test(windows_add_up_to_the_whole),
		cmocka_unit_test(without_ops_the_tree_is_empty),
		cmocka_unit_test(depth_has_an_end),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
