/* What devices do for an iteration, and when. */
#include "iterations_private.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/names/launch_names.h"
#include "model/analysis/rules/family_rules.h"
#include "model/store/base/memory.h"

/* What one iteration launches on one stream. */
struct part {
	uint32_t work, graph_work, outside_kernels;
	int64_t work_ns, graph_ns, kernel_ns, attention_ns, outside_ns, first_ns, last_ns;
};
struct walk {
	const struct derived *d;
	struct part *parts; /* per track; those of no work are zero */
	uint32_t *touched;  /* tracks with work */
	uint32_t n_touched;
	struct family_memo families;
};

static void add_work(struct walk *w, row_id r, bool graph)
{
	const struct columns *c = derived_columns(w->d);
	uint32_t track = c->track[r];
	struct part *part = &w->parts[track];
	if (trace_track(derived_trace(w->d), track)->device == NONE_ID || !row_is_work(c, r))
		return;
	if (!part->work)
		w->touched[w->n_touched++] = track;
	if (!part->work || c->start_ns[r] < part->first_ns)
		part->first_ns = c->start_ns[r];
	if (!part->work || row_end(c, r) > part->last_ns)
		part->last_ns = row_end(c, r);
	part->work++;
	part->work_ns += c->dur_ns[r];
	part->graph_ns += graph ? c->dur_ns[r] : 0;
	part->graph_work += graph;
	if (c->kind[r] != KIND_KERNEL)
		return;
	part->kernel_ns += c->dur_ns[r];
	part->outside_ns += graph ? 0 : c->dur_ns[r];
	part->outside_kernels += !graph;
	if (family_memo_of(&w->families, c->name[r], 0) == FAMILY_ATTENTION)
		part->attention_ns += c->dur_ns[r];
}

static void add_part(struct iteration *x, const struct part *part)
{
	x->work += part->work;
	x->work_ns += part->work_ns;
	x->graph_ns += part->graph_ns;
	x->graph_work += part->graph_work;
	x->kernel_ns += part->kernel_ns;
	x->attention_ns += part->attention_ns;
	x->outside_kernels += part->outside_kernels;
	x->outside_ns += part->outside_ns;
}

/* The stream with most of its work says when it begins and ends: servers prepare the next one on others. */
static void take_main_stream(struct walk *w, struct iteration *x)
{
	uint32_t most = NONE_ID;
	for (uint32_t i = 0; i < w->n_touched; i++)
		if (most == NONE_ID || w->parts[w->touched[i]].work_ns > w->parts[most].work_ns)
			most = w->touched[i];
	if (most == NONE_ID)
		return;
	x->device = trace_track(derived_trace(w->d), most)->device;
	x->first_ns = w->parts[most].first_ns;
	x->last_ns = w->parts[most].last_ns;
	for (uint32_t i = 0; i < w->n_touched; i++) {
		struct part *part = &w->parts[w->touched[i]];
		if (trace_track(derived_trace(w->d), w->touched[i])->device == x->device)
			add_part(x, part);
		*part = (struct part){0};
	}
	w->n_touched = 0;
}

/* All that its thread launches until the next iteration begins. */
static bool walk_launches(struct walk *w, struct iteration *x, struct progress_loop *loop)
{
	const struct columns *c = derived_columns(w->d);
	const struct track_info *k = trace_track(derived_trace(w->d), x->track);
	for (row_id r = first_row_from(c, k, x->start_ns); r < k->first + k->n; r++) {
		const row_id *work;
		if (progress_loop_cancelled(loop))
			return false;
		if (x->next_ns != UNKNOWN_I64 && c->start_ns[r] >= x->next_ns)
			break;
		if (c->kind[r] != KIND_RUNTIME || c->link[r] == NONE_ID)
			continue;
		uint32_t n = trace_launched(derived_trace(w->d), r, &work);
		bool graph = n && launch_is_graph(trace_str(derived_trace(w->d), c->name[r]));
		if (n && x->first_launch_ns == UNKNOWN_I64)
			x->first_launch_ns = c->start_ns[r];
		x->graph_calls += graph;
		x->graph_calls_ns += graph ? c->dur_ns[r] : 0;
		for (uint32_t i = 0; i < n; i++)
			add_work(w, work[i], graph);
	}
	take_main_stream(w, x);
	return true;
}

