#include "op_eager.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/names/op_names.h"
#include <stdlib.h>
#include <string.h>

enum mark { MARK_NONE, MARK_EAGER, MARK_FUNCTION };
/* clang-format off */
/* How names begin. The first that fits counts. */
static const struct { const char *prefix; bool torch; enum mark mark; } rules[] = {
	{"EagerLocalExecute: __inference_", false, MARK_FUNCTION}, {"EagerLocalExecute: StatefulPartitionedCall", false, MARK_FUNCTION},
	{"EagerLocalExecute: PartitionedCall", false, MARK_FUNCTION}, {"EagerLocalExecute: ", false, MARK_EAGER},
	{"FunctionRun", false, MARK_FUNCTION}, {"SessionRun", false, MARK_FUNCTION}, {"RunGraph", false, MARK_FUNCTION},
	{"ExecutorState::Process", false, MARK_FUNCTION}, {"PjitFunction", false, MARK_FUNCTION}, {"XlaModule", false, MARK_FUNCTION},
	{"Torch-Compiled Region", true, MARK_FUNCTION}, {"## Call CompiledFxGraph", true, MARK_FUNCTION},
	{"CompiledFunction", true, MARK_FUNCTION}, {"cudaGraphLaunch", true, MARK_FUNCTION}, {"cuGraphLaunch", true, MARK_FUNCTION},
	{"hipGraphLaunch", true, MARK_FUNCTION}, {"dynamo", true, MARK_FUNCTION}, {"entire_frame_compile", true, MARK_FUNCTION},
	{"entire_backward_compile", true, MARK_FUNCTION},
};
/* clang-format on */

static enum mark mark_of(struct span name, bool torch)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].torch == torch && span_starts(name, rules[i].prefix))
			return rules[i].mark;
	return MARK_NONE;
}

static const char graph_prefix[] = "## Call CompiledFxGraph";

/* Where calls of compiled graphs are marked they alone tell: between the parts of a region whose graph breaks ops run one by one. */
static bool holds_graphs(struct span name)
{
	return span_starts(name, "Torch-Compiled Region") || span_starts(name, "CompiledFunction");
}

/* Without PyTorch's own events launches may come from anywhere: a compiled program, a captured graph, a loop of its own. */
static bool has_ops(const struct derived *d)
{
	for (uint32_t i = 0; i < trace_tracks(derived_trace(d)); i++) {
		const struct track_info *k = trace_track(derived_trace(d), i);
		for (row_id r = (row_id)k->first; derived_is_host_track(k) && r < k->first + k->n; r++)
			if (derived_columns(d)->kind[r] == KIND_OP)
				return true;
	}
	return false;
}

void op_eager_init(struct op_eager *x, const struct derived *d, bool torch)
{
	const struct strings *s = trace_strings(derived_trace(d));
	uint32_t n = strings_count(s);
	const str_id *like = derived_names_like(d);
	bool graphs = false;
	*x = (struct op_eager){.d = d, .torch = torch, .xprof = derived_options(d)->semantics == SEM_XPROF};
	x->silent = torch && !x->xprof && !has_ops(d);
	x->execute = torch ? 0 : strings_find(s, "EagerExecute", strlen("EagerExecute"));
	x->marks = must(malloc(n + 1u));
	for (uint32_t i = 0; i < n; i++) {
		bool again = like[i] != i;
		x->marks[i] = again ? x->marks[like[i]] : (uint8_t)mark_of(strings_get(s, i), torch);
		x->signs |= x->marks[i] != MARK_NONE;
		graphs |= torch && !again && span_starts(strings_get(s, i), graph_prefix);
	}
	for (uint32_t i = 0; i < n && graphs; i++)
		if (holds_graphs(strings_get(s, i)))
			x->marks[i] = MARK_NONE;
}

void op_eager_free(struct op_eager *x)
{
	climb_free(&x->telling);
	free(x->marks);
	x->marks = NULL;
}

/* 1 or 0 as EagerExecute says, -1 when it does not. */
static int execute_says(const struct op_eager *x, row_id r)
{
	const struct host_info *h = derived_columns(x->d)->detail[r] ? trace_host_detail(derived_trace(x->d), r) : NULL;
	if (!h || h->is_func == UNKNOWN_I64)
		return x->xprof ? 0 : -1;
	return h->is_func == 0;
}

/* What the event itself says: 1 eager, 0 not, -1 nothing. */
static int event_says(const struct op_eager *x, row_id r)
{
	str_id name = derived_columns(x->d)->name[r];
	int says = x->execute && name == x->execute ? execute_says(x, r) : -1;
	if (says < 0 && !x->xprof && x->marks[name] != MARK_NONE)
		says = x->marks[name] == MARK_EAGER;
	return says;
}

static bool tells(void *x, row_id r)
{
	return event_says(x, r) >= 0;
}

bool op_eager_around(struct op_eager *x, row_id r)
{
	row_id at = climb_find(&x->telling, x->d, r, tells, x);
	return at == NONE_ID ? x->torch && !x->xprof : event_says(x, at) == 1;
}
