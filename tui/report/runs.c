/* tui/report/runs.c - answers of analyses while sections are cut from them. Each has memory of its own, so that a report of a
 * large trace holds a few of them at a time instead of all. */
#include "content.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

static struct run *run_new(struct content *c, const struct table_desc *a, bool whole)
{
	struct run *r = must(calloc(1, sizeof *r));
	*r = (struct run){.desc = a, .whole = whole, .next = c->runs};
	c->runs = r;
	return r;
}

struct run *content_run(struct content *c, const struct table_desc *a, bool whole, struct err *e)
{
	for (struct run *r = c->runs; r; r = r->next)
		if (r->desc == a && r->whole == whole)
			return r;
	struct window all = window_all(c->req->d);
	struct query q = window_query(whole ? &all : &c->req->window, c->req->filter);
	q.every_k = c->req->every_k;
	q.all_steps = c->req->all_steps;
	struct run *r = run_new(c, a, whole);
	r->table = a->run(c->req->d, &q, &r->mem, NULL, e);
	if (r->table)
		return r;
	content_drop(c, r);
	return NULL;
}

void content_drop(struct content *c, struct run *gone)
{
	for (struct run **at = &c->runs; *at; at = &(*at)->next)
		if (*at == gone) {
			*at = gone->next;
			arena_free(&gone->mem);
			free(gone);
			return;
		}
}
