/* Steps where the program marks none: the work of a host's busiest device in the order of its launches - or the outermost ops of
 * its busiest thread when no device worked - with the data loader, the optimizer, copies and graph launches as signs; where
 * that repeats (period.h), a step begins. Kernels whose names never come back (hashes in them, variants chosen anew each time) are
 * known by the ops that launched them, when their own names give nothing. All ranks are cut where the first one is, if they can be. Host events belong to the step by the time of their start, device
 * work by that of its launch; where the order of launches is not recorded, by that of its start. */
#include "derived_data.h"
#include "model/store/base/grow.h"
#include "model/analysis/maths/alternate.h"
#include "model/analysis/maths/median.h"
#include "model/analysis/maths/period.h"
#include "model/analysis/names/launch_names.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

struct tokens {
	struct token *at;
	uint32_t n, cap;
	int64_t end_ns; /* latest end of what the tokens stand for, on their clock */
};
struct inference {
	struct derived *d;
	uint32_t host;
	struct tokens work;
	bool by_op;     /* work goes by the names of its ops */
	bool by_launch; /* work stands in the order of its launches */
	uint32_t device;
	uint32_t thread;       /* no device worked: whose ops are searched */
	uint8_t *sign_of_name; /* per text, for host events: 1 + enum token_sign */
	uint32_t process;
};

static void token_add(struct tokens *v, struct token t, int64_t end_ns)
{
	GROW_ARRAY(v->at, v->n, v->cap);
	v->at[v->n++] = t;
	if (end_ns > v->end_ns)
		v->end_ns = end_ns;
}

/* ---- order: a natural merge sort, since each stream comes nearly sorted ------------------------------------------------- */

static uint32_t run_end(const struct token *at, uint32_t from, uint32_t n)
{
	uint32_t i = from + 1;
	while (i < n && at[i - 1].at_ns <= at[i].at_ns)
		i++;
	return i < n ? i : n;
}

static void merge(const struct token *at, uint32_t a, uint32_t b, uint32_t end, struct token *out)
{
	uint32_t x = a, y = b;
	for (uint32_t i = a; i < end; i++)
		out[i] = y >= end || (x < b && at[x].at_ns <= at[y].at_ns) ? at[x++] : at[y++];
}

static void sort_tokens(struct tokens *v)
{
	struct token *from = v->at, *to = NULL;
	while (run_end(from, 0, v->n) < v->n) {
		if (!to)
			to = must(malloc(v->n * sizeof *to));
		for (uint32_t a = 0; a < v->n;) {
			uint32_t b = run_end(from, a, v->n), end = b < v->n ? run_end(from, b, v->n) : b;
			merge(from, a, b, end, to);
			a = end;
		}
		struct token *old = from;
		from = to;
		to = old;
	}
	free(to);
	v->at = from;
	/* the two arrays have changed places; the other one has room for these only */
	v->cap = v->n;
}

/* ---- device work ------------------------------------------------------------------------------------------------------- */

static uint64_t work_of(const struct derived *d, uint32_t device, uint64_t *launched)
{
	uint32_t n;
	uint64_t work = 0;
	const uint32_t *tracks = device_streams(d, device, &n);
	for (uint32_t i = 0; i < n; i++) {
		const struct track_info *k = trace_track(d->pub.t, tracks[i]);
		for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
			work += row_is_work(d->pub.c, r);
			*launched += row_is_work(d->pub.c, r) && d->pub.c->link[r] != NONE_ID;
		}
	}
	return work;
}

static uint32_t busiest_device(const struct derived *d, uint32_t host, bool *by_launch)
{
	uint32_t best = NONE_ID;
	uint64_t most = 0;
	for (uint32_t i = 0; i < trace_devices(d->pub.t); i++) {
		uint64_t launched = 0;
		uint64_t work = trace_device(d->pub.t, i)->host == host ? work_of(d, i, &launched) : 0;
		if (work <= most)
			continue;
		most = work;
		best = i;
		/* half of the work: a few kernels without a launch do not spoil the order of launches */
		*by_launch = launched * 2 >= work;
	}
	return best;
}

