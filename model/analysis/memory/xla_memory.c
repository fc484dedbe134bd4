#include "xla_memory.h"
#include "model/store/facts/side_tables.h"
#include <stdlib.h>
#include <string.h>

/* Allocations: the buffers in their order, the first buffer of each one's, and whether heaps lie in it (by that buffer). */
struct groups {
	uint32_t *rows, *of;
	bool *is_heap;
};
/* The simulation of one heap. */
struct heap {
	struct xla_memory *x;
	uint32_t *users, *shares; /* by buffer: how many have its memory; whose memory it has, 0 = its own */
	uint32_t *latest;         /* by buffer: whose value is in its memory */
	int64_t used_bytes;
};

/* More than any memory, or less than none: sums would leave their range. */
static int64_t sane(int64_t bytes)
{
	return bytes < 0 || bytes > INT64_C(1) << 48 ? 0 : bytes;
}

/* What threads have for themselves is no memory of the device. */
static bool is_set_aside(const struct xla_buffer *b)
{
	return b->kind != XLA_THREAD_LOCAL;
}

/* ---- programs and spaces ------------------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b, void *arg)
{
	const struct xla_buffer *rows = arg, *x = &rows[*(const uint32_t *)a], *y = &rows[*(const uint32_t *)b];
	if (x->program != y->program)
		return x->program < y->program ? -1 : 1;
	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->allocation != y->allocation)
		return x->allocation < y->allocation ? -1 : 1;
	return x < y ? -1 : x > y;
}

static uint32_t *sorted_rows(const struct xla_memory *x, struct arena *mem)
{
	uint32_t *rows = arena_alloc(mem, (x->n_buffers + 1) * sizeof *rows);
	for (uint32_t i = 1; i < x->n_buffers; i++)
		rows[i - 1] = i;
	if (x->n_buffers > 2)
		qsort_r(rows, x->n_buffers - 1, sizeof *rows, by_place, (void *)(uintptr_t)x->buffers);
	return rows;
}

static struct xla_use *use_for(struct xla_memory *x, const struct xla_buffer *b, struct arena *mem)
{
	struct xla_use *last = x->n_uses ? &x->uses[x->n_uses - 1] : NULL;
	if (last && last->program == b->program && last->space == b->space)
		return last;
	x->uses = arena_next_row(mem, x->uses, x->n_uses, sizeof *x->uses);
	x->uses[x->n_uses] = (struct xla_use){.program = b->program, .space = b->space, .peak_step = NONE_ID};
	return &x->uses[x->n_uses++];
}

static void add_allocation(struct xla_use *u, const struct xla_buffer *b)
{
	int64_t bytes = sane(b->allocation_bytes);
	u->kind_bytes[b->kind] += bytes;
	u->total_bytes += is_set_aside(b) ? bytes : 0;
	u->aliased_bytes += b->also_output ? bytes : 0;
}

/* Buffers in order of their allocations. */
static void find_uses(struct xla_memory *x, struct groups *g, struct arena *mem)
{
	g->rows = sorted_rows(x, mem);
	g->of = arena_alloc(mem, (x->n_buffers + 1) * sizeof *g->of);
	g->is_heap = arena_alloc(mem, (x->n_buffers + 1) * sizeof *g->is_heap);
	for (uint32_t i = 0; i + 1 < x->n_buffers; i++) {
		uint32_t row = g->rows[i], before = i ? g->rows[i - 1] : 0;
		const struct xla_buffer *b = &x->buffers[row];
		struct xla_use *u = use_for(x, b, mem);
		bool same = before && x->lives[before].use == (uint32_t)(u - x->uses) &&
			    x->buffers[before].allocation == b->allocation;
		x->lives[row].use = (uint32_t)(u - x->uses);
		u->buffers += b->id != UNKNOWN_I64;
		g->of[row] = same ? g->of[before] : row;
		if (!same)
			add_allocation(u, b);
	}
}

/* ---- heaps ----------------------------------------------------------------------------------------------------------------- */

static uint32_t owner(const struct heap *h, uint32_t buffer)
{
	for (int i = 0; h->shares[buffer] && i < 64; i++) /* a damaged file may go round in circles */
		buffer = h->shares[buffer];
	return buffer;
}

static int64_t bytes_of(const struct heap *h, uint32_t buffer)
{
	return sane(h->x->buffers[buffer].bytes);
}

static void give(struct heap *h, uint32_t buffer)
{
	if (h->users[buffer]++ == 0)
		h->used_bytes += bytes_of(h, buffer);
}

static void take_back(struct heap *h, uint32_t buffer)
{
	if (h->users[buffer] && --h->users[buffer] == 0)
		h->used_bytes -= bytes_of(h, buffer);
}

