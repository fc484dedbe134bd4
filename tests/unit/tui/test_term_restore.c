/* The terminal comes back, and stays back, whatever other threads are about to draw. A pipe stands for the terminal. */
#include "tui/screen/term_restore.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const char undo[] = "\033[?1049l";

/* What has been written to the pipe since. */
static const char *seen(int from)
{
	static char text[256];
	ssize_t n = read(from, text, sizeof text - 1);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

static void what_is_drawn_after_the_end_goes_nowhere(void **state)
{
	(void)state;
	int ends[2];
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	term_restore_arm(ends[1]);
	term_restore_undo(undo, strlen(undo));
	assert_int_equal(write(ends[1], "a frame", 7), 7);
	assert_string_equal(seen(ends[0]), "a frame");
	term_restore_now();
	assert_int_equal(write(ends[1], "\033[?1049h", 8), 8);
	assert_string_equal(seen(ends[0]), undo);
	term_restore_now(); /* once is enough */
	assert_string_equal(seen(ends[0]), "");
	term_restore_disarm();
	close(ends[0]);
	close(ends[1]);
}

static void a_screen_that_was_given_back_can_be_written_to(void **state)
{
	(void)state;
	int ends[2];
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	term_restore_arm(ends[1]);
	term_restore_undo(undo, strlen(undo));
	term_restore_disarm();
	term_restore_now();
	assert_int_equal(write(ends[1], "text", 4), 4);
	assert_string_equal(seen(ends[0]), "text");
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_drawn_after_the_end_goes_nowhere),
		cmocka_unit_test(a_screen_that_was_given_back_can_be_written_to),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
