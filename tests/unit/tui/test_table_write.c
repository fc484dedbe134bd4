/* tui/table_write: one table in four formats. */
#include "tui/tables/table_write.h"
#include "tui/tables/block.h"
#include "tui/tables/column_head.h"
#include "model/analysis/analysis.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct column cols[] = {
	{"name", CELL_TEXT, UNIT_NONE, "kernel name"},
	{"total_ns", CELL_INT, UNIT_NS, "time"},
	{"share_pct", CELL_REAL, UNIT_PERCENT, "share"},
	{"uses_tc", CELL_BOOL, UNIT_NONE, "Tensor Cores"},
};
static struct arena mem;

static struct cell *add(struct table *t, const char *name, int64_t total_ns)
{
	struct cell *row = table_row(t);
	cell_text(&row[0], name);
	cell_int(&row[1], total_ns);
	return row;
}

static struct table *two_kernels(void)
{
	struct table *t = table_bare(&mem, "kernels", "Kernels", cols, 4);
	t->window_b_ns = 464000000;
	struct cell *row = add(t, "volta_sgemm", 60000000);
	cell_real(&row[2], 37.5);
	cell_bool(&row[3], false);
	table_evidence(t, 5, 9, (row_id[]){3, 1}, 2);
	add(t, NULL, UNKNOWN_I64);
	return t;
}

static struct table *one_name(const char *name)
{
	struct table *t = table_bare(&mem, "kernels", "Kernels", cols, 1);
	cell_text(&table_row(t)[0], name);
	return t;
}

/* The table as text, in arena memory. */
static const char *written_wide(const struct table *t, enum table_format f, unsigned width)
{
	static const char *const sources[] = {"dir/a \"b\".json"};
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);
	table_write(t, f, out, sources, 1, width);
	fclose(out);
	char *copy = arena_strndup(&mem, text, n);
	free(text);
	return copy;
}
static const char *written(const struct table *t, enum table_format f)
{
	return written_wide(t, f, 0);
}

static void check_json_text(const char *name, const char *expected)
{
	const char *json = written(one_name(name), TABLE_JSON);
	const char *rows = strstr(json, "\"rows\":[\n [");
	assert_non_null(rows);
	rows += strlen("\"rows\":[\n [");
	if (strncmp(rows, expected, strlen(expected)) || rows[strlen(expected)] != ']')
		fail_msg("%s gives %.60s, expected %s", name, rows, expected);
}

static void check_csv(enum table_format f, const char *name, const char *expected)
{
	const char *line = strchr(written(one_name(name), f), '\n') + 1;
	size_t n = strlen(expected);
	if (strncmp(line, expected, n) || strcmp(line + n, "\n"))
		fail_msg("%s gives %s, expected %s", name, line, expected);
}

static void check_csv_text(const char *name, const char *expected)
{
	check_csv(TABLE_CSV, name, expected);
}

static int drop(void **state)
{
	(void)state;
	arena_free(&mem);
	return 0;
}

static void text_aligns_numbers_right_and_applies_units(void **state)
{
	(void)state;
	assert_string_equal(written(two_kernels(), TABLE_TEXT), "name          total_ns  share_pct  uses_tc\n"
								"volta_sgemm  60.000 ms     37.5 %  no\n"
								"-                    -          -  -\n");
}

static void text_without_a_width_is_never_cut(void **state)
{
	(void)state;
	char name[2001];
	memset(name, 'x', 2000);
	name[2000] = '\0';
	assert_non_null(strstr(written(one_name(name), TABLE_TEXT), name));
}

static void text_with_a_width_shortens_names_and_never_numbers(void **state)
{
	(void)state;
	struct table *t = two_kernels();
	add(t, "a_very_long_kernel_name_that_does_not_fit_anywhere", 123456789);
	const char *text = written_wide(t, TABLE_TEXT, 50);
	for (const char *line = text; *line; line = strchr(line, '\n') + 1)
		assert_in_range(strcspn(line, "\n"), 1, 50);
	assert_non_null(strstr(text, "a_very_"));
	assert_non_null(strstr(text, "123.457 ms"));
	assert_null(strstr(text, "anywhere"));
}

