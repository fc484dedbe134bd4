/* Gradients that are gathered over several micro-batches need to be reduced once: whether DistributedDataParallel reduces them for each. */
#include "finding_ctx.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/grow.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum part { PART_NONE, PART_FORWARD, PART_REDUCE, PART_OPTIMIZER, PARTS };
struct moment {
	int64_t ns;
	enum part part;
};
struct moments {
	struct moment *at;
	size_t n, cap;
};

/* "nccl:all_reduce", "c10d::allreduce_", "gloo:all_reduce" */
static bool reduces(const char *name)
{
	return strstr(name, "all_reduce") || strstr(name, "allreduce_");
}

static uint8_t part_of(struct span text)
{
	const char *name = text.p;
	return !strcmp(name, "DistributedDataParallel.forward") ? PART_FORWARD
	       : !strncmp(name, "Optimizer.step#", 15)          ? PART_OPTIMIZER
	       : reduces(name)                                  ? PART_REDUCE
								: PART_NONE;
}

/* The parts of the steps of one host, on all of its threads. */
static void gather(const struct derived *d, uint32_t host, const uint8_t *parts, struct moments *v)
{
	const struct trace *t = derived_trace(d);
	const struct columns *c = derived_columns(d);
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		if (k->host != host || !derived_is_host_track(k))
			continue;
		for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
			if (!parts[c->name[r]])
				continue;
			GROW_ARRAY(v->at, v->n, v->cap);
			v->at[v->n++] = (struct moment){c->start_ns[r], (enum part)parts[c->name[r]]};
		}
	}
}

static int by_time(const void *x, const void *y)
{
	const struct moment *a = x, *b = y;
	return (a->ns > b->ns) - (a->ns < b->ns);
}

/* Of most optimizer steps two or more forward passes come before, each of which is reduced. */
static bool each_is_reduced(const struct moments *v)
{
	uint32_t steps = 0, several = 0, reduced = 0;
	bool open = false;
	for (size_t i = 0; i < v->n; i++) {
		if (v->at[i].part == PART_FORWARD)
			open = true;
		reduced += v->at[i].part == PART_REDUCE && open;
		if (v->at[i].part == PART_REDUCE)
			open = false;
		if (v->at[i].part != PART_OPTIMIZER)
			continue;
		steps++;
		several += reduced > 1;
		reduced = 0;
		open = false;
	}
	return steps > 1 && several * 2 > steps;
}

bool micro_batches_reduce(const struct derived *d)
{
	const struct strings *s = trace_strings(derived_trace(d));
	uint8_t *parts = derived_ask_names(d, part_of);
	uint32_t names[PARTS] = {0};
	if (!parts)
		return false;
	for (str_id id = 0; id < strings_count(s); id++)
		names[parts[id]]++;
	struct moments v = {0};
	if (names[PART_FORWARD] && names[PART_REDUCE] && names[PART_OPTIMIZER] && derived_steps(d))
		gather(d, derived_step(d, 0)->host, parts, &v);
	if (v.n)
		qsort(v.at, v.n, sizeof *v.at, by_time);
	bool each = each_is_reduced(&v);
	free(v.at);
	free(parts);
	return each;
}
