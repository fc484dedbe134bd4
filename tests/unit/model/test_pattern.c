/* model/pattern: limits are errors and never "no match", however long the text, with and without machine code. */
#include "model/pattern.h"
#include "tests/unit/unit.h"
#include <stdlib.h>
#include <string.h>

static struct pattern_budget budget;

static bool matches(const char *pattern, const char *text, size_t n)
{
	pattern_budget_open(&budget, NULL);
	struct pattern *p = pattern_new("test", pattern, strlen(pattern), 0, &budget, NULL, NULL);
	assert_non_null(p);
	bool hit = pattern_matches(p, text, n);
	pattern_free(p);
	return hit;
}

/* n times a, then the tail. */
static char *many(size_t n, const char *tail)
{
	char *text = malloc(n + strlen(tail) + 1);
	assert_non_null(text);
	memset(text, 'a', n);
	strcpy(text + n, tail);
	return text;
}

static void a_limit_is_an_error(void **state)
{
	(void)state;
	/* the last three: too deep for the stack of machine code; without machine code; a text of 300 kB */
	static const struct {
		const char *pattern;
		size_t n;
	} costly[] = {{"^(a+)+$", 40},      {"(a|aa)+$", 300},        {"a*a*a*a*[bc]", 1000},
		      {"(a|aa)+$", 200000}, {"(*NO_JIT)^(a+)+$", 40}, {".*a.*a.*[bc]", 300000}};
	for (size_t i = 0; i < sizeof costly / sizeof *costly; i++) {
		struct err e = {.at = -1};
		char *text = many(costly[i].n, "!");
		assert_false(matches(costly[i].pattern, text, costly[i].n + 1));
		assert_false(pattern_budget_sound(&budget, &e));
		assert_non_null(strstr(e.msg, "test: the pattern '"));
		assert_non_null(strstr(e.msg, costly[i].pattern));
		assert_non_null(strstr(e.msg, "' is too costly: "));
		assert_false(e.unreadable);
		free(text);
	}
}

static void a_stopped_budget_stays_stopped(void **state)
{
	(void)state;
	char *text = many(40, "!");
	pattern_budget_open(&budget, NULL);
	struct pattern *bad = pattern_new("test", "^(a+)+$", 7, 0, &budget, NULL, NULL);
	struct pattern *good = pattern_new("test", "a", 1, 0, &budget, NULL, NULL);
	assert_true(pattern_matches(good, text, 41));
	assert_false(pattern_matches(bad, text, 41));
	assert_false(
		pattern_matches(good, text, 41)); /* its answers are of no use any more, and nobody waits for them */
	assert_false(pattern_budget_sound(&budget, NULL));
	pattern_budget_open(&budget, NULL);
	assert_true(pattern_matches(good, text, 41));
	assert_true(pattern_budget_sound(&budget, NULL));
	pattern_free(bad);
	pattern_free(good);
	free(text);
}

/* Long texts are matched in pieces of starting points: whatever lies where they meet is found as ever. */
static void long_texts_match_wherever(void **state)
{
	(void)state;
	enum { LONG = 5000 };
	for (size_t at = 500; at < 530; at++) {
		char *text = many(LONG, "end");
		memcpy(text + at, "xy\xc3\xa9z", 5);
		assert_true(matches("xy.z", text, LONG + 3));
		assert_true(matches("(?<=aaa)xy", text, LONG + 3));
		assert_true(matches("\xc3\xa9", text, LONG + 3));
		assert_true(matches("^a+xy.*end$", text, LONG + 3));
		assert_false(matches("^x", text, LONG + 3));
		assert_false(matches("nowhere", text, LONG + 3));
		assert_true(pattern_budget_sound(&budget, NULL));
		free(text);
	}
	char *text = many(LONG, "");
	assert_true(matches("$", text, LONG));
	assert_true(matches("a{600}", text, LONG));
	free(text);
}

static void time_is_a_limit(void **state)
{
	(void)state;
	struct err e = {.at = -1};
	pattern_budget_open(&budget, NULL);
	budget.left_ns = -1;
	struct pattern *p = pattern_new("test", "a.c", 3, 0, &budget, NULL, NULL);
	assert_false(pattern_matches(p, "abc", 3));
	assert_false(pattern_budget_sound(&budget, &e));
	assert_non_null(strstr(e.msg, "is too costly: more than 10 s for all texts"));
	pattern_free(p);
}

