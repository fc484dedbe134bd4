/* What is learned about the shape of entries: all there is, wherever the window ends. */
#include "importers/chrome/entry.h"
#include "importers/source.h"
#include "tests/unit/unit.h"
#include <stdlib.h>
#include <string.h>

static const char entry_text[] =
	"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::add\", \"pid\": 1, \"tid\": 7, \"ts\": 17.5, "
	"\"dur\": 2.25, \"args\": {\"External id\": 12, \"Ev Idx\": 3}}";

/* Scans the first n bytes of the text, as a window that ends there has them. Returns how many bytes were taken, 0 = none. */
static size_t scan(struct scanner *s, struct batch *b, size_t n, enum fault *why)
{
	char window[sizeof entry_text + SOURCE_PAD] = {0};
	memcpy(window, entry_text, n);
	const char *behind = entry_scan(s, b, window, window + n, 0, why);
	return behind ? (size_t)(behind - window) : 0;
}

/* Keys whose texts hold them with all that is known before the next value: name, ts, dur, External id, Ev Idx, the end. */
enum { STEPS_OF_ENTRY = 6 };

static void a_shape_is_learned_whole_wherever_a_window_ends(void **state)
{
	(void)state;
	const size_t all = sizeof entry_text - 1;
	for (size_t n = 1; n < all; n++) {
		struct scanner s = {0};
		struct batch *b = calloc(1, sizeof *b);
		enum fault why;
		layout_init(&s.layout);
		assert_int_equal(scan(&s, b, n, &why), 0);
		assert_int_equal(why, FAULT_MORE);
		assert_int_equal(b->n_items, 0);
		assert_int_equal(scan(&s, b, all, &why), all);
		assert_int_equal(b->item[0].n, STEPS_OF_ENTRY);
		assert_int_equal(s.layout.n, STEPS_OF_ENTRY);
		batch_free(b);
		free(b);
		layout_free(&s.layout);
	}
}

static void entries_in_a_row_are_scanned_at_once(void **state)
{
	(void)state;
	struct scanner s = {0};
	struct batch *b = calloc(1, sizeof *b);
	enum fault why;
	char window[3 * sizeof entry_text + SOURCE_PAD];
	int n = snprintf(window, sizeof window, "%s,\n %s, 5", entry_text, entry_text);
	memset(window + n, 0, sizeof window - (size_t)n);
	layout_init(&s.layout);
	const char *behind = entry_scan(&s, b, window, window + n, 100, &why);
	assert_string_equal(behind, ", 5");
	assert_int_equal(b->n_items, 2);
	assert_int_equal(b->item[0].at, 100);
	assert_int_equal(b->item[1].at, 100 + sizeof entry_text - 1 + 3);
	assert_int_equal(s.layout.n, STEPS_OF_ENTRY);
	batch_free(b);
	free(b);
	layout_free(&s.layout);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shape_is_learned_whole_wherever_a_window_ends),
		cmocka_unit_test(entries_in_a_row_are_scanned_at_once),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