static uint8_t sign_of_work(const struct derived *d, row_id r)
{
	enum copy_kind copy = derived_copy_kind(d, r);
	if (copy == COPY_H2D || copy == COPY_D2H)
		return SIGN_WEAK;
	row_id launch = d->pub.c->link[r];
	/* a graph's launch counts once, with the first piece of its work */
	if (launch == NONE_ID || d->pub.c->link[launch] != r)
		return SIGN_NONE;
	return launch_is_graph(trace_str(d->pub.t, d->pub.c->name[launch])) ? SIGN_WEAK : SIGN_NONE;
}

/* Its details name the op, else it is the innermost one around the call that launched the work. */
static str_id op_of_work(const struct derived *d, row_id r)
{
	const struct kernel_info *k = trace_kernel_with_op(d->pub.t, r);
	if (k)
		return k->op;
	for (row_id at = d->pub.c->link[r]; at != NONE_ID; at = trace_parent(d->pub.t, at))
		if (d->pub.c->kind[at] == KIND_OP)
			return d->pub.c->name[at];
	return 0;
}

static str_id name_of_work(const struct inference *f, row_id r)
{
	str_id op = f->by_op ? op_of_work(f->d, r) : 0;
	return op ? op : f->d->pub.c->name[r];
}

static void read_stream(struct inference *f, const struct track_info *k, bool by_launch)
{
	struct derived *d = f->d;
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		row_id launch = d->pub.c->link[r], at = by_launch ? launch : r;
		if (!row_is_work(d->pub.c, r) || at == NONE_ID)
			continue;
		if (by_launch)
			f->process = trace_track(d->pub.t, d->pub.c->track[launch])->process;
		token_add(&f->work, (struct token){d->pub.c->start_ns[at], name_of_work(f, r), sign_of_work(d, r)},
			  row_end(d->pub.c, at));
	}
}

/* ---- the host ---------------------------------------------------------------------------------------------------------- */

static uint8_t sign_in_name(const char *name)
{
	if (!strncmp(name, "enumerate(DataLoader)#", 22) || !strncmp(name, "enumerate(DataPipe)#", 20))
		return SIGN_BEGIN;
	if (!strncmp(name, "Optimizer.step#", 15))
		return SIGN_END;
	return !strncmp(name, "Optimizer.zero_grad#", 20) ? SIGN_WEAK : SIGN_NONE;
}

static bool is_host_work(enum event_kind k)
{
	return k == KIND_OP || k == KIND_ANNOTATION;
}

static uint8_t sign_of_event(struct inference *f, row_id r)
{
	uint8_t *sign = &f->sign_of_name[f->d->pub.c->name[r]];
	if (!*sign)
		*sign = 1 + sign_in_name(trace_str(f->d->pub.t, f->d->pub.c->name[r]));
	return *sign - 1;
}

/* Signs among the host's events; with `ops` also every op that no other op encloses. */
static void read_thread(struct inference *f, const struct track_info *k, bool ops)
{
	const struct derived *d = f->d;
	int64_t covered_ns = INT64_MIN;
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		if (!is_host_work(d->pub.c->kind[r]))
			continue;
		/* rows come in order of start, outer ones first: an op that starts before the last outer one has ended is nested in it */
		bool outer = d->pub.c->kind[r] == KIND_OP && d->pub.c->start_ns[r] >= covered_ns;
		uint8_t sign = sign_of_event(f, r);
		if (outer)
			covered_ns = row_end(d->pub.c, r);
		if (sign != SIGN_NONE || (ops && outer))
			token_add(&f->work, (struct token){d->pub.c->start_ns[r], d->pub.c->name[r], sign},
				  row_end(d->pub.c, r));
	}
}

static uint32_t busiest_thread(const struct derived *d, uint32_t host)
{
	uint32_t best = NONE_ID;
	uint64_t most = 0;
	for (uint32_t i = 0; i < trace_tracks(d->pub.t); i++) {
		const struct track_info *k = trace_track(d->pub.t, i);
		uint64_t n = 0;
		if (k->host != host || !derived_is_host_track(k))
			continue;
		for (row_id r = (row_id)k->first; r < k->first + k->n; r++)
			n += d->pub.c->kind[r] == KIND_OP;
		if (n > most) {
			most = n;
			best = i;
		}
	}
	return best;
}

