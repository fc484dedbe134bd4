/* Lanes that the user moves, hides, pins and unfolds, and marks: what moves past what, and what of it is there at the next start. The
 * trace has two devices with two streams each, and two threads. */
#include "tests/unit/screen_of.h"
#include "model/store/base/units.h"
#include <sys/stat.h>
#include <unistd.h>

enum { MICROS_OF_TRACE = 1000 };
static char state_home[] = "/tmp/stepscope-arranged-XXXXXX";
static struct app_opts remembers = {.program = "stepscope", .remember = true};

static struct build made(void)
{
	struct build b = build_new("chrome");
	for (int i = 0; i < 2; i++) {
		launch(&b, 1, 10 + i, 1, 1u + (uint64_t)i);
		launch(&b, 1, 20 + i, 1, 11u + (uint64_t)i);
		kernel(&b, i, 7, "gemm", 100 + i * 10, 50, 1u + (uint64_t)i);
		kernel(&b, i, 8, "adam", 300 + i * 10, 50, 11u + (uint64_t)i);
	}
	op(&b, 1, "train", 0, MICROS_OF_TRACE);
	op(&b, 2, "load", 0, MICROS_OF_TRACE);
	return b;
}

static int start(void **state)
{
	(void)state;
	struct build b = made();
	screen_open(&b, 30, 100);
	screen_type("2");
	return 0;
}

static int stop(void **state)
{
	(void)state;
	screen_close();
	return 0;
}

/* The same trace opened anew by somebody who wants to be remembered. */
static void reopen(void)
{
	if (screen_st)
		state_free(screen_st);
	screen_st = state_new(&remembers, screen_d, -1, true);
	state_resize(screen_st, 30, 100);
	arrangement_take(screen_st);
	screen_type("2");
}

/* Tracks from top to bottom as "device stream" or thread. */
static const char *order(void)
{
	static char text[1024];
	size_t n = 0;
	uint32_t last = NONE_ID;
	const struct lanes *l = &screen_st->lanes;
	*text = 0;
	for (uint32_t i = 0; i < l->n; i++) {
		if (l->at[i].kind != LANE_ROW || l->at[i].track == last)
			continue;
		last = l->at[i].track;
		const struct track_info *t = trace_track(screen_st->t, last);
		n += (size_t)(t->device != NONE_ID
				      ? snprintf(text + n, sizeof text - n, "%s%u/%d", n ? " " : "", t->device,
						 (int)t->key)
				      : snprintf(text + n, sizeof text - n, "%st%d", n ? " " : "", (int)t->key));
	}
	return text;
}

static void select_track(const char *label)
{
	char text[128];
	for (uint32_t i = 0; i < screen_st->lanes.n; i++) {
		const struct lane *l = &screen_st->lanes.at[i];
		if (l->kind == LANE_ROW &&
		    strstr(trace_track_label(screen_st->t, l->track, text, sizeof text), label)) {
			screen_st->view.lane = i;
			return;
		}
	}
	fail_msg("no lane %s", label);
}

static void a_stream_moves_among_its_devices_and_then_the_device_moves(void **state)
{
	(void)state;
	assert_string_equal(order(), "0/7 0/8 1/7 1/8 t1 t2");
	screen_type("K");
	assert_string_equal(order(), "0/7 0/8 1/7 1/8 t1 t2");
	assert_non_null(strstr(screen_line(-2), "it is the first one"));
	screen_type("J");
	assert_string_equal(order(), "0/8 0/7 1/7 1/8 t1 t2");
	assert_int_equal(trace_track(screen_st->t, screen_st->lanes.at[screen_st->view.lane].track)->key, 7);
	screen_type("J");
	assert_string_equal(order(), "1/7 1/8 0/8 0/7 t1 t2");
	screen_type("J");
	assert_non_null(strstr(screen_line(-2), "it is the last one"));
	screen_type("KK");
	assert_string_equal(order(), "0/7 0/8 1/7 1/8 t1 t2");
}

static void threads_and_pins_move_too(void **state)
{
	(void)state;
	select_track("thread 2");
	screen_type("K");
	assert_string_equal(order(), "0/7 0/8 1/7 1/8 t2 t1");
	screen_type("p");
	assert_string_equal(order(), "t2 0/7 0/8 1/7 1/8 t1");
	screen_type("jp");
	assert_string_equal(order(), "t2 0/7 0/8 1/7 1/8 t1");
	screen_type("K");
	assert_string_equal(order(), "0/7 t2 0/8 1/7 1/8 t1");
}

