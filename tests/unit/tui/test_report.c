/* A report says the same sentence in every format, admits what it cannot tell, and lets no name of a trace break out of
 * the text around it. */
#include "model/analysis/gaps/why.h"
#include "model/store/base/memory.h"
#include "tests/unit/derive_trace.h"
#include "tui/report/content.h"
#include "tui/report/picture.h"
#include "tui/report/report.h"
#include "tui/text/put.h"
#include "tui/text/words.h"
#include <stdlib.h>
#include <unistd.h>

/* Two steps; the second one's work starts 60 ms after the first one's ended. host: what thread 1 does meanwhile. */
static struct derived *gap_of_60_ms(const char *host, bool with_host)
{
	struct build b = build_new("chrome");
	if (with_host) {
		tf_step(&b, 1, "train", 8, 0, 100000);
		tf_step(&b, 1, "train", 9, 100000, 160000);
		launch(&b, 1, 100, 10, 1);
		launch(&b, 1, 159900, 10, 2);
	}
	if (host)
		op(&b, 1, host, 101000, 55000);
	kernel(&b, 0, 7, "gemm<half>", 0, 100000, 1);
	kernel(&b, 0, 7, "gemm<half>", 160000, 100000, 2);
	return derive(&b);
}

static const char *const paths[] = {"it's <here>.json"};

static struct report_req request(const struct derived *d, const char *window, enum report_format f)
{
	struct report_req r = {.d = d, .format = f, .paths = paths, .n_paths = 1, .program = "stepscope"};
	struct err e = {0};
	if (!window_parse(d, window, &r.window, &e))
		fail_msg("%s", e.msg);
	return r;
}

static char *written(const struct report_req *r)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	struct err e = {0};
	if (!report_write(r, f, &e))
		fail_msg("%s", e.msg);
	fclose(f);
	return text;
}

static void expect_in(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is missing in:\n%.600s", part, strstr(text, "<main>") ? strstr(text, "<main>") : text);
}

static void test_same_verdict_in_every_format(void **state)
{
	(void)state;
	struct derived *d = gap_of_60_ms("IteratorGetNext", true);
	for (int f = REPORT_MD; f <= REPORT_TEXT; f++) {
		struct report_req r = request(d, "gap:biggest", (enum report_format)f);
		char *text = written(&r);
		expect_in(text, "60.000 ms");
		expect_in(text, "37.5 %");
		expect_in(text, "55.000 ms (91.7 %)");
		expect_in(text, "IteratorGetNext");
		free(text);
	}
	derived_free(d);
}

/* One line says what it is; the sentence with the numbers stands below it. */
static void test_heading_is_one_line(void **state)
{
	(void)state;
	struct derived *d = gap_of_60_ms("IteratorGetNext", true);
	struct report_req gap = request(d, "gap:0", REPORT_HTML), step = request(d, "step:8", REPORT_HTML);
	char *text = written(&gap);
	expect_in(text, "<h1>GPU 0 idles 60.000 ms between step 8 and step 9: input wait</h1>");
	expect_in(text, "<p class=\"verdict\">GPU 0 idles 60.000 ms between step 8 and step 9 (37.5 %");
	free(text);
	text = written(&step);
	expect_in(text, "<h1>100.0 % of the device op time runs eagerly</h1>"); /* what the findings say first */
	expect_in(text, "<p class=\"verdict\">step 8 takes ");
	free(text);
	derived_free(d);
}

static void test_first_five_lines(void **state)
{
	(void)state;
	struct derived *d = gap_of_60_ms("IteratorGetNext", true);
	struct report_req r = request(d, "gap:0", REPORT_TEXT);
	char *text = written(&r), *line = text;
	static const char *const begins[] = {
		"looked at it's <here>.json: gap 0: step 8 -> 9 on GPU 0, 60.000 ms from 100.000 ms to 160.000 ms of "
		"260.000 ms",
		"verdict   GPU 0 idles 60.000 ms between step 8 and step 9 (37.5 % of the 160.000 ms from start to "
		"start); input wait 55.000 ms (91.7 %), all in IteratorGetNext, on the launching thread",
		"numbers   gap 60.000 ms (between steps 8 and 9, from 100.000 ms); of the period 37.5 % (160.000 ms "
		"start to start); "
		"cause input wait (55.000 ms (91.7 %), all in IteratorGetNext; confidence 0.89)",
		"ledger    7 entries in the file = 7 shown + 0 merged + 0 noted; nothing lost",
		"reproduce stepscope report 'it'\\''s <here>.json' --window gap:0 --format text"};
	for (int i = 0; i < 5; i++) {
		if (strncmp(line, begins[i], strlen(begins[i])) != 0)
			fail_msg("line %d is: %.*s", i + 1, (int)strcspn(line, "\n"), line);
		line = strchr(line, '\n') + 1;
	}
	free(text);
	derived_free(d);
}

