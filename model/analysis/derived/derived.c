/* Life of the overlay, and what needs no more than a look into it. */
#include "derived_data.h"
#include "model/analysis/names/names_like.h"
#include "model/analysis/rules/family_rules.h"
#include "model/store/base/both.h"
#include "model/store/base/column.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How much work each track launched for the device at hand. */
struct launch_counts {
	uint32_t *of, *tracks; /* per track; those of which it is not 0 */
	uint32_t n, best;      /* the first of those with most */
};

static void count_launches(const struct derived *d, const struct track_info *stream, struct launch_counts *x)
{
	const struct columns *c = d->pub.c;
	for (row_id r = (row_id)stream->first; r < stream->first + stream->n; r++) {
		if (c->link[r] == NONE_ID || !row_is_work(c, r))
			continue;
		uint32_t k = c->track[c->link[r]];
		if (!x->of[k]++)
			x->tracks[x->n++] = k;
		if (x->best == NONE_ID || x->of[k] > x->of[x->best] || (x->of[k] == x->of[x->best] && k < x->best))
			x->best = k;
	}
}

/* Of many devices few tracks launch for each: the others are not gone through for each of them. */
static void find_launch_tracks(struct derived *d)
{
	uint32_t n_devices = trace_devices(d->pub.t), n_tracks = trace_tracks(d->pub.t);
	d->launch_track = arena_alloc(&d->mem, (n_devices + 1) * sizeof *d->launch_track);
	struct launch_counts x = {must(calloc(n_tracks + (size_t)1, sizeof *x.of)),
				  must(malloc((n_tracks + (size_t)1) * sizeof *x.tracks)), 0, 0};
	for (uint32_t dev = 0; dev < n_devices; dev++) {
		uint32_t n;
		const uint32_t *tracks = device_streams(d, dev, &n);
		x.best = NONE_ID;
		for (uint32_t i = 0; i < n; i++)
			count_launches(d, trace_track(d->pub.t, tracks[i]), &x);
		d->launch_track[dev] = x.best;
		while (x.n)
			x.of[x.tracks[--x.n]] = 0;
	}
	free(x.of);
	free(x.tracks);
}

static bool build_steps(struct derived *d, struct err *e)
{
	d->style = arena_alloc(&d->mem, trace_hosts(d->pub.t) + 1);
	d->source = arena_alloc(&d->mem, (trace_hosts(d->pub.t) + 1) * sizeof *d->source);
	d->inference = arena_alloc(&d->mem, (trace_hosts(d->pub.t) + 1) * sizeof *d->inference);
	TRY(steps_find(d, e));
	device_members(d);
	steps_settle(d);
	steps_label(d);
	pauses_find(d);
	steps_time(d);
	steps_cut(d);
	parts_build(d);
	return true;
}

/* What two threads share while the overlay is built. */
struct building {
	struct derived *d;
	struct progress *p;
	struct err *e;
};

static bool no_steps_yet(struct derived *d, struct err *e)
{
	d->pub.step_of = large_alloc((d->pub.c->n + 1) * sizeof *d->pub.step_of);
	if (!d->pub.step_of)
		return err_memory(e, NULL);
	memset(d->pub.step_of, 0xff, d->pub.c->n * sizeof *d->pub.step_of);
	return true;
}

static bool steps(void *ctx)
{
	struct building *b = ctx;
	return progress_cancelled(b->p) || (no_steps_yet(b->d, b->e) && build_steps(b->d, b->e));
}

static bool streams(void *ctx)
{
	struct building *b = ctx;
	names_need(b->d);
	if (progress_cancelled(b->p))
		return true;
	busy_build(b->d);
	roles_build(b->d);
	return true;
}

static unsigned threads_for(const struct derived *d)
{
	/* below that a thread costs more than it takes off */
	enum { WORTH_A_THREAD = 100000 };
	return d->pub.c->n >= WORTH_A_THREAD && sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1;
}

static bool build(struct derived *d, struct progress *p, struct err *e)
{
	d->rules = derived_rules_load(d, e);
	if (!d->rules)
		return false;
	tracks_index(d);
	busy_alloc(d);
	pauses_alloc(d);
	roles_alloc(d);
	struct building b = {d, p, e};
	bool ok = both(threads_for(d), steps, streams, &b);
	TRY(kernel_rules_sound(d->rules, e) && ok);
	if (progress_cancelled(p))
		return err_usage(e, "cancelled");
	pauses_of_devices(d);
	find_launch_tracks(d);
	return true;
}

const char *derived_default_rules(enum semantics s)
{
	return s == SEM_KINETO ? "kineto" : "stepscope";
}