static void hidden_lanes_are_moved_past(void **state)
{
	(void)state;
	screen_type("jxkJ");
	assert_string_equal(order(), "1/7 1/8 0/7 t1 t2"); /* 0/8 is hidden: the device moves */
	screen_type("X");
	assert_string_equal(order(), "1/7 1/8 0/7 0/8 t1 t2");
}

static void what_is_selected_stays_selected(void **state)
{
	(void)state;
	state_key(screen_st, K_TAB);
	row_id event = screen_st->view.event;
	assert_int_not_equal(event, NONE_ID);
	screen_type("J");
	assert_int_equal(screen_st->view.event, event);
}

static void the_palette_moves_them_by_name(void **state)
{
	(void)state;
	screen_type(":move-lane-d");
	state_key(screen_st, K_ENTER);
	assert_string_equal(order(), "0/8 0/7 1/7 1/8 t1 t2");
}

static const char *groups(void)
{
	static char text[64];
	const struct lane_groups *g = &screen_st->lanes.groups;
	*text = 0;
	for (uint32_t i = 0; i < g->n; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%u", g->order[i]);
	return text;
}

/* Where every device has one row, that row moves, pinned ones among themselves; it is remembered like the others. */
static void rows_of_devices_move(void **state)
{
	(void)state;
	screen_close();
	struct build b = build_new("chrome");
	for (int i = 0; i < 4; i++) {
		launch(&b, 1, 10 + i, 1, 1u + (uint64_t)i);
		kernel(&b, i, 7, "gemm", 100 + i * 10, 50, 1u + (uint64_t)i);
	}
	screen_open(&b, 30, 100);
	reopen();
	assert_string_equal(groups(), "0123");
	screen_type("JJ");
	assert_string_equal(groups(), "1203");
	screen_type("jpK");
	assert_string_equal(groups(), "3120");
	assert_non_null(strstr(screen_line(-2), "it is the first one"));
	arrangement_keep(screen_st);
	reopen();
	assert_string_equal(groups(), "3120");
	screen_type(":forget");
	state_key(screen_st, K_ENTER);
	assert_string_equal(groups(), "0123");
}

/* ---- remembered --------------------------------------------------------------------------------------------------------- */

static void arranged_lanes_and_marks_are_there_again(void **state)
{
	(void)state;
	reopen();
	screen_type("J");  /* 0/8 0/7 */
	screen_type("jx"); /* 1/7 hidden */
	select_track("thread 2");
	screen_type("p");
	screen_type(":400us");
	state_key(screen_st, K_ENTER);
	screen_type("ma:mark b the wait");
	state_key(screen_st, K_ENTER);
	screen_type("5mk");
	assert_true(screen_st->arranged);
	arrangement_keep(screen_st);
	reopen();
	assert_string_equal(order(), "t2 0/8 0/7 1/8 t1");
	assert_non_null(strstr(screen_line(-2), "1 hidden (X)"));
	screen_type("'a");
	assert_int_equal(screen_st->view.cursor_ns, US(400));
	assert_string_equal(screen_st->mark_names[1], "the wait");
	screen_type("'k");
	assert_int_equal(screen_st->view.pane, PANE_TABLE);
	assert_string_equal(analysis_at(screen_st->view.analysis)->name, "kernels");
}

static void forgotten_it_is_as_at_first(void **state)
{
	(void)state;
	reopen();
	screen_type("JjxmaX");
	arrangement_keep(screen_st);
	screen_type(":forget");
	state_key(screen_st, K_ENTER);
	assert_string_equal(order(), "0/7 0/8 1/7 1/8 t1 t2");
	assert_false(screen_st->marked[0]);
	reopen();
	assert_string_equal(order(), "0/7 0/8 1/7 1/8 t1 t2");
	assert_false(screen_st->marked[0]);
	screen_type(":forget everything");
	state_key(screen_st, K_ENTER);
	assert_non_null(strstr(screen_line(-2), "write :forget, or :forget all"));
}

static char *path_of(char buf[static 200])
{
	snprintf(buf, 200, "%s/stepscope/arranged", state_home);
	return buf;
}

static size_t read_file(char *text, size_t size)
{
	char path[200];
	FILE *f = fopen(path_of(path), "r");
	size_t n = f ? fread(text, 1, size - 1, f) : 0;
	text[n] = 0;
	if (f)
		fclose(f);
	return n;
}

static void write_file(const char *text, size_t n)
{
	char path[200];
	FILE *f = fopen(path_of(path), "w");
	assert_non_null(f);
	fwrite(text, 1, n, f);
	fclose(f);
}

static void nothing_is_kept_unless_it_may_be(void **state)
{
	(void)state;
	char text[64], path[200];
	unlink(path_of(path));
	screen_type("JxJma"); /* of the state that does not remember */
	arrangement_keep(screen_st);
	assert_int_equal(read_file(text, sizeof text), 0);
}

static void other_traces_stay_and_old_ones_go(void **state)
{
	(void)state;
	static char text[300000];
	size_t n = 0;
	for (int i = 0; i < 80; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "trace %016x\npin 1:1\n", i);
	reopen();
	screen_type("J");
	arrangement_keep(screen_st);
	write_file(text, n);
	arrangement_keep(screen_st);
	read_file(text, sizeof text);
	int traces = 0;
	for (const char *p = text; (p = strstr(p, "trace ")); p++)
		traces++;
	assert_int_equal(traces, 64);
	assert_null(strstr(text, "trace 000000000000004f")); /* the one that was changed longest ago */
	assert_non_null(strstr(text, "trace 0000000000000000"));
	reopen();
	assert_string_equal(order(), "0/8 0/7 1/7 1/8 t1 t2");
}

/* Lines cut, turned round, repeated, made of anything: what is understood is taken, nothing crashes, the lanes are all there. */
static void a_damaged_file_does_no_harm(void **state)
{
	(void)state;
	static char sound[8192], text[8192];
	unsigned seed = 3;
	reopen();
	screen_type("Jjjxjpma:mark b name");
	state_key(screen_st, K_ENTER);
	arrangement_keep(screen_st);
	size_t n = read_file(sound, sizeof sound);
	assert_true(n > 100);
	for (int run = 0; run < 100; run++) {
		memcpy(text, sound, n);
		for (int k = 0; k < 1 + run % 9; k++) {
			seed = seed * 1103515245u + 12345u;
			size_t at = 23 + (seed >> 8) % (n - 23); /* after the line that names the trace */
			text[at] = "0123456789 -:\nabz\xff\x01"[(seed >> 20) % 19];
		}
		write_file(text, n - (run % 7 == 0 ? (seed >> 12) % 60 : 0));
		reopen();
		screen_draw();
		screen_type("'a'b2JKX");
		screen_draw();
		assert_int_equal(screen_st->lanes.n_pins <= 6, 1);
		assert_int_equal(strlen(order()) > 20, 1);
	}
	static const char *const absurd[] = {"", "\n", "trace", "mark a Timeline -5 0 99999999999999999999 -",
					     "pin 99999:1"};
	for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
		write_file(absurd[i], strlen(absurd[i]));
		reopen();
		assert_string_equal(order(), "0/7 0/8 1/7 1/8 t1 t2");
	}
}

