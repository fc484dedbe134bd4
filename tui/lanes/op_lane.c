#include "op_lane.h"
#include "model/store/base/spans.h"
#include "tui/screen/theme.h"
#include "tui/text/short_names.h"
#include "model/store/base/memory.h"
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

enum { FULL = 0x2588, SEAM = 0x258F, MAX_COLS = 4096, INKS = 4, SAMPLES = 1024, MAX_PARTS = 64 };

const char *op_lane_name(uint32_t level)
{
	return level == OP_LANE_PHASE ? "phase" : level == OP_LANE_MODULE ? "module" : level ? "scope" : "op";
}

/* ---- parts of a name ---------------------------------------------------------------------------------------------- */

/* Begin of part `n` of "a/b/c", NULL when there is none. A "/" inside brackets divides nothing: "jit(f)", "{lambda(int)#1}". */
static const char *part_at(const char *name, uint32_t n)
{
	int depth = 0;
	for (; n && *name; name++) {
		depth += (*name == '(' || *name == '[' || *name == '{' || *name == '<');
		depth -= (*name == ')' || *name == ']' || *name == '}' || *name == '>');
		n -= *name == '/' && depth <= 0;
	}
	return n ? NULL : name;
}

static uint32_t scopes_of(const char *name)
{
	uint32_t n = 0;
	while (n < MAX_PARTS && part_at(name, n + 1))
		n++;
	return n;
}

static size_t part_length(const char *part)
{
	const char *next = part_at(part, 1);
	return next ? (size_t)(next - part) - 1 : strlen(part);
}

/* Parts that both begin with, counting scopes only. */
static uint32_t common_scopes(const char *a, const char *b, uint32_t most)
{
	uint32_t n = 0;
	for (const char *p, *q; n < most && (p = part_at(a, n)) && (q = part_at(b, n)); n++)
		if (!part_at(p, 1) || !part_at(q, 1) || part_length(p) != part_length(q) ||
		    memcmp(p, q, part_length(p)) != 0)
			break;
	return n;
}

/* ---- what a stream's lanes can show ------------------------------------------------------------------------------- */

bool op_lane_recorded(const struct trace *t, uint32_t track)
{
	const struct track_info *k = trace_track(t, track);
	return k->kind == TRACK_STREAM_LANE && k->n && strstr(trace_str(t, k->name), " Ops");
}

static const char *module_of(const struct derived *d, row_id r)
{
	const struct kernel_info *k = trace_kernel(derived_trace(d), r);
	return k && k->module ? trace_str(derived_trace(d), k->module) : "";
}

struct op_lanes op_lanes_of(const struct derived *d, uint32_t track)
{
	const struct trace *t = derived_trace(d);
	const struct track_info *k = trace_track(t, track);
	const char *first = NULL;
	uint32_t deepest = 0, common = 0;
	bool modules = false, may = k->kind == TRACK_STREAM && trace_kernels_may_tell_module(t);
	if (k->kind != TRACK_STREAM)
		return (struct op_lanes){0};
	for (uint64_t i = 0; i < SAMPLES && i < k->n; i++) {
		row_id r = (row_id)(k->first + (k->n <= SAMPLES ? i : i * k->n / SAMPLES));
		const char *op = trace_columns(t)->kind[r] == KIND_KERNEL ? derived_op(d, r) : "";
		modules = modules || (may && trace_columns(t)->kind[r] == KIND_KERNEL && *module_of(d, r));
		if (!*op)
			continue;
		uint32_t scopes = scopes_of(op);
		common = first ? common_scopes(first, op, common) : scopes;
		first = first ? first : op;
		deepest = scopes > deepest ? scopes : deepest;
	}
	uint32_t more = deepest - common < OP_LANE_SCOPES ? deepest - common : OP_LANE_SCOPES;
	return (struct op_lanes){
		.levels = first ? (uint8_t)(1 + more) : 0, .common = (uint8_t)common, .modules = modules};
}

