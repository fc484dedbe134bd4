#include "answers.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/kernels/kernel_families.h"
#include "model/analysis/steps/breakdown_kept.h"
#include "model/store/base/both.h"

#define ANSWER_DECL(id, name) TABLE_DECL(name);
ANSWER_TABLES(ANSWER_DECL)
#undef ANSWER_DECL

struct making {
	struct answers *a;
	uint32_t wanted;
	atomic_uint next; /* next answer that no thread has begun */
	struct arena mem[ANSWER_COUNT];
	struct err err[ANSWER_COUNT];
	bool made[ANSWER_COUNT];
};

/* ---- one answer ----------------------------------------------------------------------------------------------------- */

static bool make_ops(struct answers *a, struct arena *mem, struct err *e)
{
	return op_stats_make(a->d, a->q, mem, a->progress, &a->ops, e);
}

static bool make_kernels(struct answers *a, struct arena *mem, struct err *e)
{
	bool fine = kernel_stats_make(a->d, a->q, derived_rules(a->d), mem, a->progress, &a->kernels, e);
	if (fine && a->groups)
		kernel_stats_make_groups(&a->kernels, NULL, mem);
	return fine;
}

static bool make_fusion(struct answers *a, struct arena *mem, struct err *e)
{
	return fusion_stats_make(a->d, a->q, mem, a->progress, &a->fusion, e);
}

/* Tables that are made of what another answer is made of, too. */
static struct table *shared_table(enum answer id, struct answers *a, struct arena *mem, struct err *e)
{
	if (id == ANSWER_KERNEL_FAMILIES)
		return kernel_families_table(a->d, a->q, &a->kernels, mem, e);
	return id == ANSWER_STEPS ? steps_table(a->d, a->q, a->kept, mem, a->progress, e)
				  : input_table(a->d, a->q, a->kept, mem, a->progress, e);
}

#define SHARES(id) (ANSWER_##id == ANSWER_STEPS || ANSWER_##id == ANSWER_INPUT || ANSWER_##id == ANSWER_KERNEL_FAMILIES)
#define TABLE_ANSWER(id, name)                                                           \
	static bool make_##name(struct answers *a, struct arena *mem, struct err *e)     \
	{                                                                                \
		a->name = SHARES(id) ? shared_table(ANSWER_##id, a, mem, e)              \
				     : name##_desc.run(a->d, a->q, mem, a->progress, e); \
		return a->name != NULL;                                                  \
	}
ANSWER_TABLES(TABLE_ANSWER)
#undef TABLE_ANSWER

static bool (*const makers[])(struct answers *, struct arena *, struct err *) = {
#define ANSWER_MAKER(id, name) make_##name,
	ANSWERS(ANSWER_MAKER)
#undef ANSWER_MAKER
};

/* ---- all of them ---------------------------------------------------------------------------------------------------- */

static bool make_next(void *ctx)
{
	struct making *m = ctx;
	for (uint32_t i; (i = atomic_fetch_add(&m->next, 1)) < ANSWER_COUNT;)
		if (m->wanted >> i & 1 && i != ANSWER_KERNEL_FAMILIES)
			m->made[i] = makers[i](m->a, &m->mem[i], &m->err[i]);
	return true;
}

/* What is made of another answer, when that one is there. */
static void make_last(struct making *m)
{
	enum answer id = ANSWER_KERNEL_FAMILIES;
	if (m->wanted >> id & 1 && m->made[ANSWER_KERNELS])
		m->made[id] = makers[id](m->a, &m->mem[id], &m->err[id]);
}

/* A table goes on living where its memory went. */
static void move_table(struct table *t, struct arena *mem)
{
	if (t)
		t->mem = mem;
}

static bool keep(struct making *m, struct arena *mem, struct err *e)
{
	struct answers *a = m->a;
	bool all = true;
	for (uint32_t i = 0; i < ANSWER_COUNT; i++) {
		arena_adopt(mem, &m->mem[i]);
		if (!(m->wanted >> i & 1) || m->made[i])
			continue;
		if (all && e)
			*e = m->err[i];
		all = false;
	}
#define MOVE_TABLE(id, name) move_table(a->name, mem);
	ANSWER_TABLES(MOVE_TABLE)
#undef MOVE_TABLE
	return all;
}

bool answers_make(struct answers *a, uint32_t wanted, struct arena *mem, struct err *e)
{
	struct making m = {.a = a, .wanted = wanted};
	for (uint32_t i = 0; i < ANSWER_COUNT; i++)
		m.err[i].at = -1;
	a->kept = breakdown_kept_new(a->d);
	both(2, make_next, make_next, &m);
	make_last(&m);
	breakdown_kept_free(a->kept);
	a->kept = NULL;
	return keep(&m, mem, e);
}
