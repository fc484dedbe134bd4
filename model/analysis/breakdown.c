#include "breakdown.h"
#include "derived_data.h"
#include "intervals.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct breakdowns {
	const struct derived *d;
	const struct query *q;
	uint8_t *names; /* per text: class of a host event by its name + 1; 0 = not looked at */
	uint32_t *seen; /* per track: the round that used it last */
	uint32_t *threads, n_threads, round;
	bool members_only; /* of the step under way */
	struct interval_list all[TIME_COUNT], track[TIME_COUNT], covered, spare;
};

/* ---- classes --------------------------------------------------------------------------------------------------------- */

enum { BY_OTHER_MEANS = TIME_COUNT + 1, MARKER_NAME }; /* what a name alone cannot tell; a name only markers have */

/* Host events by the beginning of their name, compared without case. */
static const struct {
	const char *prefix;
	uint8_t class;
} host_prefixes[] = {
	{"IteratorGetNext", TIME_INPUT_WAIT},
	{"enumerate(DataLoader)#", TIME_INPUT_WAIT},
	{"enumerate(DataPipe)#", TIME_INPUT_WAIT},
	{"InfeedEnqueue", TIME_INPUT_COPY},
	{"EagerExecute", TIME_NONE}, /* dispatch that encloses the op it runs */
	{"EagerLocalExecute", TIME_NONE},
	{"EagerKernelExecute", TIME_NONE},
	{"FunctionRun", TIME_NONE},
	{"MemcpyHToH", TIME_NONE},
};
/* Compilers, anywhere in the name, compared without case. */
static const char *const compilers[] = {"xlacompil",       "xla compil",   "xla_compil",  "::compile",
					"backend_compile", "nvrtccompile", "cumoduleload"};

static uint8_t class_of_name(const char *name)
{
	for (size_t i = 0; i < sizeof host_prefixes / sizeof *host_prefixes; i++)
		if (!strncasecmp(name, host_prefixes[i].prefix, strlen(host_prefixes[i].prefix)))
			return host_prefixes[i].class;
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
		if (strcasestr(name, compilers[i]))
			return TIME_COMPILE;
	bool marker = !strncmp(name, "train", 5) || !strncmp(name, "test", 4) || !strncmp(name, "TraceContext", 12);
	return marker && !strchr(name, '/') ? MARKER_NAME : BY_OTHER_MEANS;
}

static bool is_launch(const struct derived *d, row_id r)
{
	if (d->c->link[r] != NONE_ID)
		return true;
	const struct host_info *h = d->c->detail[r] ? trace_host_detail(d->t, r) : NULL;
	if (!h || h->device_ordinal == UNKNOWN_I64)
		return false;
	return number_at(d->c->corr, r) || !strncmp(trace_str(d->t, d->c->name[r]), "ExecutorState::Process", 22);
}

static bool by_time(const struct derived *d, uint32_t step)
{
	return d->style[d->steps[step].host] == STYLE_CONTAIN;
}

static enum time_class host_class(struct breakdowns *b, row_id r, uint32_t step)
{
	const struct derived *d = b->d;
	uint8_t *known = &b->names[d->c->name[r]];
	if (!*known)
		*known = (uint8_t)(class_of_name(trace_str(d->t, d->c->name[r])) + 1);
	uint8_t class = (uint8_t)(*known - 1);
	if (class == TIME_INPUT_WAIT || class == TIME_NONE)
		return class;
	if (is_launch(d, r))
		return TIME_LAUNCH;
	if (class < TIME_COUNT)
		return class;
	return class == MARKER_NAME && !by_time(d, step) ? TIME_NONE : TIME_HOST;
}

#define KINDS_HOST_TIME                                                                                  \
	(KIND_BIT(KIND_OTHER) | KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION) | KIND_BIT(KIND_RUNTIME) | \
	 KIND_BIT(KIND_ASYNC))

