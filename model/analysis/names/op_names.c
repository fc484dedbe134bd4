#include "op_names.h"
#include <string.h>

struct op_name op_name_of(const struct trace *t, row_id r)
{
	const struct columns *c = trace_columns(t);
	struct span name = strings_get(trace_strings(t), c->name[r]);
	const struct host_info *h = c->detail[r] ? trace_host_detail(t, r) : NULL;
	if (KINDS_WORK >> c->kind[r] & 1)
		return (struct op_name){name, {"", 0}, OP_UNKNOWN};
	if (!h || !h->op_type)
		return op_name_parse(name);
	struct span type = strings_get(trace_strings(t), h->op_type);
	return (struct op_name){strings_get(trace_strings(t), h->op), type, op_category_of(type)};
}

struct span op_last_part(struct span name)
{
	for (size_t i = name.n; i >= 2; i--)
		if (name.p[i - 1] == ':' && name.p[i - 2] == ':')
			return (struct span){name.p + i, name.n - i};
	return name;
}

/* ---- ops of PyTorch that compute nothing -------------------------------------------------------------------------- */

/* clang-format off */
static const char *const describing[] = {
	"view", "_unsafe_view", "_reshape_alias", "reshape", "as_strided", "as_strided_", "t", "transpose", "transpose_", "permute",
	"expand", "expand_as", "slice", "select", "narrow", "unsqueeze", "squeeze", "flatten", "unflatten", "chunk", "split",
	"split_with_sizes", "unbind", "unfold", "diagonal", "alias", "detach", "detach_", "view_as", "view_as_real", "view_as_complex",
	"movedim", "swapaxes", "mT", "numpy_T", "empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "resize_",
	"resize_as_", "set_", "set_data", "result_type", "item", "_local_scalar_dense", "is_nonzero", "lift_fresh", "record_stream",
	"_has_compatible_shallow_copy_type", "_version", "output_nr", "requires_grad_", "stride", "size", "sym_size",
};
/* clang-format on */

bool op_only_describes(struct span name)
{
	if (span_starts(name, "detach"))
		return true;
	if (!span_starts(name, "aten::"))
		return false;
	for (size_t i = 0; i < sizeof describing / sizeof *describing; i++)
		if (span_is((struct span){name.p + 6, name.n - 6}, describing[i]))
			return true;
	return false;
}

/* ---- input stages ----------------------------------------------------------------------------------------------- */

const char *input_class_text(enum input_class c)
{
	static const char *const texts[] = {
#define INPUT_TEXT(id, text, help) text,
		INPUT_CLASSES(INPUT_TEXT)
#undef INPUT_TEXT
	};
	return c < INPUT_CLASS_COUNT ? texts[c] : "";
}

static bool ends_in_any(struct span s, const char *const *list)
{
	for (; *list; list++)
		if (span_ends(s, *list))
			return true;
	return false;
}

static bool has_any(struct span s, const char *const *list)
{
	for (; *list; list++)
		if (span_has(s, *list))
			return true;
	return false;
}

/* A reader below something that reads ahead or in parallel is waited for less than one that is asked directly. */
static enum input_class class_of_dataset(struct span name)
{
	static const char *const readers[] = {
		"::TFRecord", "::TextLine", "::FixedLengthRecord", "::SSTable", "::RecordIO", "::ArrayRecord", NULL};
	static const char *const ahead[] = {"::MemoryReader", "::MemoryWriter", "::Interleave",
					    "::Prefetch",     "::ParallelMap",  NULL};
	if (!ends_in_any(name, readers))
		return INPUT_PREPROCESSING;
	return has_any(name, ahead) ? INPUT_ADVANCED : INPUT_DEMANDED;
}

enum input_class input_class_of_op(const struct op_name *op)
{
	if (span_starts(op->type, "InfeedEnqueue") || span_is(op->type, "MemcpyHToD"))
		return INPUT_ENQUEUE;
	return op->category == OP_DATASET ? class_of_dataset(op->name) : INPUT_NONE;
}

enum input_class input_class_of_stage(struct span category)
{
	static const struct {
		const char *text;
		enum input_class class;
	} stages[] = {{"enqueue", INPUT_ENQUEUE},
		      {"read", INPUT_DEMANDED},
		      {"preprocessing", INPUT_PREPROCESSING},
		      {"unknown", INPUT_UNKNOWN}};
	for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
		if (span_is_any_case(category, stages[i].text))
			return stages[i].class;
	return INPUT_NONE;
}

/* clang-format off */
/* By a part of the name; the first that fits counts. `begins`: only at the beginning. */
static const struct { const char *part; bool begins; enum input_class class; } named_stages[] = {
	{"IteratorGetNext",                                     true,  INPUT_WAIT},
	{"enumerate(DataLoader)#_MultiProcessing",              true,  INPUT_WAIT}, /* the workers are other processes */
	{"enumerate(DataLoader)#",                              true,  INPUT_UNRECORDED}, /* loads and transforms by itself: the rest of it */
	{"enumerate(DataPipe)#",                                true,  INPUT_UNRECORDED},
	{"aten::pin_memory",                                    true,  INPUT_ENQUEUE},
	{"aten::_pin_memory",                                   true,  INPUT_ENQUEUE},
	{"torch/utils/data/_utils/pin_memory.py",               false, INPUT_ENQUEUE},
	{"torch/utils/data/_utils/collate.py",                  false, INPUT_PREPROCESSING},
	{"torch/utils/data/_utils/fetch.py",                    false, INPUT_UNKNOWN},
	{"torch/utils/data/_utils/worker.py",                   false, INPUT_UNKNOWN},
};
/* clang-format on */

enum input_class input_class_of_name(const char *name)
{
	for (size_t i = 0; i < sizeof named_stages / sizeof *named_stages; i++) {
		const char *part = named_stages[i].part;
		if (named_stages[i].begins ? text_starts(name, part) : strstr(name, part) != NULL)
			return named_stages[i].class;
	}
	return INPUT_NONE;
}

/* What Python's files, sockets and the libraries above them call in the end. */
bool input_name_reads(const char *name)
{
	static const char *const reads[] = {"method read of",           "method read1 of",
					    "method readinto of",       "method readline of",
					    "method recv of",           "method recv_into of",
					    "built-in function open>",  "built-in function read>",
					    "built-in function pread>", "built-in function fromfile>",
					    "built-in function stat>"};
	if (!strstr(name, "method re") && !strstr(name, "built-in function "))
		return false;
	for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
		if (strstr(name, reads[i]))
			return true;
	return false;
}

bool input_name_loads(const char *name)
{
	return text_starts(name, "enumerate(DataLoader)#") || text_starts(name, "enumerate(DataPipe)#");
}
