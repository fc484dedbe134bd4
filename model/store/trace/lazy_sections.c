#include "lazy_sections.h"
#include "model/store/base/both.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

static void numbers_free(struct lazy_numbers *x)
{
	free(atomic_load(&x->made));
	free(x->at);
	free(x->unpacked);
}

void lazy_free(struct lazy *l)
{
	if (!l)
		return;
	l->forget_kernels(l);
	l->forget(l->r);
	free(atomic_load(&l->kernels_made));
	numbers_free(&l->corrs);
	numbers_free(&l->attrs);
	for (int part = 0; part < LAZY_SECTIONS; part++)
		pthread_mutex_destroy(&l->lock[part]);
	free(l);
}

/* lazy_need has looked without the lock; another thread may have unpacked the section since, so look again under it. */
void lazy_unpack(struct lazy *l, enum lazy_section part)
{
	pthread_mutex_lock(&l->lock[part]);
	if (!atomic_load(&l->done[part]))
		l->unpack(l, part);
	atomic_store(&l->done[part], true);
	pthread_mutex_unlock(&l->lock[part]);
}

static bool has_chunk(const _Atomic(_Atomic(uint8_t) *) *chunks, uint64_t chunk)
{
	_Atomic(uint8_t) *made = atomic_load_explicit(chunks, memory_order_acquire);
	return made && atomic_load_explicit(&made[chunk], memory_order_acquire);
}

static bool is_made(const struct lazy_numbers *x, uint64_t chunk)
{
	return has_chunk(&x->made, chunk);
}

void lazy_kernel(struct lazy *l, uint32_t row)
{
	uint64_t piece = row >> LAZY_KERNELS_SHIFT;
	if (has_chunk(&l->kernels_made, piece))
		return;
	pthread_mutex_lock(&l->lock[LAZY_KERNELS]);
	/* another thread may have made it while this one waited */
	if (!has_chunk(&l->kernels_made, piece) && !atomic_load(&l->done[LAZY_KERNELS]))
		l->make_kernels(l, piece);
	pthread_mutex_unlock(&l->lock[LAZY_KERNELS]);
}

/* By piece of the facts of kernels: does the window touch one of its kernels? */
static void mark_wanted(const struct trace *t, int64_t a_ns, int64_t b_ns, unsigned char *wanted)
{
	for (uint32_t x = 0; x < trace_tracks(t); x++) {
		if (trace_track(t, x)->kind != TRACK_STREAM)
			continue;
		struct event_iter it = event_iter(t, x, a_ns, b_ns, KIND_BIT(KIND_KERNEL));
		while (event_next(&it))
			wanted[t->detail[it.row] < t->kernels.n ? t->detail[it.row] >> LAZY_KERNELS_SHIFT : 0] = 1;
	}
}

void trace_kernels_want(const struct trace *t, int64_t a_ns, int64_t b_ns)
{
	struct lazy *l = t->lazy;
	if (!l || atomic_load_explicit(&l->done[LAZY_KERNELS], memory_order_acquire))
		return;
	unsigned char *wanted = must(calloc((t->kernels.n >> LAZY_KERNELS_SHIFT) + 1, 1));
	mark_wanted(t, a_ns, b_ns, wanted);
	pthread_mutex_lock(&l->lock[LAZY_KERNELS]);
	if (!atomic_load(&l->done[LAZY_KERNELS]))
		l->make_wanted(l, wanted);
	pthread_mutex_unlock(&l->lock[LAZY_KERNELS]);
	free(wanted);
}

uint64_t lazy_number(const struct lazy_numbers *x, row_id r)
{
	uint64_t chunk = r >> LAZY_CHUNK_SHIFT;
	struct lazy *l = x->lazy;
	if (!is_made(x, chunk) && !atomic_load_explicit(&l->done[x->part], memory_order_acquire)) {
		pthread_mutex_lock(&l->lock[x->part]);
		/* another thread may have made it while this one waited */
		if (!is_made(x, chunk) && !atomic_load(&l->done[x->part]))
			l->make_chunk((struct lazy_numbers *)x, chunk);
		pthread_mutex_unlock(&l->lock[x->part]);
	}
	const uint64_t *values = *x->values;
	return values ? values[r] : 0;
}

/* Whether any kernel has one of these facts; asked once. */
static bool kernels_tell(struct lazy *l, atomic_int *answer, const size_t *members, int n)
{
	int said = atomic_load_explicit(answer, memory_order_relaxed);
	if (said != LAZY_UNASKED)
		return said == LAZY_YES;
	pthread_mutex_lock(&l->lock[LAZY_KERNELS]);
	bool tell = atomic_load(&l->done[LAZY_KERNELS]);
	for (int i = 0; i < n && !tell; i++)
		tell = l->kernels_tell(l, members[i]);
	atomic_store(answer, tell ? LAZY_YES : LAZY_NO);
	pthread_mutex_unlock(&l->lock[LAZY_KERNELS]);
	return tell;
}

bool trace_kernels_may_tell_module(const struct trace *t)
{
	static const size_t module = offsetof(struct kernel_info, module);
	struct lazy *l = t->lazy;
	return !l || kernels_tell(l, &l->modules, &module, 1);
}

bool trace_kernels_may_tell_texts(const struct trace *t)
{
	static const size_t texts[] = {offsetof(struct kernel_info, op), offsetof(struct kernel_info, op_type),
				       offsetof(struct kernel_info, equation), offsetof(struct kernel_info, shape)};
	struct lazy *l = t->lazy;
	return l ? kernels_tell(l, &l->texts, texts, sizeof texts / sizeof *texts) : !t->kernels_tell_no_texts;
}

static void check_numbers(struct lazy *l, struct lazy_numbers *x)
{
	pthread_mutex_lock(&l->lock[x->part]);
	if (!atomic_load(&l->done[x->part]) && !l->checked[x->part])
		l->check_numbers(x);
	l->checked[x->part] = true;
	pthread_mutex_unlock(&l->lock[x->part]);
}

static void check_kernels(struct lazy *l)
{
	pthread_mutex_lock(&l->lock[LAZY_KERNELS]);
	if (!atomic_load(&l->done[LAZY_KERNELS]) && !l->checked[LAZY_KERNELS])
		l->check_kernels(l);
	l->checked[LAZY_KERNELS] = true;
	pthread_mutex_unlock(&l->lock[LAZY_KERNELS]);
}

static bool check_first(void *ctx)
{
	const struct trace *t = ctx;
	check_kernels(t->lazy);
	check_numbers(t->lazy, &t->lazy->corrs);
	return true;
}

static bool check_second(void *ctx)
{
	const struct trace *t = ctx;
	lazy_need(t, LAZY_FLOWS);
	check_numbers(t->lazy, &t->lazy->attrs);
	attrs_check(t->attrs);
	return true;
}

void trace_check_rest(const struct trace *t)
{
	if (t->lazy)
		both(2, check_first, check_second, (void *)t);
	else
		attrs_check(t->attrs);
}
