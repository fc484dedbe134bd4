/* Where steps come from. Per host the first rule that finds something wins:
 *   1  the user's pattern;
 *   2  the file's own step groups, when hosts and devices both carry them;
 *   3  explicit roots (_r > 0, TraceContext): SEMANTICS.md, X4;
 *   4  iterations of TensorFlow loops;
 *   5  outermost events with a step number: markers written without _r;
 *   6  PyTorch's ProfilerStep#N;
 *   7  the lane "Steps" of devices (step_lanes.c);
 *   8  annotations of frameworks and users (step_marks.h);
 *   9  FunctionRun, SessionRun, RunGraph: what TensorFlow up to 2.4 took for roots when none was explicit;
 *   10 nothing is marked: inferred from what repeats (step_infer.c).
 * Under --semantics xprof XSpace has rules 2-4 only, 4 before 3, and no steps at all when events of loop ops occur, as in the
 * reference tool; rules 8 and 10 are ours alone and hold in our own semantics only. */
#include "derived_data.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "model/analysis/names/step_marks.h"
#include "model/pattern.h"
#include "model/store/base/spans.h"
#include <stdlib.h>
#include <string.h>

enum name_flag {
	NAME_SEEN = 1,
	NAME_PROFILER_STEP = 2,
	NAME_CONTEXT = 4,
	NAME_MATCHES = 8,
	NAME_EXECUTOR = 16,
	NAME_CAPTURED = 32,
	NAME_IMPLICIT = 64, /* a root when there is no explicit one */
	NAME_LOOP_OP = 128, /* the reference tool gives up where such an event occurs */
	NAME_OPTIMIZER = 512,
	NAME_BATCHED = 256 /* roots that the reference tool's pre-pass makes */
};

struct rows {
	row_id *at;
	uint32_t n, cap;
};
struct name_fact {
	uint16_t flags; /* enum name_flag */
	uint8_t mark;   /* step_mark of the name, for the kind in `kind` */
	uint8_t kind;
};
struct finder {
	struct derived *d;
	struct name_fact *names; /* per text */
	const str_id *like;      /* derived_names_like */
	struct pattern *pattern; /* the user's */
	struct pattern_budget budget;
	/* of the host under way */
	struct rows matched, roots, numbered, profiler, executors, marked, implicit;
	uint8_t *marks; /* per row of `marked` */
	uint32_t cap_marks;
	struct idmap dataset_ids; /* step ids of tf.data functions: no steps */
	bool host_groups, device_groups, device_work, loop_ops;
};

static void rows_add(struct rows *v, row_id r)
{
	GROW_ARRAY(v->at, v->n, v->cap);
	v->at[v->n++] = r;
}

static bool is_profiler_step(const char *name)
{
	static const char prefix[] = "ProfilerStep#";
	const char *digits = name + sizeof prefix - 1;
	return text_starts(name, prefix) && *digits && strspn(digits, "0123456789") == strlen(digits);
}

/* Names that mean something by themselves. */
static const struct {
	const char *text;
	uint16_t flag;
} known_names[] = {
	{"TraceContext", NAME_CONTEXT},       {"ExecutorState::Process", NAME_EXECUTOR},
	{"FunctionRun", NAME_IMPLICIT},       {"SessionRun", NAME_IMPLICIT},
	{"RunGraph", NAME_IMPLICIT},          {"WhileOp-EvalCond", NAME_LOOP_OP},
	{"WhileOp-StartBody", NAME_LOOP_OP},  {"ForOp", NAME_LOOP_OP},
	{"ParallelForOp", NAME_LOOP_OP},      {"ForeverOp", NAME_LOOP_OP},
	{"BatchingSessionRun", NAME_BATCHED}, {"ProcessBatch", NAME_BATCHED},
};

