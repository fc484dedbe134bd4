#include "regions.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/steps/compiles.h"
#include "model/store/base/memory.h"
#include "model/store/base/spans.h"
#include <stdlib.h>
#include <string.h>

enum role { UNASKED, REGION, GRAPH, COMPILES, WRAPPER, OP };

struct reader {
	const struct derived *d;
	const struct query *q;
	struct regions *out;
	struct arena *mem;
	uint8_t *roles;  /* per text */
	uint32_t around; /* the innermost region at hand */
};

static const char region_prefix[] = "Torch-Compiled Region", graph_part[] = "Call CompiledFxGraph";

/* What stands between a region and its graph, and holds it. */
static bool is_wrapper(const char *name)
{
	static const char *const wrappers[] = {"TorchDynamo Cache Lookup", "Pregraph bytecode", "AOTDispatcher",
					       "CompiledFunction"};
	return TEXT_STARTS_WITH_ONE_OF(name, wrappers);
}

static enum role role_of_name(const char *name)
{
	if (!strncmp(name, region_prefix, sizeof region_prefix - 1))
		return REGION;
	if (strstr(name, graph_part))
		return GRAPH;
	/* "dynamo" holds all of a compilation, the guards' building included */
	if (!strcmp(name, "dynamo") || name_compiles(name))
		return COMPILES;
	return is_wrapper(name) ? WRAPPER : OP;
}

static enum role role_of(const struct reader *in, row_id r)
{
	const struct columns *c = derived_columns(in->d);
	uint8_t *role = &in->roles[c->name[r]];
	if (!*role)
		*role = (uint8_t)role_of_name(trace_str(derived_trace(in->d), c->name[r]));
	return *role == OP && c->kind[r] != KIND_OP ? WRAPPER : (enum role) * role;
}

/* The row after what lies inside `r`. */
static row_id behind(const struct reader *in, row_id r, row_id end)
{
	const struct columns *c = derived_columns(in->d);
	int64_t until_ns = row_end(c, r);
	row_id next = r + 1;
	while (next < end && (c->start_ns[next] < until_ns || row_end(c, next) <= until_ns))
		next++;
	return next;
}

/* One op or graph with all that it launches. */
static void add_part(const struct reader *in, struct part_sum *sum, row_id r, row_id next)
{
	const struct columns *c = derived_columns(in->d);
	sum->n++;
	sum->ns += c->dur_ns[r];
	for (row_id i = r; i < next; i++) {
		const row_id *work;
		uint32_t n = c->kind[i] == KIND_RUNTIME && c->link[i] != NONE_ID
				     ? trace_launched(derived_trace(in->d), i, &work)
				     : 0;
		sum->work += n;
		for (uint32_t k = 0; k < n; k++)
			sum->device_ns += c->dur_ns[work[k]];
	}
}

static void add_region(struct reader *in, row_id r)
{
	struct regions *v = in->out;
	v->at = arena_next_row(in->mem, v->at, v->n, sizeof *v->at);
	v->at[v->n] = (struct region){.row = r, .around = in->around, .longest_eager = NONE_ID};
	if (in->around != NONE_ID)
		v->at[in->around].nested++;
	in->around = v->n++;
}

/* Regions that have ended before this row. */
static void leave(struct reader *in, row_id r)
{
	const struct columns *c = derived_columns(in->d);
	while (in->around != NONE_ID && row_end(c, in->out->at[in->around].row) <= c->start_ns[r] &&
	       c->start_ns[r] > c->start_ns[in->out->at[in->around].row])
		in->around = in->out->at[in->around].around;
}

static void add_eager(const struct reader *in, struct region *x, row_id r, row_id next)
{
	const int64_t *dur_ns = derived_columns(in->d)->dur_ns;
	add_part(in, &x->eager, r, next);
	if (x->longest_eager == NONE_ID || dur_ns[r] > dur_ns[x->longest_eager])
		x->longest_eager = r;
}

/* Returns the row to look at next. */
static row_id look_at(struct reader *in, row_id r, row_id end)
{
	enum role role = role_of(in, r);
	leave(in, r);
	if (role == REGION && query_holds(in->q, derived_columns(in->d)->start_ns[r]) && event_wanted(in->d, in->q, r))
		add_region(in, r);
	struct region *x = in->around == NONE_ID ? NULL : &in->out->at[in->around];
	if (role == REGION || role == WRAPPER || !x)
		return r + 1;
	row_id next = behind(in, r, end);
	if (x && role == GRAPH)
		add_part(in, &x->graphs, r, next);
	else if (x && role == COMPILES)
		x->compile_ns += derived_columns(in->d)->dur_ns[r];
	else if (x)
		add_eager(in, x, r, next);
	return next;
}

static bool says(const struct derived *d, const char *part)
{
	const struct strings *s = trace_strings(derived_trace(d));
	const struct name_list *names = derived_names_apart(d);
	for (uint32_t i = 0; i < names->n; i++)
		if (strstr(strings_z(s, names->at[i].name), part))
			return true;
	return false;
}

bool regions_read(const struct derived *d, const struct query *q, struct regions *out, struct arena *mem,
		  struct progress *p, struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct progress_loop loop = {.progress = p};
	struct reader in = {.d = d, .q = q, .out = out, .mem = mem};
	*out = (struct regions){.graphs_told = says(d, graph_part)};
	if (!says(d, region_prefix))
		return true;
	in.roles = must(calloc(strings_count(trace_strings(t)) + 1u, 1));
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		in.around = NONE_ID;
		row_id end = (row_id)(k->first + k->n);
		for (row_id r = (row_id)k->first;
		     derived_is_host_track(k) && r < end && !progress_loop_cancelled(&loop);)
			r = look_at(&in, r, end);
	}
	free(in.roles);
	return !loop.cancelled || err_usage(e, "cancelled");
}
