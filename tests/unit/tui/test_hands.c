/* The explorer's hands without a terminal: filter, search, palette, marks, copies. Keys go in, the screen comes out as text. The
 * trace is that of gap_screen.h: device work of steps 7 to 10 on stream 7, IteratorGetNext between 8 and 9. */
#include "tests/unit/derive_trace.h"
#include "tests/unit/scenes.h"
#include "tests/unit/surface_dump.h"
#include "tui/explorer/state.h"
#include "tui/keys/keys_file.h"
#include "tui/screen/clip.h"
#include <stdlib.h>

static struct derived *d;
static struct state *st;
static struct surface screen;
static struct app_opts opts = {.program = "stepscope"};
static const char *const paths[] = {"made.trace"};

static int start(void **state)
{
	(void)state;
	struct build b = scene_gap();
	op(&b, 1, "IteratorGetNext", 203 * MILLI, 55 * MILLI);
	copy(&b, 0, 13, COPY_H2D, 4 << 20, 210 * MILLI, 150, 0);
	d = derive(&b);
	opts.paths = paths;
	opts.n_paths = 1;
	st = state_new(&opts, d, -1, true);
	state_resize(st, 24, 80);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	state_free(st);
	derived_free(d);
	return 0;
}

static void type(const char *keys)
{
	for (; *keys; keys++)
		state_key(st, *keys == '\n' ? K_ENTER : (unsigned char)*keys);
}

static void draw(void)
{
	surface_resize(&screen, st->rows, st->cols);
	state_draw(st, &screen);
}

static void screen_says(const char *text)
{
	draw();
	surface_says(&screen, text);
}

static void screen_keeps_quiet_about(const char *text)
{
	draw();
	surface_keeps_quiet_about(&screen, text);
}

/* ---- filter ------------------------------------------------------------------------------------------------------- */

static void a_filter_dims_the_others_in_all_lanes(void **state)
{
	(void)state;
	st->patterns = true; /* as with NO_COLOR */
	type("2&kind=memcpy\n");
	screen_says("1 event passes kind=memcpy");
	screen_says("\xe2\x96\x91\xe2\x96\x91\xe2\x96\x91\xe2\x96\x91"); /* ░ stands for what does not pass */
	screen_keeps_quiet_about("train");                               /* nor has it names */
	screen_keeps_quiet_about("gemm");
}

static void twice_the_sign_hides_them_and_dims_them_again(void **state)
{
	(void)state;
	st->patterns = true;
	type("2&kind=memcpy\n&&");
	screen_says("what does not pass a filter is hidden");
	screen_keeps_quiet_about("\xe2\x96\x91");
	type("&&");
	screen_says("what does not pass a filter is dimmed");
	screen_says("\xe2\x96\x91");
}

static void one_key_clears_it(void **state)
{
	(void)state;
	type("2&kind=memcpy\nc");
	screen_says("no filter");
	assert_null(st->filter);
	assert_null(st->hits);
	screen_says("train");
	type("c");
	screen_says("no filter is set");
}

static void tab_passes_over_what_does_not_match(void **state)
{
	(void)state;
	row_id wanted = row_named(derived_trace(d), "IteratorGetNext");
	type("2&name=IteratorGetNext\n");
	for (int i = 0; i < 5 && st->view.event != wanted; i++) {
		type("j");
		state_key(st, K_HOME);
		state_key(st, K_TAB);
	}
	assert_int_equal(st->view.event, wanted);
	state_key(st, K_TAB);
	screen_says("no later event on this lane passes the filter");
}

/* ---- search ------------------------------------------------------------------------------------------------------- */

static void a_search_is_answered_while_it_is_typed(void **state)
{
	(void)state;
	row_id wanted = row_named(derived_trace(d), "IteratorGetNext");
	type("2/iter");
	assert_int_equal(st->view.event, wanted);
	screen_says("1 of 1 for /iter/");
	state_key(st, K_ESC);
	assert_int_equal(st->view.event, NONE_ID);
	assert_null(st->search);
	type("/iter\n");
	assert_int_equal(st->view.event, wanted);
	screen_says("1 of 1 for /iter/");
	state_key(st, K_BACKSPACE);
	assert_int_equal(st->view.event, NONE_ID);
}

