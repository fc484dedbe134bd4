#include "copies_source.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/spans.h"
#include <string.h>

enum { LAUNCH_ROWS = 128, STREAM_ROWS = 16 };

/* ---- ops that enclose the launch ------------------------------------------------------------------------------------ */

static str_id outermost_op(const struct derived *d, row_id r)
{
	str_id op = 0;
	for (row_id at = derived_columns(d)->link[r]; at != NONE_ID; at = parent_of(d, at)) {
		const struct host_info *h = trace_host_detail(derived_trace(d), at);
		if (derived_columns(d)->kind[at] == KIND_OP && !row_is_marker(d, at))
			op = h && h->op ? h->op : derived_columns(d)->name[at];
	}
	return op;
}

/* Frames that say no more than the op does: "<built-in method to of Tensor object at 0x7f..>", PyTorch's own files. */
static bool tells_place(const struct derived *d, row_id at)
{
	static const char *const silent[] = {"<built-in", "torch/", "contextlib.py"};
	uint8_t kind = derived_columns(d)->kind[at];
	const char *name = trace_str(derived_trace(d), derived_columns(d)->name[at]);
	return !row_is_marker(d, at) && (kind == KIND_ANNOTATION || kind == KIND_PYTHON) &&
	       !TEXT_STARTS_WITH_ONE_OF(name, silent);
}

row_id copy_called_in(const struct derived *d, row_id r)
{
	row_id at = derived_columns(d)->link[r];
	while (at != NONE_ID && !tells_place(d, at))
		at = parent_of(d, at);
	return at;
}

/* ---- neighbours ----------------------------------------------------------------------------------------------------- */

static bool is_kernel_of_op(const struct derived *d, row_id work, str_id *op)
{
	if (work == NONE_ID || derived_columns(d)->kind[work] != KIND_KERNEL)
		return false;
	*op = op_of_event(d, work);
	return *op != 0;
}

static bool inside(const struct track_info *k, row_id r)
{
	return r >= k->first && r < k->first + k->n;
}

/* The nearest kernel with an op that this thread launched for the same device, before (way -1) or after (way 1). */
static str_id near_launch(const struct derived *d, row_id r, int way)
{
	row_id at = derived_columns(d)->link[r];
	const struct track_info *k = trace_track(derived_trace(d), derived_columns(d)->track[at]);
	uint32_t device = trace_track(derived_trace(d), derived_columns(d)->track[r])->device;
	str_id op;
	for (int i = 0; i < LAUNCH_ROWS; i++) {
		at += (row_id)way;
		if (!inside(k, at))
			return 0;
		row_id work = derived_columns(d)->link[at];
		if (is_kernel_of_op(d, work, &op) &&
		    trace_track(derived_trace(d), derived_columns(d)->track[work])->device == device)
			return op;
	}
	return 0;
}

static str_id near_stream(const struct derived *d, row_id r, int way)
{
	const struct track_info *k = trace_track(derived_trace(d), derived_columns(d)->track[r]);
	str_id op;
	row_id at = r;
	for (int i = 0; i < STREAM_ROWS; i++) {
		at += (row_id)way;
		if (!inside(k, at))
			return 0;
		if (is_kernel_of_op(d, at, &op))
			return op;
	}
	return 0;
}

static int64_t bytes_of(const struct derived *d, row_id r)
{
	const struct copy_info *info =
		derived_columns(d)->kind[r] == KIND_COPY ? trace_copy(derived_trace(d), r) : NULL;
	return info ? info->bytes : UNKNOWN_I64;
}

row_id copy_round_trip(const struct derived *d, row_id r)
{
	row_id at = derived_columns(d)->link[r];
	if (at == NONE_ID || derived_copy_kind(d, r) != COPY_H2D)
		return NONE_ID;
	const struct track_info *k = trace_track(derived_trace(d), derived_columns(d)->track[at]);
	for (int i = 0; i < STREAM_ROWS && inside(k, at - 1); i++) {
		row_id work = derived_columns(d)->link[--at];
		if (work == NONE_ID)
			continue;
		bool back = derived_copy_kind(d, work) == COPY_D2H && bytes_of(d, work) == bytes_of(d, r);
		return back ? work : NONE_ID;
	}
	return NONE_ID;
}

static str_id op_of_neighbour(const struct derived *d, row_id r, enum copy_kind kind)
{
	bool launched = derived_columns(d)->link[r] != NONE_ID;
	row_id out = copy_round_trip(d, r);
	str_id op = out == NONE_ID ? 0 : op_of_event(d, out);
	int way = kind == COPY_H2D ? 1 : -1;
	if (op)
		return op;
	return launched ? near_launch(d, r, way) : near_stream(d, r, way);
}

struct copy_source copy_source_of(const struct derived *d, row_id r, enum copy_kind kind)
{
	struct copy_source s = {.op = op_of_event(d, r), .by = OP_BY_CORRELATION};
	if (!s.op) {
		s.op = op_of_neighbour(d, r, kind);
		s.by = s.op ? OP_BY_NEIGHBOUR : OP_BY_NOTHING;
		return s;
	}
	s.caller = outermost_op(d, r);
	if (s.caller == s.op)
		s.caller = 0;
	return s;
}