static void read_host(struct inference *f, uint32_t op_thread)
{
	if (op_thread != NONE_ID)
		f->process = trace_track(f->d->pub.t, op_thread)->process;
	for (uint32_t i = 0; i < trace_tracks(f->d->pub.t); i++) {
		const struct track_info *k = trace_track(f->d->pub.t, i);
		if (k->host == f->host && k->process == f->process && derived_is_host_track(k))
			read_thread(f, k, i == op_thread);
	}
}

static void read_work(struct inference *f)
{
	uint32_t n;
	f->device = busiest_device(f->d, f->host, &f->by_launch);
	f->work.end_ns = INT64_MIN;
	f->process = NONE_ID;
	f->thread = NONE_ID;
	if (f->device == NONE_ID) {
		f->thread = busiest_thread(f->d, f->host);
		if (f->thread != NONE_ID)
			read_host(f, f->thread);
		return;
	}
	const uint32_t *tracks = device_streams(f->d, f->device, &n);
	for (uint32_t i = 0; i < n; i++)
		read_stream(f, trace_track(f->d->pub.t, tracks[i]), f->by_launch);
	if (f->by_launch)
		read_host(f, NONE_ID);
}

/* ---- from the repetition to steps --------------------------------------------------------------------------------------- */

static int64_t begin_of(const struct inference *f, const struct period *p, uint32_t i)
{
	return p->cut[i] < f->work.n ? f->work.at[p->cut[i]].at_ns : f->work.end_ns;
}

static uint32_t step_at(const struct inference *f, const struct period *p, int64_t at_ns)
{
	uint32_t low = 0, high = p->n_steps;
	while (low + 1 < high) {
		uint32_t middle = (low + high) / 2;
		*(begin_of(f, p, middle) <= at_ns ? &low : &high) = middle;
	}
	return low;
}

/* Half of the work or more has a name that runs in one step only: such names cannot tell what repeats. */
static bool names_never_come_back(const struct inference *f, const struct period *p)
{
	enum { SEVERAL = UINT32_MAX };
	const struct columns *c = f->d->pub.c;
	uint32_t n, names = strings_count(trace_strings(f->d->pub.t)) + 1;
	uint32_t *in_step = must(calloc(names, sizeof *in_step)), *runs = must(calloc(names, sizeof *runs)), all = 0,
		 once = 0;
	const uint32_t *tracks = device_streams(f->d, f->device, &n);
	for (uint32_t i = 0; i < n; i++) {
		const struct track_info *k = trace_track(f->d->pub.t, tracks[i]);
		for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
			if (!row_is_work(c, r) || c->link[r] == NONE_ID)
				continue;
			uint32_t step = 1 + step_at(f, p, c->start_ns[c->link[r]]), *seen = &in_step[c->name[r]];
			*seen = *seen == 0 || *seen == step ? step : SEVERAL;
			runs[c->name[r]]++;
		}
	}
	for (uint32_t i = 0; i < names; i++) {
		all += runs[i];
		once += in_step[i] == SEVERAL ? 0 : runs[i];
	}
	free(in_step);
	free(runs);
	return once >= all - once;
}

static void add_steps(struct inference *f, const struct period *p)
{
	struct derived *d = f->d;
	for (uint32_t i = 0; i < p->n_steps; i++) {
		struct step s = {.number = i, .marker = NONE_ID, .host = f->host, .inferred = true};
		s.process = f->process;
		s.start_ns = begin_of(f, p, i);
		s.end_ns = begin_of(f, p, i + 1);
		steps_add(d, &s);
	}
}

/* Median from start to start, and median of the work in between. */
static void say_period(struct inference *f, const struct period *p, struct step_inference *out)
{
	int64_t *v = must(malloc((p->n_steps + 1u) * sizeof *v));
	for (uint32_t i = 0; i < p->n_steps; i++)
		v[i] = begin_of(f, p, i + 1) - begin_of(f, p, i);
	out->period_ns = upper_median(v, p->n_steps);
	for (uint32_t i = 0; i < p->n_steps; i++)
		v[i] = p->cut[i + 1] - p->cut[i];
	out->kernels_per_step = (uint32_t)upper_median(v, p->n_steps);
	out->regularity = p->regularity;
	out->told = p->told;
	out->inferred = true;
	free(v);
}

