/* What the minimap marks besides how busy the devices are (idle time, the chosen gap, findings, search hits, the view), and what a
 * counter's row says: value at the cursor, unit, scale. */
#include "tests/unit/screen_of.h"
#include "tui/timeline/counter_label.h"
#include "tui/timeline/minimap.h"
#include <locale.h>

/* Work from 1000 to 2000 us and from 6000 to 9000 us of 10000; a counter that changes at 0, 3000 and 7000 us. */
static int start(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	op(&b, 1, "all", 0, 10000);
	profiler_step(&b, 2, 1, 900, 1200);
	profiler_step(&b, 2, 2, 5900, 3200);
	launch(&b, 1, 950, 10, 1);
	launch(&b, 1, 5950, 10, 2);
	kernel(&b, 0, 7, "early", 1000, 1000, 1);
	kernel(&b, 0, 7, "late", 6000, 3000, 2);
	uint32_t counter =
		ingest_track(b.in, TRACK_COUNTER, ingest_process(b.in, b.host, 1), 5, build_text(&b, "power (W)"));
	ingest_track_info(b.in, counter)->name = build_text(&b, "power (W)");
	ingest_sample(b.in, counter, 0, 100);
	ingest_sample(b.in, counter, US(3000), 250);
	ingest_sample(b.in, counter, US(7000), 50.5);
	screen_open(&b, 30, 120);
	screen_type("2");
	return 0;
}

static int stop(void **state)
{
	(void)state;
	screen_close();
	return 0;
}

/* The minimap's cell of a moment. */
static const struct surface_cell *map_at(double at_us)
{
	struct timeline_layout l = timeline_layout(screen_st);
	struct viewport whole = viewport_whole(screen_st->view.port.total_ns, (uint32_t)l.cols);
	screen_draw();
	return surface_at(&screen_now, l.y_map, l.x + (int)viewport_col_of(&whole, US(at_us)));
}

static void idle_time_between_works_is_dotted(void **state)
{
	(void)state;
	assert_int_equal(map_at(4000)->cp, MAP_GAP);
	assert_int_equal(map_at(500)->cp, ' ');
	assert_int_equal(map_at(9700)->cp, ' ');
	assert_int_equal(map_at(7500)->cp, 0x2588);
}

static void the_chosen_gap_is_marked(void **state)
{
	(void)state;
	assert_int_equal(map_at(4000)->ink, INK_GAP);
	screen_type("b0");
	assert_int_equal(map_at(4000)->ink, INK_GAP_CHOSEN);
	assert_int_equal(map_at(7500)->ink, INK_BUSY);
}

static void search_hits_are_marked(void **state)
{
	(void)state;
	screen_type("/late\r0");
	assert_int_equal(map_at(6001)->cp, MAP_HIT);
	assert_int_equal(map_at(1500)->cp, 0x2588);
}

/* Those of rules that warn or fail, where their evidence begins. */
static void findings_are_marked(void **state)
{
	(void)state;
	screen_draw();
	tables_want(screen_st->tables, analysis_index("findings"), true);
	const struct table *t = tables_raw(screen_st->tables, analysis_index("findings"), true);
	uint32_t told = 0;
	for (uint32_t i = 0; i < t->n_rows; i++) {
		const char *severity = cell_of(t, i, "severity")->s;
		const struct evidence *e = table_evidence_of(t, i);
		if ((strcmp(severity, "warn") && strcmp(severity, "fail")) || e->a_ns >= e->b_ns ||
		    e->b_ns - e->a_ns > US(4900))
			continue;
		told++;
		assert_int_equal(map_at((double)e->a_ns / 1e3)->cp, MAP_FINDING);
	}
	assert_true(told > 0);
}

static void the_view_has_its_brackets(void **state)
{
	(void)state;
	viewport_show(&screen_st->view.port, US(2500), US(5000), 0);
	assert_int_equal(map_at(2501)->cp, '[');
	assert_int_equal(map_at(4999)->cp, ']');
}

static const char *counter_line(void)
{
	return screen_line(screen_lane("power (W)"));
}

static void a_counter_tells_its_value_unit_and_scale(void **state)
{
	(void)state;
	nav_cursor(screen_st, US(4000));
	assert_non_null(strstr(counter_line(), " 250 W, scale 0..250 W"));
	nav_cursor(screen_st, US(2999));
	assert_non_null(strstr(counter_line(), " 100 W, scale 0..250 W"));
	/* where the words would stand over the cursor, they go to the other side */
	nav_cursor(screen_st, US(9900));
	struct timeline_layout l = timeline_layout(screen_st);
	screen_draw();
	int y = screen_lane("power (W)");
	assert_int_equal(surface_at(&screen_now, y, l.x + 1)->cp, '5');
	assert_non_null(strstr(screen_line(y), " 50.5 W, scale 0..250 W"));
	/* out of sight: the scale alone */
	viewport_show(&screen_st->view.port, US(2500), US(5000), 0);
	assert_non_null(strstr(counter_line(), " scale 0..250 W"));
	assert_null(strstr(counter_line(), "50.5"));
}

static void units_come_from_names_only(void **state)
{
	(void)state;
	char buf[64];
	assert_string_equal(counter_value("GPU memory bytes", 3 << 20, buf, sizeof buf), "3.0 MiB");
	assert_string_equal(counter_value("allocated [B]", 2048, buf, sizeof buf), "2.0 KiB");
	assert_string_equal(counter_value("memory", 2048, buf, sizeof buf), "2,048");
	assert_string_equal(counter_value("clock [MHz]", 1395.5, buf, sizeof buf), "1,396 MHz");
	assert_string_equal(counter_value("utilization (%)", 12.25, buf, sizeof buf), "12.25 %");
	assert_string_equal(counter_value("memory usage (of the whole)", 5, buf, sizeof buf), "5");
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		TEST(idle_time_between_works_is_dotted),
		TEST(the_chosen_gap_is_marked),
		TEST(search_hits_are_marked),
		TEST(findings_are_marked),
		TEST(the_view_has_its_brackets),
		TEST(a_counter_tells_its_value_unit_and_scale),
		cmocka_unit_test(units_come_from_names_only),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