/* None of them asks for a number of its own. */
static uint16_t name_flags(const char *name)
{
	uint16_t flags = NAME_SEEN;
	if (is_profiler_step(name))
		flags |= NAME_PROFILER_STEP;
	if (text_starts(name, "Optimizer.step#"))
		flags |= NAME_OPTIMIZER;
	for (size_t i = 0; i < sizeof known_names / sizeof *known_names; i++)
		if (!strcmp(name, known_names[i].text))
			flags |= known_names[i].flag;
	if (text_starts(name, "InstantiatedCapturedFunction::"))
		flags |= NAME_CAPTURED;
	return flags;
}

static bool matches(const struct finder *f, struct span name)
{
	return f->pattern && pattern_matches(f->pattern, name.p, name.n);
}

/* A name that differs from another one by its number says the same, but for the user's pattern: the first of them is read. */
static void read_name(struct finder *f, str_id name, enum event_kind kind, struct name_fact *fact)
{
	const struct strings *s = trace_strings(f->d->pub.t);
	str_id like = f->like[name];
	struct name_fact *first = &f->names[like];
	if (first->kind != 1 + kind) {
		struct span text = strings_get(s, like);
		if (!first->flags)
			first->flags = name_flags(text.p) | (matches(f, text) ? NAME_MATCHES : 0);
		first->mark = step_mark(text.p, kind);
		first->kind = (uint8_t)(1 + kind);
	}
	if (!fact->flags)
		fact->flags = (first->flags & (uint16_t)~NAME_MATCHES) |
			      (matches(f, strings_get(s, name)) ? NAME_MATCHES : 0);
	fact->mark = first->mark;
	fact->kind = first->kind;
}

static const struct name_fact *name_fact(struct finder *f, row_id r)
{
	const struct columns *c = f->d->pub.c;
	struct name_fact *fact = &f->names[c->name[r]];
	if (fact->kind != 1 + c->kind[r])
		read_name(f, c->name[r], c->kind[r], fact);
	return fact;
}

static void add_mark(struct finder *f, row_id r, uint8_t mark)
{
	GROW_ARRAY(f->marks, f->marked.n, f->cap_marks);
	f->marks[f->marked.n] = mark;
	rows_add(&f->marked, r);
}

static void look_at_event(struct finder *f, row_id r)
{
	const struct columns *c = f->d->pub.c;
	const struct name_fact *name = name_fact(f, r);
	const uint16_t *flags = &name->flags;
	if (*flags == NAME_SEEN && !name->mark && !c->detail[r])
		return; /* as of most events */
	if (name->mark)
		add_mark(f, r, name->mark);
	else if (*flags & NAME_OPTIMIZER && (c->kind[r] == KIND_ANNOTATION || c->kind[r] == KIND_OP))
		add_mark(f, r, MARK_OPTIMIZER);
	if (*flags & NAME_IMPLICIT)
		rows_add(&f->implicit, r);
	f->loop_ops |= (*flags & NAME_LOOP_OP) != 0;
	if (*flags & NAME_MATCHES)
		rows_add(&f->matched, r);
	if (*flags & NAME_PROFILER_STEP)
		rows_add(&f->profiler, r);
	const struct host_info *h = c->detail[r] ? trace_host_detail(f->d->pub.t, r) : NULL;
	if (*flags & (NAME_CONTEXT | NAME_BATCHED) || (h && h->root_level != UNKNOWN_I64 && h->root_level > 0))
		rows_add(&f->roots, r);
	if (!h)
		return;
	if (h->step_num != UNKNOWN_I64)
		rows_add(&f->numbered, r);
	if (*flags & NAME_EXECUTOR && h->step_id != UNKNOWN_I64 && h->iter_num != UNKNOWN_I64)
		rows_add(&f->executors, r);
	if (*flags & NAME_CAPTURED && h->step_id != UNKNOWN_I64)
		idmap_put(&f->dataset_ids, (uint64_t)h->step_id, 1);
}

