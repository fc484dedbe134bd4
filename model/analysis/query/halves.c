#include "halves.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/both.h"
#include <string.h>

enum { WORTH_A_THREAD = 1 << 18 }; /* rows of the trace */

static uint32_t least_rows(const struct derived *d)
{
	uint32_t asked = derived_options(d)->halves_from;
	return asked ? asked : WORTH_A_THREAD;
}

static uint64_t rows_of_track(const struct derived *d, uint32_t track)
{
	const struct track_info *k = trace_track(derived_trace(d), track);
	return k->device == NONE_ID ? 0 : k->n;
}

static uint64_t rows_of_thread(const struct derived *d, uint32_t track)
{
	const struct track_info *k = trace_track(derived_trace(d), track);
	return k->kind == TRACK_THREAD && derived_is_host_track(k) ? k->n : 0;
}

static uint64_t rows_of_device(const struct derived *d, uint32_t device)
{
	uint32_t n;
	uint64_t rows = 0;
	const uint32_t *tracks = device_streams(d, device, &n);
	for (uint32_t i = 0; i < n; i++)
		rows += rows_of_track(d, tracks[i]);
	return rows;
}

/* The middle is where the first half is as near to half of all rows as it gets; a small part is not worth a thread. */
static struct halves halved(const struct derived *d, uint32_t n, uint64_t (*rows_of)(const struct derived *, uint32_t))
{
	enum { SMALL_PART = 8 };
	uint64_t all = 0, before = 0;
	uint32_t i = 0;
	if (n < 2 || derived_columns(d)->n < least_rows(d))
		return (struct halves){n, n};
	for (uint32_t k = 0; k < n; k++)
		all += rows_of(d, k);
	for (uint64_t here; i < n && before + (here = rows_of(d, i)) / 2 < all / 2; i++)
		before += here;
	bool small = before < all / SMALL_PART || all - before < all / SMALL_PART;
	return (struct halves){small ? n : i, n};
}

struct halves halves_of_devices(const struct derived *d)
{
	return halved(d, trace_devices(derived_trace(d)), rows_of_device);
}

struct halves halves_of_tracks(const struct derived *d)
{
	return halved(d, trace_tracks(derived_trace(d)), rows_of_track);
}

struct halves halves_of_threads(const struct derived *d)
{
	return halved(d, trace_tracks(derived_trace(d)), rows_of_thread);
}

struct halves halves_of_steps(const struct derived *d)
{
	uint32_t n = derived_steps(d);
	return (struct halves){n < 2 || derived_columns(d)->n < least_rows(d) ? n : n / 2, n};
}

struct halves halves_of_list(const struct derived *d, uint32_t n)
{
	return (struct halves){n < 2 || n < least_rows(d) ? n : n / 2, n};
}

struct sharing {
	const struct halves *h;
	bool (*read)(void *reader, uint32_t from, uint32_t to);
	void *first, *second;
};

static bool read_first(void *ctx)
{
	const struct sharing *s = ctx;
	return s->read(s->first, 0, s->h->middle);
}

static bool read_second(void *ctx)
{
	const struct sharing *s = ctx;
	return !halves_two(s->h) || s->read(s->second, s->h->middle, s->h->end);
}

bool halves_read(const struct halves *h, bool (*read)(void *reader, uint32_t from, uint32_t to), void *first,
		 void *second)
{
	struct sharing s = {h, read, first, second};
	return both(halves_two(h) ? 2 : 1, read_first, read_second, &s);
}

void *halves_joined(struct arena *mem, const void *first, size_t n, const void *second, size_t more, size_t row_bytes)
{
	char *all = arena_alloc(mem, (n + more + 1) * row_bytes);
	if (n)
		memcpy(all, first, n * row_bytes);
	if (more)
		memcpy(all + n * row_bytes, second, more * row_bytes);
	return all;
}