/* ---- times that need the iteration after it ------------------------------------------------------------------------- */

static const struct iteration *next_with_work(const struct iteration_list *v, uint32_t i)
{
	const struct iteration *x = &v->at[i];
	for (uint32_t next = i + 1; next < v->n && v->at[next].track == x->track; next++)
		if (v->at[next].device == x->device)
			return v->at[next].first_ns > x->first_ns ? &v->at[next] : NULL;
	return NULL;
}

static int64_t idle_within(const struct intervals *busy, int64_t a_ns, int64_t b_ns)
{
	return b_ns > a_ns ? b_ns - a_ns - intervals_within(busy, a_ns, b_ns) : 0;
}

static void time_device(const struct derived *d, const struct iteration_list *v, uint32_t i)
{
	struct iteration *x = &v->at[i];
	if (x->device == NONE_ID)
		return;
	const struct intervals *busy = derived_busy_device(d, x->device);
	const struct iteration *next = next_with_work(v, i);
	x->whole = next != NULL;
	x->dur_ns = (next ? next->first_ns : x->last_ns) - x->first_ns;
	x->device_ns = intervals_within(busy, x->first_ns, x->first_ns + x->dur_ns);
	x->between_ns = next ? idle_within(busy, x->last_ns, next->first_ns) : UNKNOWN_I64;
}

static void set_next(const struct iteration_list *v, uint32_t i)
{
	struct iteration *x = &v->at[i], *next = i + 1 < v->n ? &v->at[i + 1] : NULL;
	if (!next || next->track != x->track)
		return;
	next->index = x->index + 1;
	x->next_ns = next->start_ns;
	x->host_between_ns = next->start_ns > x->end_ns ? next->start_ns - x->end_ns : 0;
}

bool iterations_measure(const struct derived *d, struct iteration_list *v, struct progress *p, struct err *e)
{
	struct progress_loop loop = {.progress = p};
	struct walk w = {.d = d};
	if (!v->n)
		return true;
	size_t tracks = (size_t)trace_tracks(derived_trace(d)) + 1;
	struct family_rules *rules = family_rules_own_or_builtin(derived_options(d)->own_families);
	w.families = derived_families(d, rules);
	w.parts = must(calloc(tracks, sizeof *w.parts));
	w.touched = must(calloc(tracks, sizeof *w.touched));
	for (uint32_t i = 0; i < v->n; i++)
		set_next(v, i);
	for (uint32_t i = 0; i < v->n && walk_launches(&w, &v->at[i], &loop); i++)
		if (v->at[i].first_launch_ns != UNKNOWN_I64)
			v->at[i].host_before_ns = v->at[i].first_launch_ns - v->at[i].start_ns;
	for (uint32_t i = 0; i < v->n && !loop.cancelled; i++)
		time_device(d, v, i);
	if (!loop.cancelled)
		iterations_set_captured(d, v, &w.families);
	free(w.parts);
	free(w.touched);
	family_rules_free(rules);
	return !loop.cancelled || err_usage(e, "cancelled");
}

bool iterations_have_most(const struct derived *d, const struct iteration_list *v)
{
	const struct trace *t = derived_trace(d);
	const struct columns *c = derived_columns(d);
	int64_t own_ns = 0, all_ns = 0;
	for (uint32_t i = 0; i < v->n; i++)
		own_ns += v->at[i].work_ns;
	for (uint32_t i = 0; own_ns > 0 && i < trace_device_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		for (row_id r = (row_id)k->first; k->kind == TRACK_STREAM && r < k->first + k->n; r++)
			all_ns += row_is_work(c, r) ? c->dur_ns[r] : 0;
	}
	return own_ns > 0 && 2 * own_ns >= all_ns;
}
