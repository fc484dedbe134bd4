/* Filters on what analyses say of kernels: the same words as the tables say, asked of the overlay. */
#include "tests/unit/derive_trace.h"
#include "model/analysis/kernels/filter_said.h"

static struct derived *d;

/* Rows: mm_op (its launch, its product on Tensor Cores), plain product without them under the same op, relu, a copy. */
static int start(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	op(&b, 1, "aten::mm", 0, 50);
	launch(&b, 1, 10, 5, 77);
	kernel(&b, 0, 7, "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x3_nn", 100, 2000, 77);
	op(&b, 1, "aten::mm", 60, 50);
	launch(&b, 1, 70, 5, 78);
	kernel(&b, 0, 7, "volta_sgemm_128x64_nn", 3000, 2000, 78);
	kernel(&b, 0, 7, "vectorized_elementwise_kernel", 6000, 20, 0);
	copy(&b, 0, 13, COPY_H2D, 4 << 20, 300, 1, 0);
	d = derive(&b);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	derived_free(d);
	return 0;
}

static const char *passing(const char *text)
{
	static char names[256];
	const struct trace *t = derived_trace(d);
	struct err e = {.at = -1};
	struct filter *f = filter_new(text, &e);
	if (!f || !filter_bind_derived(f, d, NULL, &e))
		fail_msg("%s", e.msg);
	*names = 0;
	for (row_id r = 0; r < trace_columns(t)->n; r++)
		if (filter_match(f, r, NULL))
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s%.10s", *names ? ", " : "",
				 trace_str(t, trace_columns(t)->name[r]));
	filter_free(f);
	return names;
}

static void kernels_by_what_is_said_of_them(void **state)
{
	(void)state;
	/* clang-format off */
	static const struct { const char *filter, *passes; } cases[] = {
		{"tc=used",              "ampere_fp1"},
		{"tc=could",             "volta_sgem"},
		{"tc=used,could",        "ampere_fp1, volta_sgem"},
		{"tc=no",                "vectorized"},
		{"precision=fp16",       "ampere_fp1"},
		{"precision=fp32",       "volta_sgem"},
		{"family=gemm",          "ampere_fp1, volta_sgem"},
		{"kind=gemm dur>3ms",    ""},
		{"kind=elementwise",     "vectorized"},
		{"kind=memcpy,gemm",     "ampere_fp1, volta_sgem, MemcpyH2D"},
		{"phase=forward",        ""},
		{"phase=other kind=gemm", "ampere_fp1, volta_sgem"},
		{"tc=could op=aten::mm kind!=memcpy", "volta_sgem"},
	};
	/* clang-format on */
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (strcmp(passing(cases[i].filter), cases[i].passes) != 0)
			fail_msg("%s passes %s, expected %s", cases[i].filter, passing(cases[i].filter),
				 cases[i].passes);
}

static void binding_can_be_cancelled(void **state)
{
	(void)state;
	struct err e = {.at = -1};
	struct progress p = {.cancel = true};
	struct filter *f = filter_new("tc=used", NULL);
	assert_false(filter_bind_derived(f, d, &p, &e));
	assert_string_equal(e.msg, "cancelled");
	filter_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_by_what_is_said_of_them),
		cmocka_unit_test(binding_can_be_cancelled),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, start, stop);
}