static enum time_class device_class(const struct derived *d, row_id r)
{
	static const uint8_t of_copy[COPY_KINDS] = {
		[COPY_H2D] = TIME_INPUT_COPY, [COPY_D2H] = TIME_OUTPUT, [COPY_D2D] = TIME_D2D,
		[COPY_P2P] = TIME_D2D,        [COPY_H2H] = TIME_NONE,   [COPY_UNKNOWN] = TIME_COMPUTE,
		[COPY_MEMSET] = TIME_COMPUTE,
	};
	return derived_is_collective(d, r) ? TIME_COLLECTIVES : of_copy[derived_copy_kind(d, r)];
}

/* ---- collecting ------------------------------------------------------------------------------------------------------ */

static void take(struct breakdowns *b, row_id r, enum time_class class, const struct breakdown *out)
{
	if (class == TIME_NONE)
		return;
	int64_t a_ns = b->d->c->start_ns[r], b_ns = row_end(b->d->c, r);
	interval_add(&b->track[class], a_ns > out->a_ns ? a_ns : out->a_ns, b_ns < out->b_ns ? b_ns : out->b_ns);
}

/* A track's events came in order: its lists join those of the tracks before. */
static void close_track(struct breakdowns *b)
{
	for (int i = 0; i < TIME_COUNT; i++) {
		if (!b->track[i].n)
			continue;
		b->spare.n = 0;
		intervals_unite(&b->spare, &b->all[i], &b->track[i]);
		struct interval_list old = b->all[i];
		b->all[i] = b->spare;
		b->spare = old;
		b->track[i].n = 0;
	}
}

static bool wanted(const struct breakdowns *b, row_id r, uint32_t step)
{
	if (b->members_only && b->d->step_of[r] != step)
		return false;
	if (!b->q->filter)
		return true;
	uint32_t of = b->d->step_of[r];
	return filter_match(b->q->filter, b->d->t, r, of == NONE_ID ? NULL : b->d->steps[of].label);
}

static void take_device(struct breakdowns *b, uint32_t step, uint32_t device, struct breakdown *out)
{
	uint32_t n;
	const uint32_t *tracks = device_streams(b->d, device, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct event_iter it = event_iter(b->d->t, tracks[i], out->a_ns, out->b_ns, KINDS_WORK);
		while (event_next(&it)) {
			if (!wanted(b, it.row, step))
				continue;
			take(b, it.row, device_class(b->d, it.row), out);
			out->n_events++;
		}
		close_track(b);
	}
}

static bool encloses(const struct columns *c, row_id r, int64_t a_ns, int64_t b_ns)
{
	return c->start_ns[r] <= a_ns && row_end(c, r) >= b_ns;
}

static void take_thread(struct breakdowns *b, uint32_t step, uint32_t track, struct breakdown *out, int64_t a_ns,
			int64_t b_ns)
{
	struct event_iter it = event_iter(b->d->t, track, out->a_ns, out->b_ns, KINDS_HOST_TIME);
	while (event_next(&it)) {
		if (row_is_marker(b->d, it.row) || encloses(b->d->c, it.row, a_ns, b_ns) || !wanted(b, it.row, step))
			continue;
		take(b, it.row, host_class(b, it.row, step), out);
		out->n_events++;
	}
	close_track(b);
}

static void add_thread(struct breakdowns *b, uint32_t track)
{
	if (b->seen[track] == b->round)
		return;
	b->seen[track] = b->round;
	b->threads[b->n_threads++] = track;
}

static bool on_track(const struct derived *d, row_id r, uint32_t track)
{
	const struct track_info *k = trace_track(d->t, track);
	return r >= k->first && r < k->first + k->n;
}

