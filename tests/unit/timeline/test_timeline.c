/* What the explorer's screens show of the guide's large gap: pictures, the gap and its cause one key away from every pane, panes and help. */
#include "gap_screen.h"
#include <locale.h>
#include <unistd.h>

static const char *line(int y)
{
	draw();
	return surface_line(&screen, y);
}

/* ---- pictures ----------------------------------------------------------------------------------------------------- */

static void the_whole_trace(void **state)
{
	(void)state;
	type("2");
	char *all = picture();
	/* clang-format off */
	assert_string_equal(all,
" made.trace     1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide\n"
"    whole trace █████████████▆▇████████████!········▇████████████▇▆█████████████\n"
"                ▼0 ms                      │200 ms                     │400 ms\n"
"          steps │step 7      │step 8       │step 9                │step 10\n"
"GPU 0           │████████████┊·████████████60.000 ms·████████████·┊█████████████\n"
" stream 7 comp… │▏██▏███▏████▊█▏██▏███▏███▏█········████▏███▏██▏██▐███▏███▏██▏██\n"
"                │▏██▏███▏████▊█▏██▏███▏███▏█········████▏███▏██▏██▐███▏███▏██▏██\n"
"process 1       │            ┊             ┊                      ┊\n"
" thread 1       train█████████▏train████████▏train████████████████▏train████████\n"
"                ▁            ┊▁            ┊Iterat…▋▁             ▁\n"
"\n"
"\n"
"\n"
"\n"
"\n"
"\n"
"\n"
"\n"
"\n"
"                ▆ busy  █ kernel  · gap  █ op  █ annotation  █ runtime call\n"
"─ nothing selected ─────────────────────────────────────────────────────────────\n"
" lane stream 7   events 40   busy 400.000 ms (86.2 % of the trace)\n"
" stream 7  at 0 ns  view 464.000 ms\n"
"w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help\n");
	/* clang-format on */
	free(all);
}

static void the_biggest_gap(void **state)
{
	(void)state;
	type("b");
	char *all = picture();
	/* clang-format off */
	assert_string_equal(all,
" made.trace     1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide\n"
"    whole trace █████████████▆▇███████[████!········▇████]███████▇▆█████████████\n"
"                                │200 ms                 │250 ms\n"
"          steps │step 8          │step 9\n"
"GPU 0           █████████████████······· 8→9 60.000 ms ········█████████████████\n"
" stream 7 comp… ge…▏gemm▏gemm▏ge…▌····························▐gemm▏gemm▏gemm▏██\n"
"                ███▏████▏████▏███▌····························▐████▏████▏████▏██\n"
"process 1                        │\n"
" thread 1       train████████████│▏train████████████████████████████████████████\n"
"                                 ▕IteratorGetNext███████████▋ ▁\n"
"\n"
"\n"
"\n"
"\n"
"\n"
"─ gap 8→9: 60.000 ms, 37.5 % of 160.000 ms, GPU 0 ──────────────────────────────\n"
" cause input wait 55.000 ms (91.7 %), all in IteratorGetNext   confidence 0.89\n"
" from 202.000 ms to 262.000 ms   between markers 0 ns\n"
" advice See the table 'iterators': parallelise the bottleneck\n"
"        (num_parallel_calls=tf.data.AUTOTUNE), end the pipeline with\n"
"        prefetch(tf.data.AUTOTUNE).\n"
" before gemm   after gemm   then cudaLaunchKernel 50.000 us (0.1 %)\n"
" stream 7  at 202.000 ms  view 132.000 ms\n"
"w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help\n");
	/* clang-format on */
	free(all);
}

static void the_first_screen_is_useful(void **state)
{
	(void)state;
	screen_says("[1 Overview]");
	screen_says("8→9    60.000 ms  37.5 %  input");
	screen_says("gemm");
}

static void an_ascii_screen_has_only_ascii(void **state)
{
	(void)state;
	screen.ascii = true;
	type("b");
	char *all = picture();
	for (char *p = all; *p; p++)
		assert_in_range((unsigned char)*p, '\n', '~');
	assert_non_null(strstr(all, "8>9 60.000 ms"));
	free(all);
	screen.ascii = false;
}

static void a_name_cannot_drive_the_terminal(void **state)
{
	(void)state;
	stop(NULL);
	struct build b = scene_gap();
	op(&b, 1, "\033]0;title\a\xff evil", 203 * MILLI, 55 * MILLI);
	d = derive(&b);
	st = state_new(&opts, d, -1, true);
	type("b");
	char *all = picture();
	for (char *p = all; *p; p++)
		assert_true(*p == '\n' || (unsigned char)*p >= ' ');
	assert_non_null(strstr(all, "evil"));
	free(all);
}

static void a_tiny_screen_says_what_it_needs(void **state)
{
	(void)state;
	state_resize(st, 9, 39);
	assert_string_equal(line(0), "too small");
	assert_string_equal(line(1), "need 40x10");
}

/* ---- the promise -------------------------------------------------------------------------------------------------- */

static void gap_length_and_cause_are_one_key_away_from_every_pane(void **state)
{
	(void)state;
	for (const char *pane = "135"; *pane; pane++) {
		char keys[] = {*pane, 'b', 0};
		type(keys);
		screen_says("gap 8→9: 60.000 ms, 37.5 % of 160.000 ms, GPU 0");
		screen_says("cause input wait 55.000 ms (91.7 %), all in IteratorGetNext");
	}
}

