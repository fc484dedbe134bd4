/* What PyTorch's DataLoader does, with and without stacks: ops and frames inside it tell, the rest is not recorded. */
#include "tests/unit/ask.h"

#define LOADER  "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
#define WORKERS "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"

static int64_t value_ns(const struct table *t, const char *key)
{
	const struct cell *c = value_of(t, key);
	return c->null ? -1 : c->type == CELL_REAL ? (int64_t)c->r : c->i;
}

static const char *value_text(const struct table *t, const char *key)
{
	return text_of(t, row_of_key(t, key), "value");
}

/* A batch in [0, 100): two ops of transforms, 15 in all, and a frame beside the loader that is none of it. */
static struct build batch(const char *loader)
{
	struct build b = build_new("kineto");
	host_event(&b, KIND_ANNOTATION, 1, loader, 0, 100);
	op(&b, 1, "aten::div", 40, 10);
	op(&b, 1, "aten::stack", 90, 5);
	op(&b, 1, "aten::mm", 120, 10);
	return b;
}

static void what_no_op_covers_is_not_recorded(void **state)
{
	(void)state;
	struct build b = batch(LOADER);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "input");
	assert_int_equal(value_ns(t, "preprocessing_ns"), 15000);
	assert_int_equal(value_ns(t, "not_recorded_ns"), 85000);
	assert_int_equal(value_ns(t, "unclassified_ns"), 0);
	assert_string_equal(value_text(t, "bottleneck"), LOADER);
	assert_string_equal(value_text(t, "bottleneck_part"), "Not recorded");
	assert_non_null(strstr(value_text(t, "missing"), "with_stack=True"));
	assert_non_null(strstr(value_text(t, "advice"), "num_workers > 0"));
	ask_done(d);
}

static void frames_tell_reading_from_work(void **state)
{
	(void)state;
	struct build b = batch(LOADER);
	host_event(&b, KIND_PYTHON, 1, "<built-in method read of _io.BufferedReader object at 0x7f>", 2, 8);
	host_event(&b, KIND_PYTHON, 1, "<built-in method decode of ImagingDecoder object at 0x7e>", 10, 29);
	host_event(&b, KIND_PYTHON, 1, "collate.py(1): pile", 50, 40);
	host_event(&b, KIND_PYTHON, 1, "<built-in method read of _io.BufferedReader object at 0x7f>", 105, 10);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "input");
	assert_int_equal(value_ns(t, "demanded_read_ns"), 8000);
	assert_int_equal(value_ns(t, "preprocessing_ns"), 15000 + 29000 + 40000);
	assert_int_equal(value_ns(t, "not_recorded_ns"), 8000);
	assert_string_equal(value_text(t, "bottleneck"), "collate.py(1): pile");
	assert_null(strstr(value_text(t, "missing"), "with_stack"));
	assert_non_null(strstr(value_text(t, "advice"), "num_workers > 0"));
	ask_done(d);
}

static void work_of_other_processes_is_not_recorded(void **state)
{
	(void)state;
	struct build b = batch(WORKERS);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "input");
	assert_int_equal(value_ns(t, "not_recorded_ns"), 85000);
	assert_int_equal(value_ns(t, "input_wait_ns"), 100000);
	assert_string_equal(value_text(t, "bottleneck_part"), "Wait");
	assert_non_null(strstr(value_text(t, "missing"), "worker processes"));
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_no_op_covers_is_not_recorded),
		cmocka_unit_test(frames_tell_reading_from_work),
		cmocka_unit_test(work_of_other_processes_is_not_recorded),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