static void expect_verdict(struct derived *d, const char *part)
{
	struct report_req r = request(d, "gap:biggest", REPORT_TEXT);
	char *text = written(&r);
	expect_in(text, part);
	free(text);
	derived_free(d);
}

static void test_abstains(void **state)
{
	(void)state;
	expect_verdict(gap_of_60_ms(NULL, false), "cannot tell why: this trace has no host threads");
	expect_verdict(gap_of_60_ms(NULL, true), "cannot tell why: the launching thread recorded nothing in");
}

static void test_why(void **state)
{
	(void)state;
	struct derived *d = gap_of_60_ms("IteratorGetNext", true);
	struct why w = why_of(d, derived_gap_kept(d, 0));
	assert_int_equal(w.kind, WHY_CAUSE);
	assert_string_equal(w.main_event, "IteratorGetNext");
	assert_int_equal(w.verdict.row_ns, MS(55));
	derived_free(d);
}

static void test_names_cannot_break_out(void **state)
{
	(void)state;
	struct derived *d = gap_of_60_ms("</script><b>|`x`\x1b[31m\xff\n@", true);
	struct report_req r = request(d, "gap:0", REPORT_HTML);
	char *html = written(&r);
	assert_null(strstr(html, "<b>"));
	assert_null(strchr(html, '\x1b'));
	assert_null(strchr(html, '\xff'));
	expect_in(html, "&lt;/script&gt;&lt;b&gt;|`x`\xef\xbf\xbd[31m\xef\xbf\xbd @");
	free(html);
	r.format = REPORT_MD;
	char *md = written(&r);
	char *lanes = strstr(md, "```text\n"), *tables = strstr(lanes, "\n```\n");
	assert_null(strstr(tables, "<b>")); /* inside the fence it is only text */
	*lanes = '\0';
	assert_null(strstr(md, "<b>"));
	expect_in(md, "&lt;/script&gt;&lt;b&gt;\\|\\`x\\`\xef\xbf\xbd\\[31m");
	free(md);
	derived_free(d);
}

static char *put_text(void (*put)(FILE *, const char *), const char *s)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	put(f, s);
	fclose(f);
	return text;
}

static void expect_put(void (*put)(FILE *, const char *), const char *in, const char *out)
{
	char *text = put_text(put, in);
	assert_string_equal(text, out);
	free(text);
}

/* However often it stands in one text. */
static void test_hosts_are_hidden_everywhere(void **state)
{
	(void)state;
	enum { TIMES = 300000 };
	static const struct column col = {"sentence", CELL_TEXT, UNIT_NONE, "a text"};
	static const char host[] = "gpu-node1";
	struct build b = build_new("chrome");
	build_host(&b, host, -1);
	op(&b, 1, "work", 0, 10);
	struct derived *d = derive(&b);
	struct scrub *scrub = scrub_new(d);
	struct arena mem = {0};
	char *text = arena_alloc(&mem, TIMES * sizeof host + 1), *at = text;
	for (int i = 0; i < TIMES; i++)
		at = stpcpy(stpcpy(at, "-"), host);
	struct table *one = table_bare(&mem, "x", "X", &col, 1);
	cell_text(&table_row(one)[0], text);
	const char *hidden = table_cell(scrub_table(scrub, one, &mem), 0, 0)->s, *word = words_hash(&mem, "host", host);
	assert_int_equal(strlen(hidden), TIMES * (strlen(word) + 1));
	for (int i = 0; i < TIMES; i++, hidden += strlen(word) + 1)
		assert_true(*hidden == '-' && strncmp(hidden + 1, word, strlen(word)) == 0);
	arena_free(&mem);
	scrub_free(scrub);
	derived_free(d);
}

static void test_escapes(void **state)
{
	(void)state;
	expect_put(put_html, "a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;");
	expect_put(put_md, "volta_fp16_s884 __x__ a*b|c", "volta_fp16_s884 \\_\\_x\\_\\_ a\\*b\\|c");
	expect_put(put_json, "say \"\\\" \x01", "\"say \\\"\\\\\\\" \xef\xbf\xbd\"");
	expect_put(put_plain,
		   "a\xe2\x80\xae"
		   "b\tc",
		   "a\xef\xbf\xbd"
		   "b c"); /* right-to-left override */
}

static void test_words(void **state)
{
	(void)state;
	struct arena mem = {0};
	assert_string_equal(words_middle(&mem, "abcdefghijklmnop", 10), "abc...mnop");
	assert_string_equal(words_middle(&mem, "short", 10), "short");
	assert_string_equal(words_end(&mem, "abcdefghijklmnop", 10), "abcdefg...");
	assert_string_equal(words_end(&mem, "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4", 4), "\xc3\xa4...");
	assert_string_equal(words_quote(&mem, "a/b.json"), "a/b.json");
	assert_string_equal(words_quote(&mem, "$(rm) it's"), "'$(rm) it'\\''s'");
	assert_string_equal(words_quote(&mem, ""), "''");
	assert_string_equal(words_hash(&mem, "host", "a"), words_hash(&mem, "host", "a"));
	assert_string_not_equal(words_hash(&mem, "host", "a"), words_hash(&mem, "host", "b"));
	arena_free(&mem);
}