static void a_cancelled_match_ends(void **state)
{
	(void)state;
	struct progress progress = {.cancel = true};
	char *text = many(100000, "!");
	pattern_budget_open(&budget, &progress);
	struct pattern *p = pattern_new("test", "!", 1, 0, &budget, NULL, NULL);
	assert_false(pattern_matches(p, text, 100001));
	assert_true(pattern_budget_sound(&budget, NULL)); /* the caller knows that it was cancelled */
	pattern_free(p);
	free(text);
}

/* Compiled when it is first asked: the same answers; one that is wrong after all is an error then. */
static void a_pattern_may_be_compiled_later(void **state)
{
	struct err e = {.at = -1};
	(void)state;
	pattern_budget_open(&budget, NULL);
	struct pattern *p =
		pattern_new("test", "^A(?<n>\\d+)", 11, PATTERN_LATER | PATTERN_CASELESS, &budget, NULL, NULL);
	int64_t n;
	assert_false(pattern_matches(p, "ba12", 4));
	assert_true(pattern_matches(p, "a12", 3));
	assert_true(pattern_number(p, "a12", "n", &n) && n == 12);
	pattern_free(p);
	p = pattern_new("test", "a(", 2, PATTERN_LATER, &budget, NULL, NULL);
	assert_non_null(p);
	assert_true(pattern_budget_sound(&budget, &e));
	assert_false(pattern_matches(p, "a(", 2));
	assert_false(pattern_budget_sound(&budget, &e));
	assert_non_null(strstr(e.msg, "the pattern 'a(' is wrong"));
	pattern_free(p);
	pattern_free(pattern_new("test", "a(", 2, PATTERN_LATER, &budget, NULL, NULL)); /* never asked */
}

/* Repeats that take little match the same texts as those that take much. */
static void short_repeats_match_alike(void **state)
{
	static const char *const patterns[] = {"Main\\w*Gmma", "a.*(b|c)d?$", "x{2,4}y+z*", "(ab?)+c"};
	static const char *const texts[] = {"Main90TmaGmmaWarpGmma_",
					    "Main90 Gmma",
					    "GmmaMain",
					    "aabcd",
					    "a--c",
					    "a--cdd",
					    "xxxxxyyzz",
					    "xy",
					    "abaabac",
					    "ababb"};
	(void)state;
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		size_t n = strlen(patterns[i]);
		pattern_budget_open(&budget, NULL);
		struct pattern *longest = pattern_new("test", patterns[i], n, 0, &budget, NULL, NULL),
			       *shortest = pattern_new("test", patterns[i], n, PATTERN_SHORT, &budget, NULL, NULL);
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			assert_int_equal(pattern_matches(longest, texts[k], strlen(texts[k])),
					 pattern_matches(shortest, texts[k], strlen(texts[k])));
		pattern_free(longest);
		pattern_free(shortest);
	}
}

static void patterns_have_a_size(void **state)
{
	(void)state;
	char why[PATTERN_WHY];
	size_t at;
	char *longest = many(PATTERN_MOST_BYTES, "");
	assert_null(pattern_new("test", longest, PATTERN_MOST_BYTES + 1, 0, &budget, why, &at));
	struct pattern *p = pattern_new("test", longest, PATTERN_MOST_BYTES, 0, &budget, why, &at);
	assert_non_null(p);
	pattern_free(p);
	memset(longest, '(', 200);
	assert_null(pattern_new("test", longest, 200, 0, &budget, why, &at));
	assert_non_null(strstr(why, "nest"));
	free(longest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limit_is_an_error),
		cmocka_unit_test(a_stopped_budget_stays_stopped),
		cmocka_unit_test(long_texts_match_wherever),
		cmocka_unit_test(time_is_a_limit),
		cmocka_unit_test(a_cancelled_match_ends),
		cmocka_unit_test(patterns_have_a_size),
		cmocka_unit_test(a_pattern_may_be_compiled_later),
		cmocka_unit_test(short_repeats_match_alike),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
