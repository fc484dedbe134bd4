/* Rows of wrappers and of specks are summed up; what filled a gap is on the screen; z says what it cannot do. */
#include "tests/unit/screen_of.h"
#include <locale.h>

static const char *const wrappers[] = {"<frozen runpy>(198): _run_module_as_main", "<frozen runpy>(88): _run_code",
				       "torch/utils/_contextlib.py(117): decorate_context"};
enum { WRAPPERS = 3, DEEP = 9 };

static void frame(struct build *b, const char *name, double start_us, double dur_us)
{
	host_event(b, KIND_PYTHON, 1, name, start_us, dur_us);
}

/* Three wrappers, main, and nine functions one inside the other; the innermost fills the gap of 600 us between two kernels. Thread 2
 * holds 3,000 pairs of short ops. */
static int start(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	char name[32];
	for (int i = 0; i < WRAPPERS; i++)
		frame(&b, wrappers[i], 0, 3000);
	frame(&b, "train.py(1): main", 0, 3000);
	for (int i = 0; i < DEEP; i++) {
		snprintf(name, sizeof name, "train.py(%d): f%d", i + 2, i);
		frame(&b, name, 400 + i, 700 - 2 * i);
	}
	launch(&b, 1, 1, 2, 1);
	launch(&b, 1, 800, 40, 2);
	kernel(&b, 0, 7, "before", 100, 400, 1);
	kernel(&b, 0, 7, "after", 1100, 400, 2);
	for (int i = 0; i < 3000; i++) {
		op(&b, 2, "outer", i, 0.9);
		op(&b, 2, "inner", i + 0.1, 0.5);
	}
	screen_open(&b, 24, 80);
	screen_type("2");
	return 0;
}

/* Twenty streams, and thread 1 launches on all of them; thread 5 fills the gap. */
static int start_many(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int i = 0; i < 20; i++) {
		kernel(&b, 0, i, "k", 100, 400, (uint64_t)i * 2 + 1);
		kernel(&b, 0, i, "k", 1100, 400, (uint64_t)i * 2 + 2);
		launch(&b, 1, 10 + i, 0.5, (uint64_t)i * 2 + 1);
		launch(&b, 1, 1050 + i, 0.5, (uint64_t)i * 2 + 2);
	}
	op(&b, 1, "aten::waits_long", 510, 500);
	screen_open(&b, 24, 80);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	screen_close();
	return 0;
}

static bool shows(const char *text)
{
	for (int y = 0; y < screen_st->rows; y++)
		if (strstr(screen_line(y), text))
			return true;
	return false;
}

static void says(const char *text)
{
	if (!shows(text))
		fail_msg("'%s' is not on the screen:\n%s\n%s\n%s", text, screen_line(7), screen_line(8),
			 screen_line(9));
}

static void wrappers_are_one_row_with_their_count(void **state)
{
	(void)state;
	says("3 wrapper frames");
	says("train.py(1): main");
	assert_false(shows("_run_code"));
}

static void specks_are_one_row_of_density(void **state)
{
	(void)state;
	int y = screen_lane("thread 2 \xc3\x97"
			    "2");
	assert_null(strstr(screen_line(y), "outer"));
	assert_null(strstr(screen_line(y + 1), "inner"));
	/* nine tenths of each column are busy: not all of it, and the same everywhere */
	assert_int_equal(screen_at(y, 1000), 0x2587);
	assert_int_equal(screen_at(y, 2000), 0x2587);
	/* near enough, its events can be read */
	viewport_show(&screen_st->view.port, US(1000), US(1004), 0);
	screen_type("d");
	y = screen_lane("thread 2");
	assert_non_null(strstr(screen_line(y), "outer"));
	assert_non_null(strstr(screen_line(y + 1), "inner"));
}

static void panning_moves_no_lane(void **state)
{
	(void)state;
	screen_type("ww");
	uint32_t n = screen_st->lanes.n;
	char *seen = strdup(screen_line(8));
	screen_type("dddaa");
	assert_int_equal(screen_st->lanes.n, n);
	assert_int_equal(strncmp(screen_line(8), seen, 16), 0);
	free(seen);
}

static void what_filled_the_gap_is_on_the_screen(void **state)
{
	(void)state;
	assert_false(shows("f8"));
	screen_type("b");
	says("600.000 us");
	says("train.py(10): f8");
	says("above: z");
	says("stream 7"); /* and the gap itself, too */
	/* back: the rows as they were */
	screen_type("\x7f");
	says("3 wrapper frames");
	assert_false(shows("above: z"));
}

