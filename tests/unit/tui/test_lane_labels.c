/* Which lanes stand at the end (what tells of the recording itself, folded to one), and which part of a label stays when it is
 * cut: the one that tells lanes apart. */
#include "tests/unit/screen_of.h"
#include "tui/text/utf8.h"
#include <locale.h>

static uint32_t other_track(struct build *b, const char *name)
{
	uint32_t track = ingest_track(b->in, TRACK_OTHER, ingest_process(b->in, b->host, 1), 0, build_text(b, name));
	ingest_track_info(b->in, track)->name = build_text(b, name);
	return track;
}

static void named_thread(struct build *b, int64_t tid, const char *name)
{
	op(b, tid, "work", 10.0 * (double)tid, 5);
	ingest_track_info(b->in, build_thread(b, tid))->name = build_text(b, name);
}

static int start(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	struct event_in e =
		build_event(&b, KIND_PROFILE, other_track(&b, "PyTorch Profiler"), "PyTorch Profiler (0)", 0, 900);
	build_add(&b, &e);
	e = build_event(&b, KIND_INSTANT, other_track(&b, "global instants"), "Record Window End", 800, 0);
	build_add(&b, &e);
	e = build_event(&b, KIND_OVERHEAD, other_track(&b, "lost records"), "12 records lost", 700, 10);
	build_add(&b, &e);
	named_thread(&b, 1, "skyframe-evaluator-1801");
	named_thread(&b, 2, "skyframe-evaluator-1802");
	named_thread(&b, 3, "skyframe-evaluator-1803 with much more");
	named_thread(&b, 4, "Garbage Collector of this process");
	named_thread(&b, 5, "short");
	screen_open(&b, 30, 80);
	screen_type("2");
	return 0;
}

static int stop(void **state)
{
	(void)state;
	screen_close();
	return 0;
}

static int lanes_called(const char *part)
{
	char label[160];
	int n = 0;
	for (uint32_t i = 0; i < screen_st->lanes.n; i++)
		n += strstr(lane_label(&screen_st->lanes, i, label, sizeof label), part) != NULL;
	return n;
}

static void what_tells_of_the_recording_is_one_lane_at_the_end(void **state)
{
	(void)state;
	char label[160];
	assert_string_equal(lane_label(&screen_st->lanes, screen_st->lanes.n - 1, label, sizeof label),
			    "recorder \xc3\x97"
			    "2: z");
	assert_int_equal(lanes_called("Profiler"), 0);
	assert_int_equal(lanes_called("global instants"), 0);
	assert_int_equal(lanes_called("lost records"), 1); /* what is missing concerns everybody */
}

static void one_key_unfolds_and_folds_them(void **state)
{
	(void)state;
	screen_st->view.lane = screen_st->lanes.n - 1;
	screen_type("z");
	assert_int_equal(lanes_called("PyTorch Profiler"), 1);
	assert_int_equal(lanes_called("global instants"), 1);
	assert_int_equal(lanes_called("recorder"), 0);
	screen_type("z");
	assert_int_equal(lanes_called("recorder \xc3\x97"
				      "2: z"),
			 1);
	/* what is looked for there is shown */
	nav_event(screen_st, row_named(screen_st->t, "Record Window End"));
	assert_int_equal(lanes_called("global instants"), 1);
	assert_int_equal(screen_st->lanes.at[screen_st->view.lane].track,
			 trace_columns(screen_st->t)->track[screen_st->view.event]);
}

static const char *fitted(const char *name, int cols)
{
	static char buf[160];
	char label[160];
	for (uint32_t i = 0; i < screen_st->lanes.n; i++)
		if (strcmp(lane_label(&screen_st->lanes, i, label, sizeof label), name) == 0)
			return lane_label_fit(&screen_st->lanes, i, cols, buf, sizeof buf);
	fail_msg("no lane %s", name);
	return "";
}

static void a_cut_label_keeps_what_tells_lanes_apart(void **state)
{
	(void)state;
	assert_string_equal(fitted("skyframe-evaluator-1801", 14), "skyf\xe2\x80\xa6"
								   "ator-1801");
	assert_string_equal(fitted("skyframe-evaluator-1802", 14), "skyf\xe2\x80\xa6"
								   "ator-1802");
	assert_string_equal(fitted("skyframe-evaluator-1803 with much more", 14), "skyf\xe2\x80\xa6"
										  "3 with m\xe2\x80\xa6");
	/* nobody else begins so: it is read from its start */
	assert_string_equal(fitted("Garbage Collector of this process", 14), "Garbage Colle\xe2\x80\xa6");
	assert_string_equal(fitted("short", 14), "short");
	for (int cols = 1; cols < 40; cols++)
		assert_true(utf8_width(fitted("skyframe-evaluator-1803 with much more", cols)) <= cols);
}

static void add_process(struct build *b, int64_t pid, const char *name)
{
	build_pid(b, pid);
	ingest_process_info(b->in, ingest_process(b->in, b->host, pid))->name = build_text(b, name);
	op(b, 1, "work", (double)pid, 5);
}

/* At 80 columns a label has 19; those that are alike need not stand next to each other. */
static void no_two_lanes_look_the_same(void **state)
{
	(void)state;
	screen_close();
	struct build b = build_new("chrome");
	named_thread(&b, 1, "preprocessing worker alpha of the pool");
	named_thread(&b, 2, "main");
	named_thread(&b, 3, "preprocessing worker beta of the pool");
	named_thread(&b, 4, "writer");
	named_thread(&b, 5, "preprocessing worker gamma of the pool");
	add_process(&b, 70, "distributed training launcher");
	add_process(&b, 71, "distributed training launcher");
	screen_open(&b, 24, 80);
	screen_type("2");
	static const char *const names[] = {"preprocessing worker alpha of the pool",
					    "preprocessing worker beta of the pool",
					    "preprocessing worker gamma of the pool",
					    "distributed training launcher 70", "distributed training launcher 71"};
	enum { NAMES = sizeof names / sizeof *names };
	char seen[NAMES][160];
	for (int i = 0; i < NAMES; i++) {
		snprintf(seen[i], sizeof seen[i], "%s", fitted(names[i], 19));
		for (int k = 0; k < i; k++)
			assert_string_not_equal(seen[i], seen[k]);
	}
}

static void alone_they_are_shown(void **state)
{
	(void)state;
	screen_close();
	struct build b = build_new("chrome");
	struct event_in e = build_event(&b, KIND_INSTANT, other_track(&b, "global instants"), "tick", 800, 0);
	build_add(&b, &e);
	e = build_event(&b, KIND_INSTANT, other_track(&b, "process instants"), "tock", 900, 0);
	build_add(&b, &e);
	screen_open(&b, 30, 80);
	assert_int_equal(lanes_called("global instants"), 1);
	assert_int_equal(lanes_called("process instants"), 1);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		TEST(what_tells_of_the_recording_is_one_lane_at_the_end),
		TEST(one_key_unfolds_and_folds_them),
		TEST(a_cut_label_keeps_what_tells_lanes_apart),
		TEST(no_two_lanes_look_the_same),
		TEST(alone_they_are_shown),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