static void the_next_biggest_gap_follows(void **state)
{
	(void)state;
	type("bb");
	screen_says("gap 7→8: 2.000 ms");
	type("b");
	screen_says("gap 9→10: 2.000 ms");
	type("b");
	screen_says("gap 8→9: 60.000 ms");
}

/* Zoomed, moved to an event, to another pane and back: as `n` goes on to the next hit, `b` goes on to the next gap. */
static void it_follows_after_leaving_the_gap_too(void **state)
{
	(void)state;
	type("2bwdjj");
	state_key(st, K_TAB);
	type("b");
	screen_says("gap 7→8: 2.000 ms");
	screen_says("the next biggest gap, number 2; Esc and b: the biggest again");
	type("42b");
	screen_says("gap 9→10: 2.000 ms");
	type("w");
	state_key(st, K_ESC);
	type("b");
	screen_says("gap 8→9: 60.000 ms");
}

static void where_the_biggest_was_chosen_otherwise_the_next_follows(void **state)
{
	(void)state;
	type(":gap biggest");
	state_key(st, K_ENTER);
	type("b");
	screen_says("gap 7→8: 2.000 ms");
}

static void another_window_begins_with_its_own_biggest(void **state)
{
	(void)state;
	type("2bb:window step:9..10");
	state_key(st, K_ENTER);
	type("b");
	screen_says("gap 8→9: 60.000 ms");
}

static void three_keys_export_the_gap(void **state)
{
	(void)state;
	char dir[] = "/tmp/export-test-XXXXXX", before[512];
	assert_non_null(getcwd(before, sizeof before));
	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	type("beh");
	screen_says("wrote stepscope-gap-1.html");
	assert_int_equal(access("stepscope-gap-1.html", R_OK), 0);
	type("eh");
	screen_says("wrote stepscope-gap-1-2.html");
	unlink("stepscope-gap-1.html");
	unlink("stepscope-gap-1-2.html");
	assert_int_equal(chdir(before), 0);
	rmdir(dir);
}

/* ---- panes --------------------------------------------------------------------------------------------------------- */

static void a_pane_without_records_says_so(void **state)
{
	(void)state;
	type("7");
	screen_says("No allocation is recorded in this trace.");
	screen_says("[Memory]");
}

static void the_selection_survives_a_resize(void **state)
{
	(void)state;
	type("b");
	state_resize(st, 60, 200);
	screen_says("gap 8→9: 60.000 ms, 37.5 % of 160.000 ms, GPU 0");
	screen_says("8→9 60.000 ms");
	state_resize(st, 24, 80);
	screen_says("8→9 60.000 ms");
}

static void help_lists_every_key_of_the_pane(void **state)
{
	(void)state;
	state_resize(st, 300, 100);
	type("2?");
	size_t n;
	const struct key_binding *b = keymap(&n);
	for (size_t i = 0; i < n; i++)
		if (*b[i].help && strlen(b[i].help) < 60)
			screen_says(b[i].help);
	type("q");
	screen_says("[2 Timeline]");
}

static void each_digit_opens_its_pane(void **state)
{
	static const struct {
		const char *keys, *title, *says;
	} panes[] = {{"1", "[1 Overview]", "Device busy"}, {"2", "[2 Timeline]", "whole trace"},
		     {"3", "[3 Steps]", "gap before"},     {"4", "[4 Ops]", "count"},
		     {"5", "[5 Kernels]", "gemm"},         {"6", "[6 Input]", "Bottleneck"},
		     {"9", "[9 Guide]", "what to do"}};
	(void)state;
	for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
		type(panes[i].keys);
		screen_says(panes[i].title);
		screen_says(panes[i].says);
	}
}

static void pictures_turn_into_tables_and_back(void **state)
{
	(void)state;
	type("3t");
	screen_says("[3 Steps]");
	screen_says("device compute");
	screen_keeps_quiet_about("gap before");
	type("t");
	screen_says("gap before");
	type("5t");
	screen_says("no picture");
}

static void a_step_tells_the_gap_before_it(void **state)
{
	(void)state;
	type("3jj");
	screen_says("60.000 ms: input wait 55.000 ms");
	state_key(st, K_ENTER);
	screen_says("step 9");
	screen_says("[2 Timeline]");
	state_key(st, K_BACKSPACE);
	screen_says("60.000 ms: input wait 55.000 ms");
}

static void panes_fit_any_screen(void **state)
{
	(void)state;
	for (int rows = 10; rows < 40; rows += 7)
		for (int cols = 40; cols < 220; cols += 33) {
			state_resize(st, rows, cols);
			type("3jGgfq6jGgfq9jGgfq");
			free(picture());
		}
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		TEST(the_whole_trace),
		TEST(the_biggest_gap),
		TEST(the_first_screen_is_useful),
		TEST(an_ascii_screen_has_only_ascii),
		TEST(a_name_cannot_drive_the_terminal),
		TEST(a_tiny_screen_says_what_it_needs),
		TEST(gap_length_and_cause_are_one_key_away_from_every_pane),
		TEST(the_next_biggest_gap_follows),
		TEST(it_follows_after_leaving_the_gap_too),
		TEST(where_the_biggest_was_chosen_otherwise_the_next_follows),
		TEST(another_window_begins_with_its_own_biggest),
		TEST(three_keys_export_the_gap),
		TEST(a_pane_without_records_says_so),
		TEST(the_selection_survives_a_resize),
		TEST(help_lists_every_key_of_the_pane),
		TEST(each_digit_opens_its_pane),
		TEST(pictures_turn_into_tables_and_back),
		TEST(a_step_tells_the_gap_before_it),
		TEST(panes_fit_any_screen),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	surface_free(&screen);
	return failed;
}
