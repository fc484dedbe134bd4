#include "job_steps.h"
#include "derived_data.h"
#include "model/store/base/memory.h"
#include "model/store/base/units.h"
#include "model/analysis/maths/order.h"
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A step with what makes it the same as a step of another rank. */
struct keyed_step {
	const struct job_key *s;
	uint32_t step, nth; /* of its rank, name and number */
};

static int compare_number(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_name(const struct keyed_step *a, const struct keyed_step *b)
{
	int order = strcmp(a->s->name, b->s->name);
	return order ? order : compare_number(a->s->number, b->s->number);
}

static int by_rank(const void *x, const void *y)
{
	const struct keyed_step *a = x, *b = y;
	int order = by_name(a, b);
	order = order ? order : compare_number(a->s->rank, b->s->rank);
	order = order ? order : compare_number(a->s->host, b->s->host);
	return order ? order : compare_number(a->step, b->step);
}

static int by_turn(const void *x, const void *y)
{
	const struct keyed_step *a = x, *b = y;
	int order = by_name(a, b);
	order = order ? order : compare_number(a->nth, b->nth);
	return order ? order : by_rank(x, y);
}

static bool same_job_step(const struct keyed_step *a, const struct keyed_step *b)
{
	return !by_name(a, b) && a->nth == b->nth && a->s->rank >= 0 && b->s->rank >= 0 && a->s->rank != b->s->rank;
}

/* Steps of one rank stand in their order as they are. */
static void sort(struct keyed_step *at, uint32_t n, int (*order)(const void *, const void *))
{
	uint32_t sorted = 1;
	while (sorted < n && order(&at[sorted - 1], &at[sorted]) <= 0)
		sorted++;
	if (sorted < n)
		sort_if_needed(at, n, sizeof *at, order);
}

static void count_turns(struct keyed_step *at, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (!by_name(&at[i - 1], &at[i]) && at[i - 1].s->rank == at[i].s->rank &&
		    at[i - 1].s->host == at[i].s->host)
			at[i].nth = at[i - 1].nth + 1;
}

/* One piece of memory: what is told, and after it its lists. */
static struct job_steps *job_steps_new(uint32_t n)
{
	struct job_steps *out = must(calloc(1, sizeof *out + 2 * (n + (size_t)1) * sizeof *out->of));
	out->of = (uint32_t *)(out + 1);
	out->ranks = out->of + n + 1;
	return out;
}

struct job_steps *job_steps_of(const struct job_key *steps, uint32_t n)
{
	struct job_steps *out = job_steps_new(n);
	struct keyed_step *at = must(malloc((n + (size_t)1) * sizeof *at));
	for (uint32_t i = 0; i < n; i++)
		at[i] = (struct keyed_step){&steps[i], i, 0};
	sort(at, n, by_rank);
	count_turns(at, n);
	sort(at, n, by_turn);
	for (uint32_t i = 0; i < n; i++) {
		out->n += !i || !same_job_step(&at[i - 1], &at[i]);
		out->of[at[i].step] = out->n - 1;
		uint32_t ranks = ++out->ranks[out->n - 1];
		out->most = ranks > out->most ? ranks : out->most;
	}
	free(at);
	return out;
}

/* Of one host and one name, their numbers rising: each is a step of the job, in this order, and needs no list. */
static bool rise_on_one_host(const struct derived *d)
{
	for (uint32_t i = 1; i < derived_steps(d); i++) {
		const struct step *s = derived_step(d, i), *before = s - 1;
		if (s->host != before->host || s->number < before->number || s->name != before->name)
			return false;
	}
	return true;
}

static struct job_steps *each_alone(uint32_t n)
{
	struct job_steps *out = must(malloc(sizeof *out));
	*out = (struct job_steps){.n = n, .most = n > 0};
	return out;
}

struct job_key job_key_of(const struct derived *d, const struct step *s)
{
	return (struct job_key){derived_step_name(d, s), s->number, trace_host(d->pub.t, s->host)->rank, s->host};
}

static struct job_steps *find(const struct derived *d)
{
	uint32_t n = derived_steps(d);
	if (rise_on_one_host(d))
		return each_alone(n);
	struct job_key *keys = must(malloc((n + (size_t)1) * sizeof *keys));
	for (uint32_t i = 0; i < n; i++)
		keys[i] = job_key_of(d, derived_step(d, i));
	struct job_steps *out = job_steps_of(keys, n);
	free(keys);
	return out;
}

const struct job_steps *derived_job_steps(const struct derived *d)
{
	struct derived *later = (struct derived *)d; /* made on first use */
	struct job_steps *known = atomic_load(&later->job_steps);
	if (known)
		return known;
	struct job_steps *made = find(d);
	if (atomic_compare_exchange_strong(&later->job_steps, &known, made))
		return made;
	free(made); /* another thread was first */
	return known;
}

const char *job_steps_text(const char *what, int64_t n, int64_t ranks, struct arena *mem)
{
	const char *count = fmt_count(arena_alloc(mem, UNITS_BUF), n), *s = n == 1 ? "" : "s";
	if (ranks < 2)
		return arena_printf(mem, "%s %s%s", count, what, s);
	return arena_printf(mem, "%s %s%s on each of %" PRId64 " ranks", count, what, s, ranks);
}
