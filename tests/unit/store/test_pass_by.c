/* What goes past the caches arrives as it was, whatever its length and wherever it lay. */
#include "tests/unit/unit.h"
#include "model/store/base/pass_by.h"

enum { MOST = 200 };

static void any_length_from_any_place(void **state)
{
	_Alignas(PASS_BY_ALIGN) unsigned char to[MOST + PASS_BY_SLACK];
	unsigned char from[MOST + 16 + PASS_BY_SLACK];
	(void)state;
	for (size_t i = 0; i < sizeof from; i++)
		from[i] = (unsigned char)(i * 37 + 1);
	for (size_t at = 0; at < 16; at++)
		for (size_t n = 0; n <= MOST; n++) {
			memset(to, 0, sizeof to);
			pass_by(to, from + at, n);
			pass_by_end();
			assert_memory_equal(to, from + at, n);
			assert_true(n + PASS_BY_SLACK > MOST || to[n + PASS_BY_SLACK - 1] == 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_length_from_any_place),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
