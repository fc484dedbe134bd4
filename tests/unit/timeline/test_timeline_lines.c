/* What goes through all lanes (cursor, begins of steps, the chosen range), the legend below them, what a folded cell tells, and the
 * panel that takes two rows when nothing is selected. */
#include "tests/unit/screen_of.h"
#include "tui/timeline/cell_names.h"
#include <locale.h>

enum { LINE = 0x2502, DOTTED = 0x250A, FULL = 0x2588 };

/* Two steps of 1000 us; a kernel in each; from 5000 to 5100 us a hundred ops of three names. */
static int start(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 1, 0, 1000);
	profiler_step(&b, 1, 2, 1000, 1000);
	launch(&b, 1, 100, 20, 5);
	kernel(&b, 0, 7, "first", 200, 300, 5);
	launch(&b, 1, 1100, 20, 6);
	kernel(&b, 0, 7, "second", 1200, 300, 6);
	copy(&b, 0, 8, COPY_H2D, 64, 1600, 100, 0);
	for (int i = 0; i < 100; i++)
		op(&b, 2, i % 10 == 0 ? "rare" : i % 3 ? "common" : "less", 5000 + i, i % 10 == 0 ? 0.125 : 0.5);
	op(&b, 3, "long", 0, 6000);
	screen_open(&b, 30, 130);
	screen_type("2");
	return 0;
}

static int stop(void **state)
{
	(void)state;
	screen_close();
	return 0;
}

static int last_lane(void)
{
	int off;
	struct timeline_layout l = timeline_layout(screen_st);
	return timeline_lane_y(screen_st, &l, screen_st->lanes.n - 1, &off);
}

static void the_cursor_goes_through_every_lane(void **state)
{
	(void)state;
	struct timeline_layout l = timeline_layout(screen_st);
	nav_cursor(screen_st, US(3000));
	for (int y = l.y_lanes; y <= last_lane(); y++)
		assert_int_equal(screen_at(y, 3000), LINE); /* "long" is solid there: the line is on it */
	assert_int_equal(screen_at(last_lane() + 1, 3000), ' ');
}

static void steps_begin_in_every_lane(void **state)
{
	(void)state;
	struct timeline_layout l = timeline_layout(screen_st);
	int lines = 0;
	nav_cursor(screen_st, US(3000));
	for (int y = l.y_lanes; y <= last_lane(); y++)
		lines += screen_at(y, 1000) == DOTTED;
	assert_true(lines >= (int)screen_st->lanes.n - 3);                /* but for the bars that lie there */
	assert_int_equal(screen_at(screen_lane("thread 3"), 1000), FULL); /* "long" stays whole */
	/* of steps side by side, none */
	screen_type("0");
	state_resize(screen_st, 30, 40);
	viewport_show(&screen_st->view.port, 0, US(6000), 0);
	screen_draw();
	for (int i = 0; i < screen_now.rows * screen_now.cols; i++)
		assert_int_not_equal(screen_now.cells[i].cp, DOTTED);
}

static void a_range_has_edges_and_a_tint(void **state)
{
	(void)state;
	struct timeline_layout l = timeline_layout(screen_st);
	nav_cursor(screen_st, US(2500));
	screen_type("v");
	nav_cursor(screen_st, US(4000));
	screen_type("vl");
	int y = screen_lane("process");
	int a = l.x + (int)viewport_col_of(&screen_st->view.port, screen_st->view.range_a_ns);
	int b = l.x + (int)viewport_col_of(&screen_st->view.port, screen_st->view.range_b_ns - 1);
	screen_draw();
	assert_int_equal(surface_at(&screen_now, y, a)->cp, '[');
	assert_int_equal(surface_at(&screen_now, y, b)->cp, ']');
	assert_int_equal(surface_at(&screen_now, y, (a + b) / 2 - 1)->ink, INK_RANGE_LANES);
	assert_int_not_equal(surface_at(&screen_now, y, a - 1)->ink, INK_RANGE_LANES);
	assert_int_not_equal(surface_at(&screen_now, y, b + 2)->ink, INK_RANGE_LANES);
}

static const char *legend(void)
{
	return screen_line(timeline_layout(screen_st).y_legend);
}

