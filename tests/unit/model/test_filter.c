/* model/filter: the language, what it matches, and how it says that it does not understand. */
#include "model/filter.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "tests/unit/build_trace.h"

/* Rows by name: train, aten::mm, launch (cudaLaunchKernel), Gemm, Relu kernel, copy, other_rank. */
static struct trace *t;

static int make_trace(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	host_event(&b, KIND_ANNOTATION, 12, "train step", 0, 1000);
	op(&b, 12, "aten::mm", 10, 50);
	launch(&b, 12, 20, 5, 77);
	kernel(&b, 0, 7, "Gemm_16816", 100, 2000, 77);
	kernel(&b, 0, 13, "relu kernel", 200, 20, 0);
	copy(&b, 1, 7, COPY_H2D, 4 << 20, 300, 1, 0);
	build_host(&b, "node2", 3);
	build_pid(&b, 99);
	host_event(&b, KIND_OTHER, 5, "/device:GPU:0 \"quoted\"", 400, 3);
	t = build_seal(&b);
	return t ? 0 : -1;
}

static int drop_trace(void **state)
{
	(void)state;
	trace_free(t);
	return 0;
}

/* Names of the events that pass, in the order of time, "" = the filter is wrong. */
static const char *passing(const char *text, const char *step)
{
	static char names[512];
	struct err e = {0};
	struct filter *f = filter_new(text, &e);
	if (!f || !filter_bind(f, t, NULL, &e))
		fail_msg("%s", e.msg);
	static const char *const all[] = {"train step",  "aten::mm",  "cudaLaunchKernel",        "Gemm_16816",
					  "relu kernel", "MemcpyH2D", "/device:GPU:0 \"quoted\""};
	*names = '\0';
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (filter_match(f, row_named(t, all[i]), step))
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? ", " : "",
				 all[i]);
	filter_free(f);
	return names;
}

/* clang-format off */
static const struct { const char *filter, *passes; } matches[] = {
	{"",                          "train step, aten::mm, cudaLaunchKernel, Gemm_16816, relu kernel, MemcpyH2D, /device:GPU:0 \"quoted\""},
	{"kernel",                    "cudaLaunchKernel, relu kernel"},           /* smart case: small letters match all */
	{"Kernel",                    "cudaLaunchKernel"},
	{"gemm",                      "Gemm_16816"},
	{"name=gemm",                 "Gemm_16816"},
	{"\"train step\"",            "train step"},
	{"a.b",                       ""},                                        /* a dot is a dot outside of slashes */
	{"/^[a-z]+ /",                "train step, relu kernel"},
	{"/gemm/",                    ""},
	{"/gemm/i",                   "Gemm_16816"},
	{"name=/relu kernel$/",       "relu kernel"},                             /* blanks may stand between slashes */
	{"/GPU:0\\ \"|^\\/dev/",      "/device:GPU:0 \"quoted\""},
	{"\"\\\"quoted\\\"\"",        "/device:GPU:0 \"quoted\""},
	{"kind=kernel",               "Gemm_16816, relu kernel"},
	{"kind=kernel,op",            "aten::mm, Gemm_16816, relu kernel"},
	{"kind=work",                 "Gemm_16816, relu kernel, MemcpyH2D"},
	{"kind!=work",                "train step, aten::mm, cudaLaunchKernel, /device:GPU:0 \"quoted\""},
	{"stream=7",                  "Gemm_16816, MemcpyH2D"},
	{"stream=7 device=0",         "Gemm_16816"},
	{"device=1..9",               "MemcpyH2D"},
	{"!stream=7 kind=work",       "relu kernel"},
	{"tid=12",                    "train step, aten::mm, cudaLaunchKernel"},
	{"pid=99",                    "/device:GPU:0 \"quoted\""},
	{"rank=3",                    "/device:GPU:0 \"quoted\""},
	{"rank<100",                  "/device:GPU:0 \"quoted\""},                /* an unknown rank is not less than 100 */
	{"host=node",                 "/device:GPU:0 \"quoted\""},
	{"track=/stream 7/",          "Gemm_16816, MemcpyH2D"},
	{"track=\"stream 13\"",       "relu kernel"},
	{"op=aten::mm",               "aten::mm, cudaLaunchKernel, Gemm_16816"},  /* by the launch it sits around */
	{"!op=/./",                   "train step, relu kernel, MemcpyH2D, /device:GPU:0 \"quoted\""},
	{"dur>1ms",                   "Gemm_16816"},
	{"dur>=1ms",                  "train step, Gemm_16816"},
	{"dur<3us",                   "MemcpyH2D"},
	{"dur<=3us",                  "MemcpyH2D, /device:GPU:0 \"quoted\""},
	{"dur=5us",                   "cudaLaunchKernel"},
	{"dur=5000ns",                "cudaLaunchKernel"},
	{"start=0..5us",              "train step"},
	{"dur=5us..20us",             "cudaLaunchKernel, relu kernel"},
	{"start>=300us",              "MemcpyH2D, /device:GPU:0 \"quoted\""},
	{"end<100us",                 "aten::mm, cudaLaunchKernel"},
	{"bytes=4MiB",                "MemcpyH2D"},
	{"bytes>=1MB",                "MemcpyH2D"},
	{"bytes<4MiB",                ""},
	{"corr=77",                   "cudaLaunchKernel, Gemm_16816"},
	{"corr>=0",                   "cudaLaunchKernel, Gemm_16816"},            /* 0 is none, not a number */
	{"depth=0 kind=op",           ""},
	{"depth=1",                   "aten::mm"},
	{"step=8",                    ""},
	{"!!kernel",                  "cudaLaunchKernel, relu kernel"},
	{"  kind=kernel   relu  ",    "relu kernel"},
};

