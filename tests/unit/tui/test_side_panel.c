/* Statistics of the visible window: each number is one of the table for that window, summed up by name; the view before stays,
 * marked, while new ones are made; none where the screen is narrow. */
#include "tests/unit/screen_of.h"
#include "tests/unit/ask.h"
#include "model/store/base/units.h"
#include "tui/tables/window_stats.h"
#include <locale.h>

/* Three kernels of 100 us and 20 names, a copy, waits between; the host calls ops around the launches. */
static struct build work(void)
{
	struct build b = build_new("chrome");
	for (int i = 0; i < 60; i++) {
		char name[32];
		double at = i * 200.0 + (i * i % 7) * 9;
		snprintf(name, sizeof name, "kernel_%d", i % 20);
		op(&b, 1, i % 3 ? "aten::mm" : "aten::relu", at, 50);
		launch(&b, 1, at + 5, 10, (uint64_t)i + 1);
		kernel(&b, i % 2, 7, name, at + 30, 60 + i % 5, (uint64_t)i + 1);
	}
	launch(&b, 1, 12100, 5, 900);
	copy(&b, 0, 8, COPY_H2D, 1 << 20, 12120, 77, 900);
	launch(&b, 1, 12300, 5, 901);
	copy(&b, 1, 8, COPY_D2H, 1 << 10, 12320, 7, 901);
	return b;
}

static int start(void **state)
{
	(void)state;
	struct build b = work();
	screen_open(&b, 60, 200);
	screen_type("2");
	return 0;
}

static int stop(void **state)
{
	(void)state;
	screen_close();
	arena_free(&asked);
	return 0;
}

static void look_at(double a_us, double b_us)
{
	viewport_show(&screen_st->view.port, US(a_us), US(b_us), 0);
	screen_type("jk"); /* the panel follows keys */
}

/* What the table says for the name, summed up. */
static int64_t sum_told(const char *table, const char *name_column, const char *ns_column, const char *name)
{
	const struct viewport *p = &screen_st->view.port;
	struct table *t = ask_window(screen_d, table, p->from_ns, p->from_ns + p->span_ns);
	int64_t ns = 0;
	for (uint32_t i = 0; i < t->n_rows; i++)
		if (!strcmp(cell_of(t, i, name_column)->s, name))
			ns += int_of(t, i, ns_column);
	return ns;
}

static void each_name_has_its_sum(enum stats_part part, const char *table, const char *name_column,
				  const char *ns_column)
{
	bool fresh;
	const struct stats *x = timeline_stats(screen_st, part, &fresh);
	assert_non_null(x);
	assert_true(fresh);
	assert_true(x->n > 0);
	for (uint32_t i = 0; i < x->n; i++) {
		assert_int_equal(x->rows[i].ns, sum_told(table, name_column, ns_column, x->rows[i].name));
		if (i)
			assert_true(x->rows[i].ns <= x->rows[i - 1].ns);
	}
	char ns[UNITS_BUF];
	fmt_ns(ns, x->rows[0].ns);
	for (int y = 0; y < 50; y++)
		if (strstr(screen_line(y), ns))
			return;
	fail_msg("%s of %s is not on the screen", ns, x->rows[0].name);
}

static void numbers_are_those_of_the_tables(void **state)
{
	(void)state;
	static const double windows[][2] = {{0, 13000}, {1000, 5000}, {3333, 3555}, {11900, 12500}};
	for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
		look_at(windows[i][0], windows[i][1]);
		if (i < 3)
			each_name_has_its_sum(STATS_KERNELS, "kernels", "name", "total_ns");
		each_name_has_its_sum(STATS_IDLE, "idle_causes", "cause", "idle_ns");
		if (i == 0 || i == 3)
			each_name_has_its_sum(STATS_COPIES, "copies", "direction", "total_ns");
	}
}

static void devices_are_told_by_their_names(void **state)
{
	(void)state;
	bool fresh;
	look_at(1000, 5000);
	const struct viewport *p = &screen_st->view.port;
	struct table *t = ask_window(screen_d, "devices", p->from_ns, p->from_ns + p->span_ns);
	const struct stats *x = timeline_stats(screen_st, STATS_BUSY, &fresh);
	assert_int_equal(x->n, 2);
	assert_string_equal(x->rows[1].name, "GPU 1");
	assert_int_equal(x->rows[0].ns, int_of(t, 0, "busy_ns"));
	assert_int_equal(x->rows[1].ns, int_of(t, 1, "busy_ns"));
}

static void the_filter_holds(void **state)
{
	(void)state;
	bool fresh;
	screen_type("&name=kernel_7\r");
	const struct stats *x = timeline_stats(screen_st, STATS_KERNELS, &fresh);
	assert_true(fresh);
	assert_int_equal(x->n_all, 1);
	assert_string_equal(x->rows[0].name, "kernel_7");
	assert_int_equal(x->rows[0].count, 3);
}

static void what_is_of_a_view_before_says_so(void **state)
{
	(void)state;
	look_at(0, 13000);
	for (int y = 0; y < 60; y++)
		assert_null(strstr(screen_line(y), "view before"));
	/* the view has moved on, and the answer is not there: as it is while the worker computes */
	viewport_show(&screen_st->view.port, US(1000), US(5000), 0);
	int marked = 0, computing = 0;
	for (int y = 0; y < 60; y++) {
		marked += strstr(screen_line(y), "(view before)") != NULL;
		computing += strstr(screen_line(y), "computing ...") != NULL;
	}
	assert_int_equal(marked, STATS_PARTS);
	assert_int_equal(computing, 1);
}

static void narrow_screens_and_one_key_are_without(void **state)
{
	(void)state;
	state_resize(screen_st, 60, 159);
	assert_null(strstr(screen_line(1), "visible window"));
	state_resize(screen_st, 60, 160);
	assert_non_null(strstr(screen_line(1), "visible window"));
	screen_type("S");
	assert_null(strstr(screen_line(1), "visible window"));
	screen_type("S");
	assert_non_null(strstr(screen_line(1), "visible window"));
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		TEST(numbers_are_those_of_the_tables),
		TEST(devices_are_told_by_their_names),
		TEST(the_filter_holds),
		TEST(what_is_of_a_view_before_says_so),
		TEST(narrow_screens_and_one_key_are_without),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
