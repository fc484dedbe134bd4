/* model/analysis/maths/text_order: against strcmp. */
#include "model/analysis/maths/text_order.h"
#include "tests/unit/seeded.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MOST = 4000 };

static int in_order(const void *x, const void *y, void *arg)
{
	str_id a = *(const str_id *)x, b = *(const str_id *)y;
	int order = strcmp(strings_z(arg, a), strings_z(arg, b));
	return order ? order : (a > b) - (a < b);
}

/* All texts, the last one first. */
static void assert_sorted(const struct strings *s)
{
	static str_id got[MOST], want[MOST];
	uint32_t n = strings_count(s);
	for (uint32_t i = 0; i < n; i++)
		got[i] = want[i] = n - 1 - i;
	text_order_sort(s, got, n);
	qsort_r(want, n, sizeof *want, in_order, (void *)s);
	assert_memory_equal(got, want, n * sizeof *want);
}

static void add_all(struct strings *s, const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strings_addz(s, texts[i]);
}
#define ADD(s, ...)                                               \
	do {                                                      \
		static const char *const texts[] = {__VA_ARGS__}; \
		add_all(s, texts, sizeof texts / sizeof *texts);  \
	} while (0)

static void none_and_one(void **state)
{
	(void)state;
	struct strings *s = strings_new();
	str_id one = strings_addz(s, "gemm");
	text_order_sort(s, &one, 0);
	text_order_sort(s, &one, 1);
	assert_string_equal(strings_z(s, one), "gemm");
	strings_free(s);
}

static void one_begins_like_another(void **state)
{
	(void)state;
	struct strings *s = strings_new();
	ADD(s, "gemm", "gem", "gemm_kernel", "gemm_kernel_bf16", "gemm_ker", "g", "gemm_kernel_bf16_128x128",
	    "\xc3\xa4", "gemm_kernel_bf17", "Gemm", "gemm_kern", "gemm_kernels", "gemm_kernel_", "a",
	    "gemm_kernel_bf16_", "\x01");
	assert_sorted(s);
	strings_free(s);
}

static void texts_end_at_their_first_nul(void **state)
{
	(void)state;
	struct strings *s = strings_new();
	for (int i = 0; i < 64; i++) {
		char text[24] = "same_beginning\0";
		text[16] = (char)('z' - i % 32);
		strings_add(s, text, 16u + (unsigned)i / 32 * 4 + 1);
		strings_add(s, text, 14);
	}
	assert_sorted(s);
	strings_free(s);
}

/* Pieces that many have in common, as mangled names do. */
static void texts_that_are_alike(void **state)
{
	static const char *const pieces[] = {
		"_ZN2at6native", "29vectorized_elementwise_kernelILi4ENS0_",  "EEvT1_", "a", "b", "\xff",
		"N3c104HalfE",   "_ZN7cutlass13device_kernelINS_4gemm6kernel"};
	(void)state;
	for (uint64_t run = 0; run < 20; run++) {
		struct strings *s = strings_new();
		seeded(run);
		while (strings_count(s) < MOST - 1) {
			char text[512];
			size_t n = 0;
			for (int64_t k = 1 + below(8); k > 0; k--) {
				const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
				memcpy(text + n, piece, strlen(piece));
				n += strlen(piece);
			}
			strings_add(s, text, n);
		}
		assert_sorted(s);
		strings_free(s);
	}
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_and_one),
		cmocka_unit_test(one_begins_like_another),
		cmocka_unit_test(texts_end_at_their_first_nul),
		cmocka_unit_test(texts_that_are_alike),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