static void the_legend_names_what_is_in_view(void **state)
{
	(void)state;
	assert_non_null(strstr(legend(), "\xe2\x96\x88 kernel"));
	assert_non_null(strstr(legend(), "\xe2\x96\x93 copy"));
	assert_non_null(strstr(legend(), "annotation"));
	assert_null(strstr(legend(), "memset"));
	viewport_show(&screen_st->view.port, US(4000), US(5500), 0);
	assert_null(strstr(legend(), "kernel"));
	assert_null(strstr(legend(), "copy"));
	assert_non_null(strstr(legend(), "\xe2\x96\x88 op"));
}

static void a_folded_cell_tells_what_is_in_it(void **state)
{
	(void)state;
	char buf[256];
	nav_event(screen_st, row_named(screen_st->t, "rare"));
	viewport_show(&screen_st->view.port, 0, US(6000), 0);
	const char *all = cell_names(screen_st, buf, sizeof buf);
	if (!all)
		fail_msg("nothing is told");
	/* as many events as start in the cell's 60 us: 60 of the 100 */
	const struct viewport *p = &screen_st->view.port;
	uint32_t col = viewport_col_of(p, screen_st->view.cursor_ns), n = 0, common = 0;
	const struct columns *c = trace_columns(screen_st->t);
	for (row_id r = 0; r < c->n; r++) {
		bool in = c->track[r] == c->track[screen_st->view.event] &&
			  c->start_ns[r] < viewport_col_start(p, col + 1) &&
			  c->start_ns[r] + c->dur_ns[r] > viewport_col_start(p, col);
		n += in;
		common += in && !strcmp(trace_str(screen_st->t, c->name[r]), "common");
	}
	char expected[128];
	snprintf(expected, sizeof expected, "%u events: common %u x, less ", n, common);
	assert_memory_equal(all, expected, strlen(expected));
	assert_non_null(strstr(all, "rare"));
	screen_draw();
	char found = 0;
	for (int y = 0; y < 30; y++)
		found |= strstr(screen_line(y), expected) != NULL;
	assert_true(found);
	/* of one event alone there is nothing to tell */
	viewport_show(&screen_st->view.port, US(5000), US(5010), 0);
	assert_null(cell_names(screen_st, buf, sizeof buf));
}

static void the_panel_takes_two_rows_when_nothing_is_selected(void **state)
{
	(void)state;
	screen_type("0");
	nav_cursor(screen_st, US(4000));
	screen_type("\033");
	screen_type("k");
	struct timeline_layout none = timeline_layout(screen_st);
	if (screen_st->view.event == NONE_ID)
		assert_int_equal(none.h_panel, 2);
	nav_event(screen_st, row_named(screen_st->t, "first"));
	struct timeline_layout some = timeline_layout(screen_st);
	assert_true(some.h_panel > 2);
	assert_int_equal(some.h_filled, some.h_lanes);
	assert_int_equal(some.y_panel + some.h_panel, none.y_panel + none.h_panel);
	/* the selected lane is on the screen, however low it was */
	nav_event(screen_st, row_named(screen_st->t, "long"));
	int off;
	some = timeline_layout(screen_st);
	timeline_lane_y(screen_st, &some, screen_st->view.lane, &off);
	assert_int_equal(off, 0);
}

static void ascii_has_them_all(void **state)
{
	(void)state;
	screen_now.ascii = true;
	nav_cursor(screen_st, US(3000));
	assert_int_equal(screen_at(last_lane(), 3000), '|');
	struct timeline_layout l = timeline_layout(screen_st);
	int dotted = 0;
	for (int y = l.y_lanes; y <= last_lane(); y++)
		dotted += screen_at(y, 1000) == ':';
	assert_true(dotted > 2);
	assert_non_null(strstr(legend(), "# kernel"));
	for (int i = 0; i < screen_now.rows * screen_now.cols; i++)
		assert_in_range(screen_now.cells[i].cp, ' ', '~');
	screen_now.ascii = false;
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		TEST(the_cursor_goes_through_every_lane),
		TEST(steps_begin_in_every_lane),
		TEST(a_range_has_edges_and_a_tint),
		TEST(the_legend_names_what_is_in_view),
		TEST(a_folded_cell_tells_what_is_in_it),
		TEST(the_panel_takes_two_rows_when_nothing_is_selected),
		TEST(ascii_has_them_all),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