/* Rows come track by track, in order of time. Of tracks of devices what is no work. */
static void note_uses(struct finder *f, const struct track_info *k, bool host)
{
	const struct columns *c = f->d->pub.c;
	uint32_t *kinds = f->d->name_kinds;
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		if (!host && row_is_work(c, r))
			continue;
		kinds[c->name[r]] |= KIND_BIT(c->kind[r]);
		if (c->kind[r] != KIND_OP)
			continue;
		GROW_ZEROED(f->d->name_uses, c->name[r], f->d->n_name_uses);
		struct name_use *x = &f->d->name_uses[c->name[r]];
		if (!x->ops++ || (x->track != c->track[r] && c->start_ns[r] < c->start_ns[x->first_op]))
			x->first_op = r;
		x->track = c->track[r];
	}
}

bool name_fits_any(const struct derived *d, uint32_t kinds, bool (*fits)(const char *name))
{
	const struct name_list *names = derived_names_apart(d);
	for (uint32_t i = 0; i < names->n; i++)
		if (names->at[i].kinds & kinds && fits(trace_str(d->pub.t, names->at[i].name)))
			return true;
	return false;
}

static bool any_in_group(const struct columns *c, const struct track_info *k)
{
	if (!c->group.narrow && !c->group.wide)
		return false;
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++)
		if (step_group_at(c->group, r) >= 0)
			return true;
	return false;
}

static void look_at_track(struct finder *f, const struct track_info *k)
{
	const struct columns *c = f->d->pub.c;
	bool host = derived_is_host_track(k);
	note_uses(f, k, host);
	if (!host && (k->kind != TRACK_STREAM || k->derived_by_producer))
		return;
	bool grouped = any_in_group(c, k);
	f->host_groups |= host && grouped;
	f->device_groups |= !host && grouped;
	f->device_work |= !host && k->n;
	for (row_id r = (row_id)k->first; host && r < k->first + k->n; r++)
		if (c->kind[r] != KIND_PROFILE && c->kind[r] != KIND_DEVICE_RANGE)
			look_at_event(f, r);
}

/* ---- from rows to steps ----------------------------------------------------------------------------------------------- */

/* The iteration of a loop that the event or one around it tells, else the number of the step. */
static int64_t number_around(const struct derived *d, row_id r)
{
	int64_t number = UNKNOWN_I64;
	for (; r != NONE_ID; r = trace_parent(d->pub.t, r)) {
		const struct host_info *h = d->pub.c->detail[r] ? trace_host_detail(d->pub.t, r) : NULL;
		if (h && h->iter_num != UNKNOWN_I64)
			return h->iter_num;
		if (h && number == UNKNOWN_I64)
			number = h->step_num;
	}
	return number;
}

static inline void marker_facts(struct derived *d, uint32_t host, row_id marker, struct step *s)
{
	const struct host_info *h = d->pub.c->detail[marker] ? trace_host_detail(d->pub.t, marker) : NULL;
	*s = (struct step){.number = UNKNOWN_I64, .marker = marker, .host = host};
	s->process = trace_track(d->pub.t, d->pub.c->track[marker])->process;
	s->start_ns = d->pub.c->start_ns[marker];
	s->end_ns = row_end(d->pub.c, marker);
	step_name_from(d, s, trace_str(d->pub.t, h && h->step_name ? h->step_name : d->pub.c->name[marker]));
	int64_t number = number_around(d, marker);
	if (number == UNKNOWN_I64 || number == s->number)
		return;
	s->number = number;
	s->label = NULL;
}

struct step step_of_marker(struct derived *d, uint32_t host, row_id marker)
{
	struct step s;
	marker_facts(d, host, marker, &s);
	return s;
}

uint32_t steps_add(struct derived *d, const struct step *s)
{
	GROW_ARRAY(d->pub.steps, d->pub.n_steps, d->cap_steps);
	d->pub.steps[d->pub.n_steps] = *s;
	return d->pub.n_steps++;
}

/* Room for so many more, all of which will come. */
static void reserve_steps(struct derived *d, uint32_t more)
{
	if (!more)
		return;
	GROW_ARRAY(d->pub.steps, d->pub.n_steps + (size_t)more - 1, d->cap_steps);
	pages_take(d->pub.steps + d->pub.n_steps, more * sizeof *d->pub.steps);
}

