/* Captured launches of a trace: calls that device work would belong to, had they run. */
#include "captured_private.h"
#include "model/analysis/names/launch_names.h"
#include "model/analysis/names/op_names.h"
#include "model/store/base/spans.h"
#include <string.h>

enum { FRAMES_MOST = 24, MODULES_MOST = 32 };

/* ---- what the call says ---------------------------------------------------------------------------------------------- */

static const char *kernel_name_of(const struct trace *t, row_id r, str_id key, struct arena *mem)
{
	struct attr *attrs;
	size_t n;
	attr_at at = number_at(trace_columns(t)->attrs, r);
	if (!key || !at || !attrs_read(trace_attrs(t), at, mem, &attrs, &n))
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (attrs[i].key == key)
			return arena_strdup(mem, attr_text(&attrs[i], trace_strings(t), mem));
	return NULL;
}

struct finder {
	const struct trace *t;
	struct captured_launches *out;
	struct arena *mem;
	str_id key; /* of the attribute with a kernel's name */
	bool divided;
};

static void add(struct finder *f, row_id r, enum launch_sort what)
{
	struct captured_launches *out = f->out;
	if (f->divided) {
		out->pieces = arena_next_row(f->mem, out->pieces, out->n_pieces, sizeof *out->pieces);
		out->pieces[out->n_pieces++] = (struct captured_piece){.first = out->n};
	}
	f->divided = false;
	out->at = arena_next_row(f->mem, out->at, out->n, sizeof *out->at);
	struct captured_launch *x = &out->at[out->n++];
	out->pieces[out->n_pieces - 1].n++;
	x->row = r;
	x->kind = what == LAUNCHES_KERNEL ? KIND_KERNEL : what == LAUNCHES_COPY ? KIND_COPY : KIND_MEMSET;
	x->kernel = what == LAUNCHES_KERNEL ? kernel_name_of(f->t, r, f->key, f->mem) : NULL;
}

static void look_at(struct finder *f, row_id r)
{
	const struct columns *c = trace_columns(f->t);
	const char *call = trace_str(f->t, c->name[r]);
	enum launch_sort what = launch_starts(call);
	if (launch_divides_captures(call) || c->link[r] != NONE_ID)
		f->divided = true;
	else if (what != LAUNCHES_NOTHING)
		add(f, r, what);
}

void captured_launches_find(const struct trace *capture, struct captured_launches *out, struct arena *mem)
{
	struct finder f = {.t = capture, .out = out, .mem = mem};
	f.key = strings_find(trace_strings(capture), "kernel", 6);
	*out = (struct captured_launches){0};
	for (uint32_t i = 0; i < trace_tracks(capture); i++) {
		const struct track_info *k = trace_track(capture, i);
		f.divided = true;
		for (uint64_t r = k->first; k->kind == TRACK_THREAD && r < k->first + k->n; r++)
			if (trace_columns(capture)->kind[r] == KIND_RUNTIME)
				look_at(&f, (row_id)r);
	}
}

/* ---- what stands around it ------------------------------------------------------------------------------------------- */

/* "aten::mm": the innermost op, with its last part for a type. */
static void take_op(const struct trace *t, row_id r, struct replayed_name *out, struct arena *mem)
{
	struct span name = strings_get(trace_strings(t), trace_columns(t)->name[r]), type = op_last_part(name);
	out->op = arena_strndup(mem, name.p, name.n);
	out->op_type = arena_strndup(mem, type.p, type.n);
}

/* "GptOssForCausalLM_0/RMSNorm_3", from "nn.Module: ..." of the frames, the outermost first. */
static const char *join_modules(const char *const *modules, uint32_t n, struct arena *mem)
{
	const char *text = "";
	while (n--)
		text = arena_printf(mem, "%s%s%s", text, *text ? "/" : "", modules[n]);
	return text;
}

static const char *join_frame(const char *stack, const char *frame, struct arena *mem)
{
	return arena_printf(mem, "%s%s%s", stack, *stack ? " < " : "", frame);
}

struct replayed_name captured_around(const struct trace *capture, row_id launch, bool ranges, struct arena *mem)
{
	static const char module[] = "nn.Module: ";
	struct replayed_name out = {.op = "", .op_type = "", .module = "", .stack = ""};
	const struct columns *c = trace_columns(capture);
	const char *modules[MODULES_MOST];
	uint32_t n_modules = 0, n_frames = 0;
	for (row_id r = trace_parent(capture, launch); r != NONE_ID; r = trace_parent(capture, r)) {
		const char *name = trace_str(capture, c->name[r]);
		if (!*out.op && (c->kind[r] == KIND_OP || (ranges && c->kind[r] == KIND_ANNOTATION)))
			take_op(capture, r, &out, mem);
		if (c->kind[r] != KIND_PYTHON)
			continue;
		if (!strncmp(name, module, sizeof module - 1)) {
			if (n_modules < MODULES_MOST)
				modules[n_modules++] = name + sizeof module - 1;
		} else if (n_frames < FRAMES_MOST) {
			out.stack = join_frame(out.stack, name, mem);
			n_frames++;
		}
	}
	out.module = join_modules(modules, n_modules, mem);
	return out;
}
