/* tui/export/xplane.c - a slice of an XSpace, cut out of the recording itself: nothing that a kept event says is lost on the way. */
#include "formats.h"
#include "importers/importer.h"
#include "importers/xspace/cut.h"
#include "model/store/base/memory.h"
#include "slice.h"
#include "tui/text/words.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An event as it is found in the recording again. */
struct place {
	int64_t start_ns, dur_ns; /* the start on the recording's clock */
	str_id name;
	enum slice_place lies;
};
struct places {
	const struct trace *t;
	struct place *at;
	size_t n;
};

static int order(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->dur_ns != y->dur_ns)
		return x->dur_ns < y->dur_ns ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static struct places places_of(const struct slice *s)
{
	const struct trace *t = derived_trace(s->d);
	const struct columns *c = trace_columns(t);
	struct places p = {.t = t, .at = must(calloc(s->n + 1, sizeof *p.at))};
	for (uint64_t r = slice_next(s, 0); r < c->n; r = slice_next(s, r + 1))
		p.at[p.n++] = (struct place){trace_base_ns(t) + c->start_ns[r], c->dur_ns[r], c->name[r],
					     slice_place(s, (row_id)r)};
	qsort(p.at, p.n, sizeof *p.at, order);
	return p;
}

static const char *choose(void *ctx, int64_t start_ns, int64_t dur_ns, struct span name)
{
	const struct places *p = ctx;
	struct place key = {start_ns, dur_ns, strings_find(trace_strings(p->t), name.p, name.n), SLICE_INSIDE};
	const struct place *found = bsearch(&key, p->at, p->n, sizeof *p->at, order);
	return found ? slice_word(found->lies) : NULL;
}

static bool cut(const struct export_req *r, const struct slice *s, struct source *from, FILE *out, struct err *e)
{
	struct places p = places_of(s);
	int64_t base_ns = trace_base_ns(p.t);
	struct xspace_slice c = {.a_ns = base_ns + s->a_ns, .b_ns = base_ns + s->b_ns, .choose = choose, .ctx = &p};
	bool ok = xspace_slice(from, &c, r->progress, out, e);
	free(p.at);
	return ok && c.n_events < s->n ? err_unwritten(e,
						       "the recording has changed since it was read: it holds %" PRIu64
						       " of the %" PRIu64 " events of the window",
						       c.n_events, s->n)
				       : ok;
}

static bool check_source(const struct trace *t, struct err *e)
{
	struct source_info x = trace_source(t, 0);
	if (trace_sources(t) != 1)
		return err_usage(
			e,
			"an .xplane.pb holds one host, and this trace was read from %u files: export one of them, or "
			"write .json.gz",
			trace_sources(t));
	if (strcmp(x.format, importer_xspace.name) != 0)
		return err_usage(
			e, "an .xplane.pb can only be cut out of an XSpace, and '%.80s' is not one; write .json.gz",
			words_base(x.path));
	return true;
}

bool export_xplane(const struct export_req *r, FILE *out, struct err *e)
{
	const struct trace *t = derived_trace(r->d);
	struct query q = window_query(&r->window, NULL);
	struct slice s;
	TRY(check_source(t, e));
	struct source *from = source_open(trace_source(t, 0).path, r->progress, e);
	TRY(from != NULL);
	slice_make(&s, r->d, &q);
	bool ok =
		xspace_is_source(from)
			? (s.whole ? xspace_copy(from, r->progress, out, e) : cut(r, &s, from, out, e))
			: err_usage(e,
				    "an .xplane.pb is cut out of the recording, and '%.80s' is another file; name the "
				    ".xplane.pb, or write .json.gz",
				    words_base(trace_source(t, 0).path));
	slice_free(&s);
	source_close(from);
	return ok;
}
