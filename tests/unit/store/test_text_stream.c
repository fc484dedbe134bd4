/* model/store/files/text_stream: all that was written, or nothing. */
#include "model/store/files/text_stream.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void nothing_is_an_empty_text(void **state)
{
	(void)state;
	struct text_stream s;
	assert_non_null(text_stream_open(&s));
	size_t n = 1;
	char *text = text_stream_close(&s, &n);
	assert_int_equal(n, 0);
	assert_string_equal(text, "");
	free(text);
}

static void a_text_longer_than_any_buffer_is_kept_as_it_was_written(void **state)
{
	(void)state;
	enum { LINES = 100000, LINE_BYTES = 7 };
	struct text_stream s;
	FILE *f = text_stream_open(&s);
	assert_non_null(f);
	for (int i = 0; i < LINES; i++)
		fprintf(f, "%06d%c", i, 0);
	size_t n;
	char *text = text_stream_close(&s, &n);
	assert_int_equal(n, LINES * LINE_BYTES);
	for (int i = 0; i < LINES; i++)
		assert_int_equal(atoi(text + (size_t)i * LINE_BYTES), i);
	assert_int_equal(text[n], 0);
	free(text);
}

static void a_text_that_memory_does_not_hold_is_none(void **state)
{
	(void)state;
	struct text_stream s;
	FILE *f = text_stream_open(&s);
	assert_non_null(f);
	fputs("lost", f);
	s.n = SIZE_MAX - strlen("lost");
	assert_int_not_equal(fflush(f), 0);
	s.n = 0;
	fputs("kept, but what was before is not", f);
	assert_null(text_stream_close(&s, NULL));
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_an_empty_text),
		cmocka_unit_test(a_text_longer_than_any_buffer_is_kept_as_it_was_written),
		cmocka_unit_test(a_text_that_memory_does_not_hold_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
