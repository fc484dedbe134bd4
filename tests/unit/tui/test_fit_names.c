/* Names of one list in little room: what differs is cut where it is equal, so that it looks different. */
#include "tests/unit/unit.h"
#include "tui/text/fit_names.h"
#include "tui/text/utf8.h"
#include <string.h>

#define DOTS "\xe2\x80\xa6"
enum { MOST = 8 };

static void check(const char *const *names, const char *const *want, size_t n, int cols)
{
	struct arena mem = {0};
	const char *out[MOST];
	names_fit(names, n, cols, out, &mem);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(out[i], want[i]);
		assert_true(utf8_width(out[i]) <= cols);
	}
	arena_free(&mem);
}
#define CHECK(cols, names, want) check(names, want, sizeof(names) / sizeof *(names), cols)

static void what_fits_stays(void **state)
{
	(void)state;
	const char *const names[] = {"relu", "gelu", "relu"};
	CHECK(4, names, names);
}

static void names_that_differ_in_the_middle_show_their_middle(void **state)
{
	(void)state;
	const char *const names[] = {"volta_scudnn_128x64_relu_xregs_large_nn_v1",
				     "volta_scudnn_128x64_relu_small_large_nn_v1"},
			  *const want[] = {"volta_scud" DOTS "xregs" DOTS, "volta_scud" DOTS "small" DOTS};
	struct arena mem = {0};
	const char *out[2];
	names_fit(names, 2, 24, out, &mem);
	assert_non_null(strstr(out[0], "xregs"));
	assert_non_null(strstr(out[1], "small"));
	assert_int_equal(strncmp(out[0], want[0], 9), 0); /* both begin as the names do */
	assert_int_equal(strncmp(out[1], want[1], 9), 0);
	assert_true(utf8_width(out[0]) <= 24 && utf8_width(out[1]) <= 24);
	arena_free(&mem);
}

static void a_number_is_shown_with_its_word(void **state)
{
	(void)state;
	const char *const names[] = {"sm90_xmma_gemm_bf16bf16_128x64_warpspecialized_tn_cublas",
				     "sm90_xmma_gemm_bf16bf16_128x32_warpspecialized_tn_cublas"};
	struct arena mem = {0};
	const char *out[2];
	names_fit(names, 2, 26, out, &mem);
	assert_non_null(strstr(out[0], "128x64"));
	assert_non_null(strstr(out[1], "128x32"));
	arena_free(&mem);
}

/* Two of the three are still alike when the third has been distinguished. */
static void three_are_told_apart(void **state)
{
	(void)state;
	const char *const names[] = {"aaaaaaaaaaaaaaaa_x_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb_1_cccccccccccccccc",
				     "aaaaaaaaaaaaaaaa_x_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb_2_cccccccccccccccc",
				     "aaaaaaaaaaaaaaaa_y_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb_2_cccccccccccccccc"};
	struct arena mem = {0};
	const char *out[3];
	names_fit(names, 3, 20, out, &mem);
	for (int i = 0; i < 3; i++) {
		assert_true(utf8_width(out[i]) <= 20);
		assert_string_not_equal(out[i], out[(i + 1) % 3]);
	}
	arena_free(&mem);
}

/* A word of several bytes is never cut inside a character, and the same name twice is no reason to cut elsewhere. */
static void characters_stay_whole(void **state)
{
	(void)state;
	const char *const names[] = {
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4_\xc3\xa4_bbbbbbbbbbbbbbbb",
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4_\xc3\xb6_bbbbbbbbbbbbbbbb"};
	struct arena mem = {0};
	const char *out[2];
	names_fit(names, 2, 12, out, &mem);
	assert_non_null(strstr(out[0], DOTS "\xc3\xa4_"));
	assert_non_null(strstr(out[1], DOTS "\xc3\xb6_"));
	assert_null(strstr(out[0], "\xef\xbf\xbd"));
	const char *const twice[] = {"aaaaaaaaaaaaaaaaaaaa_x_bbbbbbbbbb", "aaaaaaaaaaaaaaaaaaaa_x_bbbbbbbbbb"};
	names_fit(twice, 2, 12, out, &mem);
	assert_string_equal(out[0], out[1]);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits_stays),
		cmocka_unit_test(names_that_differ_in_the_middle_show_their_middle),
		cmocka_unit_test(a_number_is_shown_with_its_word),
		cmocka_unit_test(three_are_told_apart),
		cmocka_unit_test(characters_stay_whole),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("fit_names", tests, NULL, NULL);
}