static const struct { const char *filter, *says; } mistakes[] = {
	{"foo=1",              "unknown field 'foo'; fields are name kind op"},
	{"kernel duration<1",  "at character 8 of"},
	{"kind=krenel",        "unknown kind; kinds are work, other, op"},
	{"dur>soon",           "expected a time with its unit, like 1.5ms, at character 5 of"},
	{"dur>1ms..2ms",       "expected a time"},
	{"dur>20",             "expected a time with its unit, like 1.5ms, at character 5 of"},
	{"dur=5us..20",        "expected a time with its unit"},
	{"dur>1parsec",        "expected a time"},
	{"stream=seven",       "expected a whole number at character 8 of"},
	{"stream=",            "a value is missing at character 8 of"},
	{"corr=99999999999999999999999", "expected a whole number"},
	{"bytes=4 bytes=x",    "expected a size like 4MiB at character 15 of"},
	{"/relu",              "the / is not closed at character 1 of"},
	{"name=\"relu",        "the quote is not closed at character 6 of"},
	{"/a(b/",              "missing closing parenthesis"},
	{"/relu/x",            "only the flag i may follow a /regex/ at character 7 of"},
	{"name<relu",          "texts know = and != only"},
	{"step<train:5",       "expected a whole number"},
	{"!",                  "a value is missing at character 2 of"},
};
/* clang-format on */

static void conditions_match_what_they_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof matches / sizeof *matches; i++) {
		const char *got = passing(matches[i].filter, NULL);
		if (strcmp(got, matches[i].passes))
			fail_msg("%s\n  passes   %s\n  expected %s", matches[i].filter, got, matches[i].passes);
	}
}

static void steps_match_by_label_or_by_number(void **state)
{
	(void)state;
	assert_string_not_equal(passing("gemm step=8", "8"), "");
	assert_string_not_equal(passing("gemm step=8..9", "9"), "");
	assert_string_not_equal(passing("gemm step>7", "10"), "");
	assert_string_not_equal(passing("gemm step=train:5", "train:5"), "");
	assert_string_equal(passing("gemm step=8", "train:8"), "");
	assert_string_equal(passing("gemm step=8", "80"), "");
	assert_string_equal(passing("gemm step!=8", "8"), "");
}

