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

/* What analyses would say: of the product everything, of other work nothing or that it is not known. */
static int says(void *ctx, enum said_list list, row_id r)
{
	static const int words[SAID_LISTS] = {[SAID_TC] = TC_WORD_USED, [SAID_PRECISION] = PREC_FP16};
	(void)ctx;
	if (r == row_named(t, "Gemm_16816"))
		return words[list];
	return list == SAID_TC && trace_columns(t)->kind[r] == KIND_KERNEL ? TC_WORD_UNKNOWN : -1;
}

static bool sound(void *ctx, struct err *e)
{
	(void)e;
	return ctx == NULL;
}

/* Names of the events that pass, in the order of time, "" = the filter is wrong. */
static const char *passing(const char *text, const char *step)
{
	static char names[512];
	struct err e = {0};
	struct filter *f = filter_new(text, &e);
	static const struct filter_sayer sayer = {NULL, says, sound};
	if (!f || !filter_bind_said(f, t, &sayer, NULL, &e))
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
	{"kind=memcpy",               "MemcpyH2D"},
	{"kind=Copy,api",             "cudaLaunchKernel, MemcpyH2D"},
	{"kind=gemm",                 "Gemm_16816"},
	{"kind=gemm,memcpy",          "Gemm_16816, MemcpyH2D"},
	{"kind!=gemm kind=work",      "relu kernel, MemcpyH2D"},
	{"tc=used",                   "Gemm_16816"},
	{"tc=?",                      "relu kernel"},
	{"!tc=used kind=kernel",      "relu kernel"},
	{"precision=fp16,bf16",       "Gemm_16816"},
	{"family=gemm",               "Gemm_16816"},
	{"phase=forward",             "Gemm_16816"},
	{"phase!=forward kind=work",  "relu kernel, MemcpyH2D"},
	{"thread=12",                 "train step, aten::mm, cudaLaunchKernel"},
	{"thread=1",                  ""},                                        /* the number, no part of it */
	{"thread=/read 12/",          "train step, aten::mm, cudaLaunchKernel"},
	{"!thread=/./",               "Gemm_16816, relu kernel, MemcpyH2D"},
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
	{"addr>=0",                   ""},                                        /* nobody gives memory out */
	{"addr=0x0..0xFFFFffffffffffff", ""},
	{"corr=77",                   "cudaLaunchKernel, Gemm_16816"},
	{"corr>=0",                   "cudaLaunchKernel, Gemm_16816"},            /* 0 is none, not a number */
	{"depth=0 kind=op",           ""},
	{"depth=1",                   "aten::mm"},
	{"step=8",                    ""},
	{"!!kernel",                  "cudaLaunchKernel, relu kernel"},
	{"  kind=kernel   relu  ",    "relu kernel"},
};

static const struct { const char *filter, *says; } mistakes[] = {
	{"foo=1",              "no field 'foo' at character 1; known are name kind tc"},
	{"kernel duration<1",  "no field 'duration' at character 8;"},
	{"kinds=kernel",       "no field 'kinds' at character 1, did you mean kind?; known are name kind tc"},
	{"kind=krenel",        "kind: no word 'krenel' at character 6, did you mean kernel?; known are work memcpy api other op"},
	{"tc=yes",             "tc: no word 'yes' at character 4; known are used could no unknown"},
	{"precision=fp61",     "precision: no word 'fp61' at character 11, did you mean fp64?; known are unknown fp64"},
	{"family=gem",         "family: no word 'gem' at character 8, did you mean gemm?; known are gemm conv"},
	{"phase=back",         "phase: no word 'back' at character 7; known are forward loss backward optimizer other"},
	{"phase>loss",         "phase: texts know = and != only"},
	{"kind=,",             "kind: no word ''"},
	{"op=/(/",             "op: wrong pattern"},
	{"track<1",            "track: texts know"},
	{"process<1",          "process: texts know"},
	{"host<1",             "host: texts know"},
	{"thread<x",           "tid: expected a whole number"},
	{"rank=x",             "rank: expected a whole number"},
	{"device=x",           "device: expected a whole number"},
	{"pid=x",              "pid: expected a whole number"},
	{"tid=x",              "tid: expected a whole number"},
	{"depth=x",            "depth: expected a whole number"},
	{"id=x",               "id: expected a whole number"},
	{"start=x",            "start: expected a time"},
	{"end=x",              "end: expected a time"},
	{"dur>soon",           "expected a time with its unit, like 1.5ms, at character 5 of"},
	{"dur>1ms..2ms",       "expected a time"},
	{"dur>20",             "expected a time with its unit, like 1.5ms, at character 5 of"},
	{"dur=5us..20",        "expected a time with its unit"},
	{"dur>1parsec",        "expected a time"},
	{"stream=seven",       "expected a whole number at character 8 of"},
	{"stream=",            "a value is missing at character 8 of"},
	{"corr=99999999999999999999999", "expected a whole number"},
	{"bytes=4 bytes=x",    "expected a size like 4MiB at character 15 of"},
	{"addr=0x",            "expected an address like 0x7f30c0000000 or 4096 at character 6 of"},
	{"addr=0x1g",          "addr: expected an address"},
	{"addr=0x12345678123456781", "addr: expected an address"},
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

/* Rules that ran into a limit said nothing of use. */
static void what_is_said_must_be_sound(void **state)
{
	(void)state;
	const struct filter_sayer sayer = {t, says, sound};
	struct filter *f = filter_new("tc=used", NULL);
	assert_false(filter_bind_said(f, t, &sayer, NULL, NULL));
	assert_int_equal(filter_asks(f), 1u << SAID_TC);
	filter_free(f);
}

static void words_of_a_field_are_listed(void **state)
{
	(void)state;
	uint32_t n, listed = 0;
	const struct filter_field *fields = filter_fields(&n);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; filter_value(i, k); k++, listed++) {
			char text[64];
			snprintf(text, sizeof text, "%s=%s", fields[i].name, filter_value(i, k));
			struct filter *f = filter_new(text, NULL);
			assert_non_null(f);
			filter_free(f);
		}
	assert_true(listed > 50);
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
		cmocka_unit_test(what_is_said_must_be_sound),
		cmocka_unit_test(words_of_a_field_are_listed),
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