static void hits_are_numbered(void **state)
{
	(void)state;
	type("2/train\n");
	screen_says("1 of 4 for /train/");
	type("n");
	screen_says("2 of 4 for /train/");
	type("N");
	screen_says("1 of 4 for /train/");
}

static void capitals_count_when_there_are_any(void **state)
{
	(void)state;
	type("2/Train\n");
	screen_says("no event matches /Train/");
}

static void a_search_speaks_the_filters_language(void **state)
{
	(void)state;
	type("2/kind=memcpy dur>100us\n");
	screen_says("1 of 1 for /kind=memcpy dur>100us/");
	assert_int_equal(trace_columns(derived_trace(d))->kind[st->view.event], KIND_COPY);
	type("5/kind=memcpy\n");
	screen_says("fields belong to events");
}

static void half_a_pattern_leaves_what_was_found(void **state)
{
	(void)state;
	type("2/iter(");
	screen_says("1 of 1 for /iter/");
	type("\n");
	screen_says("missing closing parenthesis");
}

/* ---- palette ------------------------------------------------------------------------------------------------------ */

static void the_palette_lists_while_typing_and_shows_keys(void **state)
{
	(void)state;
	type("2:fold");
	screen_says("action   fold");
	screen_says("z          show all rows");
	state_key(st, K_ESC);
	screen_keeps_quiet_about("show all rows");
}

/* One forgot the key of an action: `:` and four letters show it, Enter does it. */
static void an_action_is_done_by_its_name(void **state)
{
	(void)state;
	type("1:bigg\n");
	screen_says("[2 Timeline]");
	assert_non_null(st->view.gap);
}

static void names_and_places_are_found(void **state)
{
	(void)state;
	type("1:gemm\n");
	screen_says("[2 Timeline]");
	assert_string_equal(trace_str(derived_trace(d), trace_columns(derived_trace(d))->name[st->view.event]), "gemm");
	type("1:step 9\n");
	assert_string_equal(derived_step(d, st->view.step)->label, "9");
	type("1:stream 13\n");
	assert_int_equal(st->lanes.at[st->view.lane].track, stream_track(d, 13));
	type(":guide\n");
	screen_says("[9 Guide]");
}

static void down_chooses_and_a_command_that_wants_a_word_goes_on(void **state)
{
	(void)state;
	type(":goto");
	state_key(st, K_DOWN);
	state_key(st, K_ENTER);
	screen_says(":goto ");
	assert_int_equal(st->mode, MODE_PROMPT);
	type("262ms\n");
	assert_int_equal(st->view.cursor_ns, 262 * 1000000);
}

static void commands_are_obeyed_as_before(void **state)
{
	(void)state;
	type(":table gaps\n");
	screen_says("between");
	type(":tabl\n");
	screen_says("write :table NAME");
	type(":zzz\n");
	screen_says("no command \":zzz\"");
	type(":300ms\n");
	assert_int_equal(st->view.cursor_ns, 300 * 1000000);
}

static void candidates_are_listed(void **state)
{
	(void)state;
	type(":table step");
	screen_says("table steps");
	state_key(st, K_ESC);
	type("2&tc=");
	screen_says("tc=could");
	screen_says("tc=unknown");
	state_key(st, K_ESC);
	type("&stream=");
	screen_says("stream=13");
}

/* & mem Tab du Tab 100us Enter c: fifteen keys. */
static void long_copies_are_shown_and_cleared(void **state)
{
	(void)state;
	type("2&mem");
	state_key(st, K_TAB);
	type("du");
	state_key(st, K_TAB);
	type("100us\n");
	screen_says("1 event passes kind=memcpy dur>100us");
	type("c");
	assert_null(st->filter);
}

static void filters_are_kept_under_names(void **state)
{
	(void)state;
	type(":filter kind=memcpy\n:keep copies\nc");
	type("&@co");
	screen_says("@copies");
	state_key(st, K_TAB);
	type("dur>1us\n");
	screen_says("passes kind=memcpy dur>1us");
	type("c:keep copies\n&@copies\n");
	screen_says("no filter is kept as @copies");
	type(":keep a b\n");
	screen_says("a name is made of letters");
}

static void help_is_searched(void **state)
{
	(void)state;
	state_resize(st, 12, 60);
	type("2?/whole screen");
	screen_says("1 of 2 for /whole screen/"); /* two runs beside each other are drawn again by the same key */
	screen_says("Ctrl-l");
	type("\n");
	screen_says("Ctrl-l");
	screen_says("[Help]");
	type("/gap\nn");
	screen_says(" for /gap/");
	type("q");
	assert_int_equal(st->mode, MODE_PANE);
}

