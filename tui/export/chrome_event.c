/* tui/export/chrome_event.c - one event. Producers' categories and arguments go out as they came in; where a source had none (other
 * formats, live capture) they are made of what the trace knows, in PyTorch's words. */
#include "arg_list.h"
#include "chrome_private.h"
#include "json_value.h"
#include <math.h>
#include <string.h>

/* What the recorded arguments told, so that nothing is said twice. */
enum told { TOLD_CATEGORY = 1, TOLD_DEVICE = 2, TOLD_STREAM = 4, TOLD_CORRELATION = 8, TOLD_SCOPE = 16, TOLD_OP = 32 };
struct written {
	const struct attr *attrs, *end_attrs;
	size_t n, n_end;
	unsigned told;
	const char *category; /* NULL = none */
	char scope;           /* of instants */
	bool any;             /* an argument was written */
};

static const char *key_of(const struct chrome_out *o, const struct attr *a)
{
	return trace_str(o->t, a->key);
}

/* ---- values ----------------------------------------------------------------------------------------------------------------- */

static void put_string(struct chrome_out *o, const char *p, size_t n)
{
	block_json(&o->b, arena_strndup(&o->mem, p, n));
}

/* Numbers and lists as they were written, where that is JSON. */
static void put_raw(struct chrome_out *o, const struct attr *a)
{
	if (json_value_is(a->p, a->n))
		block_bytes(&o->b, a->p, a->n);
	else
		put_string(o, a->p, a->n);
}

static void put_real(struct chrome_out *o, double v)
{
	if (isfinite(v))
		block_real(&o->b, v);
	else
		block_text(&o->b, isnan(v) ? "\"NaN\"" : v > 0 ? "\"Infinity\"" : "\"-Infinity\"");
}

static void put_value(struct chrome_out *o, const struct attr *a)
{
	if (a->type == ATTR_INT)
		block_i64(&o->b, a->i);
	else if (a->type == ATTR_UINT)
		block_u64(&o->b, a->u);
	else if (a->type == ATTR_DOUBLE)
		put_real(o, a->d);
	else if (a->type == ATTR_BOOL)
		block_text(&o->b, a->u ? "true" : "false");
	else if (a->type == ATTR_REF)
		block_json(&o->b, trace_str(o->t, (str_id)a->u));
	else if (a->type == ATTR_STR)
		put_string(o, a->p, a->n);
	else if (a->type == ATTR_JSON || a->type == ATTR_NUMBER)
		put_raw(o, a);
	else
		block_text(&o->b, "null");
}

/* ---- recorded arguments ----------------------------------------------------------------------------------------------------- */

static const char *text_of(struct chrome_out *o, const struct attr *a)
{
	return attr_text(a, trace_strings(o->t), &o->mem);
}

/* Members of an entry that stand beside its arguments. */
static bool is_member(struct chrome_out *o, const struct attr *a, struct written *w)
{
	const char *key = key_of(o, a);
	if (!strcmp(key, "cat") && !(w->told & TOLD_CATEGORY)) {
		w->told |= TOLD_CATEGORY;
		w->category = text_of(o, a);
		return true;
	}
	if (!strcmp(key, "s") && !(w->told & TOLD_SCOPE)) {
		w->told |= TOLD_SCOPE;
		w->scope = *text_of(o, a);
		return true;
	}
	return !strcmp(key, "bp") || !strcmp(key, "tts") || !strcmp(key, "tdur") || !strcmp(key, "cname");
}

static void look(struct chrome_out *o, struct written *w)
{
	static const struct {
		const char *key;
		enum told told;
	} keys[] = {{"device", TOLD_DEVICE},
		    {"stream", TOLD_STREAM},
		    {"correlation", TOLD_CORRELATION},
		    {"correlation_id", TOLD_CORRELATION}};
	for (size_t i = 0; i < w->n; i++) {
		is_member(o, &w->attrs[i], w);
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
			if (!strcmp(key_of(o, &w->attrs[i]), keys[k].key))
				w->told |= keys[k].told;
	}
}

static enum arg_rule rule_of(struct chrome_out *o, str_id key)
{
	if (!o->rule[key])
		o->rule[key] = (uint8_t)(arg_rule(trace_str(o->t, key)) + 1);
	return (enum arg_rule)(o->rule[key] - 1);
}

static void open_arg(struct chrome_out *o, struct written *w, const char *key)
{
	block_text(&o->b, w->any ? "," : ",\"args\":{");
	block_json(&o->b, key);
	block_char(&o->b, ':');
	w->any = true;
}

/* The op of device work, where another format told it by other means than this one is read by. */
static void put_op(struct chrome_out *o, struct written *w, row_id r)
{
	const struct kernel_info *k = o->c->kind[r] == KIND_KERNEL ? trace_kernel(o->t, r) : NULL;
	const struct copy_info *x = trace_copy(o->t, r);
	str_id op = k ? k->op : x ? x->op : 0, type = k ? k->op_type : x ? x->op_type : 0;
	if (o->of_chrome || !o->by_names || !op || o->req->redact)
		return;
	open_arg(o, w, "tf_op");
	const char *name = trace_str(o->t, op);
	block_json(&o->b, type ? arena_printf(&o->mem, "%s:%s", name, trace_str(o->t, type)) : name);
	w->told |= TOLD_OP;
}

