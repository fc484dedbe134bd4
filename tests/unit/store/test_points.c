/* Begins, ends and samples at random: what sealing makes of them against what the plainest code says. */
#include "model/store/ingest/ingest.h"
#include "model/store/trace/trace.h"
#include "tests/unit/unit.h"
#include <stdlib.h>

enum { POINTS = 6000, TRACKS = 3, IDS = 300, SAMPLES = 4000 };

static uint32_t dice(uint64_t *seed, uint32_t sides)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*seed >> 33) % sides);
}

struct point {
	int64_t ts_ns;
	uint64_t id, corr;
	int32_t group;
	uint32_t track, nth;
	char phase;
};
struct made {
	int64_t start_ns, dur_ns;
	uint64_t corr;
	int32_t group;
	uint32_t track;
};

/* A point of one of few tracks and ids: begins and ends are as likely, some points of a time, some with what few have. */
static struct point random_point(uint64_t *seed, const uint64_t *ids, uint32_t nth)
{
	bool async = dice(seed, 2);
	uint32_t phase = dice(seed, 9);
	return (struct point){.ts_ns = 1000 + dice(seed, POINTS / 2),
			      .id = async ? ids[dice(seed, IDS)] : 0,
			      .corr = dice(seed, 4) ? 0 : dice(seed, 1000),
			      .group = dice(seed, 5) ? -1 : (int32_t)dice(seed, 1000),
			      .track = dice(seed, TRACKS),
			      .nth = nth,
			      .phase = async ? phase == 8 ? 'n' : "be"[phase % 2] : "BE"[phase % 2]};
}

static void give(struct ingest *in, uint32_t track, const struct point *p)
{
	const struct event_in e = {.start_ns = p->ts_ns,
				   .corr = p->corr,
				   .group = p->group,
				   .track = track,
				   .kind = KIND_OTHER,
				   .at = p->nth};
	ingest_notes(in)->entries++;
	if (p->phase == 'B')
		ingest_begin(in, &e);
	else if (p->phase == 'E')
		ingest_end(in, &e);
	else
		ingest_async(in, p->phase, p->id, &e);
}

static int by_family_and_time(const void *x, const void *y)
{
	const struct point *a = x, *b = y;
	bool async_a = a->phase >= 'a', async_b = b->phase >= 'a';
	if (a->track != b->track)
		return a->track < b->track ? -1 : 1;
	if (async_a != async_b)
		return async_a - async_b;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (a->ts_ns != b->ts_ns)
		return a->ts_ns < b->ts_ns ? -1 : 1;
	return a->nth < b->nth ? -1 : 1;
}

static bool same_family(const struct point *a, const struct point *b)
{
	return a->track == b->track && a->id == b->id && (a->phase >= 'a') == (b->phase >= 'a');
}

/* An end closes the latest start of its family that is open; what stays open lasts to the last time of its track. */
static size_t pair(const struct point *p, const int64_t *last_ns, struct made *made)
{
	static const struct point *open[POINTS];
	size_t n = 0, depth = 0;
	for (size_t i = 0; i < POINTS; i++) {
		const struct point *begin = p[i].phase == 'n' ? &p[i] : NULL;
		int64_t end_ns = p[i].ts_ns;
		if (p[i].phase == 'B' || p[i].phase == 'b')
			open[depth++] = &p[i];
		else if (!begin && depth)
			begin = open[--depth];
		if (begin)
			made[n++] = (struct made){begin->ts_ns, end_ns - begin->ts_ns, begin->corr, begin->group,
						  begin->track};
		bool over = i + 1 == POINTS || !same_family(&p[i], &p[i + 1]);
		while (over && depth) {
			begin = open[--depth];
			made[n++] = (struct made){begin->ts_ns, last_ns[begin->track] - begin->ts_ns, begin->corr,
						  begin->group, begin->track};
		}
	}
	return n;
}

static int by_all(const void *x, const void *y)
{
	const struct made *a = x, *b = y;
	const int64_t keys[][2] = {{a->track, b->track},
				   {a->start_ns, b->start_ns},
				   {b->dur_ns, a->dur_ns},
				   {(int64_t)a->corr, (int64_t)b->corr},
				   {a->group, b->group}};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	return 0;
}