struct derived *derived_new(struct trace *t, const struct derived_opts *o, struct progress *p, struct err *e)
{
	struct derived *d = calloc(1, sizeof *d);
	if (!d) {
		err_memory(e, NULL);
		return NULL;
	}
	d->pub.t = trace_ref(t);
	d->pub.c = trace_columns(t);
	d->opts.semantics = d->pub.semantics = o ? o->semantics : SEM_STEPSCOPE;
	d->opts.tc_rules =
		arena_strdup(&d->mem, o && o->tc_rules ? o->tc_rules : derived_default_rules(d->opts.semantics));
	d->opts.own_rules = o ? arena_strdup(&d->mem, o->own_rules) : NULL;
	d->opts.own_families = o ? arena_strdup(&d->mem, o->own_families) : NULL;
	d->opts.parameters = o ? o->parameters : 0;
	d->opts.link_bytes_per_s = o ? o->link_bytes_per_s : 0;
	d->opts.parameter_bytes = o ? o->parameter_bytes : 0;
	d->opts.kv_bytes_per_token = o ? o->kv_bytes_per_token : 0;
	d->opts.steps_by = o ? arena_strdup(&d->mem, o->steps_by) : NULL;
	d->opts.halves_from = o ? o->halves_from : 0;
	pthread_mutex_init(&d->gap_lock, NULL);
	pthread_mutex_init(&d->lazy_lock, NULL);
	pthread_mutex_init(&d->kept_lock, NULL);
	if (p)
		atomic_store_explicit(&p->phase, PHASE_DERIVE, memory_order_relaxed);
	if (build(d, p, e))
		return d;
	derived_free(d);
	return NULL;
}

static void free_kept(struct derived *d)
{
	for (int i = 0; i < KEPT_MOST; i++)
		if (d->kept[i].made)
			d->kept[i].maker->free(d->kept[i].made);
}

void derived_free(struct derived *d)
{
	if (!d)
		return;
	free_kept(d);
	gaps_free(d);
	causes_free(d);
	first_calls_free(d);
	busy_free(d);
	pauses_free(d);
	free(d->pub.parts);
	free(d->pub.steps);
	free(d->pub.step_names);
	idmap_free(&d->step_name_ids);
	free(d->pub.step_of);
	free(d->name_class);
	free(d->kernel_facts);
	family_answers_free(d->families);
	family_rules_free(d->family_rules);
	if (d->rules)
		kernel_rules_free(d->rules);
	pthread_mutex_destroy(&d->gap_lock);
	pthread_mutex_destroy(&d->lazy_lock);
	pthread_mutex_destroy(&d->kept_lock);
	climb_free(&d->ops);
	parents_free(atomic_load(&d->parents));
	free(atomic_load(&d->phases));
	free(atomic_load(&d->job_steps));
	free(atomic_load(&d->names_like));
	free(atomic_load(&d->apart));
	free(d->name_uses);
	free(d->name_kinds);
	free(atomic_load(&d->facts));
	trace_free(d->pub.t);
	arena_free(&d->mem);
	free(d);
}

struct kernel_rules *derived_rules_load(const struct derived *d, struct err *e)
{
	return kernel_rules_load(d->opts.tc_rules, d->opts.own_rules, e);
}

const char *derived_rules_label(const struct derived *d)
{
	return kernel_rules_label(d->rules);
}

