#include "hta_events.h"
#include "model/store/base/grow.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/spans.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------------------------------- */

/* Neither communication nor memory nor waiting; that everything called hip... is communication is the reference's rule. */
static bool is_compute(const char *name)
{
	static const char *const others[] = {"nccl", "hip", "hccl", "Memcpy", "Memset", "dma"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (text_starts(name, others[i]))
			return false;
	return !strstr(name, "ncclKernel") && !strstr(name, "Sync");
}

/* ---- whole microseconds ---------------------------------------------------------------------------------------------- */

enum { NS_PER_US = 1000 };
#define BASE_LIMIT_NS (INT64_C(1) << 61)

static int64_t text_number(const char *text)
{
	int64_t v = strtoll(text, NULL, 10);
	return v < BASE_LIMIT_NS && v > -BASE_LIMIT_NS ? v : 0;
}

/* What the file's own times are at 0: files of today count from a point that they name apart. A base beyond all calendars is
 * none. */
static int64_t file_base(const struct trace *t)
{
	int64_t base_ns = trace_base_ns(t);
	if (base_ns >= BASE_LIMIT_NS || base_ns <= -BASE_LIMIT_NS)
		return 0;
	for (uint32_t i = 0; i < trace_facts(t); i++) {
		const char *key, *value;
		trace_fact(t, i, &key, &value);
		if (!strcmp(key, "baseTimeNanoseconds"))
			return base_ns - text_number(value);
	}
	return base_ns;
}

static bool has_fractions(const struct hta_reader *x)
{
	const struct columns *c = derived_columns(x->d);
	for (row_id r = 0; r < c->n; r++)
		if ((x->base_ns + c->start_ns[r]) % NS_PER_US || c->dur_ns[r] % NS_PER_US)
			return true;
	return false;
}

/* The reference holds microseconds in a double; so must we, to round like it. */
static double in_us(int64_t ns)
{
	return (double)((long double)ns / NS_PER_US);
}

int64_t hta_start_us(const struct hta_reader *x, row_id r)
{
	int64_t at_ns = x->base_ns + derived_columns(x->d)->start_ns[r];
	return x->fractional ? (int64_t)ceil(in_us(at_ns)) : at_ns / NS_PER_US;
}

int64_t hta_end_us(const struct hta_reader *x, row_id r)
{
	int64_t at_ns = x->base_ns + derived_columns(x->d)->start_ns[r], dur_ns = derived_columns(x->d)->dur_ns[r];
	return x->fractional ? (int64_t)floor(in_us(at_ns) + in_us(dur_ns)) : (at_ns + dur_ns) / NS_PER_US;
}

/* ---- which events ---------------------------------------------------------------------------------------------------- */

static bool is_step(const struct derived *d, row_id r)
{
	uint8_t kind = derived_columns(d)->kind[r];
	return (kind == KIND_ANNOTATION || kind == KIND_OP || kind == KIND_DEVICE_RANGE) &&
	       text_starts(trace_str(derived_trace(d), derived_columns(d)->name[r]), "ProfilerStep");
}

/* Start of the last ProfilerStep, on the host or copied to a device, when there are two or more names of them. */
static int64_t last_step(const struct derived *d, uint32_t host)
{
	int64_t last_ns = INT64_MIN;
	str_id name = 0;
	bool several = false;
	for (uint32_t i = 0; i < trace_tracks(derived_trace(d)); i++) {
		const struct track_info *k = trace_track(derived_trace(d), i);
		for (row_id r = (row_id)k->first; k->host == host && r < k->first + k->n; r++) {
			if (!is_step(d, r))
				continue;
			several |= name && derived_columns(d)->name[r] != name;
			name = derived_columns(d)->name[r];
			last_ns = derived_columns(d)->start_ns[r] > last_ns ? derived_columns(d)->start_ns[r] : last_ns;
		}
	}
	return several ? last_ns : INT64_MAX;
}

/* The stream that an event names which is no device work; -1 = none. */
static int64_t named_stream(struct hta_reader *x, row_id r)
{
	struct attr *attrs;
	size_t n = 0;
	int64_t stream = -1;
	if (!x->stream_key || !attrs_read(trace_attrs(derived_trace(x->d)), number_at(derived_columns(x->d)->attrs, r),
					  &x->scratch, &attrs, &n))
		return stream;
	for (size_t i = 0; i < n; i++)
		if (attrs[i].key == x->stream_key && (attrs[i].type == ATTR_INT || attrs[i].type == ATTR_UINT))
			stream = attrs[i].type == ATTR_INT ? attrs[i].i : (int64_t)attrs[i].u;
	if (x->scratch.bytes > 1 << 20)
		arena_free(&x->scratch);
	return stream;
}

/* The reference takes work without a recorded launch for launched by its row 0, the file's first event: attributes are kept
 * in the order of the file. */
static int64_t first_of_file(const struct hta_reader *x)
{
	const struct trace *t = derived_trace(x->d);
	uint64_t first = UINT64_MAX;
	row_id row = NONE_ID;
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		for (row_id r = (row_id)k->first; k->host == x->host && r < k->first + k->n; r++) {
			uint64_t at = number_at(derived_columns(x->d)->attrs, r);
			if (at && at < first) {
				first = at;
				row = r;
			}
		}
	}
	return row == NONE_ID ? INT64_MIN : hta_start_us(x, row);
}