static void the_launch_is_on_the_screen(void **state)
{
	(void)state;
	nav_event(screen_st, row_named(screen_st->t, "after"));
	screen_type("w[");
	says("cudaLaunch");
	says("above: z");
	/* its row is the selected lane, and stands on the screen */
	assert_true(screen_st->view.lane < screen_st->view.top + screen_st->lanes.room);
	assert_int_equal(screen_st->lanes.at[screen_st->view.lane].disp,
			 trace_columns(screen_st->t)->disp[screen_st->view.event]);
}

static void a_gap_and_its_cause_stand_beside_each_other(void **state)
{
	(void)state;
	screen_type("2");
	assert_false(shows("aten::waits_long"));
	screen_type("b");
	says("600.000 us");
	says("GPU 0");
	says("aten::waits_long");
	screen_type("0");
	struct timeline_layout l = timeline_layout(screen_st);
	for (int y = l.y_lanes; y < l.y_panel; y++) /* below, the cause names it */
		assert_null(strstr(screen_line(y), "aten::waits_long"));
}

static void z_shows_all_rows_and_folds_them_again(void **state)
{
	(void)state;
	screen_type("jz");
	says("_run_code");
	assert_int_equal(screen_st->lanes.at[screen_st->view.lane].disp, 0);
	screen_type("z");
	says("3 wrapper frames");
	struct timeline_layout l = timeline_layout(screen_st);
	for (int y = l.y_lanes; y < l.y_panel; y++) /* below, the cell under the cursor tells its names */
		assert_null(strstr(screen_line(y), "_run_code"));
}

static void z_says_what_it_cannot_do(void **state)
{
	(void)state;
	screen_type("z");
	says("nothing is folded here: this lane has 1 row, all of them are shown");
}

static void a_stream_is_two_cells_high_where_there_is_room(void **state)
{
	(void)state;
	int y = screen_lane("stream 7");
	assert_int_equal(screen_at(y + 1, 300), 0x2588);
	assert_int_equal(screen_st->lanes.at[screen_st->view.lane + 1].kind, LANE_LOWER);
	screen_type("j"); /* its lower half is no lane */
	assert_int_equal(screen_st->lanes.at[screen_st->view.lane].kind, LANE_ROW);
	assert_int_not_equal(screen_st->lanes.at[screen_st->view.lane].track, screen_st->lanes.at[1].track);
	state_resize(screen_st, 16, 80);
	for (uint32_t i = 0; i < screen_st->lanes.n; i++)
		assert_int_not_equal(screen_st->lanes.at[i].kind, LANE_LOWER);
}

/* The lanes as they are must be what building them anew makes. */
static void assert_as_built(struct lanes *l)
{
	uint32_t n = l->n;
	struct lane *was = malloc((n + (size_t)1) * sizeof *was);
	memcpy(was, l->at, n * sizeof *was);
	lanes_build(l);
	assert_int_equal(l->n, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct lane *a = &was[i], *b = &l->at[i];
		assert_true(a->kind == b->kind && a->track == b->track && a->disp == b->disp);
		assert_true(a->look == b->look && a->count == b->count && a->hidden == b->hidden);
	}
	free(was);
}

static bool any_dense(const struct lanes *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->at[i].look == ROW_DENSE)
			return true;
	return false;
}

/* Rows of specks are summed up from afar and stand apart from near. */
static void zoom_and_size_leave_the_lanes_that_a_build_makes(void **state)
{
	(void)state;
	struct lanes *l = &screen_st->lanes;
	bool summed = false, apart = false;
	for (int zoom = 0; zoom < 40; zoom++) {
		assert_as_built(l);
		if (any_dense(l))
			summed = true;
		else
			apart = true;
		screen_type(zoom < 20 ? "w" : "s");
	}
	assert_true(summed && apart);
	for (int rows = 10; rows < 60; rows += 5) {
		state_resize(screen_st, rows, 80);
		assert_as_built(l);
		state_resize(screen_st, rows, 200);
		assert_as_built(l);
	}
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		TEST(wrappers_are_one_row_with_their_count),
		TEST(specks_are_one_row_of_density),
		TEST(panning_moves_no_lane),
		TEST(what_filled_the_gap_is_on_the_screen),
		TEST(the_launch_is_on_the_screen),
		cmocka_unit_test_setup_teardown(a_gap_and_its_cause_stand_beside_each_other, start_many, stop),
		TEST(z_shows_all_rows_and_folds_them_again),
		TEST(z_says_what_it_cannot_do),
		TEST(a_stream_is_two_cells_high_where_there_is_room),
		TEST(zoom_and_size_leave_the_lanes_that_a_build_makes),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("lane_rows", tests, NULL, NULL);
}