static void check_events(const struct trace *t, struct made *want, size_t n)
{
	static struct made got[POINTS];
	const struct columns *c = trace_columns(t);
	assert_int_equal(c->n, n);
	for (row_id r = 0; r < n; r++)
		got[r] = (struct made){c->start_ns[r] + trace_base_ns(t), c->dur_ns[r], number_at(c->corr, r),
				       step_group_at(c->group, r), c->track[r]};
	qsort(got, n, sizeof *got, by_all);
	qsort(want, n, sizeof *want, by_all);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(by_all(&got[i], &want[i]), 0);
	assert_true(notes_balance(trace_notes(t)));
}

static void check_points(uint64_t seed, uint64_t id_step)
{
	static struct point p[POINTS];
	static struct made want[POINTS];
	uint64_t ids[IDS];
	int64_t last_ns[TRACKS] = {0};
	uint32_t track[TRACKS];
	struct err e;
	struct ingest *in = ingest_new();
	uint32_t process = ingest_process(in, ingest_host(in, "demo", -1), 100);
	ingest_source(in, "made-up", "test");
	for (uint32_t i = 0; i < TRACKS; i++)
		track[i] = ingest_track(in, TRACK_THREAD, process, i, 0);
	for (uint32_t i = 0; i < IDS; i++)
		ids[i] = id_step ? i * id_step : (uint64_t)dice(&seed, UINT32_MAX) << 32 | dice(&seed, UINT32_MAX);
	for (uint32_t i = 0; i < POINTS; i++) {
		p[i] = random_point(&seed, ids, i);
		last_ns[p[i].track] = p[i].ts_ns > last_ns[p[i].track] ? p[i].ts_ns : last_ns[p[i].track];
		give(in, track[p[i].track], &p[i]);
	}
	struct trace *t = ingest_seal(in, &e);
	assert_non_null(t);
	qsort(p, POINTS, sizeof *p, by_family_and_time);
	check_events(t, want, pair(p, last_ns, want));
	trace_free(t);
}

static void random_points_pair_as_the_plainest_code_says(void **state)
{
	(void)state;
	static const uint64_t steps[] = {1, 256, 0x30000000, UINT64_C(1) << 55, 0};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		check_points(i + 1, steps[i]);
}

struct pushed {
	struct sample is;
	uint32_t nth;
};

static int by_time(const void *x, const void *y)
{
	const struct pushed *a = x, *b = y;
	if (a->is.ts_ns != b->is.ts_ns)
		return a->is.ts_ns < b->is.ts_ns ? -1 : 1;
	return a->nth < b->nth ? -1 : 1;
}

/* In every hundredth of them disorder begins a new run; many are of one time: they stay in order of arrival. */
static void check_samples(uint64_t seed, uint32_t disorder)
{
	static struct pushed want[SAMPLES];
	struct err e;
	struct ingest *in = ingest_new();
	uint32_t process = ingest_process(in, ingest_host(in, "demo", -1), 100);
	uint32_t power = ingest_track(in, TRACK_COUNTER, process, 0, strings_addz(ingest_strings(in), "power"));
	int64_t now = 0;
	ingest_source(in, "made-up", "test");
	for (uint32_t i = 0; i < SAMPLES; i++) {
		now = dice(&seed, 100) < disorder ? dice(&seed, SAMPLES) : now + dice(&seed, 2);
		want[i] = (struct pushed){{now, i}, i};
		ingest_sample(in, power, now, i);
	}
	struct trace *t = ingest_seal(in, &e);
	const struct sample *s;
	assert_non_null(t);
	qsort(want, SAMPLES, sizeof *want, by_time);
	assert_int_equal(trace_samples(t, 0, &s), SAMPLES);
	for (size_t i = 0; i < SAMPLES; i++) {
		assert_int_equal(s[i].ts_ns, want[i].is.ts_ns - want[0].is.ts_ns);
		assert_true(s[i].value == want[i].is.value);
	}
	trace_free(t);
}

static void samples_of_any_order_come_out_by_time(void **state)
{
	(void)state;
	static const uint32_t disorders[] = {0, 1, 10, 100};
	for (size_t i = 0; i < sizeof disorders / sizeof *disorders; i++)
		check_samples(i + 1, disorders[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_points_pair_as_the_plainest_code_says),
		cmocka_unit_test(samples_of_any_order_come_out_by_time),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
