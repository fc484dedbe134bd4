/* tests/unit/chrome_read.h - a Chrome trace from a text, and questions about what came of it. */
#ifndef CHROME_READ_H
#define CHROME_READ_H
#include "unit.h"
#include <stdbool.h>
#include <string.h>
#include "importers/importer.h"
#include "model/store/trace/trace.h"

/* window 0 = the usual one, on one thread; 7 crosses a boundary inside everything, on two. NULL and `e` when it is refused. */
static inline struct trace *chrome_read_bytes(const void *p, size_t n, const char *name, size_t window, struct err *e)
{
	struct source *s = source_memory(p, n, name);
	struct ingest *in = ingest_new();
	if (window)
		source_set_window(s, window);
	source_set_threads(s, window ? 2 : 1);
	ingest_source(in, name, "chrome");
	bool ok = importer_chrome.load(s, in, NULL, e);
	struct trace *t = ok ? ingest_seal(in, e) : NULL;
	if (!ok)
		ingest_free(in);
	source_close(s);
	if (t)
		assert_true(notes_balance(trace_notes(t)));
	return t;
}

static inline struct trace *chrome_read(const char *json)
{
	struct err e = {0};
	struct trace *t = chrome_read_bytes(json, strlen(json), "made.json", 7, &e);
	if (!t)
		fail_msg("refused: %s", e.msg);
	return t;
}

static inline uint64_t noted(const struct trace *t, enum note_id id)
{
	return trace_notes(t)->at[id].count;
}

/* The only event of that name. */
static inline row_id event_named(const struct trace *t, const char *name)
{
	const struct columns *c = trace_columns(t);
	row_id found = NONE_ID;
	for (row_id r = 0; r < c->n; r++)
		if (strcmp(trace_str(t, c->name[r]), name) == 0) {
			if (found != NONE_ID)
				fail_msg("two events named %s", name);
			found = r;
		}
	if (found == NONE_ID)
		fail_msg("no event named %s", name);
	return found;
}

static inline const struct track_info *track_of(const struct trace *t, const char *event)
{
	return trace_track(t, trace_columns(t)->track[event_named(t, event)]);
}

static inline void assert_event(const struct trace *t, const char *name, const char *kind, int64_t start_ns,
				int64_t dur_ns)
{
	const struct columns *c = trace_columns(t);
	row_id r = event_named(t, name);
	assert_string_equal(kind_name((enum event_kind)c->kind[r]), kind);
	assert_int_equal(c->start_ns[r], start_ns);
	assert_int_equal(c->dur_ns[r], dur_ns);
}

/* "key=value key=value": every attribute of the event in order. */
static inline void assert_attrs(const struct trace *t, const char *event, const char *want)
{
	struct arena mem = {0};
	struct attr *a;
	size_t n;
	char got[4096] = "";
	attrs_read(trace_attrs(t), number_at(trace_columns(t)->attrs, event_named(t, event)), &mem, &a, &n);
	for (size_t i = 0; i < n; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s=%s", i ? " " : "", trace_str(t, a[i].key),
			 attr_text(&a[i], trace_strings(t), &mem));
	assert_string_equal(got, want);
	arena_free(&mem);
}

static inline const char *fact(const struct trace *t, const char *key)
{
	const char *k, *v;
	for (uint32_t i = 0; i < trace_facts(t); i++) {
		trace_fact(t, i, &k, &v);
		if (strcmp(k, key) == 0)
			return v;
	}
	return NULL;
}
#endif
