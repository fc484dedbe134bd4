/* One list of keys: no key means two things, every key can be typed, every action can be looked up. */
#include "tui/keys/fuzzy.h"
#include "tui/keys/keymap.h"
#include "tui/keys/keys_file.h"
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

/* ---- names and the user's own keys ------------------------------------------------------------------------------- */

static void every_action_has_a_name_of_its_own(void **state)
{
	(void)state;
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		char name[ACTION_NAME_BUF];
		action_name((enum action)a, name);
		assert_true(*name);
		assert_int_equal(action_find(name, strlen(name)), a);
	}
	assert_int_equal(action_find("zoom", 4), ACT_NONE);
	assert_int_equal(action_find("", 0), ACT_NONE);
}

/* The row's keys once the text was read; *says: what was complained of, "" = nothing. */
static const char *keys_after(const char *text, enum action a, const char **says)
{
	static struct err e;
	static struct arena mem;
	const struct key_binding *rows;
	e = (struct err){.at = -1};
	*says = keys_file_read(text, strlen(text), "keys", &mem, &rows, &e) ? "" : e.msg;
	for (size_t i = 0; i < n_all; i++)
		if (rows[i].action == a)
			return rows[i].keys;
	return NULL;
}

static void a_file_gives_actions_other_keys(void **state)
{
	(void)state;
	const char *says;
	assert_string_equal(keys_after("# mine\n\n zoom-in   u  Ctrl-x\nzoom-out none\n", ACT_ZOOM_IN, &says),
			    "u Ctrl-x");
	assert_string_equal(says, "");
	assert_string_equal(keys_after("zoom-out none", ACT_ZOOM_OUT, &says), "");
	/* keys that another line moves away from are free */
	assert_string_equal(keys_after("zoom-in s\nzoom-out w\n", ACT_ZOOM_OUT, &says), "w");
	assert_string_equal(says, "");
	/* other places may use a key for something else */
	assert_string_equal(keys_after("line-open u\nzoom-in u", ACT_LINE_OPEN, &says), "u");
	assert_string_equal(says, "");
	for (size_t i = 0; i < n_all; i++)
		assert_string_equal(keys_after("", all[i].action, &says), all[i].keys);
}

static void what_is_wrong_in_it_is_left_out_and_told(void **state)
{
	(void)state;
	/* clang-format off */
	static const struct { const char *text, *says; } wrong[] = {
		{"zom-in x",               "keys:1: there is no action 'zom-in', did you mean zoom-in?"},
		{"\nzoom-in xx",           "keys:2: 'xx' is not a key"},
		{"zoom-in",                "keys:1: no key follows the action"},
		{"zoom-in s",              "keys:1: 's' is the key of zoom-out (timeline) already"},
		{"zoom-in e",              "keys:1: 'e' is the key of export (everywhere) already"},
		{"quit w",                 "keys:1: 'w' is the key of zoom-in (timeline) already"},
		{"zoom-in Ctrl-X",         "keys:1: 'Ctrl-X' is not a key"},
		{"zoom-in u\nzoom-out u",  "'u' is the key of"},
		{"zoom-in s\nzoom-in xx\nzom-in x", "keys:2: 'xx' is not a key; keys are letters, Ctrl-a, Tab, Up, PgDn, F1 and the like; this line is left out, and so are 2 more"},
	};
	/* clang-format on */
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const char *says;
		keys_after(wrong[i].text, ACT_ZOOM_IN, &says);
		if (!strstr(says, wrong[i].says))
			fail_msg("%s says %s", wrong[i].text, says);
		if (i < 7)
			assert_string_equal(keys_after(wrong[i].text, ACT_ZOOM_IN, &says), "w +");
	}
}

static void keys_in_use_are_those_of_the_file(void **state)
{
	(void)state;
	struct arena mem = {0};
	const struct key_binding *rows;
	assert_true(keys_file_read("zoom-in u", 9, "keys", &mem, &rows, NULL));
	keymap_use(rows);
	assert_int_equal(keymap_find(SCOPE_TIMELINE, true, 'u'), ACT_ZOOM_IN);
	assert_int_equal(keymap_find(SCOPE_TIMELINE, true, 'w'), ACT_NONE);
	keymap_use(NULL);
	assert_int_equal(keymap_find(SCOPE_TIMELINE, true, 'w'), ACT_ZOOM_IN);
	arena_free(&mem);
}

static void letters_stand_for_texts(void **state)
{
	(void)state;
	assert_true(fuzzy_score("fold", "fold") > fuzzy_score("fold", "unfold all"));
	assert_true(fuzzy_score("zi", "zoom-in") >= 0);
	assert_true(fuzzy_score("zoom", "zoom-in") > fuzzy_score("zoom", "to zoom in around the cursor"));
	assert_true(fuzzy_score("big gap", "gap-biggest") >= 0);
	assert_true(fuzzy_score("GAP", "gap-biggest") >= 0);
	assert_int_equal(fuzzy_score("xyz", "zoom-in"), -1);
	assert_int_equal(fuzzy_score("fold", "for all the other long names with some d"), -1);
	assert_true(fuzzy_score("", "anything") >= 0);
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
		cmocka_unit_test(every_action_has_a_name_of_its_own),
		cmocka_unit_test(a_file_gives_actions_other_keys),
		cmocka_unit_test(what_is_wrong_in_it_is_left_out_and_told),
		cmocka_unit_test(keys_in_use_are_those_of_the_file),
		cmocka_unit_test(letters_stand_for_texts),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