static void text_cannot_drive_the_terminal(void **state)
{
	(void)state;
	const char *text = written(one_name("a\x1b[2Jb\nc\xff"), TABLE_TEXT);
	assert_null(strchr(text, '\x1b'));
	assert_null(strchr(text, '\xff'));
	assert_non_null(strstr(text, "[2Jb c"));
}

static void an_empty_table_says_so(void **state)
{
	(void)state;
	struct table *t = table_bare(&mem, "kernels", "Kernels", cols, 4);
	assert_string_equal(written(t, TABLE_TEXT), "name  total_ns  share_pct  uses_tc\n(no rows)\n");
	assert_string_equal(written(t, TABLE_CSV), "name,total_ns,share_pct,uses_tc\n");
	assert_non_null(strstr(written(t, TABLE_JSON), "\"rows\":[],\"evidence\":[]}"));
}

static void csv_has_raw_numbers_and_empty_unknowns(void **state)
{
	(void)state;
	assert_string_equal(written(two_kernels(), TABLE_CSV), "name,total_ns,share_pct,uses_tc\n"
							       "volta_sgemm,60000000,37.5,false\n"
							       ",,,\n");
}

static void csv_quotes_what_needs_quotes(void **state)
{
	(void)state;
	check_csv_text("plain", "plain");
	check_csv_text("a,b", "\"a,b\"");
	check_csv_text("say \"hi\"", "\"say \"\"hi\"\"\"");
	check_csv_text("two\nlines", "\"two\nlines\"");
	check_csv_text("", "\"\""); /* an empty text is not an unknown one */
	check_csv_text("a\x1b[0m\xff", "a\xEF\xBF\xBD[0m\xEF\xBF\xBD");
	check_csv_text("\xC3\xA9\xE2\x86\x92", "\xC3\xA9\xE2\x86\x92");
}

static void no_text_of_a_spreadsheet_is_a_formula(void **state)
{
	(void)state;
	static const char *const formulas[] = {"=1+1",
					       "+x",
					       "-x",
					       "-",
					       "@SUM",
					       "\t=1",
					       "-2+cmd",
					       ("\xEF\xBC\x9D"
						"1")};
	for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
		char with[32];
		snprintf(with, sizeof with, "'%s", formulas[i]);
		check_csv(TABLE_SPREADSHEET, formulas[i], with);
		check_csv_text(formulas[i], formulas[i]);
	}
	check_csv(TABLE_SPREADSHEET, "\r=1", "\"'\r=1\"");
	check_csv(TABLE_SPREADSHEET, "\n=1", "\"'\n=1\"");
	check_csv(TABLE_SPREADSHEET, "=cmd|'/c calc',\"x\"", "\"'=cmd|'/c calc',\"\"x\"\"\"");
	check_csv(TABLE_SPREADSHEET, "", "\"\"");
	check_csv(TABLE_SPREADSHEET, "a=b", "a=b");
}

static void numbers_of_a_spreadsheet_stay_numbers(void **state)
{
	(void)state;
	struct table *t = table_bare(&mem, "x", "X", &cols[1], 2);
	struct cell *row = table_row(t);
	cell_int(&row[0], -5);
	cell_real(&row[1], -0.5);
	assert_string_equal(written(t, TABLE_SPREADSHEET), "total_ns,share_pct\n-5,-0.5\n");
	check_csv(TABLE_SPREADSHEET, "-12.5", "-12.5"); /* what a key is worth stands in a column of texts */
	check_csv(TABLE_SPREADSHEET, "+3", "+3");
}

static void column_names_may_come_from_a_trace(void **state)
{
	(void)state;
	struct column evil = cols[0];
	evil.name = "=1+1";
	assert_string_equal(written(table_bare(&mem, "x", "X", &evil, 1), TABLE_SPREADSHEET), "'=1+1\n");
	assert_string_equal(written(table_bare(&mem, "x", "X", &evil, 1), TABLE_CSV), "=1+1\n");
}

