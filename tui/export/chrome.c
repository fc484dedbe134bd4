/* tui/export/chrome.c - a slice of a trace in Chrome's format. */
#include "chrome_private.h"
#include "formats.h"
#include "importers/importer.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

void chrome_next(struct chrome_out *o)
{
	block_text(&o->b, o->any ? ",\n" : "\n");
	o->any = true;
}

void chrome_time(struct chrome_out *o, int64_t ns)
{
	uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	unsigned rest = (unsigned)(v % 1000);
	if (ns < 0)
		block_char(&o->b, '-');
	block_u64(&o->b, v / 1000);
	if (rest)
		block_bytes(
			&o->b,
			(char[]){'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10), (char)('0' + rest % 10)},
			4);
}

static void put_member(struct chrome_out *o, const char *name)
{
	block_text(&o->b, ",\"");
	block_text(&o->b, name);
	block_text(&o->b, "\":");
}

void chrome_number(struct chrome_out *o, const char *name, int64_t v)
{
	put_member(o, name);
	block_i64(&o->b, v);
}

void chrome_text(struct chrome_out *o, const char *name, const char *v)
{
	put_member(o, name);
	block_json(&o->b, v);
}

/* ---- counters and arrows ---------------------------------------------------------------------------------------------------- */

static bool is_finite(double v)
{
	return v - v == 0;
}

static void put_counter(struct chrome_out *o, uint32_t track)
{
	const struct track_info *x = trace_track(o->t, track);
	const struct sample *samples;
	uint64_t n = slice_samples(&o->slice, track, &samples);
	for (uint64_t i = 0; i < n; i++) {
		if (!is_finite(samples[i].value))
			continue;
		chrome_next(o);
		block_text(&o->b, "{\"ph\":\"C\"");
		chrome_text(o, "name",
			    scrub_text(o->scrub, "counter", trace_str(o->t, x->name ? x->name : x->lane), &o->mem));
		chrome_number(o, "pid", o->lanes.track[track].pid);
		if (x->key)
			chrome_number(o, "id", x->key);
		put_member(o, "ts");
		chrome_time(o, samples[i].ts_ns + o->origin_ns);
		block_text(&o->b, ",\"args\":{\"value\":");
		block_real(&o->b, samples[i].value);
		block_text(&o->b, "}}");
	}
}

/* A moment at which nothing that the event encloses is on: a reader binds the point to the innermost event. */
static int64_t own_moment(const struct chrome_out *o, row_id r)
{
	int64_t from = o->c->start_ns[r], last = from + (o->c->dur_ns[r] ? o->c->dur_ns[r] - 1 : 0);
	uint32_t track = o->c->track[r];
	return trace_innermost(o->t, track, from) == r || trace_innermost(o->t, track, last) != r ? from : last;
}

/* The same for where an arrow ends that begins at from_ns: not before it, if that lies in the event. Clocks of devices run ahead
 * of the host's, and Perfetto drops an arrow that goes back in time. */
static int64_t end_moment(const struct chrome_out *o, row_id r, int64_t from_ns)
{
	int64_t at = own_moment(o, r);
	return at < from_ns && trace_innermost(o->t, o->c->track[r], from_ns) == r ? from_ns : at;
}

static void put_point(struct chrome_out *o, char ph, row_id r, int64_t at_ns, const struct flow *x, uint64_t id)
{
	struct thread_number at = lanes_of_event(&o->lanes, r);
	chrome_next(o);
	block_text(&o->b, ph == 's' ? "{\"ph\":\"s\"" : "{\"ph\":\"f\",\"bp\":\"e\"");
	chrome_number(o, "id", (int64_t)id);
	chrome_number(o, "pid", at.pid);
	chrome_number(o, "tid", at.tid);
	put_member(o, "ts");
	chrome_time(o, at_ns + o->origin_ns);
	const char *category = trace_str(o->t, x->category);
	chrome_text(o, "cat", *category ? category : "flow");
	chrome_text(o, "name", *category ? category : "flow");
	block_char(&o->b, '}');
}

static void put_arrow(struct chrome_out *o, const struct flow *x, uint64_t id)
{
	if (!slice_has(&o->slice, x->from) || !slice_has(&o->slice, x->to))
		return;
	int64_t from_ns = own_moment(o, x->from);
	put_point(o, 's', x->from, from_ns, x, id);
	put_point(o, 'f', x->to, end_moment(o, x->to, from_ns), x, id);
}

static void put_arrows(struct chrome_out *o)
{
	const struct flow *flows;
	uint64_t n = trace_flows(o->t, &flows);
	for (uint64_t i = 0; i < n; i++)
		put_arrow(o, &flows[i], i + 1);
}

/* ---- the file --------------------------------------------------------------------------------------------------------------- */

static bool put_events(struct chrome_out *o, struct err *e)
{
	enum { LOOK = 1 << 12 };
	uint64_t done = 0;
	for (uint64_t r = slice_next(&o->slice, 0); r < o->c->n; r = slice_next(&o->slice, r + 1)) {
		chrome_event(o, (row_id)r);
		if (++done % LOOK)
			continue;
		progress_written(o->req->progress, (int64_t)done, (int64_t)o->slice.n);
		if (progress_cancelled(o->req->progress))
			return err_usage(e, "cancelled");
	}
	return true;
}

static void put_tail(struct chrome_out *o)
{
	block_text(&o->b, "\n],\"otherData\":{\"schema\":\"stepscope.slice/1\",\"window\":");
	block_json(&o->b, o->req->window.text);
	chrome_number(o, "events", (int64_t)o->slice.n);
	chrome_number(o, "cut_at_the_window", (int64_t)o->slice.cut);
	chrome_number(o, "context_outside_the_window", (int64_t)o->slice.context);
	chrome_number(o, "arguments_left_out", (int64_t)o->left_out);
	block_text(&o->b, "}}\n");
}

static void free_all(struct chrome_out *o)
{
	attrs_view_free(o->attrs);
	arena_free(&o->mem);
	lanes_of_free(&o->lanes);
	scrub_free(o->scrub);
	slice_free(&o->slice);
	free(o->rule);
	free(o->used);
	free(o->used_process);
	free(o->used_device);
	free(o);
}

static void find_used(struct chrome_out *o)
{
	const struct sample *samples;
	o->used = must(calloc((size_t)trace_tracks(o->t) + 1, sizeof *o->used));
	o->used_process = must(calloc((size_t)trace_processes(o->t) + 1, sizeof *o->used_process));
	o->used_device = must(calloc((size_t)trace_devices(o->t) + 1, sizeof *o->used_device));
	for (uint64_t r = slice_next(&o->slice, 0); r < o->c->n; r = slice_next(&o->slice, r + 1))
		o->used[o->c->track[r]] = true;
	for (uint32_t i = 0; i < trace_tracks(o->t); i++) {
		const struct track_info *x = trace_track(o->t, i);
		o->used[i] |= x->kind == TRACK_COUNTER && slice_samples(&o->slice, i, &samples);
		if (o->used[i] && x->process != NONE_ID)
			o->used_process[x->process] = true;
		if (o->used[i] && x->device != NONE_ID)
			o->used_device[x->device] = true;
	}
}

/* What is read by words of its own, few of which leave, gets categories and details that are made. */
static bool speaks_for_itself(const struct trace *t)
{
	const char *producer = chrome_fact(t, "producer");
	return !strcmp(trace_source(t, 0).format, importer_chrome.name) &&
	       !(producer && !strcmp(producer, PRODUCER_OF_OWN_WORDS));
}

static struct chrome_out *new_out(const struct export_req *r, FILE *out)
{
	struct chrome_out *o = must(calloc(1, sizeof *o));
	struct query q = window_query(&r->window, NULL);
	o->req = r;
	o->t = derived_trace(r->d);
	o->c = trace_columns(o->t);
	o->b.out = out;
	o->of_chrome = speaks_for_itself(o->t);
	o->many_hosts = trace_hosts(o->t) > 1;
	o->attrs = attrs_view_new(trace_attrs(o->t));
	o->rule = must(calloc((size_t)strings_count(trace_strings(o->t)) + 1, 1));
	slice_make(&o->slice, r->d, &q);
	lanes_of_new(&o->lanes, o->t);
	find_used(o);
	o->scrub = r->redact ? scrub_new(r->d) : NULL;
	return o;
}

bool export_chrome(const struct export_req *r, FILE *out, struct err *e)
{
	struct chrome_out *o = new_out(r, out);
	chrome_head(o);
	block_text(&o->b, "\"traceEvents\":[");
	chrome_metadata(o);
	bool ok = put_events(o, e);
	for (uint32_t i = 0; i < trace_tracks(o->t); i++)
		if (trace_track(o->t, i)->kind == TRACK_COUNTER)
			put_counter(o, i);
	put_arrows(o);
	put_tail(o);
	block_flush(&o->b);
	free_all(o);
	return ok;
}