static void step_once(struct heap *h, const struct xla_heap_event *s)
{
	uint32_t n = h->x->n_buffers;
	if (!s->buffer || s->buffer >= n || s->shared >= n)
		return;
	if (s->kind == XLA_HEAP_ALLOC) {
		h->latest[owner(h, s->buffer)] = s->buffer;
		give(h, owner(h, s->buffer));
	} else if (s->kind == XLA_HEAP_FREE)
		take_back(h, owner(h, s->buffer));
	else if (s->kind == XLA_HEAP_SHARE && s->shared) {
		uint32_t of = owner(h, s->shared);
		h->shares[s->buffer] = of == s->buffer ? 0 : of;
		h->latest[of] = s->buffer;
		give(h, of);
	}
}

static void note_life(struct xla_memory *x, const struct xla_heap_event *s, uint32_t place)
{
	struct xla_life *l = s->buffer < x->n_buffers ? &x->lives[s->buffer] : NULL;
	if (l && s->kind != XLA_HEAP_FREE)
		l->from_step = l->from_step == NONE_ID ? place : l->from_step;
	else if (l)
		l->to_step = place;
}

/* Steps [from, to) are one heap. Gives the step after which most is in use, NONE_ID: never anything. */
static uint32_t play(struct heap *h, uint32_t from, uint32_t to, int64_t *most)
{
	uint32_t peak = NONE_ID;
	*most = 0;
	h->used_bytes = 0;
	for (uint32_t i = from; i < to; i++) {
		step_once(h, &h->x->steps[i]);
		note_life(h->x, &h->x->steps[i], i - from);
		h->x->heap_bytes[i] = h->used_bytes;
		h->x->place_of_step[i] = i - from;
		if (h->used_bytes > *most) {
			*most = h->used_bytes;
			peak = i;
		}
	}
	return peak;
}

static void clear(struct heap *h, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		uint32_t b = h->x->steps[i].buffer, s = h->x->steps[i].shared;
		if (b < h->x->n_buffers)
			h->users[b] = h->shares[b] = 0;
		if (s < h->x->n_buffers)
			h->users[s] = h->shares[s] = 0;
	}
	h->used_bytes = 0;
}

/* What is in use after step `peak`: its lives are marked. */
static void mark_peak(struct heap *h, uint32_t from, uint32_t peak)
{
	clear(h, from, peak + 1);
	for (uint32_t i = from; i <= peak; i++)
		step_once(h, &h->x->steps[i]);
	for (uint32_t i = from; i <= peak; i++) {
		uint32_t b = h->x->steps[i].buffer < h->x->n_buffers ? owner(h, h->x->steps[i].buffer) : 0;
		if (b && h->users[b])
			h->x->lives[h->latest[b]].at_peak = true;
	}
}

/* The heap's buffer that tells in which space it lies: its first. An allocation that stays is counted whole already. */
static uint32_t use_of_heap(const struct xla_memory *x, uint32_t from)
{
	uint32_t b = x->steps[from].buffer;
	return b && b < x->n_buffers && x->buffers[b].kind == XLA_TEMPORARY ? x->lives[b].use : NONE_ID;
}

static void play_heap(struct heap *h, uint32_t from, uint32_t to, struct groups *g)
{
	struct xla_memory *x = h->x;
	uint32_t use = use_of_heap(x, from);
	int64_t most;
	clear(h, from, to);
	uint32_t peak = use == NONE_ID ? NONE_ID : play(h, from, to, &most);
	for (uint32_t i = from; i < to; i++)
		x->use_of_step[i] = use;
	if (peak == NONE_ID)
		return;
	mark_peak(h, from, peak);
	struct xla_use *u = &x->uses[use];
	u->peak_bytes += most;
	u->heap_steps += to - from;
	u->peak_step = u->peak_step == NONE_ID ? peak : u->peak_step;
	g->is_heap[g->of[x->steps[from].buffer]] = true;
}

static void find_heaps(struct xla_memory *x, struct groups *g, struct arena *mem)
{
	struct heap h = {.x = x,
			 .users = arena_alloc(mem, (x->n_buffers + 1) * sizeof(uint32_t)),
			 .shares = arena_alloc(mem, (x->n_buffers + 1) * sizeof(uint32_t)),
			 .latest = arena_alloc(mem, (x->n_buffers + 1) * sizeof(uint32_t))};
	for (uint32_t i = 1, end; i < x->n_steps; i = end) {
		for (end = i + 1; end < x->n_steps && x->steps[end].program == x->steps[i].program &&
				  x->steps[end].trace == x->steps[i].trace;)
			end++;
		play_heap(&h, i, end, g);
	}
}

/* ---- peaks ------------------------------------------------------------------------------------------------------------------ */