static void json_is_the_promised_object(void **state)
{
	(void)state;
	assert_string_equal(
		written(two_kernels(), TABLE_JSON),
		"{\"schema\":\"stepscope.table/1\",\"name\":\"kernels\",\"source\":[\"dir/a \\\"b\\\".json\"],"
		"\"window_ns\":[0,464000000],\"columns\":[\n"
		" {\"name\":\"name\",\"type\":\"text\",\"unit\":\"none\",\"help\":\"kernel name\"},\n"
		" {\"name\":\"total_ns\",\"type\":\"int\",\"unit\":\"ns\",\"help\":\"time\"},\n"
		" {\"name\":\"share_pct\",\"type\":\"real\",\"unit\":\"percent\",\"help\":\"share\"},\n"
		" {\"name\":\"uses_tc\",\"type\":\"bool\",\"unit\":\"none\",\"help\":\"Tensor Cores\"}],\"rows\":[\n"
		" [\"volta_sgemm\",60000000,37.5,false],\n"
		" [null,null,null,null]],\"evidence\":[\n"
		" {\"window_ns\":[5,9],\"events\":[3,1]},\n"
		" {\"window_ns\":null,\"events\":[]}]}\n");
}

static void json_writes_integers_beyond_53_bits_as_strings(void **state)
{
	(void)state;
	struct table *t = table_bare(&mem, "x", "X", &cols[1], 1);
	cell_int(&table_row(t)[0], INT64_C(9007199254740991));
	cell_int(&table_row(t)[0], INT64_C(9007199254740992));
	cell_int(&table_row(t)[0], -INT64_C(9007199254740992));
	cell_int(&table_row(t)[0], INT64_MAX);
	const char *json = written(t, TABLE_JSON);
	assert_non_null(strstr(json, "\"rows\":[\n [9007199254740991],\n [\"9007199254740992\"],\n"
				     " [\"-9007199254740992\"],\n [\"9223372036854775807\"]]"));
}

static void json_numbers_come_back_as_they_were(void **state)
{
	(void)state;
	static const double values[] = {0.1, 1.0 / 3, 1e300, 5e-324, -37.5, 100, 12345678.9};
	struct table *t = table_bare(&mem, "x", "X", &cols[2], 1);
	for (size_t i = 0; i < 7; i++)
		cell_real(&table_row(t)[0], values[i]);
	const char *at = strstr(written(t, TABLE_JSON), "\"rows\":[\n [") + strlen("\"rows\":[\n [");
	for (size_t i = 0; i < 7; i++) {
		char *end;
		assert_true(strtod(at, &end) == values[i]);
		at = strchr(end, '[') + 1;
	}
	assert_non_null(strstr(written(t, TABLE_JSON), "[0.1]"));
}

static void json_has_no_infinity_and_no_nan(void **state)
{
	(void)state;
	struct table *t = table_bare(&mem, "x", "X", &cols[2], 1);
	cell_real(&table_row(t)[0], NAN);
	cell_real(&table_row(t)[0], INFINITY);
	assert_non_null(strstr(written(t, TABLE_JSON), "\"rows\":[\n [null],\n [null]]"));
}