static const char *contain_from(struct finder *f, uint32_t host, const struct rows *markers, const char *source)
{
	struct derived *d = f->d;
	reserve_steps(d, markers->n);
	for (uint32_t i = 0; i < markers->n; i++) {
		row_id r = markers->at[i];
		marker_facts(d, host, r, &d->pub.steps[d->pub.n_steps]);
		d->pub.step_of[r] = d->pub.n_steps++;
	}
	d->style[host] = STYLE_CONTAIN;
	contain_members(d, host);
	return source;
}

/* ---- roots, in the order in which they claim events: level descending, then begin -------------------------------------- */

static int64_t root_level(const struct derived *d, row_id r)
{
	const struct host_info *h = trace_host_detail(d->pub.t, r);
	if (!strcmp(trace_str(d->pub.t, d->pub.c->name[r]), "ProcessBatch"))
		return 2; /* the pre-pass of the reference tool says so */
	return h && h->root_level != UNKNOWN_I64 && h->root_level > 0 ? h->root_level : 1;
}

static int root_order(const void *x, const void *y, void *arg)
{
	const struct derived *d = arg;
	row_id a = *(const row_id *)x, b = *(const row_id *)y;
	int64_t la = root_level(d, a), lb = root_level(d, b);
	if (la != lb)
		return la < lb ? 1 : -1;
	int64_t sa = d->pub.c->start_ns[a], sb = d->pub.c->start_ns[b];
	return sa != sb ? (sa < sb ? -1 : 1) : (a > b) - (a < b);
}

static bool is_dataset_root(const struct finder *f, row_id r)
{
	const struct host_info *h = trace_host_detail(f->d->pub.t, r);
	return h && h->step_id != UNKNOWN_I64 && idmap_get(&f->dataset_ids, (uint64_t)h->step_id) == 1;
}

static bool has_edges(const struct derived *d, uint32_t host)
{
	uint32_t source = trace_host(d->pub.t, host)->source;
	return source < trace_sources(d->pub.t) && trace_source(d->pub.t, source).traits & SOURCE_EDGES;
}

static const char *graph_from(struct finder *f, uint32_t host, struct rows *roots, const char *source)
{
	struct derived *d = f->d;
	uint32_t n = 0;
	for (uint32_t i = 0; i < roots->n; i++)
		if (!is_dataset_root(f, roots->at[i]))
			roots->at[n++] = roots->at[i];
	roots->n = n;
	if (n)
		qsort_r(roots->at, n, sizeof *roots->at, root_order, d);
	d->style[host] = STYLE_GRAPH;
	graph_group(d, host, roots->at, n);
	if (!has_edges(d, host)) /* between threads: time and process stand in for them */
		contain_members(d, host);
	return source;
}

/* The earliest event of each iteration of each loop; an id whose only iteration is 0 is no loop. */
static void loop_roots(struct finder *f, struct rows *out)
{
	struct idmap loops = {0}, first = {0};
	for (uint32_t i = 0; i < f->executors.n; i++) {
		const struct host_info *h = trace_host_detail(f->d->pub.t, f->executors.at[i]);
		if (h->iter_num != 0)
			idmap_put(&loops, (uint64_t)h->step_id, 1);
	}
	for (uint32_t i = 0; i < f->executors.n; i++) {
		row_id r = f->executors.at[i];
		const struct host_info *h = trace_host_detail(f->d->pub.t, r);
		if (idmap_get(&loops, (uint64_t)h->step_id) != 1)
			continue;
		uint64_t key = (uint64_t)h->step_id * 0x9e3779b97f4a7c15u + (uint64_t)h->iter_num;
		uint32_t *best = idmap_put(&first, key, r);
		if (f->d->pub.c->start_ns[r] < f->d->pub.c->start_ns[*best])
			*best = r;
	}
	for (uint32_t i = 0; i < first.cap; i++)
		if (first.slots[i].used)
			rows_add(out, first.slots[i].value);
	idmap_free(&loops);
	idmap_free(&first);
}

static const char *groups_from(struct derived *d, uint32_t host)
{
	groups_read(d, host);
	return "groups of the file";
}

