#include "part.h"
#include "lazy_sections.h"
#include "packed_tables.h"
#include <stdlib.h>
#include <string.h>

struct cut {
	const struct trace *of;
	struct trace *to;
	uint32_t host, device;
	uint32_t *track; /* of -> to; NONE_ID: left out */
};

/* ---- whose they are -------------------------------------------------------------------------------------------------- */

static bool keeps_device(const struct cut *c, uint32_t device)
{
	return c->of->devices[device].host == c->host && (c->device == NONE_ID || c->device == device);
}

static bool keeps_track(const struct cut *c, const struct track_info *x)
{
	return x->host == c->host && (x->device == NONE_ID || keeps_device(c, x->device));
}

/* All of one host stand together, and so do their numbers: each new one is the old one less those before it. */
static uint32_t devices_before(const struct cut *c, uint32_t device)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < device; i++)
		n += keeps_device(c, i);
	return n;
}

static uint32_t processes_before(const struct cut *c, uint32_t process)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < process; i++)
		n += c->of->processes[i].host == c->host;
	return n;
}

static bool take_owners(struct cut *c)
{
	const struct trace *of = c->of;
	struct trace *t = c->to;
	t->hosts = calloc(1, sizeof *t->hosts);
	t->processes = calloc(of->n_processes + 1, sizeof *t->processes);
	t->devices = calloc(of->n_devices + 1, sizeof *t->devices);
	if (!t->hosts || !t->processes || !t->devices)
		return false;
	t->hosts[t->n_hosts++] = of->hosts[c->host];
	for (uint32_t i = 0; i < of->n_processes; i++)
		if (of->processes[i].host == c->host)
			t->processes[t->n_processes++] = of->processes[i];
	for (uint32_t i = 0; i < of->n_devices; i++)
		if (keeps_device(c, i))
			t->devices[t->n_devices++] = of->devices[i];
	for (uint32_t i = 0; i < t->n_processes; i++)
		t->processes[i].host = 0;
	for (uint32_t i = 0; i < t->n_devices; i++)
		t->devices[i].host = 0;
	return true;
}

static void add_track(struct cut *c, uint32_t track, uint64_t *samples)
{
	struct trace *t = c->to;
	struct trace_track *x = &t->tracks[t->n_tracks];
	*x = c->of->tracks[track];
	x->info.host = 0;
	x->info.first = t->c.n;
	x->first_sample = *samples;
	if (x->info.device != NONE_ID)
		x->info.device = devices_before(c, x->info.device);
	if (x->info.process != NONE_ID)
		x->info.process = processes_before(c, x->info.process);
	t->c.n += x->info.n;
	*samples += x->n_samples;
	c->track[track] = t->n_tracks++;
}

static bool take_tracks(struct cut *c)
{
	const struct trace *of = c->of;
	struct trace *t = c->to;
	uint64_t samples = 0;
	c->track = calloc(of->n_tracks + 1, sizeof *c->track);
	t->tracks = calloc(of->n_tracks + 1, sizeof *t->tracks);
	if (!c->track || !t->tracks)
		return false;
	for (uint32_t i = 0; i < of->n_tracks; i++) {
		c->track[i] = NONE_ID;
		if (keeps_track(c, &of->tracks[i].info))
			add_track(c, i, &samples);
	}
	t->samples = malloc((samples + 1) * sizeof *t->samples);
	for (uint32_t i = 0; t->samples && i < of->n_tracks; i++)
		if (c->track[i] != NONE_ID)
			memcpy(t->samples + t->tracks[c->track[i]].first_sample,
			       of->samples + of->tracks[i].first_sample, of->tracks[i].n_samples * sizeof *t->samples);
	return t->samples != NULL;
}

/* ---- events ---------------------------------------------------------------------------------------------------------- */

/* The number that the row has in the part; NONE_ID: it is not in it. */
static row_id new_row(const struct cut *c, uint64_t r)
{
	uint32_t track = r == NONE_ID ? NONE_ID : c->track[c->of->track[r]];
	if (track == NONE_ID)
		return NONE_ID;
	return (row_id)(c->to->tracks[track].info.first + (r - c->of->tracks[c->of->track[r]].info.first));
}

static bool make_columns(struct cut *c)
{
	struct trace *t = c->to;
	const size_t n = t->c.n + 1;
	t->start_ns = large_alloc(n * sizeof *t->start_ns);
	t->dur_ns = large_alloc(n * sizeof *t->dur_ns);
	t->name = large_alloc(n * sizeof *t->name);
	t->track = large_alloc(n * sizeof *t->track);
	t->detail = large_alloc(n * sizeof *t->detail);
	t->link = large_alloc(n * sizeof *t->link);
	t->kind = large_alloc(n * sizeof *t->kind);
	t->depth = large_alloc(n * sizeof *t->depth);
	t->disp = large_alloc(n * sizeof *t->disp);
	t->corr = large_alloc(n * sizeof *t->corr);
	t->attrs_at = large_alloc(n * sizeof *t->attrs_at);
	t->group = c->of->group ? large_alloc(n * sizeof *t->group) : NULL;
	t->group16 = c->of->group16 ? large_alloc(n * sizeof *t->group16) : NULL;
	return t->start_ns && t->dur_ns && t->name && t->track && t->detail && t->link && t->kind && t->depth &&
	       t->disp && t->corr && t->attrs_at && (t->group || !c->of->group) && (t->group16 || !c->of->group16);
}