static bool is_corr(uint64_t corr)
{
	return corr && corr != UINT64_MAX;
}

/* The call that an event belongs to: of work its launch, of a wait beside a stream the call that waits, else itself. */
static row_id call_of(const struct hta_reader *x, row_id r, bool on_device)
{
	const struct columns *c = derived_columns(x->d);
	if (row_is_work(c, r))
		return c->link[r];
	uint64_t corr = on_device ? number_at(c->corr, r) : 0;
	return is_corr(corr) ? idmap_get(&x->calls, corr) : r;
}

static bool in_window(const struct hta_reader *x, row_id r, bool on_device)
{
	if (x->until_ns == INT64_MAX)
		return true;
	row_id call = call_of(x, r, on_device);
	return call != NONE_ID && derived_columns(x->d)->start_ns[call] < x->until_ns;
}

static void add_event(struct hta_reader *x, row_id r, int64_t stream, bool on_device)
{
	const struct derived *d = x->d;
	row_id launch = row_is_work(derived_columns(d), r) ? derived_columns(d)->link[r] : NONE_ID;
	if (!in_window(x, r, on_device))
		return;
	GROW_ARRAY(x->at, x->n, x->cap);
	x->at[x->n++] =
		(struct hta_event){.a_us = hta_start_us(x, r),
				   .b_us = hta_end_us(x, r),
				   .stream = stream,
				   .launch_us = launch == NONE_ID ? x->first_us : hta_start_us(x, launch),
				   .row = r,
				   .compute = is_compute(trace_str(derived_trace(d), derived_columns(d)->name[r]))};
}

static void read_calls(struct hta_reader *x)
{
	const struct trace *t = derived_trace(x->d);
	const struct columns *c = derived_columns(x->d);
	idmap_clear(&x->calls);
	for (uint32_t i = 0; x->until_ns != INT64_MAX && i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		for (row_id r = (row_id)k->first; k->host == x->host && k->device == NONE_ID && r < k->first + k->n;
		     r++)
			if (c->kind[r] == KIND_RUNTIME && is_corr(number_at(c->corr, r)))
				idmap_put(&x->calls, number_at(c->corr, r), r);
	}
}

static void read_host(struct hta_reader *x)
{
	const struct trace *t = derived_trace(x->d);
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		if (k->host != x->host || k->derived_by_producer || k->kind == TRACK_COUNTER)
			continue;
		for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
			bool work = row_is_work(derived_columns(x->d), r);
			int64_t stream = work ? k->key : named_stream(x, r);
			if (work || stream != -1)
				add_event(x, r, stream, k->device != NONE_ID);
		}
	}
}

void hta_reader_open(struct hta_reader *x, const struct derived *d)
{
	*x = (struct hta_reader){.d = d, .base_ns = file_base(derived_trace(d))};
	x->fractional = has_fractions(x);
	x->stream_key = strings_find(trace_strings(derived_trace(d)), "stream", strlen("stream"));
}

void hta_reader_host(struct hta_reader *x, uint32_t host)
{
	x->host = host;
	x->n = 0;
	x->until_ns = last_step(x->d, host);
	x->first_us = first_of_file(x);
	read_calls(x);
	read_host(x);
}

void hta_reader_close(struct hta_reader *x)
{
	arena_free(&x->scratch);
	idmap_free(&x->calls);
	free(x->at);
}
