/* Peaks of devices: rows by capability, by architecture and by name; what the trace says comes first. */
#include "model/analysis/rules/peaks.h"
#include "tests/unit/build_trace.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

struct board {
	const char *name, *vendor;
	int64_t cc_major, cc_minor, sms, clock_khz, memory_bytes_per_s;
};
#define NOT UNKNOWN_I64

static struct peaks peaks_for(const struct board *x)
{
	struct err e = {0};
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "k", 0, 1, 0);
	struct device *d = ingest_device_info(b.in, ingest_device(b.in, b.host, 0));
	d->name = build_text(&b, x->name);
	d->vendor = build_text(&b, x->vendor);
	d->cc_major = x->cc_major;
	d->cc_minor = x->cc_minor;
	d->sms = x->sms;
	d->clock_khz = x->clock_khz;
	d->memory_bytes_per_s = x->memory_bytes_per_s;
	struct trace *t = build_seal(&b);
	static struct peak_table *table; /* texts of the answer live in it */
	if (!table)
		table = peaks_builtin(&e);
	if (!table)
		fail_msg("%s", e.msg);
	struct peaks p = peaks_of(table, t, 0);
	trace_free(t);
	return p;
}

/* Tera-operations per second as the makers print them, dense: fp32, then the best of tf32, fp16 and int8. */
static const struct {
	struct board board;
	double fp32, tf32, fp16, int8;
} sheets[] = {
	{{"Tesla V100-SXM2-32GB", "", 7, 0, 80, NOT, NOT}, 15.7, 15.7, 125, NAN},
	{{"Tesla T4", "", 7, 5, 40, NOT, NOT}, 8.1, 8.1, 65, 130},
	{{"NVIDIA A100-SXM4-40GB", "", 8, 0, 108, NOT, NOT}, 19.5, 156, 312, 624},
	{{"NVIDIA A10", "", 8, 6, 72, NOT, NOT}, 31.2, 62.5, 125, 250},
	{{"NVIDIA RTX A6000", "", 8, 6, 84, NOT, NOT}, 38.7, 77.4, 154.8, 309.7},
	{{"NVIDIA L4", "", 8, 9, 58, NOT, NOT}, 30.3, 60.6, 121, 242},
	{{"NVIDIA L40S", "", 8, 9, 142, NOT, NOT}, 91.6, 183, 366, 733},
	{{"NVIDIA H100 80GB HBM3", "", 9, 0, 132, 1830000, NOT}, 61.8, 494.7, 989.4, 1978.9},
	{{"NVIDIA H200", "", 9, 0, 132, 1830000, NOT}, 61.8, 494.7, 989.4, 1978.9},
	{{"NVIDIA B200", "", 10, 0, 148, 1850000, NOT}, 70, 1100, 2250, 4500},
	{{"NVIDIA GeForce RTX 5090", "", 12, 0, 170, NOT, NOT}, 104.8, 209.5, 419, 838},
	{{"AMD Instinct MI210", "AMD", 9, 0, 104, NOT, NOT}, 22.6, 22.6, 181, 181},
	{{"AMD Instinct MI300X", "AMD", 9, 4, 304, NOT, NOT}, 163.4, 653.7, 1307.4, 2614.9},
};

static void near(const char *name, const char *what, double flops, double tera)
{
	if (isnan(tera) ? !isnan(flops) : !(fabs(flops / 1e12 - tera) <= tera * 0.02))
		fail_msg("%s %s: %g instead of %g tera-operations/s", name, what, flops / 1e12, tera);
}

static void arithmetic_is_what_data_sheets_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
		struct peaks p = peaks_for(&sheets[i].board);
		near(sheets[i].board.name, "fp32", peaks_flops(&p, PREC_FP32, false), sheets[i].fp32);
		near(sheets[i].board.name, "tf32", peaks_flops(&p, PREC_TF32, true), sheets[i].tf32);
		near(sheets[i].board.name, "fp16", peaks_flops(&p, PREC_FP16, true), sheets[i].fp16);
		near(sheets[i].board.name, "int8", peaks_flops(&p, PREC_INT8, true), sheets[i].int8);
	}
}

/* SEMANTICS.md, 9: operations per SM and cycle by capability. */
static void the_roof_is_the_reference_tools(void **state)
{
	static const struct {
		int64_t major, minor;
		double per_clock;
	} rows[] = {{2, 0, 64},   {3, 0, 384},  {5, 0, 256},  {6, 0, 256},  {6, 1, 256},  {7, 0, 1024},
		    {7, 5, 1024}, {8, 0, 2048}, {8, 6, 1024}, {8, 9, 1024}, {9, 0, 4096}, {10, 0, 8192}};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct peaks p = peaks_for(&(struct board){"", "Nvidia", rows[i].major, rows[i].minor, 10, 1000, NOT});
		if (peaks_highest(&p) != rows[i].per_clock * 1e7)
			fail_msg("%d.%d: %g", (int)rows[i].major, (int)rows[i].minor, peaks_highest(&p) / 1e7);
	}
}

