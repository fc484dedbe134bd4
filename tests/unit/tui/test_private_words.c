/* Names in sentences: the longest one at a place, whole words only, cut ones too, one hash for one name. */
#include "tui/tables/private_words.h"
#include "tui/text/words.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static struct private_words *words_of(const char *const *names, size_t n)
{
	struct private_words *w = private_words_new();
	for (size_t i = 0; i < n; i++)
		private_words_add(w, names[i], "name");
	private_words_seal(w);
	return w;
}

static void check(const struct private_words *w, struct arena *mem, const char *text, const char *form,
		  const char *name)
{
	const char *hash = words_hash(mem, "name", name);
	assert_string_equal(private_words_hide(w, text, mem), arena_printf(mem, form, hash));
}

static void test_sentences(void **state)
{
	static const char *const names[] = {"falcon", "falcon eye", "## falcon wait() ##", "a", "m/falcon/q", "falcon"};
	struct private_words *w = words_of(names, sizeof names / sizeof *names);
	struct arena mem = {0};
	(void)state;
	check(w, &mem, "longest in falcon.", "longest in %s.", "falcon");
	check(w, &mem, "in falcon eye, 3 ms", "in %s, 3 ms", "falcon eye");
	check(w, &mem, "in falcon eyes", "in %s eyes", "falcon");
	check(w, &mem, "(## falcon wait() ##; 3 ms)", "(%s; 3 ms)", "## falcon wait() ##");
	check(w, &mem, "falcon-1", "%s-1", "falcon");
	check(w, &mem, "m/falcon/q", "%s", "m/falcon/q");
	assert_string_equal(private_words_hide(w, "falconry, afalcon, falcon1, falcon_2", &mem),
			    "falconry, afalcon, falcon1, falcon_2");
	assert_string_equal(private_words_kind(w, "falcon eye"), "name");
	assert_null(private_words_kind(w, "falcon e"));
	arena_free(&mem);
	private_words_free(w);
}

static void test_cut_names(void **state)
{
	static const char *const names[] = {"my_company::secret_model::forward_pass"};
	struct private_words *w = words_of(names, 1);
	struct arena mem = {0};
	(void)state;
	check(w, &mem, "in my_company::secr... 3 ms", "in %s 3 ms", names[0]);
	check(w, &mem, "in my_company::...forward_pass, 3 ms", "in %s, 3 ms", names[0]);
	assert_string_equal(private_words_hide(w, "it goes on...", &mem), "it goes on...");
	arena_free(&mem);
	private_words_free(w);
}

static void test_none(void **state)
{
	struct private_words *w = words_of(NULL, 0);
	struct arena mem = {0};
	(void)state;
	assert_string_equal(private_words_hide(w, "nothing to hide... at all", &mem), "nothing to hide... at all");
	arena_free(&mem);
	private_words_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sentences), cmocka_unit_test(test_cut_names),
					   cmocka_unit_test(test_none)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