static int in_a_home(void **state)
{
	(void)state;
	if (!mkdtemp(state_home))
		return -1;
	return setenv("XDG_STATE_HOME", state_home, 1);
}

static int out_of_it(void **state)
{
	(void)state;
	char path[200];
	unlink(path_of(path));
	snprintf(path, sizeof path, "%s/stepscope", state_home);
	rmdir(path);
	return rmdir(state_home);
}

int main(void)
{
#define ARRANGED(test) cmocka_unit_test_setup_teardown(test, start, stop)
	const struct CMUnitTest tests[] = {
		ARRANGED(a_stream_moves_among_its_devices_and_then_the_device_moves),
		ARRANGED(threads_and_pins_move_too),
		ARRANGED(hidden_lanes_are_moved_past),
		ARRANGED(what_is_selected_stays_selected),
		ARRANGED(the_palette_moves_them_by_name),
		ARRANGED(rows_of_devices_move),
		ARRANGED(arranged_lanes_and_marks_are_there_again),
		ARRANGED(forgotten_it_is_as_at_first),
		ARRANGED(nothing_is_kept_unless_it_may_be),
		ARRANGED(other_traces_stay_and_old_ones_go),
		ARRANGED(a_damaged_file_does_no_harm),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, in_a_home, out_of_it);
}