/* 60,000 kernels in 6 s, which would be 4 MB: the picture folds them, the report stays small. */
static void test_stays_small(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int i = 0; i < 60000; i++)
		kernel(&b, i % 4, i % 8, i % 3 ? "a" : "b", i * 100.0, 60, 0);
	struct derived *d = derive(&b);
	struct report_req r = request(d, "all", REPORT_HTML);
	char *html = written(&r);
	assert_true(strlen(html) < 2000000);
	free(html);
	struct arena mem = {0};
	struct picture *p = picture_new(&(struct picture_req){.d = d, .window = &r.window}, &mem);
	uint32_t boxes = 0;
	for (uint32_t i = 0; i < p->n_lanes; i++)
		for (uint32_t row = 0; row < p->lanes[i].n_rows; row++)
			boxes += p->lanes[i].rows[row].n;
	assert_in_range(boxes, 4, PICTURE_BOXES);
	arena_free(&mem);
	derived_free(d);
}

/* Names as long as compilers write them are whole under the pointer; of one that nobody reads the beginning is. */
static void test_a_name_of_megabytes_is_cut(void **state)
{
	(void)state;
	enum { READ = 12000, UNREAD = 2000000 };
	char *name = must(malloc(UNREAD + 1));
	memset(name, 'x', UNREAD);
	name[UNREAD] = '\0';
	struct derived *d = gap_of_60_ms(name, true);
	struct report_req r = request(d, "gap:0", REPORT_HTML);
	char *html = written(&r);
	assert_true(strlen(html) < 1000000);
	expect_in(html, "xxx\xe2\x80\xa6 (2000000 bytes)\"");
	free(html);
	derived_free(d);
	name[READ] = '\0';
	d = gap_of_60_ms(name, true);
	r = request(d, "gap:0", REPORT_HTML);
	html = written(&r);
	expect_in(html, name);
	free(html);
	derived_free(d);
	free(name);
}

static void test_picture_marks_the_gap_exactly(void **state)
{
	(void)state;
	struct derived *d = gap_of_60_ms("IteratorGetNext", true);
	struct report_req r = request(d, "gap:0", REPORT_SVG);
	struct arena mem = {0};
	struct picture *p =
		picture_new(&(struct picture_req){.d = d, .window = &r.window, .focus = r.window.gap}, &mem);
	assert_true(p->marked);
	assert_int_equal(p->mark_a_ns, MS(100));
	assert_int_equal(p->mark_b_ns, MS(160));
	assert_int_equal(p->a_ns, MS(85)); /* a quarter of the gap on either side */
	assert_int_equal(p->b_ns, MS(175));
	arena_free(&mem);
	derived_free(d);
}

static void test_save(void **state)
{
	(void)state;
	struct derived *d = gap_of_60_ms("IteratorGetNext", true);
	struct report_req r = request(d, "all", REPORT_MD);
	char folder[] = "/tmp/stepscope-report-XXXXXX", path[64];
	struct err e = {0};
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/r.md", folder);
	assert_true(report_save(&r, path, 0, &e));
	assert_false(report_save(&r, path, 0, &e));
	assert_non_null(strstr(e.msg, "exists; --force overwrites it"));
	assert_false(e.unreadable);
	assert_true(report_save(&r, path, OUTPUT_FORCE, &e));
	assert_false(report_save(&r, "/nonexistent/r.md", 0, &e));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0); /* fails when a temporary file was left behind */
	derived_free(d);
}

static void test_formats(void **state)
{
	(void)state;
	enum report_format f;
	assert_true(report_format_parse("html", &f) && f == REPORT_HTML);
	assert_true(report_format_parse("out.d/gap.svg", &f) && f == REPORT_SVG);
	assert_true(report_format_parse("notes.txt", &f) && f == REPORT_TEXT);
	assert_false(report_format_parse("gap.pdf", &f));
	assert_string_equal(report_format_ending(REPORT_JSON), "json");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_verdict_in_every_format),
		cmocka_unit_test(test_heading_is_one_line),
		cmocka_unit_test(test_first_five_lines),
		cmocka_unit_test(test_abstains),
		cmocka_unit_test(test_why),
		cmocka_unit_test(test_names_cannot_break_out),
		cmocka_unit_test(test_hosts_are_hidden_everywhere),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_stays_small),
		cmocka_unit_test(test_a_name_of_megabytes_is_cut),
		cmocka_unit_test(test_picture_marks_the_gap_exactly),
		cmocka_unit_test(test_save),
		cmocka_unit_test(test_formats),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