static void take_events(struct cut *c, uint32_t track)
{
	const struct trace *of = c->of;
	struct trace *t = c->to;
	const struct track_info *x = &t->tracks[c->track[track]].info;
	const uint64_t from = of->tracks[track].info.first, at = x->first;
#define TAKE(column) memcpy(t->column + at, of->column + from, x->n * sizeof *t->column)
	TAKE(start_ns);
	TAKE(dur_ns);
	TAKE(name);
	TAKE(detail);
	TAKE(kind);
	TAKE(depth);
	TAKE(disp);
	if (t->group)
		TAKE(group);
	if (t->group16)
		TAKE(group16);
#undef TAKE
	for (uint64_t i = 0; i < x->n; i++) {
		bool work = x->device != NONE_ID && kind_is_work((enum event_kind)t->kind[at + i]);
		t->track[at + i] = c->track[track];
		t->corr[at + i] = number_at(of->c.corr, (row_id)(from + i));
		t->attrs_at[at + i] = number_at(of->c.attrs, (row_id)(from + i));
		t->link[at + i] = work ? new_row(c, of->link[from + i]) : NONE_ID; /* launches: seal_launch_groups */
	}
}

static bool take_rows(struct cut *c)
{
	if (!make_columns(c))
		return false;
	for (uint32_t i = 0; i < c->of->n_tracks; i++)
		if (c->track[i] != NONE_ID)
			take_events(c, i);
	return true;
}

static bool take_flows(struct cut *c)
{
	struct trace *t = c->to;
	lazy_need(c->of, LAZY_FLOWS);
	t->flows = malloc((c->of->n_flows + 1) * sizeof *t->flows);
	for (uint64_t i = 0; t->flows && i < c->of->n_flows; i++) {
		struct flow f = c->of->flows[i];
		f.from = new_row(c, f.from);
		f.to = new_row(c, f.to);
		if (f.from != NONE_ID && f.to != NONE_ID)
			t->flows[t->n_flows++] = f;
	}
	return t->flows != NULL;
}

/* ---- what stands beside them ----------------------------------------------------------------------------------------- */

static bool take_rows_of_events(struct cut *c, enum side_table table)
{
	const struct column *of = &c->of->side[table];
	struct column *to = &c->to->side[table];
	for (size_t i = 0; i < of->n; i++) {
		const void *row = (const char *)of->p + i * of->size;
		uint64_t event;
		memcpy(&event, row, sizeof event);
		row_id now = new_row(c, event);
		void *at = now == NONE_ID ? NULL : column_push(to);
		if (now != NONE_ID && !at)
			return false;
		if (!at)
			continue;
		event = now;
		memcpy(at, row, of->size);
		memcpy(at, &event, sizeof event);
	}
	return true;
}

/* Numbered rows are shared: trace_free leaves them to the whole. */
static bool take_side_tables(struct cut *c)
{
	for (enum side_table i = 0; i < SIDE_TABLE_COUNT; i++) {
		const void *rows;
		trace_side_rows(c->of, i, &rows); /* unpacks what is packed */
		c->to->side[i].size = c->of->side[i].size;
		if (side_tables[i].rows == SIDE_NUMBERED)
			c->to->side[i] = c->of->side[i];
		else if (!take_rows_of_events(c, i))
			return false;
	}
	return true;
}

static char *copy_of(const char *text)
{
	return text ? strdup(text) : NULL;
}

static bool take_source(struct cut *c)
{
	uint32_t at = c->of->hosts[c->host].source;
	struct trace *t = c->to;
	t->sources = calloc(1, sizeof *t->sources);
	if (!t->sources || at >= c->of->n_sources)
		return t->sources != NULL;
	const struct source_in *s = &c->of->sources[at];
	*t->sources = (struct source_in){copy_of(s->path), copy_of(s->format), copy_of(s->producer), s->traits};
	t->hosts[0].source = 0;
	t->n_sources = 1;
	return t->sources->path && t->sources->format && (t->sources->producer || !s->producer);
}

/* They are of the import of all files; of places only those in the host's own are still known. */
static void take_notes(struct cut *c)
{
	struct notes *n = &c->to->notes;
	*n = c->of->notes;
	for (int i = 0; i < NOTE_COUNT; i++) {
		bool own = n->at[i].first_source == c->of->hosts[c->host].source;
		n->at[i].first_at = own ? n->at[i].first_at : -1;
		n->at[i].first_source = own ? 0 : UINT32_MAX;
	}
}

static void take_facts(struct cut *c)
{
	for (uint32_t i = 0; i < c->of->n_facts; i++)
		trace_set_fact(c->to, c->of->facts[i].key, c->of->facts[i].value);
}

static bool take_all(struct cut *c)
{
	struct trace *t = c->to;
	if (!take_owners(c) || !take_tracks(c) || !take_rows(c) || !take_source(c) || !take_flows(c) ||
	    !take_side_tables(c))
		return false;
	take_notes(c);
	take_facts(c);
	trace_settle_base(t);
	trace_publish_columns(t);
	return seal_display(t, &(struct helpers){.threads = 1}) && seal_skip(t) && seal_launch_groups(t);
}

struct trace *trace_part(const struct trace *whole, uint32_t host, uint32_t device, struct err *e)
{
	struct trace *t = calloc(1, sizeof *t);
	struct cut c = {.of = whole, .to = t, .host = host, .device = device};
	if (!t) {
		err_memory(e, NULL);
		return NULL;
	}
	atomic_store(&t->refs, 1);
	t->whole = trace_ref((struct trace *)whole); /* counts references, changes nothing */
	t->strings = whole->strings;
	t->attrs = whole->attrs;
	t->base_ns = whole->base_ns;
	t->epoch_ns = whole->epoch_ns;
	t->kernels_tell_no_op = whole->kernels_tell_no_op;
	t->kernels_tell_no_texts = !trace_kernels_may_tell_texts(whole);
	bool ok = take_all(&c);
	free(c.track);
	if (ok)
		return t;
	err_memory(e, NULL);
	trace_free(t);
	return NULL;
}
