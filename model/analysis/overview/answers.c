#include "answers.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/comms/comm_steps.h"
#include "model/analysis/query/shared.h"
#include "model/store/base/both.h"

#define ANSWER_DECL(id, name) TABLE_DECL(name);
ANSWER_TABLES(ANSWER_DECL)
#undef ANSWER_DECL

struct making {
	struct answers *a;
	uint32_t wanted;
	atomic_uint next; /* next answer that no thread has begun */
	struct err err[ANSWER_COUNT];
	bool made[ANSWER_COUNT];
};

/* ---- one answer ----------------------------------------------------------------------------------------------------- */

static bool make_ops(struct answers *a, struct err *e)
{
	a->ops = shared_part(&op_stats_part, a->d, a->q, NULL, a->progress, e);
	return a->ops != NULL;
}

static bool make_kernels(struct answers *a, struct err *e)
{
	a->kernels = shared_part(&kernel_stats_part, a->d, a->q, NULL, a->progress, e);
	return a->kernels != NULL;
}

static bool make_fusion(struct answers *a, struct err *e)
{
	a->fusion = shared_part(&fusion_stats_part, a->d, a->q, NULL, a->progress, e);
	return a->fusion != NULL;
}

static bool make_said(struct answers *a, struct err *e)
{
	a->said = shared_part(&kernel_said_part, a->d, a->q, NULL, a->progress, e);
	return a->said != NULL;
}

/* Families that nobody asks for evidence, steps of which nobody asks what twice the batch would cost: less than their tables. */
static const struct shared_part *const bare[ANSWER_COUNT] = {
	[ANSWER_KERNEL_FAMILIES] = &kernel_families_part,
	[ANSWER_COLLECTIVE_STEPS] = &collective_steps_part,
};
/* A table without rows, for what compares devices. */
#define NO_ROWS(name)                                                                                       \
	static bool no_##name(const struct derived *d, const struct query *q, void *out, struct arena *mem, \
			      struct progress *p, struct err *e)                                            \
	{                                                                                                   \
		struct table *t = table_new(mem, &name##_desc);                                             \
		(void)p, (void)e;                                                                           \
		query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);                        \
		*(struct table *)out = *t;                                                                  \
		return true;                                                                                \
	}                                                                                                   \
	static const struct shared_part no_##name##_part = {sizeof(struct table), no_##name};
NO_ROWS(replicas)
NO_ROWS(launch_order)
#undef NO_ROWS
static const struct shared_part *const of_one_device[ANSWER_COUNT] = {
	[ANSWER_REPLICAS] = &no_replicas_part,
	[ANSWER_LAUNCH_ORDER] = &no_launch_order_part,
};

/* Where there are not two devices, nothing is compared. */
static const struct shared_part *bare_of(const struct derived *d, enum answer id)
{
	bool alone = trace_devices(derived_trace(d)) < 2;
	return alone && of_one_device[id] ? of_one_device[id] : bare[id];
}

#define TABLE_ANSWER(id, name)                                                                 \
	static bool make_##name(struct answers *a, struct err *e)                              \
	{                                                                                      \
		const struct shared_part *part = bare_of(a->d, ANSWER_##id);                   \
		a->name = part ? shared_part(part, a->d, a->q, NULL, a->progress, e)           \
			       : shared_table(&name##_desc, a->d, a->q, NULL, a->progress, e); \
		return a->name != NULL;                                                        \
	}
ANSWER_TABLES(TABLE_ANSWER)
#undef TABLE_ANSWER

static bool (*const makers[])(struct answers *, struct err *) = {
#define ANSWER_MAKER(id, name) make_##name,
	ANSWERS(ANSWER_MAKER)
#undef ANSWER_MAKER
};

/* ---- all of them ---------------------------------------------------------------------------------------------------- */

static bool make_next(void *ctx)
{
	struct making *m = ctx;
	for (uint32_t i; (i = atomic_fetch_add(&m->next, 1)) < ANSWER_COUNT;)
		if (m->wanted >> i & 1)
			m->made[i] = makers[i](m->a, &m->err[i]);
	return true;
}

static bool told(const struct making *m, struct err *e)
{
	for (uint32_t i = 0; i < ANSWER_COUNT; i++)
		if (m->wanted >> i & 1 && !m->made[i]) {
			if (e)
				*e = m->err[i];
			return false;
		}
	return true;
}

bool answers_make(struct answers *a, uint32_t wanted, struct arena *mem, struct err *e)
{
	struct making m = {.a = a, .wanted = wanted};
	const struct query *asked = a->q;
	struct query *q = arena_alloc(mem, sizeof *q); /* a table whose rows are made later may look at it */
	struct shared *own = shared_fits(asked) ? NULL : shared_new(asked);
	for (uint32_t i = 0; i < ANSWER_COUNT; i++)
		m.err[i].at = -1;
	*q = *asked;
	q->shared = own ? own : asked->shared;
	a->q = q;
	both(2, make_next, make_next, &m);
	a->q = asked;
	q->shared = NULL;
	if (own)
		shared_adopt(own, mem);
	return told(&m, e);
}