/* The marker's thread and those that launched the step's work on the device: mostly the one that launched the work before. */
static void find_threads(struct breakdowns *b, uint32_t step, uint32_t device)
{
	const struct derived *d = b->d;
	b->round++;
	b->n_threads = 0;
	if (d->steps[step].marker != NONE_ID)
		add_thread(b, d->c->track[d->steps[step].marker]);
	const struct step_device *part = derived_step_device(d, step, device);
	if (!part)
		return;
	uint32_t n, last = NONE_ID;
	const uint32_t *tracks = device_streams(d, device, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct event_iter it = event_iter(d->t, tracks[i], part->first_ns, part->last_ns, KINDS_WORK);
		while (event_next(&it)) {
			row_id launch = d->step_of[it.row] == step ? d->c->link[it.row] : NONE_ID;
			if (launch == NONE_ID || (last != NONE_ID && on_track(d, launch, last)))
				continue;
			last = d->c->track[launch];
			add_thread(b, last);
		}
	}
}

/* ---- the answer ------------------------------------------------------------------------------------------------------ */

void step_time(const struct derived *d, uint32_t step, uint32_t device, int64_t *a_ns, int64_t *b_ns)
{
	const struct step *s = &d->steps[step];
	const struct step_device *part = derived_step_device(d, step, device);
	bool contains = part && s->start_ns <= part->first_ns && part->last_ns <= s->end_ns;
	bool marker = (s->marker != NONE_ID || s->inferred) && (by_time(d, step) || !part || contains);
	*a_ns = part && !marker ? part->first_ns : s->start_ns;
	*b_ns = part && !marker ? part->last_ns : s->end_ns;
}

static void settle(struct breakdowns *b, struct breakdown *out)
{
	int64_t before_ns = 0;
	b->covered.n = 0;
	for (int i = 0; i < TIME_COUNT; i++) {
		b->spare.n = 0;
		intervals_unite(&b->spare, &b->covered, &b->all[i]);
		struct interval_list old = b->covered;
		b->covered = b->spare;
		b->spare = old;
		int64_t now_ns = interval_list_total(&b->covered);
		out->ns[i] = now_ns - before_ns;
		before_ns = now_ns;
		b->all[i].n = 0;
	}
	out->other_ns = out->b_ns - out->a_ns - before_ns;
}

void breakdown_step(struct breakdowns *b, uint32_t step, uint32_t device, struct breakdown *out)
{
	int64_t a_ns, b_ns;
	step_time(b->d, step, device, &a_ns, &b_ns);
	*out = (struct breakdown){.a_ns = a_ns > b->q->a_ns ? a_ns : b->q->a_ns,
				  .b_ns = b_ns < b->q->b_ns ? b_ns : b->q->b_ns};
	out->cut = out->a_ns > a_ns || out->b_ns < b_ns;
	if (out->b_ns < out->a_ns)
		out->b_ns = out->a_ns;
	if (out->cut && out->b_ns == out->a_ns)
		return; /* the window has none of it */
	b->members_only = !by_time(b->d, step);
	find_threads(b, step, device);
	if (device != NONE_ID)
		take_device(b, step, device, out);
	for (uint32_t i = 0; i < b->n_threads; i++)
		take_thread(b, step, b->threads[i], out, a_ns, b_ns);
	settle(b, out);
}

struct breakdowns *breakdown_new(const struct derived *d, const struct query *q)
{
	size_t tracks = trace_tracks(d->t) + 1u, texts = strings_count(trace_strings(d->t)) + 1u;
	struct breakdowns *b = grow_or_abort(NULL, sizeof *b);
	*b = (struct breakdowns){.d = d, .q = q};
	b->names = grow_or_abort(NULL, texts);
	memset(b->names, 0, texts);
	b->seen = grow_or_abort(NULL, tracks * sizeof *b->seen);
	memset(b->seen, 0, tracks * sizeof *b->seen);
	b->threads = grow_or_abort(NULL, tracks * sizeof *b->threads);
	return b;
}

void breakdown_free(struct breakdowns *b)
{
	for (int i = 0; i < TIME_COUNT; i++) {
		interval_list_free(&b->all[i]);
		interval_list_free(&b->track[i]);
	}
	interval_list_free(&b->covered);
	interval_list_free(&b->spare);
	free(b->names);
	free(b->seen);
	free(b->threads);
	free(b);
}
