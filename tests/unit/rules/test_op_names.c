/* What the text of a host event says about it as an op: parsing, classes of input stages. */
#include "importers/detail_texts.h"
#include "model/analysis/names/op_names.h"
#include "tests/unit/unit.h"
#include <string.h>

static struct op_name parse(const char *text)
{
	return op_name_parse((struct span){text, strlen(text)});
}

static void is_op(const char *text, const char *name, const char *type, enum op_category category)
{
	struct op_name op = parse(text);
	assert_true(span_is(op.name, name));
	assert_true(span_is(op.type, type));
	assert_int_equal(op.category, category);
}

static void splits_at_the_first_colon(void **state)
{
	(void)state;
	is_op("model/dense/MatMul:MatMul", "model/dense/MatMul", "MatMul", OP_TENSORFLOW);
	is_op("model/dense/MatMul_12:", "model/dense/MatMul_12", "MatMul", OP_TENSORFLOW);
	is_op("a:_Send", "a", "_Send", OP_TENSORFLOW);
	is_op("jit(f)/dot_general:dot_general[a=1]", "jit(f)/dot_general", "dot_general", OP_JAX);
	is_op("Iterator::Root::Batch", "Iterator::Root::Batch", "Dataset", OP_DATASET);
	is_op("MEMCPYHTOD 12", "MEMCPYHTOD 12", "MemcpyHToD", OP_COPY);
	is_op("MemcpyH2D", "MemcpyH2D", "", OP_UNKNOWN);
	is_op("aten::add", "aten::add", "", OP_UNKNOWN);
	is_op("a b:Type", "a b:Type", "", OP_UNKNOWN);
	is_op("", "", "", OP_UNKNOWN);
	is_op(":", "", "", OP_TENSORFLOW);
}

/* Importers keep the same two parts beside an event. */
static void agrees_with_the_importers(void **state)
{
	(void)state;
	static const char *const texts[] = {"a/b:MatMul", "a/b_1:",    "Iterator::A", "MemcpyDToH x", "jit(g)/add:add",
					    "user code",  "aten::add", "::",          "x:Y:Z",        "train 5",
					    "a[0]:b[c]",  "_x:Op",     ".x:Op",       "x:1a",         ":"};
	struct strings *s = strings_new();
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		str_id op, type;
		struct op_name here = parse(texts[i]);
		details_tf_op(s, texts[i], strlen(texts[i]), &op, &type);
		assert_true(span_is(here.name, strings_z(s, op)));
		assert_true(span_is(here.type, strings_z(s, type)));
	}
	strings_free(s);
}

static void last_part(void **state)
{
	(void)state;
	assert_true(span_is(op_last_part(parse("Iterator::Root::Prefetch").name), "Prefetch"));
	assert_true(span_is(op_last_part(parse("Prefetch").name), "Prefetch"));
	assert_true(span_is(op_last_part(parse("Iterator::").name), ""));
}

static void input_stages_of_pytorch(void **state)
{
	(void)state;
	assert_int_equal(input_class_of_name("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"),
			 INPUT_WAIT);
	assert_int_equal(input_class_of_name("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"),
			 INPUT_UNRECORDED);
	assert_int_equal(input_class_of_name("torch/utils/data/_utils/collate.py(108): default_collate"),
			 INPUT_PREPROCESSING);
	assert_int_equal(input_class_of_name("aten::pin_memory"), INPUT_ENQUEUE);
	assert_int_equal(input_class_of_name("aten::add"), INPUT_NONE);
	assert_int_equal(input_class_of_name("my/IteratorGetNext"), INPUT_NONE);
	assert_true(input_name_loads("enumerate(DataPipe)#Mapper"));
	assert_false(input_name_loads("enumerate(x)"));
	assert_true(input_name_reads("<built-in method read of _io.BufferedReader object at 0x7f>"));
	assert_false(input_name_reads("thread.py(1): method"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splits_at_the_first_colon),
		cmocka_unit_test(agrees_with_the_importers),
		cmocka_unit_test(last_part),
		cmocka_unit_test(input_stages_of_pytorch),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