void op_lanes_phases(struct op_lanes *x, const struct derived *d, uint32_t track, struct phases *p)
{
	const struct track_info *k = trace_track(derived_trace(d), track);
	unsigned seen = 0;
	if (k->kind != TRACK_STREAM || k->derived_by_producer)
		return;
	for (uint64_t i = 0; i < SAMPLES && i < k->n && !(seen & (seen - 1)); i++) {
		row_id r = (row_id)(k->first + (k->n <= SAMPLES ? i : i * k->n / SAMPLES));
		seen |= 1u << phase_of_work(p, r).phase & ~(1u << WORK_OTHER);
	}
	x->phases = seen & (seen - 1) ? p : NULL;
}

/* ---- drawing ------------------------------------------------------------------------------------------------------ */

/* What a column shows: a piece of an op's name, n = 0 for nothing. */
static struct span text_of(const struct derived *d, const struct op_lanes *lanes, uint32_t level, row_id r)
{
	const char *op =
		r == NONE_ID || trace_columns(derived_trace(d))->kind[r] != KIND_KERNEL ? "" : derived_op(d, r);
	if (!*op)
		return (struct span){"", 0};
	if (!level) { /* "model/dense/MatMul": what the scopes do not say */
		const char *rest = part_at(op, scopes_of(op));
		return span_of(rest);
	}
	const char *part = part_at(op, lanes->common + level - 1);
	return part && part_at(part, 1) ? (struct span){part, part_length(part)} : (struct span){"", 0};
}

static struct span module_text(const struct derived *d, row_id r)
{
	const char *module =
		r == NONE_ID || trace_columns(derived_trace(d))->kind[r] != KIND_KERNEL ? "" : module_of(d, r);
	return span_of(module);
}

static struct span phase_text(const struct op_lanes *lanes, row_id r)
{
	enum work_phase phase = r == NONE_ID ? WORK_OTHER : phase_shown(lanes->phases, r);
	const char *name = phase == WORK_OTHER ? "" : work_phase_name(phase);
	return span_of(name);
}

static int ink_of(struct span text)
{
	return INK_OP_0 + (int)span_pick(text, INKS);
}

struct block {
	struct span text;
	uint32_t from, to;
	bool touches; /* another one ends where it begins */
};

static void draw_block(struct surface *s, int y, int x, const struct block *b)
{
	char name[NAMES_BUF], buf[NAMES_BUF];
	int ink = ink_of(b->text);
	for (uint32_t c = b->from; c < b->to; c++)
		surface_put(s, y, x + (int)c, FULL, ink, PEN_SHAPE);
	int from = x + (int)b->from, room = (int)(b->to - b->from);
	if (b->touches && room > 1) {
		surface_put(s, y, from++, SEAM, ink, 0);
		room--;
	}
	snprintf(name, sizeof name, "%.*s", (int)(b->text.n < sizeof name - 1 ? b->text.n : sizeof name - 1),
		 b->text.p);
	if (room >= 3)
		surface_text(s, y, from, room, ink, 0, name_reduce(name, room, buf));
}

void op_lane_draw(const struct derived *d, const struct op_lanes *lanes, uint32_t track, uint32_t level,
		  const struct viewport *v, struct surface *s, int y, int x)
{
	uint32_t cols = v->cols < MAX_COLS ? v->cols : MAX_COLS;
	struct bin *bins = must(malloc(cols * sizeof *bins));
	struct block open = {.text = span_of("")};
	trace_bins(derived_trace(d), track, 0, v->from_ns, v->span_ns, cols, bins);
	for (uint32_t c = 0; c < cols; c++) {
		bool again = c && bins[c].longest == bins[c - 1].longest;
		row_id r = bins[c].longest;
		struct span text = again                     ? open.text
				   : level == OP_LANE_PHASE  ? phase_text(lanes, r)
				   : level == OP_LANE_MODULE ? module_text(d, r)
							     : text_of(d, lanes, level, r);
		if (span_same(text, open.text)) {
			open.to = c + 1;
			continue;
		}
		if (open.text.n)
			draw_block(s, y, x, &open);
		open = (struct block){text, c, c + 1, open.text.n > 0};
	}
	if (open.text.n)
		draw_block(s, y, x, &open);
	free(bins);
}