/* ---- the clipboard ------------------------------------------------------------------------------------------------ */

static void names_values_rows_and_commands_are_copied(void **state)
{
	(void)state;
	type("2/kind=memcpy\nyn");
	assert_string_equal(st->clip, "MemcpyH2D");
	screen_says("copied: MemcpyH2D");
	type("yv");
	assert_string_equal(st->clip, "150.000 us");
	type("yr");
	assert_string_equal(st->clip, "MemcpyH2D\t210.000 ms\t150.000 us");
	/* a kernel's full name: 5 y n */
	type("5yn");
	assert_string_equal(st->clip, "gemm");
	type("yv");
	assert_string_equal(st->clip, "400.000 ms");
	type(":window 100ms..200ms\nyw");
	assert_string_equal(st->clip, "stepscope report made.trace --window 100ms..200ms");
	type("1y");
	screen_says("copy: ");
	type("n");
	screen_says("nothing is selected that has this");
}

static void the_sequence_is_wrapped_for_what_lies_between(void **state)
{
	(void)state;
	/* clang-format off */
	static const struct { const char *text; enum clip_wrap wrap; const char *sequence; } cases[] = {
		{"",     CLIP_PLAIN,  "\033]52;c;\a"},
		{"a",    CLIP_PLAIN,  "\033]52;c;YQ==\a"},
		{"ab",   CLIP_PLAIN,  "\033]52;c;YWI=\a"},
		{"abc",  CLIP_PLAIN,  "\033]52;c;YWJj\a"},
		{"\xff\xfe?", CLIP_PLAIN, "\033]52;c;//4/\a"},
		{"abc",  CLIP_TMUX,   "\033Ptmux;\033\033]52;c;YWJj\a\033\\" "\033]52;c;YWJj\a"},
		{"abc",  CLIP_SCREEN, "\033P\033]52;c;YWJj\a\033\\"},
	};
	/* clang-format on */
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t n;
		char *got = clip_sequence(cases[i].text, strlen(cases[i].text), cases[i].wrap, &n);
		assert_string_equal(got, cases[i].sequence);
		assert_int_equal(n, strlen(got));
		free(got);
	}
}

/* ---- places ------------------------------------------------------------------------------------------------------- */

static void backspace_is_undone(void **state)
{
	(void)state;
	type("12b");
	struct view gap = st->view;
	state_key(st, K_BACKSPACE);
	assert_null(st->view.gap);
	type("\x12");
	assert_ptr_equal(st->view.gap, gap.gap);
	assert_int_equal(st->view.port.from_ns, gap.port.from_ns);
	type("\x12");
	screen_says("Backspace has left nothing");
	state_key(st, K_BACKSPACE);
	type("5\x12"); /* going elsewhere forgets what lay ahead */
	screen_says("Backspace has left nothing");
	type("Q");
	assert_true(st->quit);
}

static void idle_times_of_a_stream_one_by_one(void **state)
{
	(void)state;
	type("2i");
	assert_non_null(st->view.gap);
	int64_t first = st->view.gap->start_ns;
	assert_int_equal(st->view.gap->scope, GAP_STREAM);
	type("i");
	assert_true(st->view.gap->start_ns > first);
	type("I");
	assert_int_equal(st->view.gap->start_ns, first);
	type(":idle 50ms\n0");
	state_key(st, K_HOME);
	type("i");
	assert_int_equal(st->view.gap->dur_ns, 60 * MILLI * 1000);
	type("i");
	screen_says("no later idle time of 50.000 ms or more");
	type(":idle soon\n");
	screen_says("is not a time");
}

static void findings_one_by_one(void **state)
{
	(void)state;
	type("1;");
	screen_says("finding ");
	screen_says("[2 Timeline]");
	uint32_t first = st->finding;
	type(";");
	assert_true(st->finding != NONE_ID && (st->finding != first || first == 0));
}

/* M, the way to the other event: the status line says how far they are apart. */
static void time_between_two_events(void **state)
{
	(void)state;
	type("2M");
	screen_says("select an event first");
	state_key(st, K_TAB);
	type("M");
	screen_says("measuring from gemm");
	state_key(st, K_TAB);
	type("");
	screen_says("from gemm: 10.000 ms start to start, 0 ns end to start");
	type("M");
	screen_says("no longer measuring");
}

