/* Python frames that only call what they were given, by rules/frames.rules and rules of the user. */
#include "model/analysis/rules/frame_rules.h"
#include "tests/unit/unit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Names of real traces. */
static const struct {
	const char *name;
	bool wrapper;
} names[] = {
	{"<frozen runpy>(198): _run_module_as_main", true},
	{"<frozen runpy>(88): _run_code", true},
	{"runpy.py(196): _run_module_as_main", true},
	{"<string>(1): <module>", true},
	{"multiprocessing/spawn.py(122): spawn_main", true},
	{"multiprocessing/process.py(314): _bootstrap", true},
	{"multiprocessing/process.py(108): run", true},
	{"threading.py(1030): _bootstrap", true},
	{"threading.py(1010): run", true},
	{"torch/nn/modules/module.py(1736): _call_impl", true},
	{"torch/nn/modules/module.py(1747): _wrapped_call_impl", true},
	{"torch/utils/_contextlib.py(117): decorate_context", true},
	{"moca/shared/maybe/_decorator.py(90): wrapper", true},
	{"torch/_dynamo/eval_frame.py(745): _fn", true},
	{"contextlib.py(78): inner", true},
	{"$traceback_util.py:174 reraise_with_filtered_traceback", true},
	/* what a program does */
	{"threading.py(359): wait", false},
	{"train.py(81): main", false},
	{"torch/nn/modules/conv.py(458): forward", false},
	{"torch/utils/data/dataloader.py(701): __next__", false},
	{"nn.Module: BertLMHeadModel_0", false},
	{"diffusers/hooks/hooks.py(268): _set_context", false},
	{"inspect.py(176): get_annotations", false},
	{"<built-in function linear>", false},
	{"my_wrapper.py(3): train", false},
};

static void test_wrappers_are_told_from_work(void **state)
{
	(void)state;
	struct err e = {0};
	struct frame_rules *r = frame_rules_load(NULL, &e);
	assert_non_null(r);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (frame_is_wrapper(r, names[i].name) != names[i].wrapper)
			fail_msg("%s: %s a wrapper", names[i].name, names[i].wrapper ? "is" : "is not");
	frame_rules_free(r);
}

static struct frame_rules *with_own(const char *text, struct err *e)
{
	char path[] = "/tmp/frames.rules.XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	struct frame_rules *r = frame_rules_load(path, e);
	unlink(path);
	return r;
}

static void test_the_users_rules_come_first(void **state)
{
	(void)state;
	struct err e = {0};
	struct frame_rules *r =
		with_own("version 1\n[wrapper]\nends : my_decorator\n[shown]\nends : decorate_context\n", &e);
	assert_non_null(r);
	assert_true(frame_is_wrapper(r, "a.py(1): my_decorator"));
	assert_false(frame_is_wrapper(r, "torch/utils/_contextlib.py(117): decorate_context"));
	assert_true(frame_is_wrapper(r, "<frozen runpy>(88): _run_code"));
	frame_rules_free(r);
}

static void test_a_wrong_line_is_named(void **state)
{
	(void)state;
	struct err e = {0};
	char buf[640];
	assert_null(with_own("version 1\n[wrapper]\nlooks like\n", &e));
	assert_non_null(strstr(err_text(&e, buf, sizeof buf), "line 3"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrappers_are_told_from_work),
		cmocka_unit_test(test_the_users_rules_come_first),
		cmocka_unit_test(test_a_wrong_line_is_named),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("frame_rules", tests, NULL, NULL);
}