/* An allocation without a heap is there all the time; the largest of its buffers stands for it. */
static void add_beside(struct xla_memory *x, const struct groups *g, int64_t *beside)
{
	uint32_t largest = 0;
	for (uint32_t i = 0; i + 1 < x->n_buffers; i++) {
		uint32_t row = g->rows[i];
		const struct xla_buffer *b = &x->buffers[row];
		if (g->is_heap[g->of[row]] || !is_set_aside(b))
			continue;
		if (g->of[row] == row) {
			beside[x->lives[row].use] += sane(b->allocation_bytes);
			largest = row;
		} else if (b->bytes > x->buffers[largest].bytes) {
			x->lives[largest].at_peak = false;
			largest = row;
		}
		x->lives[largest].at_peak = x->buffers[largest].bytes > 0;
	}
}

static void find_peaks(struct xla_memory *x, const struct groups *g, struct arena *mem)
{
	int64_t *beside = arena_alloc(mem, (x->n_uses + 1) * sizeof *beside);
	add_beside(x, g, beside);
	for (uint32_t i = 0; i < x->n_uses; i++)
		x->uses[i].peak_bytes += beside[i];
	for (uint32_t i = 1; i < x->n_steps; i++)
		x->heap_bytes[i] += x->use_of_step[i] == NONE_ID ? 0 : beside[x->use_of_step[i]];
	for (uint32_t i = 1; i < x->n_buffers; i++) {
		int64_t padding = x->buffers[i].unpadded_bytes == UNKNOWN_I64
					  ? 0
					  : sane(x->buffers[i].bytes) - sane(x->buffers[i].unpadded_bytes);
		if (x->lives[i].at_peak && padding > 0)
			x->uses[x->lives[i].use].padding_bytes += padding;
	}
}

/* ---- the whole --------------------------------------------------------------------------------------------------------------- */

static int larger_first(const void *a, const void *b, void *arg)
{
	const struct xla_memory *x = arg;
	const struct xla_use *p = &x->uses[*(const uint32_t *)a], *q = &x->uses[*(const uint32_t *)b];
	if (p->peak_bytes != q->peak_bytes)
		return p->peak_bytes > q->peak_bytes ? -1 : 1;
	return p < q ? -1 : p > q;
}

static void rank_uses(struct xla_memory *x, struct arena *mem)
{
	x->by_peak = arena_alloc(mem, (x->n_uses + 1) * sizeof *x->by_peak);
	for (uint32_t i = 0; i < x->n_uses; i++)
		x->by_peak[i] = i;
	if (x->n_uses > 1)
		qsort_r(x->by_peak, x->n_uses, sizeof *x->by_peak, larger_first, x);
}

static const void *side(const struct trace *t, enum side_table table, uint32_t *n)
{
	const void *rows = NULL;
	*n = (uint32_t)trace_side_rows(t, table, &rows);
	return rows;
}

const struct xla_memory *xla_memory_find(const struct derived *d, struct arena *mem)
{
	struct xla_memory *x = arena_alloc(mem, sizeof *x);
	struct groups g;
	x->t = derived_trace(d);
	x->programs = side(x->t, SIDE_XLA_PROGRAMS, &x->n_programs);
	x->buffers = side(x->t, SIDE_XLA_BUFFERS, &x->n_buffers);
	x->steps = side(x->t, SIDE_XLA_HEAP, &x->n_steps);
	x->lives = arena_alloc(mem, (x->n_buffers + 1) * sizeof *x->lives);
	x->heap_bytes = arena_alloc(mem, (x->n_steps + 1) * sizeof *x->heap_bytes);
	x->use_of_step = arena_alloc(mem, (x->n_steps + 1) * sizeof *x->use_of_step);
	x->place_of_step = arena_alloc(mem, (x->n_steps + 1) * sizeof *x->place_of_step);
	for (uint32_t i = 0; i < x->n_buffers; i++)
		x->lives[i] = (struct xla_life){NONE_ID, NONE_ID, NONE_ID, false};
	find_uses(x, &g, mem);
	find_heaps(x, &g, mem);
	find_peaks(x, &g, mem);
	rank_uses(x, mem);
	return x;
}

const char *xla_program_words(const struct xla_memory *x, uint32_t program)
{
	const struct xla_program *p = program < x->n_programs ? &x->programs[program] : &x->programs[0];
	str_id name = p->name ? p->name : p->module;
	return name ? trace_str(x->t, name) : "unknown";
}

uint32_t xla_program_host(const struct xla_memory *x, uint32_t program)
{
	uint32_t host = program < x->n_programs ? x->programs[program].host : 0;
	return host < trace_hosts(x->t) ? host : 0;
}

const char *xla_kind_words(uint32_t kind)
{
	static const char *const words[] = {"argument", "output", "thread-local", "constant", "temporary"};
	return kind < XLA_BUFFER_KINDS ? words[kind] : "unknown";
}