const struct derived_opts *derived_options(const struct derived *d)
{
	return &d->opts;
}
const struct kernel_rules *derived_rules(const struct derived *d)
{
	return d->rules;
}
const struct kernel_facts *derived_kernel_facts(const struct derived *d, str_id name)
{
	static const struct kernel_facts unknown;
	return name < d->n_kernel_facts ? &d->kernel_facts[name] : &unknown;
}
/* Of a device: no other event is called that. */
static inline bool only_work(const struct derived *d, str_id name)
{
	return !d->name_kinds[name] && derived_kernel_facts(d, name)->known;
}
const str_id *derived_names_like(const struct derived *d)
{
	struct derived *later = (struct derived *)d; /* made on first use */
	str_id *known = atomic_load(&later->names_like);
	if (known)
		return known;
	str_id *made = names_like(trace_strings(d->pub.t));
	if (atomic_compare_exchange_strong(&later->names_like, &known, made))
		return made;
	free(made); /* another thread was first */
	return known;
}
/* What holds for the name that it is like holds for it. */
static inline bool told_before(const struct derived *d, const str_id *like, str_id name)
{
	return like[name] != name && !only_work(d, like[name]);
}
static int by_name(const void *key, const void *row)
{
	str_id a = *(const str_id *)key, b = ((const struct name_apart *)row)->name;
	return (a > b) - (a < b);
}
static struct name_list *names_apart(const struct derived *d)
{
	const str_id *like = derived_names_like(d);
	uint32_t texts = strings_count(trace_strings(d->pub.t));
	struct name_list *list = must(malloc(sizeof *list + texts * sizeof *list->at)); /* as many at most */
	struct name_apart *last = NULL;
	list->n = 0;
	for (str_id id = 0; id < texts; id++) {
		if (told_before(d, like, id)) {
			if (!last || last->name != like[id])
				last = bsearch(&like[id], list->at, list->n, sizeof *list->at, by_name);
			last->kinds |= d->name_kinds[id];
		} else if (!only_work(d, id)) {
			list->at[list->n++] = (struct name_apart){id, d->name_kinds[id]};
		}
	}
	return must(realloc(list, sizeof *list + list->n * sizeof *list->at));
}
const struct name_list *derived_names_apart(const struct derived *d)
{
	struct derived *later = (struct derived *)d; /* made on first use */
	struct name_list *known = atomic_load(&later->apart);
	if (known)
		return known;
	struct name_list *made = names_apart(d);
	if (atomic_compare_exchange_strong(&later->apart, &known, made))
		return made;
	free(made); /* another thread was first */
	return known;
}
uint8_t *derived_ask_names(const struct derived *d, uint8_t (*ask)(struct span name))
{
	const struct strings *s = trace_strings(d->pub.t);
	const struct name_list *names = derived_names_apart(d);
	const str_id *like = derived_names_like(d);
	uint8_t *said = NULL;
	for (uint32_t i = 0; i < names->n; i++) {
		uint8_t says = ask(strings_get(s, names->at[i].name));
		if (says && !said)
			said = must(calloc(strings_count(s) + (size_t)1, 1));
		if (says)
			said[names->at[i].name] = says;
	}
	for (str_id id = 0; said && id < strings_count(s); id++)
		if (told_before(d, like, id) && !only_work(d, id))
			said[id] = said[like[id]];
	return said;
}
const struct family_rules *derived_family_rules(const struct derived *d, struct err *e)
{
	struct derived *later = (struct derived *)d; /* made on first use */
	pthread_mutex_lock(&later->lazy_lock);
	if (!later->family_rules)
		later->family_rules = family_rules_load(d->opts.own_families, e);
	const struct family_rules *r = later->family_rules;
	pthread_mutex_unlock(&later->lazy_lock);
	return r;
}
struct family_memo derived_families(const struct derived *d, const struct family_rules *r)
{
	return (struct family_memo){r, trace_strings(d->pub.t), d->families};
}
bool derived_step_holds_by_time(const struct derived *d, uint32_t step)
{
	return d->style[derived_step(d, step)->host] == STYLE_CONTAIN;
}
uint32_t derived_step_thread(const struct derived *d, uint32_t step)
{
	const struct step *s = derived_step(d, step);
	return s->marker != NONE_ID ? d->pub.c->track[s->marker] : s->inferred ? d->inference[s->host].thread : NONE_ID;
}
bool derived_step_is_group(const struct derived *d, uint32_t step)
{
	return d->style[derived_step(d, step)->host] == STYLE_GROUPS;
}
const uint8_t *derived_phases(const struct derived *d, uint8_t *(*make)(const struct derived *d))
{
	struct derived *later = (struct derived *)d; /* made on first use */
	uint8_t *phases = atomic_load(&later->phases);
	if (!phases) {
		pthread_mutex_lock(&later->lazy_lock);
		/* another thread may have made them while this one waited */
		phases = atomic_load(&later->phases);
		if (!phases)
			atomic_store(&later->phases, phases = make(d));
		pthread_mutex_unlock(&later->lazy_lock);
	}
	return phases;
}
const void *derived_facts(const struct derived *d, void *(*make)(const struct derived *d))
{
	struct derived *later = (struct derived *)d; /* made on first use */
	void *facts = atomic_load(&later->facts);
	if (!facts) {
		pthread_mutex_lock(&later->lazy_lock);
		facts = atomic_load(&later->facts);
		if (!facts)
			atomic_store(&later->facts, facts = make(d));
		pthread_mutex_unlock(&later->lazy_lock);
	}
	return facts;
}
const void *derived_kept(const struct derived *d, const struct kept_maker *maker, struct progress *p, struct err *e)
{
	struct derived *later = (struct derived *)d; /* made on first use */
	int i = 0;
	pthread_mutex_lock(&later->kept_lock);
	while (i < KEPT_MOST - 1 && later->kept[i].made && later->kept[i].maker != maker)
		i++;
	struct kept_slot *slot = &later->kept[i];
	if (!slot->made)
		*slot = (struct kept_slot){maker, maker->make(d, p, e)};
	const void *made = slot->made;
	pthread_mutex_unlock(&later->kept_lock);
	return made;
}

const char *derived_steps_source(const struct derived *d, uint32_t host)
{
	return d->source[host] ? d->source[host] : "none";
}
const struct step_inference *derived_inference(const struct derived *d, uint32_t host)
{
	return &d->inference[host];
}
uint32_t derived_launch_track(const struct derived *d, uint32_t device)
{
	return d->launch_track[device];
}
