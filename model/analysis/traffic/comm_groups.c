#include "comm_groups.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/analysis/derived/rows.h"
#include "model/store/base/idmap.h"

enum { RANKS_MOST = 1 << 20, TEXT_MOST = 256 };

struct finder {
	const struct derived *d;
	const struct query *q;
	struct arena *mem;
	struct idmap places; /* key of a group -> place in out->at */
	struct idmap seen;   /* (group, peer) that have been counted */
	struct comm_groups *out;
};

/* ---- ranks ---------------------------------------------------------------------------------------------------------------- */

static bool rank_is_recorded(const struct trace *t, long rank)
{
	for (uint32_t i = 0; i < trace_hosts(t); i++)
		if (trace_host(t, i)->rank == rank)
			return true;
	return false;
}

static int add_range(char *text, int at, long from, long to)
{
	if (from < 0 || at >= TEXT_MOST - 32)
		return at;
	at += snprintf(text + at, (size_t)(TEXT_MOST - at), at ? ", %ld" : "%ld", from);
	return to > from ? at + snprintf(text + at, (size_t)(TEXT_MOST - at), "-%ld", to) : at;
}

/* The next rank of a list, "[0, 1, 7]"; false after the last one. */
static bool next_rank(const char **list, long *rank)
{
	char *end;
	const char *p = strpbrk(*list, "0123456789");
	if (!p)
		return false;
	*rank = strtol(p, &end, 10);
	*list = end;
	return true;
}

static bool lists(const char *ranks, long rank)
{
	long x;
	for (const char *p = ranks; next_rank(&p, &x);)
		if (x == rank)
			return true;
	return false;
}

/* PyTorch lists the first 30 ranks of a group and tells its size: how many of the others are not recorded. */
static int64_t missing_unlisted(const struct comm_group *g, int64_t listed)
{
	int64_t n = g->size == UNKNOWN_I64 ? 0 : g->size - listed - g->unlisted;
	return n > 0 ? n : 0;
}

/* "3, 5-7", "5-7 and 34 that are not listed"; NULL: none. */
static const char *missing_ranks(struct finder *f, const struct comm_group *g)
{
	char text[TEXT_MOST] = "";
	long from = -1, to = -1, rank;
	int at = 0, n = 0;
	for (const char *p = g->ranks; n < RANKS_MOST && next_rank(&p, &rank); n++) {
		if (rank_is_recorded(derived_trace(f->d), rank))
			continue;
		if (from < 0 || rank != to + 1) {
			at = add_range(text, at, from, to);
			from = rank;
		}
		to = rank;
	}
	at = add_range(text, at, from, to);
	int64_t more = missing_unlisted(g, n);
	if (more)
		return arena_printf(f->mem, "%s%s%" PRId64 " that %s not listed", text, at ? " and " : "", more,
				    more == 1 ? "is" : "are");
	return at ? arena_strdup(f->mem, text) : NULL;
}

/* ---- calls ---------------------------------------------------------------------------------------------------------------- */

static struct comm_group *group_of(struct finder *f, const struct collective *c)
{
	uint32_t *place = idmap_put(&f->places, c->group_key + 1, f->out->n);
	if (*place < f->out->n)
		return &f->out->at[*place];
	f->out->at = arena_next_row(f->mem, f->out->at, f->out->n, sizeof *f->out->at);
	f->out->at[f->out->n] = (struct comm_group){.key = c->group_key,
						    .group = c->group_key ? c->group : NULL,
						    .kind = c->kind,
						    .ranks = c->ranks,
						    .size = c->group_size};
	return &f->out->at[f->out->n++];
}

static void add_call(struct finder *f, const struct comms *comms, const struct collective *c)
{
	struct comm_group *g = group_of(f, c);
	uint64_t member = idmap_hash(&(uint64_t[]){c->group_key, c->peer}, 2 * sizeof(uint64_t), 5);
	int64_t wait_ns = collective_wait_ns(&comms->x, c), dur_ns = derived_columns(f->d)->dur_ns[c->row];
	int64_t whole = collective_in_pairs(c) ? 2 : c->group_size > 0 ? c->group_size : 2;
	uint32_t met = c->match == NONE_ID ? 1 : comms->x.matches[c->match].n;
	if (idmap_get(&f->seen, member) == UINT32_MAX) {
		*idmap_put(&f->seen, member, 1) = 1;
		g->recorded++;
		g->unlisted += g->ranks && !lists(g->ranks, trace_host(derived_trace(f->d), c->host)->rank);
	}
	g->calls++;
	g->alone += met < whole;
	g->ns += dur_ns;
	g->exposed_ns += comms->exposed[c - comms->x.at].exposed_ns;
	g->bytes += c->bytes == UNKNOWN_I64 ? 0 : c->bytes;
	g->wait_ns += wait_ns == UNKNOWN_I64 ? 0 : wait_ns;
	g->transfer_ns += wait_ns == UNKNOWN_I64 ? 0 : dur_ns - wait_ns;
}

bool comm_groups_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		      struct comm_groups *out, struct err *e)
{
	struct finder f = {.d = d, .q = q, .mem = mem, .out = out};
	const struct comms *comms = comms_of(d, p, e);
	*out = (struct comm_groups){0};
	if (!comms)
		return false;
	for (uint32_t i = 0; i < comms->x.n; i++)
		if (query_holds(q, derived_columns(d)->start_ns[comms->x.at[i].row]))
			add_call(&f, comms, &comms->x.at[i]);
	for (uint32_t i = 0; i < out->n; i++)
		out->at[i].missing = out->at[i].ranks ? missing_ranks(&f, &out->at[i]) : NULL;
	idmap_free(&f.places);
	idmap_free(&f.seen);
	return true;
}