/* What messages say of keys holds for keys of the user's own, too. */
static void messages_name_the_keys_in_use(void **state)
{
	(void)state;
	static const char text[] = "show-lanes Ctrl-x\npin-lane none\nquit u\nclear-filter Ctrl-k\n";
	struct arena mem = {0};
	const struct key_binding *rows;
	assert_true(keys_file_read(text, sizeof text - 1, "keys", &mem, &rows, NULL));
	keymap_use(rows);
	type("2x");
	screen_says("hidden; Ctrl-x shows all again");
	type("\x18");
	screen_says("shown again");
	type("K");
	screen_says("it is the first one; :pin-lane pins a lane above all others");
	type("&kind=memcpy\n");
	screen_says("Ctrl-k clears the filter");
	type("?");
	screen_says("u close");
	type("uu");
	screen_says("u once more leaves; Q leaves at once");
	keymap_use(NULL);
	arena_free(&mem);
}

static void lanes_are_hidden_and_pinned(void **state)
{
	(void)state;
	type("2");
	uint32_t stream = st->lanes.at[st->view.lane].track, n = st->lanes.n;
	type("x");
	screen_says("hidden; X shows all again");
	assert_true(st->lanes.n < n);
	assert_int_not_equal(st->lanes.at[st->view.lane].track, stream);
	type("X");
	assert_int_equal(st->lanes.n, n);
	type("jjp");
	uint32_t pinned = st->lanes.at[0].track;
	assert_int_equal(st->lanes.at[st->view.lane].track, pinned);
	assert_int_equal(st->view.lane, 0);
	type("p");
	assert_int_not_equal(st->lanes.at[0].kind, LANE_ROW);
	type("Z");
	screen_says("and what is beside it hidden");
	/* what is asked for is shown */
	type("/gemm\n");
	assert_int_equal(st->lanes.at[st->view.lane].track, stream);
	for (int i = 0; i < 40; i++)
		type("x");
	screen_says("no lane would be left");
}

static void marks_are_named_listed_and_drawn(void **state)
{
	(void)state;
	type("2:205ms\nma'");
	screen_says("a 205.000 ms");
	state_key(st, K_ESC);
	state_key(st, K_END);
	screen_says("a");
	type(":mark a the wait\n:marks\n");
	screen_says("the wait   at 205.000 ms");
	type("q'a");
	assert_int_equal(st->view.cursor_ns, 205 * 1000000);
	type(":mark 1 x\n");
	screen_says("write :mark a NAME");
}

int main(void)
{
#define HANDS(test) cmocka_unit_test_setup_teardown(test, start, stop)
	const struct CMUnitTest tests[] = {
		HANDS(a_filter_dims_the_others_in_all_lanes),
		HANDS(twice_the_sign_hides_them_and_dims_them_again),
		HANDS(one_key_clears_it),
		HANDS(tab_passes_over_what_does_not_match),
		HANDS(a_search_is_answered_while_it_is_typed),
		HANDS(hits_are_numbered),
		HANDS(capitals_count_when_there_are_any),
		HANDS(a_search_speaks_the_filters_language),
		HANDS(half_a_pattern_leaves_what_was_found),
		HANDS(the_palette_lists_while_typing_and_shows_keys),
		HANDS(an_action_is_done_by_its_name),
		HANDS(names_and_places_are_found),
		HANDS(down_chooses_and_a_command_that_wants_a_word_goes_on),
		HANDS(commands_are_obeyed_as_before),
		HANDS(candidates_are_listed),
		HANDS(long_copies_are_shown_and_cleared),
		HANDS(filters_are_kept_under_names),
		HANDS(help_is_searched),
		HANDS(names_values_rows_and_commands_are_copied),
		HANDS(the_sequence_is_wrapped_for_what_lies_between),
		HANDS(backspace_is_undone),
		HANDS(idle_times_of_a_stream_one_by_one),
		HANDS(findings_one_by_one),
		HANDS(time_between_two_events),
		HANDS(messages_name_the_keys_in_use),
		HANDS(lanes_are_hidden_and_pinned),
		HANDS(marks_are_named_listed_and_drawn),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