static bool leaves_redacted(struct chrome_out *o, const struct attr *a, enum arg_rule rule)
{
	bool text = a->type == ATTR_STR || a->type == ATTR_REF || a->type == ATTR_JSON;
	return rule == ARG_GOES_AS_WORD || (rule == ARG_GOES_AS_NUMBER && (!text || arg_is_number(text_of(o, a))));
}

static void put_arg(struct chrome_out *o, struct written *w, const struct attr *a)
{
	if (w->told & TOLD_OP && !strcmp(key_of(o, a), "tf_op"))
		return;
	enum arg_rule rule = rule_of(o, a->key);
	if (a->type == ATTR_BYTES || (rule == ARG_STAYS && !o->req->all_args) ||
	    (o->req->redact && !leaves_redacted(o, a, rule))) {
		o->left_out++;
		return;
	}
	open_arg(o, w, key_of(o, a));
	put_value(o, a);
}

static void put_recorded(struct chrome_out *o, struct written *w)
{
	struct written seen = {0};
	for (size_t i = 0; i < w->n; i++)
		if (!is_member(o, &w->attrs[i], &seen))
			put_arg(o, w, &w->attrs[i]);
	for (size_t i = 0; i < w->n_end; i++)
		if (!is_member(o, &w->end_attrs[i], &seen))
			put_arg(o, w, &w->end_attrs[i]);
}

/* ---- what is made ----------------------------------------------------------------------------------------------------------- */

static const char *const categories[KIND_COUNT] = {[KIND_OP] = "cpu_op",
						   [KIND_ANNOTATION] = "user_annotation",
						   [KIND_RUNTIME] = "cuda_runtime",
						   [KIND_PYTHON] = "python_function",
						   [KIND_OVERHEAD] = "overhead",
						   [KIND_PROFILE] = "Trace",
						   [KIND_KERNEL] = "kernel",
						   [KIND_COPY] = "gpu_memcpy",
						   [KIND_MEMSET] = "gpu_memset",
						   [KIND_DEVICE_RANGE] = "gpu_user_annotation"};

static void put_int(struct chrome_out *o, struct written *w, const char *key, int64_t v)
{
	open_arg(o, w, key);
	block_i64(&o->b, v);
}

static void put_three(struct chrome_out *o, struct written *w, const char *key, const uint32_t v[3])
{
	if (v[0] == UNKNOWN_U32)
		return;
	open_arg(o, w, key);
	for (int i = 0; i < 3; i++) {
		block_text(&o->b, i ? ", " : "[");
		block_u64(&o->b, v[i]);
	}
	block_char(&o->b, ']');
}

/* One number, as PyTorch has it; both where they are known apart. */
static void put_shared_memory(struct chrome_out *o, struct written *w, uint32_t fixed, uint32_t dynamic)
{
	bool both = fixed != UNKNOWN_U32 && dynamic != UNKNOWN_U32;
	if (fixed == UNKNOWN_U32 && dynamic == UNKNOWN_U32)
		return;
	open_arg(o, w, "shared memory");
	block_text(&o->b, both ? "[" : "");
	block_u64(&o->b, fixed != UNKNOWN_U32 ? fixed : dynamic);
	if (both) {
		block_text(&o->b, ", ");
		block_u64(&o->b, dynamic);
		block_char(&o->b, ']');
	}
}

static void put_kernel(struct chrome_out *o, struct written *w, const struct kernel_info *k)
{
	if (k->registers != UNKNOWN_U32)
		put_int(o, w, "registers per thread", k->registers);
	put_shared_memory(o, w, k->static_smem_bytes, k->dynamic_smem_bytes);
	put_three(o, w, "grid", k->grid);
	put_three(o, w, "block", k->block);
	if (isfinite(k->blocks_per_sm)) {
		open_arg(o, w, "blocks per SM");
		block_real(&o->b, k->blocks_per_sm);
	}
	if (isfinite(k->occupancy_pct)) {
		open_arg(o, w, "est. achieved occupancy %");
		block_real(&o->b, k->occupancy_pct);
	}
}

static void put_copy(struct chrome_out *o, struct written *w, const struct copy_info *x)
{
	if (x->bytes != UNKNOWN_I64)
		put_int(o, w, "bytes", x->bytes);
	if (x->from_device >= 0)
		put_int(o, w, "fromDevice", x->from_device);
	if (x->to_device >= 0)
		put_int(o, w, "toDevice", x->to_device);
}

/* Where the source had no arguments, or others than these. */
static void put_details(struct chrome_out *o, struct written *w, row_id r)
{
	const struct kernel_info *k = o->c->kind[r] == KIND_KERNEL ? trace_kernel(o->t, r) : NULL;
	const struct copy_info *x = trace_copy(o->t, r);
	if (w->n && (o->of_chrome || o->by_names))
		return;
	if (k)
		put_kernel(o, w, k);
	if (x)
		put_copy(o, w, x);
}