/* Nothing in the trace is a root. */
static const char *decide_unmarked(struct finder *f, uint32_t host)
{
	struct derived *d = f->d;
	if (f->numbered.n)
		return graph_from(f, host, &f->numbered, "step numbers");
	if (f->profiler.n)
		return contain_from(f, host, &f->profiler, "ProfilerStep");
	if (lanes_read(d, host))
		return "Steps lane";
	bool ours = d->opts.semantics == SEM_STEPSCOPE;
	if (ours && marks_make(d, host, f->marked.at, f->marks, f->marked.n))
		return d->source[host];
	if (f->implicit.n)
		return graph_from(f, host, &f->implicit, "implicit roots");
	if (ours)
		steps_infer(d, host);
	return d->inference[host].inferred ? "inferred" : NULL;
}

static void decide(struct finder *f, uint32_t host)
{
	struct derived *d = f->d;
	struct rows loops = {0};
	if (f->executors.n)
		loop_roots(f, &loops);
	bool like_xprof = d->opts.semantics == SEM_XPROF && has_edges(d, host);
	bool loops_first = d->opts.semantics == SEM_XPROF && loops.n;
	const char *source = NULL;
	if (f->pattern)
		source = contain_from(f, host, &f->matched, "pattern");
	else if (f->host_groups && (f->device_groups || !f->device_work))
		source = groups_from(d, host);
	else if (like_xprof && f->loop_ops)
		source = "none: loop ops occur";
	else if (f->roots.n && !loops_first)
		source = graph_from(f, host, &f->roots, "roots");
	else if (loops.n)
		source = graph_from(f, host, &loops, "loop iterations");
	else if (!like_xprof)
		source = decide_unmarked(f, host);
	d->source[host] = source;
	free(loops.at);
}

static void find_on_host(struct finder *f, uint32_t host)
{
	struct rows *lists[] = {&f->matched,   &f->roots,  &f->numbered, &f->profiler,
				&f->executors, &f->marked, &f->implicit};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		lists[i]->n = 0;
	idmap_free(&f->dataset_ids);
	f->host_groups = f->device_groups = f->device_work = f->loop_ops = false;
	for (uint32_t i = 0; i < trace_tracks(f->d->pub.t); i++)
		if (trace_track(f->d->pub.t, i)->host == host)
			look_at_track(f, trace_track(f->d->pub.t, i));
	decide(f, host);
}

static bool compile(struct finder *f, const char *text, struct err *e)
{
	char why[PATTERN_WHY];
	size_t at;
	pattern_budget_open(&f->budget, NULL);
	f->pattern = pattern_new("--steps-by", text, strlen(text), 0, &f->budget, why, &at);
	return f->pattern || err_usage(e, "--steps-by '%s': %s (at character %zu)", text, why, at + 1);
}

static void finder_free(struct finder *f)
{
	struct rows *lists[] = {&f->matched,   &f->roots,  &f->numbered, &f->profiler,
				&f->executors, &f->marked, &f->implicit};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		free(lists[i]->at);
	idmap_free(&f->dataset_ids);
	pattern_free(f->pattern);
	free(f->names);
	free(f->marks);
}

bool steps_find(struct derived *d, struct err *e)
{
	struct finder f = {.d = d, .like = derived_names_like(d)};
	if (d->opts.steps_by)
		TRY(compile(&f, d->opts.steps_by, e));
	f.names = calloc(strings_count(trace_strings(d->pub.t)) + 1u, sizeof *f.names);
	d->name_kinds = calloc(strings_count(trace_strings(d->pub.t)) + 1u, sizeof *d->name_kinds);
	if (!f.names || !d->name_kinds) {
		free(f.names);
		return err_memory(e, NULL);
	}
	step_name_id(d, "", 0);
	for (uint32_t host = 0; host < trace_hosts(d->pub.t) && !f.budget.stopped; host++)
		find_on_host(&f, host);
	finder_free(&f);
	return pattern_budget_sound(&f.budget, e);
}