static void json_escapes_control_characters_and_repairs_utf8(void **state)
{
	(void)state;
	check_json_text("tab\there", "\"tab\\there\"");
	check_json_text("line\nend\r", "\"line\\nend\\r\"");
	check_json_text("\x01\x1b[0m\x7f", "\"\\u0001\\u001b[0m\\u007f\"");
	check_json_text("back\\slash \"quoted\"", "\"back\\\\slash \\\"quoted\\\"\"");
	check_json_text("\xC3\xA9", "\"\xC3\xA9\"");
	check_json_text("bad\xff\xc3", "\"bad\xEF\xBF\xBD\xEF\xBF\xBD\"");
	check_json_text("\xC2\x9B", "\"\\u009b\""); /* a control character in two bytes */
	check_json_text("\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""); /* half of a surrogate pair */
}

/* Text for people hides nothing; what programs read is what the trace holds. */
static void invisible_characters_stay_in_data_alone(void **state)
{
	(void)state;
	static const char name[] = "a\xD8\x9C\xC2\xAD\xE3\x85\xA4\xF3\xA0\x81\x81z";
	assert_non_null(strstr(written(one_name(name), TABLE_TEXT), "a\uFFFD\uFFFD\uFFFD\uFFFDz\n"));
	assert_non_null(strstr(written(one_name(name), TABLE_MD), "a\uFFFD\uFFFD\uFFFD\uFFFDz "));
	check_csv_text(name, name);
	check_json_text(name, "\"a\xD8\x9C\xC2\xAD\xE3\x85\xA4\xF3\xA0\x81\x81z\"");
}

static void markdown_is_a_table_whatever_the_name(void **state)
{
	(void)state;
	assert_string_equal(written(two_kernels(), TABLE_MD), "| name | total | share | tc |\n"
							      "|---|---:|---:|---|\n"
							      "| volta_sgemm | 60.000 ms | 37.5 % | no |\n"
							      "| - | - | - | - |\n");
	assert_non_null(strstr(written(one_name("f<int>(a|b)"), TABLE_MD), "| f&lt;int&gt;(a\\|b) |"));
	assert_non_null(strstr(written(one_name("two\nlines"), TABLE_MD), "| two lines |"));
}

/* Above cells that carry their unit, screens and reports say the same word, and never one word twice. */
static void no_two_heads_of_a_table_are_alike(void **state)
{
	(void)state;
	char head[HEAD_BUF], other[HEAD_BUF];
	for (unsigned i = 0; i < TABLE_COUNT; i++) {
		const struct table *t = table_new(&mem, analysis_at(i));
		for (uint32_t a = 0; a < t->n_cols; a++)
			for (uint32_t b = 0; b < a; b++)
				if (strcmp(column_head(t, a, head), column_head(t, b, other)) == 0)
					fail_msg("%s: %s and %s are both \"%s\"", t->name, t->cols[a].name,
						 t->cols[b].name, head);
	}
}

static void heads_name_a_unit_only_where_they_must(void **state)
{
	(void)state;
	static const struct column of[] = {
		{"cause", CELL_TEXT, UNIT_NONE, ""},         {"cause_ns", CELL_INT, UNIT_NS, ""},
		{"idle_ns", CELL_INT, UNIT_NS, ""},          {"idle_pct", CELL_REAL, UNIT_PERCENT, ""},
		{"peak_bytes", CELL_INT, UNIT_BYTES, ""},    {"peak_pct", CELL_REAL, UNIT_PERCENT, ""},
		{"largest_bytes", CELL_INT, UNIT_BYTES, ""}, {"total_self_time", CELL_INT, UNIT_NS, ""},
		{"occurrences", CELL_INT, UNIT_COUNT, ""},
	};
	static const char *const heads[] = {"cause",  "cause time", "idle", "idle %", "peak",
					    "peak %", "largest",    "self", "count"};
	char head[HEAD_BUF];
	const struct table *t = table_bare(&mem, "any", "Any", of, sizeof of / sizeof *of);
	for (uint32_t i = 0; i < t->n_cols; i++)
		assert_string_equal(column_head(t, i, head), heads[i]);
	assert_string_equal(key_head("step_mean_ns", head), "step mean");
	assert_string_equal(key_head("input_pct", head), "input %");
}

static void key_value_cells_keep_their_own_types_and_units(void **state)
{
	(void)state;
	struct table *t = table_bare(&mem, "trace", "Trace", cols, 1);
	struct cell *c = table_row(t);
	cell_int(c, 1500);
	cell_unit(c, UNIT_NS);
	cell_bool(table_row(t), true);
	assert_string_equal(written(t, TABLE_TEXT), "name\n1.500 us\nyes\n");
	assert_string_equal(written(t, TABLE_CSV), "name\n1500\ntrue\n");
}

/* Texts are gathered in blocks: of every length about a block's nothing is lost and nothing doubled, whatever must be quoted. */
static void long_texts_come_out_whole(void **state)
{
	(void)state;
	static char name[BLOCK_BYTES + 40], quoted[2 * sizeof name];
	for (size_t n = BLOCK_BYTES - 20; n < sizeof name; n += n < BLOCK_BYTES + 8 ? 1 : 11) {
		memset(name, 'x', n);
		name[n] = '\0';
		check_csv_text(name, name);
		memcpy(name + n / 2, "\",\xc3\xa4", 4);
		snprintf(quoted, sizeof quoted, "\"%.*s\"%s\"", (int)n / 2 + 1, name, name + n / 2 + 1);
		check_csv_text(name, quoted);
		snprintf(quoted, sizeof quoted, "\"%.*s\\%s\"", (int)n / 2, name, name + n / 2);
		check_json_text(name, quoted);
	}
}

static struct table *many_rows(int64_t n)
{
	struct table *t = table_bare(&mem, "kernels", "Kernels", cols, 2);
	for (int64_t i = 0; i < n; i++)
		add(t, "k", i);
	return t;
}

/* 200,000 rows: a second thread writes them, in more parts than wait at a time. */
static void many_rows_come_out_one_after_the_other(void **state)
{
	(void)state;
	static const int sizes[] = {20000, 200000};
	for (int s = 0; s < 2; s++) {
		const char *at = strchr(written(many_rows(sizes[s]), TABLE_CSV), '\n');
		for (int i = 0; i < sizes[s]; i++) {
			char line[40];
			snprintf(line, sizeof line, "\nk,%d\n", i);
			assert_memory_equal(at, line, strlen(line));
			at += strlen(line) - 1;
		}
		assert_string_equal(at, "\n");
	}
}

static void a_full_disk_is_told_by_the_file(void **state)
{
	(void)state;
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		skip();
	table_write(many_rows(200000), TABLE_CSV, full, NULL, 0, 0);
	assert_true(ferror(full) || fflush(full));
	fclose(full);
}

static void formats_have_words(void **state)
{
	(void)state;
	static const char *const words[] = {"text", "csv", "json", "md"};
	for (int i = 0; i < 4; i++) {
		enum table_format f;
		assert_true(table_format_parse(words[i], &f));
		assert_int_equal(f, i);
	}
	enum table_format f;
	assert_false(table_format_parse("xml", &f));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(text_aligns_numbers_right_and_applies_units, drop),
		cmocka_unit_test_teardown(text_without_a_width_is_never_cut, drop),
		cmocka_unit_test_teardown(no_two_heads_of_a_table_are_alike, drop),
		cmocka_unit_test_teardown(heads_name_a_unit_only_where_they_must, drop),
		cmocka_unit_test_teardown(text_with_a_width_shortens_names_and_never_numbers, drop),
		cmocka_unit_test_teardown(text_cannot_drive_the_terminal, drop),
		cmocka_unit_test_teardown(an_empty_table_says_so, drop),
		cmocka_unit_test_teardown(csv_has_raw_numbers_and_empty_unknowns, drop),
		cmocka_unit_test_teardown(csv_quotes_what_needs_quotes, drop),
		cmocka_unit_test_teardown(no_text_of_a_spreadsheet_is_a_formula, drop),
		cmocka_unit_test_teardown(numbers_of_a_spreadsheet_stay_numbers, drop),
		cmocka_unit_test_teardown(column_names_may_come_from_a_trace, drop),
		cmocka_unit_test_teardown(json_is_the_promised_object, drop),
		cmocka_unit_test_teardown(json_writes_integers_beyond_53_bits_as_strings, drop),
		cmocka_unit_test_teardown(json_numbers_come_back_as_they_were, drop),
		cmocka_unit_test_teardown(json_has_no_infinity_and_no_nan, drop),
		cmocka_unit_test_teardown(invisible_characters_stay_in_data_alone, drop),
		cmocka_unit_test_teardown(json_escapes_control_characters_and_repairs_utf8, drop),
		cmocka_unit_test_teardown(markdown_is_a_table_whatever_the_name, drop),
		cmocka_unit_test_teardown(key_value_cells_keep_their_own_types_and_units, drop),
		cmocka_unit_test_teardown(long_texts_come_out_whole, drop),
		cmocka_unit_test_teardown(many_rows_come_out_one_after_the_other, drop),
		cmocka_unit_test_teardown(a_full_disk_is_told_by_the_file, drop),
		cmocka_unit_test_teardown(formats_have_words, drop),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