static bool is_on_device(const struct chrome_out *o, row_id r)
{
	return trace_track(o->t, o->c->track[r])->device != NONE_ID;
}

static void put_place(struct chrome_out *o, struct written *w, row_id r)
{
	const struct track_info *x = trace_track(o->t, o->c->track[r]);
	uint64_t corr = number_at(o->c->corr, r);
	if (o->by_names)
		return;
	if (is_on_device(o, r) && (!(w->told & TOLD_DEVICE) || o->many_hosts))
		put_int(o, w, "device",
			o->many_hosts ? o->lanes.device[x->device] : trace_device(o->t, x->device)->ordinal);
	if (is_on_device(o, r) && !(w->told & TOLD_STREAM))
		put_int(o, w, "stream", x->key);
	if (corr && corr != UINT64_MAX && !(w->told & TOLD_CORRELATION)) {
		open_arg(o, w, "correlation");
		block_u64(&o->b, corr);
	}
}

static void put_mark(struct chrome_out *o, struct written *w, row_id r)
{
	enum slice_place place = slice_place(&o->slice, r);
	if (place == SLICE_INSIDE)
		return;
	open_arg(o, w, SLICE_MARK_KEY);
	block_json(&o->b, slice_word(place));
}

/* ---- the entry -------------------------------------------------------------------------------------------------------------- */

static char phase_of(const struct chrome_out *o, row_id r, const struct written *w)
{
	bool moment = o->c->dur_ns[r] == 0, instant = o->c->kind[r] == KIND_INSTANT || o->c->kind[r] == KIND_MEMORY;
	if (trace_track(o->t, o->c->track[r])->kind == TRACK_ASYNC)
		return moment ? 'n' : 'b';
	return moment && (instant || w->told & TOLD_SCOPE) ? 'i' : 'X';
}

static void put_ids(struct chrome_out *o, row_id r, char ph)
{
	struct thread_number at = lanes_of_event(&o->lanes, r);
	chrome_number(o, "pid", at.pid);
	if (ph != 'n' && ph != 'b' && ph != 'e')
		chrome_number(o, "tid", at.tid);
	else
		chrome_number(o, "id", (int64_t)r + 1);
}

static void put_times(struct chrome_out *o, row_id r, char ph)
{
	block_text(&o->b, ",\"ts\":");
	chrome_time(o, o->c->start_ns[r] + (ph == 'e' ? o->c->dur_ns[r] : 0) + o->origin_ns);
	if (ph != 'X')
		return;
	block_text(&o->b, ",\"dur\":");
	chrome_time(o, o->c->dur_ns[r]);
}

/* True when the event needs no category of ours: names tell what it is, or the recorder gave it none. A call of rocprof needs one: what
 * told that it is a call, and of which launch, are arguments that are not written. */
static bool told_otherwise(const struct chrome_out *o, row_id r, const struct written *w)
{
	return o->by_names || (o->of_chrome && w->n && !is_on_device(o, r) && o->c->kind[r] != KIND_RUNTIME);
}

static void open_entry(struct chrome_out *o, row_id r, char ph, const struct written *w)
{
	const struct track_info *x = trace_track(o->t, o->c->track[r]);
	bool async = x->kind == TRACK_ASYNC;
	const char *made = told_otherwise(o, r, w) ? NULL : categories[o->c->kind[r]];
	const char *category = w->category ? w->category : async ? trace_str(o->t, x->lane) : made;
	chrome_next(o);
	block_bytes(&o->b, (char[]){'{', '"', 'p', 'h', '"', ':', '"', ph, '"'}, 9);
	if (category && *category)
		chrome_text(o, "cat", category);
	if (o->c->name[r])
		chrome_text(o, "name", scrub_event(o->scrub, o->t, r, &o->mem));
	if (ph == 'i')
		chrome_text(o, "s", w->scope == 'g' ? "g" : w->scope == 'p' ? "p" : "t");
	put_ids(o, r, ph);
	put_times(o, r, ph);
}

void chrome_event(struct chrome_out *o, row_id r)
{
	struct written w = {0};
	struct attr *at = NULL, *end = NULL;
	attrs_read(o->attrs, number_at(o->c->attrs, r), &o->mem, &at, &w.n);
	attrs_read(o->attrs, trace_end_attrs(o->t, r), &o->mem, &end, &w.n_end);
	w.attrs = at;
	w.end_attrs = end;
	look(o, &w);
	char ph = phase_of(o, r, &w);
	open_entry(o, r, ph, &w);
	put_op(o, &w, r);
	put_recorded(o, &w);
	put_details(o, &w, r);
	put_place(o, &w, r);
	put_mark(o, &w, r);
	block_text(&o->b, w.any ? "}}" : "}");
	if (ph == 'b') {
		open_entry(o, r, 'e', &w);
		block_char(&o->b, '}');
	}
	arena_free(&o->mem);
}