static void a_mistake_is_a_usage_error_with_its_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		struct err e = {0};
		assert_null(filter_new(mistakes[i].filter, &e));
		assert_false(e.unreadable);
		if (!strstr(e.msg, mistakes[i].says))
			fail_msg("%s\n  says     %s\n  expected %s", mistakes[i].filter, e.msg, mistakes[i].says);
	}
	assert_null(filter_new("foo=1", NULL));
}

/* The answer would be "nothing passes", which it does not know. */
static void a_runaway_pattern_is_an_error(void **state)
{
	(void)state;
	static const char *const fields[] = {"", "!", "dur>0ns name="};
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		char text[64];
		struct err e = {0};
		snprintf(text, sizeof text, "%s/^(.|..|.)*(.|..)*[#&]{2}$/", fields[i]);
		struct filter *f = filter_new(text, NULL);
		assert_false(filter_bind(f, t, NULL, &e));
		assert_non_null(
			strstr(e.msg, "filter: the pattern '^(.|..|.)*(.|..)*[#&]{2}$' is too costly: more than "));
		assert_false(e.unreadable);
		filter_free(f);
	}
}

static void binding_can_be_cancelled(void **state)
{
	(void)state;
	struct err e = {0};
	struct progress p = {.cancel = true};
	struct filter *f = filter_new("gemm", NULL);
	assert_false(filter_bind(f, t, &p, &e));
	assert_string_equal(e.msg, "cancelled");
	assert_true(filter_bind(f, t, NULL, &e));
	assert_true(filter_match(f, row_named(t, "Gemm_16816"), NULL));
	filter_free(f);
}

static void one_filter_serves_two_traces_in_turn(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	host_event(&b, KIND_OTHER, 1, "other", 0, 1);
	host_event(&b, KIND_OTHER, 1, "gemm too", 1, 1);
	struct trace *second = build_seal(&b);
	struct filter *f = filter_new("gemm", NULL);
	assert_true(filter_bind(f, t, NULL, NULL));
	assert_true(filter_match(f, row_named(t, "Gemm_16816"), NULL));
	assert_false(filter_match(f, row_named(t, "relu kernel"), NULL));
	assert_true(filter_bind(f, second, NULL, NULL));
	assert_true(filter_match(f, row_named(second, "gemm too"), NULL));
	assert_false(filter_match(f, row_named(second, "other"), NULL));
	filter_free(f);
	trace_free(second);
}

static void every_field_is_described(void **state)
{
	(void)state;
	uint32_t n;
	const struct filter_field *fields = filter_fields(&n);
	assert_true(n >= 10);
	for (uint32_t i = 0; i < n; i++)
		assert_true(*fields[i].name && *fields[i].values && *fields[i].help);
}

static void step_labels_are_asked_for_only_when_needed(void **state)
{
	(void)state;
	struct filter *with = filter_new("kernel step=5", NULL), *without = filter_new("kernel", NULL);
	assert_true(filter_needs_step(with));
	assert_false(filter_needs_step(without));
	assert_string_equal(filter_text(with), "kernel step=5");
	filter_free(with);
	filter_free(without);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_match_what_they_say),
		cmocka_unit_test(steps_match_by_label_or_by_number),
		cmocka_unit_test(a_mistake_is_a_usage_error_with_its_place),
		cmocka_unit_test(a_runaway_pattern_is_an_error),
		cmocka_unit_test(binding_can_be_cancelled),
		cmocka_unit_test(one_filter_serves_two_traces_in_turn),
		cmocka_unit_test(every_field_is_described),
		cmocka_unit_test(step_labels_are_asked_for_only_when_needed),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_trace, drop_trace);
}