/* ---- two networks of one shape -------------------------------------------------------------------------------------------- */

/* Frames, ranges and ops of the thread that launches, in order of time. */
static void read_frames(const struct inference *f, struct tokens *out)
{
	const struct columns *c = f->d->pub.c;
	for (uint32_t i = 0; i < trace_tracks(f->d->pub.t); i++) {
		const struct track_info *k = trace_track(f->d->pub.t, i);
		if (k->host != f->host || k->process != f->process || !derived_is_host_track(k))
			continue;
		for (row_id r = (row_id)k->first; r < k->first + k->n; r++)
			if (is_host_work(c->kind[r]) || c->kind[r] == KIND_PYTHON)
				token_add(out, (struct token){c->start_ns[r], c->name[r], SIGN_NONE}, row_end(c, r));
	}
	if (out->n)
		sort_tokens(out);
}

static bool alternate(const struct inference *f, const struct period *p, const int64_t *begin_ns)
{
	uint32_t names = strings_count(trace_strings(f->d->pub.t));
	if (parts_alternate(f->work.at, f->work.n, names, begin_ns, p->n_steps))
		return true;
	struct tokens frames = {.end_ns = INT64_MIN};
	read_frames(f, &frames);
	bool is = frames.n && parts_alternate(frames.at, frames.n, names, begin_ns, p->n_steps);
	free(frames.at);
	return is;
}

/* Two optimizers that take turns, as of a generator and a discriminator: one step runs both. Without a loader nothing else tells that. */
static void pair_up(const struct inference *f, struct period *p)
{
	enum { LEAST = 8 };
	if (!p->told || p->n_steps < LEAST)
		return;
	int64_t *begin_ns = must(malloc((p->n_steps + (size_t)1) * sizeof *begin_ns));
	for (uint32_t i = 0; i <= p->n_steps; i++)
		begin_ns[i] = begin_of(f, p, i);
	if (alternate(f, p, begin_ns)) {
		for (uint32_t i = 0; i <= p->n_steps / 2; i++)
			p->cut[i] = p->cut[2 * i];
		p->n_steps /= 2;
	}
	free(begin_ns);
}

static bool find(struct inference *f, struct period *p)
{
	f->work.n = 0;
	read_work(f);
	if (f->work.n)
		sort_tokens(&f->work);
	uint32_t names = strings_count(trace_strings(f->d->pub.t));
	return period_find(f->work.at, f->work.n, names, f->d->step_begins ? f->d->step_begins : names, p);
}

void steps_infer(struct derived *d, uint32_t host)
{
	struct inference f = {.d = d, .host = host};
	struct period p;
	struct step_inference *out = &d->inference[host];
	names_need(d); /* which work is a copy */
	f.sign_of_name = must(calloc(strings_count(trace_strings(d->pub.t)) + 1u, 1));
	bool found = find(&f, &p);
	const char *why = p.why;
	bool too_few = p.too_few;
	if (!found && f.by_launch) {
		f.by_op = true;
		found = find(&f, &p);
		if (found && !names_never_come_back(&f, &p)) {
			free(p.cut);
			found = false;
		}
	}
	out->thread = f.thread;
	out->why = found ? p.why : why;
	out->too_few = !found && too_few;
	out->names = f.device == NONE_ID ? "ops of the host"
		     : f.by_op && found  ? "ops that launched the work"
					 : "kernels and copies";
	if (found) {
		pair_up(&f, &p);
		say_period(&f, &p, out);
		out->by_device_time = f.device != NONE_ID && !f.by_launch;
		add_steps(&f, &p);
		if (!d->step_begins)
			d->step_begins = p.name;
		d->style[host] = STYLE_CONTAIN;
		contain_members(d, host);
	}
	free(found ? p.cut : NULL);
	free(f.work.at);
	free(f.sign_of_name);
}