static void what_the_trace_says_comes_first(void **state)
{
	(void)state;
	struct peaks p =
		peaks_for(&(struct board){"Tesla V100-SXM2-16GB", "", 7, 0, 79, 1500000, INT64_C(898048000000)});
	assert_true(p.sms == 79 && p.clock_hz == 1.5e9 && p.memory_bytes_per_s == 898048e6);
	assert_true(p.core_flops[PREC_FP32] == 79 * 1.5e9 * 128);
	assert_true(p.host_bytes_per_s == 15.75e9 && p.peer_bytes_per_s == 150e9);
	assert_string_equal(p.arch, "7.0");
}

static void capabilities_between_rows_use_the_row_below(void **state)
{
	(void)state;
	struct peaks p = peaks_for(&(struct board){"", "Nvidia", 8, 8, 1, 1000, NOT});
	assert_string_equal(p.arch, "8.7");
	assert_null(p.name);
	assert_true(isnan(p.memory_bytes_per_s));
}

/* 9.0 is Hopper for one maker and several architectures for the other. */
static void a_capability_means_what_its_maker_says(void **state)
{
	(void)state;
	struct peaks nameless = peaks_for(&(struct board){"", "AMD", 9, 4, 304, 2100000, INT64_C(2662400000000)});
	assert_string_equal(nameless.arch, "gfx942");
	assert_string_equal(nameless.name, "mi300x");
	assert_true(nameless.memory_bytes_per_s == 5300e9); /* the runtime reports half */
	struct peaks unclear = peaks_for(&(struct board){"", "AMD", 9, 0, 104, 1700000, NOT});
	assert_null(unclear.arch);
	assert_true(isnan(peaks_flops(&unclear, PREC_FP32, false)));
}

static void an_unknown_device_has_no_peaks(void **state)
{
	(void)state;
	struct peaks p = peaks_for(&(struct board){"TPU v6 Lite", "", NOT, NOT, NOT, NOT, NOT});
	assert_true(isnan(p.memory_bytes_per_s) && isnan(p.host_bytes_per_s) && isnan(peaks_highest(&p)));
	struct peaks laptop = peaks_for(&(struct board){"NVIDIA GeForce RTX 4090 Laptop GPU", "", 8, 9, 76, NOT, NOT});
	assert_true(isnan(laptop.memory_bytes_per_s) && isnan(peaks_highest(&laptop)));
}

static void names_are_told_from_longer_ones(void **state)
{
	static const struct {
		const char *name;
		double gbytes_per_s;
	} rows[] = {{"NVIDIA A10G", 600},
		    {"NVIDIA A100-SXM4-80GB", 2039},
		    {"NVIDIA RTX A4000", 448},
		    {"NVIDIA A40", 696},
		    {"NVIDIA L4", 300},
		    {"NVIDIA L40", 864},
		    {"NVIDIA H200", 4800},
		    {"NVIDIA H20", 4000},
		    {"Tesla P4", 192},
		    {"Tesla P40", 346},
		    {"NVIDIA GeForce RTX 2080 Ti", 616},
		    {"AMD Instinct MI300X VF", 5300}};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct peaks p = peaks_for(&(struct board){rows[i].name, "", NOT, NOT, NOT, NOT, NOT});
		if (p.memory_bytes_per_s != rows[i].gbytes_per_s * 1e9)
			fail_msg("%s: %g", rows[i].name, p.memory_bytes_per_s);
	}
}

static void a_wrong_line_is_named(void **state)
{
	static const char *const bad[] = {"[per-sm]\n7.0 1 2 3\n",
					  "[amd]\nnine gfx\n",
					  "[per-sm]\n7.0 1 2 3 4 nanx 6 7 8 9 10 11\n",
					  "[device]\n1 2 3 4 x - find a\n",
					  "[device]\n1 2 3 4 5 - looks a\n",
					  "[boards]\n"};
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct err e = {0};
		assert_null(peaks_read(bad[i], strlen(bad[i]), &e));
		assert_non_null(strstr(e.msg, "table of peaks, line "));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arithmetic_is_what_data_sheets_say),
		cmocka_unit_test(the_roof_is_the_reference_tools),
		cmocka_unit_test(what_the_trace_says_comes_first),
		cmocka_unit_test(capabilities_between_rows_use_the_row_below),
		cmocka_unit_test(a_capability_means_what_its_maker_says),
		cmocka_unit_test(an_unknown_device_has_no_peaks),
		cmocka_unit_test(names_are_told_from_longer_ones),
		cmocka_unit_test(a_wrong_line_is_named),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
