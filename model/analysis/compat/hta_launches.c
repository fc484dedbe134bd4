#include "hta_launches.h"
#include "model/store/base/grow.h"
#include "hta_events.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/memory.h"
#include "model/store/base/spans.h"
#include <stdlib.h>
#include <string.h>

struct change {
	int64_t stream, at_us;
	int32_t by;
};
struct changes {
	struct change *at;
	size_t n, cap;
};

/* ---- names ------------------------------------------------------------------------------------------------------------ */

static const char *const launching[] = {"cudaLaunchKernel", "cudaLaunchKernelExC", "cudaMemcpyAsync",
					"cudaMemsetAsync"};
static const char *const queueing[] = {
	"cuLaunchKernel", "cuLaunchKernelEx",    "hipLaunchKernel", "hipExtModuleLaunchKernel",
	"hipMemcpyAsync", "hipMemcpyWithStream", "hipMemsetAsync"};

/* ---- events ----------------------------------------------------------------------------------------------------------- */

static void add_change(struct changes *v, int64_t stream, int64_t at_us, int32_t by)
{
	GROW_ARRAY(v->at, v->n, v->cap);
	v->at[v->n++] = (struct change){stream, at_us, by};
}

static void add_call(struct hta_launches *out, const struct hta_reader *x, const struct hta_event *w, row_id launch)
{
	int64_t end_us = hta_end_us(x, launch);
	out->calls[out->n_calls++] = (struct hta_call){x->host,
						       launch,
						       w->row,
						       end_us - hta_start_us(x, launch),
						       w->b_us - w->a_us,
						       w->a_us > end_us ? w->a_us - end_us : 0};
}

static void read_calls(const struct hta_reader *x, struct hta_launches *out, struct changes *changes)
{
	const struct columns *c = derived_columns(x->d);
	out->calls = must(realloc(out->calls, (out->n_calls + x->n + 1) * sizeof *out->calls));
	for (size_t i = 0; i < x->n; i++) {
		const struct hta_event *w = &x->at[i];
		row_id launch = row_is_work(c, w->row) ? c->link[w->row] : NONE_ID;
		if (launch == NONE_ID || c->link[launch] != w->row)
			continue;
		const char *name = trace_str(derived_trace(x->d), c->name[launch]);
		bool launches = TEXT_IS_ONE_OF(name, launching);
		if (launches)
			add_call(out, x, w, launch);
		if (!launches && !TEXT_IS_ONE_OF(name, queueing))
			continue;
		add_change(changes, w->stream, w->launch_us, 1);
		add_change(changes, w->stream, w->a_us, -1);
	}
}

/* ---- queues ----------------------------------------------------------------------------------------------------------- */

static int calls_first(const void *p, const void *q)
{
	const struct change *a = p, *b = q;
	if (a->stream != b->stream)
		return a->stream < b->stream ? -1 : 1;
	if (a->at_us != b->at_us)
		return a->at_us < b->at_us ? -1 : 1;
	return b->by - a->by;
}

/* What the sum of lengths loses when, in each us, the work comes before the calls: each pair that changes places takes two
 * from between them. */
static int64_t ties_cost(const struct change *at, size_t n)
{
	int64_t cost = 0;
	for (size_t i = 0; i < n;) {
		size_t end = i, calls = 0;
		for (; end < n && at[end].at_us == at[i].at_us; end++)
			calls += at[end].by > 0;
		cost += (int64_t)(calls * (end - i - calls)) * 2;
		i = end;
	}
	return cost;
}

static struct hta_queue measure(const struct change *at, size_t n)
{
	struct hta_queue out = {.stream = at->stream, .changes = (int64_t)n};
	int64_t *lengths = must(malloc(n * sizeof *lengths)), length = 0, sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += lengths[i] = length += at[i].by;
	qsort(lengths, n, sizeof *lengths, i64_order);
	out.min = lengths[0];
	out.max = lengths[n - 1];
	out.median = (double)(lengths[(n - 1) / 2] + lengths[n / 2]) / 2;
	out.mean = (double)sum / (double)n;
	out.mean_low = (double)(sum - ties_cost(at, n)) / (double)n;
	free(lengths);
	return out;
}

static void read_queues(struct hta_launches *out, uint32_t host, struct changes *v)
{
	if (v->n)
		qsort(v->at, v->n, sizeof *v->at, calls_first);
	for (size_t i = 0, end; i < v->n; i = end) {
		for (end = i; end < v->n && v->at[end].stream == v->at[i].stream; end++)
			;
		out->queues = must(realloc(out->queues, (out->n_queues + (size_t)1) * sizeof *out->queues));
		out->queues[out->n_queues] = measure(&v->at[i], end - i);
		out->queues[out->n_queues++].host = host;
	}
	v->n = 0;
}

struct hta_launches hta_launches_read(const struct derived *d)
{
	struct hta_launches out = {0};
	struct changes changes = {0};
	struct hta_reader x;
	hta_reader_open(&x, d);
	for (uint32_t host = 0; host < trace_hosts(derived_trace(d)); host++) {
		hta_reader_host(&x, host);
		read_calls(&x, &out, &changes);
		read_queues(&out, host, &changes);
	}
	hta_reader_close(&x);
	free(changes.at);
	return out;
}

void hta_launches_free(struct hta_launches *x)
{
	free(x->calls);
	free(x->queues);
	*x = (struct hta_launches){0};
}
