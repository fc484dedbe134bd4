/* One list of keys: no key means two things, every key can be typed, every action can be looked up. */
#include "tui/keys/keymap.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const struct key_binding *all;
static size_t n_all;

/* Calls visit for every key word of every row. */
static void each_key(void (*visit)(const struct key_binding *b, int key, const char *word, size_t n))
{
	for (size_t i = 0; i < n_all; i++) {
		for (const char *p = all[i].keys; *p;) {
			size_t n = strcspn(p, " ");
			visit(&all[i], key_parse(p, n), p, n);
			p += n + strspn(p + n, " ");
		}
	}
}

static void check_parsed(const struct key_binding *b, int key, const char *word, size_t n)
{
	if (key == K_NONE)
		fail_msg("%.*s of action %d is no key", (int)n, word, b->action);
}

static void every_key_word_is_a_key(void **state)
{
	(void)state;
	each_key(check_parsed);
}

static void check_own_action(const struct key_binding *b, int key, const char *word, size_t n)
{
	enum action found = keymap_find(b->scope, false, key);
	if (found != b->action)
		fail_msg("%.*s is bound twice in %s", (int)n, word, scope_title(b->scope));
}

static void no_scope_binds_a_key_twice(void **state)
{
	(void)state;
	each_key(check_own_action);
}

/* Only scopes that fall back to GLOBAL can shadow it. */
static void check_not_shadowed(const struct key_binding *b, int key, const char *word, size_t n)
{
	static const enum scope fall_back[] = {SCOPE_OVERVIEW, SCOPE_TIMELINE, SCOPE_TABLE, SCOPE_READER};
	if (b->scope != SCOPE_GLOBAL)
		return;
	for (size_t i = 0; i < sizeof fall_back / sizeof *fall_back; i++)
		if (keymap_find(fall_back[i], false, key) != ACT_NONE)
			fail_msg("%.*s means one thing everywhere and another in %s", (int)n, word,
				 scope_title(fall_back[i]));
}

static void no_pane_shadows_a_key_that_works_everywhere(void **state)
{
	(void)state;
	each_key(check_not_shadowed);
}

static void the_keys_of_the_promise(void **state)
{
	(void)state;
	assert_int_equal(keymap_find(SCOPE_OVERVIEW, true, 'b'), ACT_GAP_BIGGEST);
	assert_int_equal(keymap_find(SCOPE_TIMELINE, true, 'b'), ACT_GAP_BIGGEST);
	assert_int_equal(keymap_find(SCOPE_TABLE, true, 'e'), ACT_EXPORT);
	assert_int_equal(keymap_find(SCOPE_EXPORT, false, 'h'), ACT_AS_HTML);
}

static void quitting_is_always_possible(void **state)
{
	(void)state;
	assert_int_equal(keymap_find(SCOPE_LOADING, false, 'q'), ACT_STOP);
	assert_int_equal(keymap_find(SCOPE_LOADING, false, K_ESC), ACT_STOP);
	assert_int_equal(keymap_find(SCOPE_TIMELINE, true, 'q'), ACT_QUIT);
	assert_int_equal(keymap_find(SCOPE_PROMPT, false, K_ESC), ACT_ABANDON);
}

static void a_key_nobody_binds_means_nothing(void **state)
{
	(void)state;
	assert_int_equal(keymap_find(SCOPE_TIMELINE, true, K_NONE), ACT_NONE);
	assert_int_equal(keymap_find(SCOPE_TIMELINE, true, 0x10FFFF), ACT_NONE);
	assert_int_equal(keymap_find(SCOPE_PROMPT, false, 'x'), ACT_NONE);
}

int main(void)
{
	all = keymap(&n_all);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_word_is_a_key),
		cmocka_unit_test(no_scope_binds_a_key_twice),
		cmocka_unit_test(no_pane_shadows_a_key_that_works_everywhere),
		cmocka_unit_test(the_keys_of_the_promise),
		cmocka_unit_test(quitting_is_always_possible),
		cmocka_unit_test(a_key_nobody_binds_means_nothing),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
