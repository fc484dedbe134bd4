#include "hta.h"
#include "model/store/base/memory.h"
#include "hta_events.h"
#include "model/analysis/derived/rows.h"
#include <stdlib.h>

static int by_start(const void *p, const void *q)
{
	const struct hta_event *a = p, *b = q;
	if (a->a_us != b->a_us)
		return a->a_us < b->a_us ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static int by_stream(const void *p, const void *q)
{
	const struct hta_event *a = p, *b = q;
	return a->stream != b->stream ? (a->stream < b->stream ? -1 : 1) : by_start(p, q);
}

/* Covered time; an event that shrank to less than nothing takes time away, as in the reference. */
static int64_t covered_us(const struct hta_event *at, size_t n, bool compute_only)
{
	int64_t sum_us = 0, a_us = 0, b_us = 0;
	bool open = false;
	for (size_t i = 0; i < n; i++) {
		if (compute_only && !at[i].compute)
			continue;
		if (open && at[i].a_us <= b_us) {
			b_us = at[i].b_us > b_us ? at[i].b_us : b_us;
			continue;
		}
		sum_us += open ? b_us - a_us : 0;
		a_us = at[i].a_us;
		b_us = at[i].b_us;
		open = true;
	}
	return sum_us + (open ? b_us - a_us : 0);
}

static void sum_rank(struct hta_reader *x, struct hta *h)
{
	struct hta_rank *rank = &h->ranks[h->n_ranks++];
	qsort(x->at, x->n, sizeof *x->at, by_start);
	*rank = (struct hta_rank){.host = x->host, .first_us = x->at[0].a_us, .last_us = x->at[0].b_us};
	for (size_t i = 0; i < x->n; i++)
		rank->last_us = x->at[i].b_us > rank->last_us ? x->at[i].b_us : rank->last_us;
	rank->busy_us = covered_us(x->at, x->n, false);
	rank->compute_us = covered_us(x->at, x->n, true);
}

static void add_wait(struct hta_stream *s, const struct hta_event *before, const struct hta_event *next)
{
	int64_t idle_us = next->a_us - before->b_us;
	if (next->launch_us > before->b_us)
		s->host_wait_us += idle_us;
	else if (idle_us < HTA_KERNEL_WAIT_US)
		s->kernel_wait_us += idle_us;
	else
		s->other_us += idle_us;
}

static void drop_host_events(struct hta_reader *x)
{
	size_t kept = 0;
	for (size_t i = 0; i < x->n; i++)
		if (row_is_work(derived_columns(x->d), x->at[i].row))
			x->at[kept++] = x->at[i];
	x->n = kept;
}

static void sum_streams(struct hta_reader *x, struct hta *h)
{
	drop_host_events(x);
	qsort(x->at, x->n, sizeof *x->at, by_stream);
	for (size_t i = 0; i < x->n; i++) {
		if (i && x->at[i].stream == x->at[i - 1].stream) {
			add_wait(&h->streams[h->n_streams - 1], &x->at[i - 1], &x->at[i]);
			continue;
		}
		h->streams = must(realloc(h->streams, (h->n_streams + (size_t)1) * sizeof *h->streams));
		h->streams[h->n_streams++] = (struct hta_stream){.host = x->host, .stream = x->at[i].stream};
	}
}

struct hta hta_read(const struct derived *d)
{
	struct hta out = {.ranks = must(malloc(trace_hosts(derived_trace(d)) * sizeof *out.ranks))};
	struct hta_reader x;
	hta_reader_open(&x, d);
	for (uint32_t host = 0; host < trace_hosts(derived_trace(d)); host++) {
		hta_reader_host(&x, host);
		if (!x.n)
			continue;
		sum_rank(&x, &out);
		sum_streams(&x, &out);
	}
	hta_reader_close(&x);
	return out;
}

void hta_free(struct hta *x)
{
	free(x->ranks);
	free(x->streams);
	*x = (struct hta){0};
}
