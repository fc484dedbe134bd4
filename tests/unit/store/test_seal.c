/* Sealing at random: order, launches and arrows of many events against what the plainest code says. */
#include "model/store/base/slots.h"
#include "model/store/ingest/ingest_private.h"
#include "model/store/trace/trace.h"
#include "tests/unit/unit.h"
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 5000, TRACKS = 3, PAIRS = 5000, IDS = 1 << 15, CROWD = 4096, DEEP = 300 };

static uint32_t dice(uint64_t *seed, uint32_t sides)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*seed >> 33) % sides);
}

/* ---- slots -------------------------------------------------------------------------------------------------------- */

/* Looks made to enter every id of a pattern in a table twice as large. */
static uint64_t looks(uint64_t step, uint64_t families)
{
	int bits = slots_bits(IDS * 2);
	bool *taken = calloc((size_t)1 << bits, sizeof *taken);
	uint64_t n = IDS;
	for (uint64_t i = 0; i < IDS; i++) {
		uint64_t id = i / families * step, family = i % families;
		uint64_t at = slots_first(id, family, bits);
		for (; taken[at]; at = slots_next(at, id, family, bits))
			n++;
		taken[at] = true;
	}
	free(taken);
	return n;
}

static void ids_in_a_row_find_their_slots_at_once(void **state)
{
	(void)state;
	assert_int_equal(looks(1, 1), IDS);
	assert_int_equal(slots_first(1001, 5, 20), (slots_first(1000, 5, 20) + 1) & 0xfffff);
}

static void no_pattern_of_ids_crowds_the_table(void **state)
{
	(void)state;
	for (int shift = 0; shift < 48; shift++)
		for (uint64_t families = 1; families <= IDS; families *= 8)
			assert_true(looks(UINT64_C(1) << shift, families) < 4 * IDS); /* a crowd takes thousands */
}

/* The id that slots_mix makes x of. */
static uint64_t unmixed(uint64_t x)
{
	uint64_t k = 0xd6e8feb86659fd93u, inverse = k;
	for (int i = 0; i < 5; i++)
		inverse *= 2 - k * inverse;
	for (int round = 0; round < 2; round++)
		x = (x ^ x >> 32) * inverse;
	return x ^ x >> 32;
}

/* Looks made to enter ids of family 0 which, without a seed, begin in a small part of the table and go on slot by slot. */
static uint64_t looks_at_crowded(int bits)
{
	bool *taken = calloc((size_t)1 << bits, sizeof *taken);
	uint64_t n = 0, seed = table_seed;
	for (uint64_t leap = 1, entered = 0; entered < CROWD; leap += UINT64_C(1) << bits) {
		table_seed = 0;
		uint64_t id = unmixed(leap) ^ slots_mix(0);
		bool crowds = slots_first(id, 0, bits) < 64;
		assert_int_equal(slots_next(0, id, 0, bits), 1);
		table_seed = seed;
		uint64_t at = slots_first(id, 0, bits);
		for (n += crowds; crowds && taken[at]; at = slots_next(at, id, 0, bits))
			n++;
		taken[at] |= crowds;
		entered += crowds;
	}
	free(taken);
	return n;
}

static void ids_made_to_crowd_a_table_do_so_without_a_seed_only(void **state)
{
	(void)state;
	int bits = slots_bits(CROWD * 2);
	uint64_t drawn = table_seed;
	table_seed = 0;
	assert_true(looks_at_crowded(bits) > CROWD * CROWD / 4);
	table_seed = 1;
	assert_true(looks_at_crowded(bits) < CROWD * 4);
	table_seed = drawn;
}

/* ---- a trace at random -------------------------------------------------------------------------------------------- */

struct event {
	int64_t start_ns, dur_ns;
	uint32_t track, nth;
	uint64_t corr;
};
struct world {
	struct ingest *in;
	uint32_t track[TRACKS]; /* two threads and a stream */
	struct event e[EVENTS];
	uint64_t seed;
};

static void world_begin(struct world *w, uint64_t seed)
{
	*w = (struct world){.in = ingest_new(), .seed = seed};
	uint32_t host = ingest_host(w->in, "demo", -1), process = ingest_process(w->in, host, 100);
	uint32_t device = ingest_device(w->in, host, 0);
	ingest_source(w->in, "made-up", "test");
	w->track[0] = ingest_track(w->in, TRACK_STREAM, device, 7, 0);
	w->track[1] = ingest_track(w->in, TRACK_THREAD, process, 1, 0);
	w->track[2] = ingest_track(w->in, TRACK_THREAD, process, 2, 0);
}

/* Some have none; the numbers of the others begin with those of 16 bits. */
static int32_t group_made(uint32_t nth)
{
	return nth % 5 ? UINT16_MAX - 500 + (int32_t)nth / 4 : -1;
}

/* Runs of events that follow each other and others anywhere; many start together, some last equally long. */
static void world_fill(struct world *w, uint32_t disorder)
{
	int64_t now = 1000;
	for (uint32_t i = 0; i < EVENTS; i++) {
		now = dice(&w->seed, 100) < disorder ? 1000 + dice(&w->seed, EVENTS * 4) : now + dice(&w->seed, 3) * 4;
		struct event *e = &w->e[i];
		*e = (struct event){now, dice(&w->seed, 6), dice(&w->seed, TRACKS), i, 1 + dice(&w->seed, EVENTS / 2)};
		ingest_notes(w->in)->entries++;
		ingest_event(w->in, &(struct event_in){.start_ns = e->start_ns,
						       .dur_ns = e->dur_ns,
						       .track = w->track[e->track],
						       .kind = e->track ? KIND_RUNTIME : KIND_KERNEL,
						       .corr = e->corr,
						       .group = group_made(i)});
	}
}

static struct trace *world_seal(struct world *w)
{
	struct err e;
	struct trace *t = ingest_seal(w->in, &e);
	assert_non_null(t);
	return t;
}

static int by_row(const void *x, const void *y)
{
	const struct event *a = x, *b = y;
	if (a->track != b->track)
		return a->track < b->track ? -1 : 1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	if (a->dur_ns != b->dur_ns)
		return a->dur_ns > b->dur_ns ? -1 : 1;
	return a->nth < b->nth ? -1 : 1;
}

static void check_order(struct world *w, const struct trace *t)
{
	const struct columns *c = trace_columns(t);
	int64_t first = INT64_MAX, last = 0;
	qsort(w->e, EVENTS, sizeof *w->e, by_row);
	for (uint32_t i = 0; i < EVENTS; i++) {
		first = w->e[i].start_ns < first ? w->e[i].start_ns : first;
		last = w->e[i].start_ns + w->e[i].dur_ns > last ? w->e[i].start_ns + w->e[i].dur_ns : last;
	}
	assert_int_equal(c->n, EVENTS);
	assert_int_equal(trace_base_ns(t), first);
	assert_int_equal(trace_span_ns(t), last - first);
	for (row_id r = 0; r < EVENTS; r++) {
		assert_int_equal(step_group_at(c->group, r), group_made(w->e[r].nth));
		assert_int_equal(c->track[r], w->e[r].track);
		assert_int_equal(c->start_ns[r], w->e[r].start_ns - first);
		assert_int_equal(c->dur_ns[r], w->e[r].dur_ns);
		assert_int_equal(number_at(c->corr, r), w->e[r].corr);
	}
}

/* The launch of a device row: of those with its number the one that started last. */
static row_id launch_of(const struct columns *c, row_id r)
{
	row_id launch = NONE_ID;
	for (row_id k = 0; k < c->n; k++)
		if (c->track[k] != 0 && number_at(c->corr, k) == number_at(c->corr, r) &&
		    (launch == NONE_ID || c->start_ns[k] >= c->start_ns[launch]))
			launch = k;
	return launch;
}

static void check_launches(const struct trace *t)
{
	const struct columns *c = trace_columns(t);
	uint32_t *owned = calloc(c->n, sizeof *owned);
	for (row_id r = 0; r < c->n && c->track[r] == 0; r++) {
		assert_int_equal(c->link[r], launch_of(c, r));
		if (c->link[r] != NONE_ID)
			owned[c->link[r]]++;
	}
	for (row_id r = 0; r < c->n; r++) {
		const row_id *work;
		uint32_t n = c->track[r] ? trace_launched(t, r, &work) : 0;
		assert_int_equal(n, owned[r]);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(c->link[work[i]], r);
		for (uint32_t i = 1; i < n; i++)
			assert_true(c->start_ns[work[i - 1]] <= c->start_ns[work[i]]);
	}
	free(owned);
}

static void random_events_come_out_in_order_and_linked(void **state)
{
	(void)state;
	static struct world w;
	static const uint32_t disorders[] = {0, 1, 20, 100};
	for (size_t i = 0; i < sizeof disorders / sizeof *disorders; i++)
		for (unsigned threads = 1; threads <= 2; threads++) {
			world_begin(&w, i + 1);
			ingest_threads(w.in, threads);
			world_fill(&w, disorders[i]);
			struct trace *t = world_seal(&w);
			check_order(&w, t);
			check_launches(t);
			trace_free(t);
		}
}

/* Many tracks in runs that do not fit each other, and begins and ends, more of both than one thread seals: all is as one thread
 * does it. */
static struct trace *many_tracks(unsigned threads, uint64_t seed)
{
	enum { LANES = 130, MANY = 90000 };
	struct err e;
	uint32_t track[LANES];
	struct ingest *in = ingest_new();
	ingest_threads(in, threads);
	uint32_t process = ingest_process(in, ingest_host(in, "demo", -1), 100);
	ingest_source(in, "made-up", "test");
	for (uint32_t i = 0; i < LANES; i++)
		track[i] = ingest_track(in, TRACK_THREAD, process, i, 0);
	for (uint32_t i = 0; i < MANY; i++) {
		ingest_notes(in)->entries++;
		ingest_event(in, &(struct event_in){.start_ns = dice(&seed, MANY),
						    .dur_ns = dice(&seed, 4),
						    .corr = i + 1,
						    .track = track[dice(&seed, 3) ? dice(&seed, LANES) : 0],
						    .kind = KIND_OTHER,
						    .group = -1});
		/* ends are as many as begins, but stand anywhere */
		struct event_in point = {.start_ns = dice(&seed, MANY),
					 .track = track[dice(&seed, LANES)],
					 .kind = KIND_OTHER,
					 .group = -1};
		if (i % 2)
			ingest_begin(in, &point);
		else
			ingest_end(in, &point);
	}
	struct trace *t = ingest_seal(in, &e);
	assert_non_null(t);
	return t;
}

/* What a few columns of each display row would show. */
static void check_same_rows(const struct trace *x, const struct trace *y)
{
	enum { COLS = 7 };
	struct bin a[COLS], b[COLS];
	for (uint32_t i = 0; i < trace_tracks(x); i++) {
		const struct track_info *p = trace_track(x, i), *q = trace_track(y, i);
		assert_int_equal(p->n_rows, q->n_rows);
		assert_int_equal(p->overlaps, q->overlaps);
		for (uint32_t row = 0; row < p->n_rows; row++) {
			trace_bins(x, i, row, 0, trace_span_ns(x), COLS, a);
			trace_bins(y, i, row, 0, trace_span_ns(y), COLS, b);
			for (int k = 0; k < COLS; k++) {
				assert_int_equal(a[k].busy_ns, b[k].busy_ns);
				assert_int_equal(a[k].longest, b[k].longest);
			}
		}
	}
}

static void two_threads_seal_as_one_does(void **state)
{
	(void)state;
	struct trace *x = many_tracks(1, 7), *y = many_tracks(2, 7);
	const struct columns *c = trace_columns(x), *d = trace_columns(y);
	assert_int_equal(c->n, d->n);
	for (row_id r = 0; r < c->n; r++) {
		assert_int_equal(number_at(c->corr, r), number_at(d->corr, r));
		assert_int_equal(c->dur_ns[r], d->dur_ns[r]);
		assert_int_equal(c->depth[r], d->depth[r]);
		assert_int_equal(c->disp[r], d->disp[r]);
		if (r && c->track[r - 1] == c->track[r])
			assert_true(c->start_ns[r - 1] < c->start_ns[r] ||
				    (c->start_ns[r - 1] == c->start_ns[r] && c->dur_ns[r - 1] >= c->dur_ns[r]));
	}
	check_same_rows(x, y);
	trace_free(x);
	trace_free(y);
}

/* ---- arrows ------------------------------------------------------------------------------------------------------- */

/* Two threads of PAIRS events each; arrow i leads from one to `to[i]` of the other, under an id of the pattern. The points
 * come in a mixed order. */
static void arrows_of(uint64_t id_step, const uint32_t *to, const uint32_t *order)
{
	static struct world w;
	world_begin(&w, 1);
	for (uint32_t i = 0; i < PAIRS; i++)
		for (int k = 1; k <= 2; k++) {
			ingest_notes(w.in)->entries++;
			ingest_event(w.in, &(struct event_in){
						   .start_ns = i * 10, .dur_ns = 8, .track = w.track[k], .group = -1});
		}
	for (uint32_t k = 0; k < PAIRS * 2; k++) {
		uint32_t i = order[k] / 2;
		bool finish = order[k] % 2;
		uint64_t id = i / 2 * id_step; /* two arrows of different categories share one */
		ingest_notes(w.in)->entries++;
		ingest_flow(w.in, finish ? 'f' : 's', w.track[1 + finish], i % 2, id, (finish ? to[i] : i) * 10 + 1,
			    true, k);
	}
	struct trace *t = world_seal(&w);
	const struct flow *f;
	assert_int_equal(trace_flows(t, &f), PAIRS);
	for (uint32_t i = 0; i < PAIRS; i++) {
		assert_int_equal(f[i].from, i);
		assert_int_equal(f[i].to, PAIRS + to[i]);
		assert_int_equal(f[i].category, i % 2);
		assert_int_equal(f[i].id, i / 2 * id_step);
	}
	assert_true(notes_balance(trace_notes(t)));
	trace_free(t);
}

static void shuffle(uint32_t *x, uint32_t n, uint64_t *seed)
{
	for (uint32_t i = 0; i < n; i++)
		x[i] = i;
	for (uint32_t i = n - 1; i > 0; i--) {
		uint32_t k = dice(seed, i + 1), swap = x[i];
		x[i] = x[k];
		x[k] = swap;
	}
}

static void arrows_join_what_the_ids_say(void **state)
{
	(void)state;
	static uint32_t to[PAIRS], order[PAIRS * 2];
	uint64_t seed = 3;
	for (int shift = 0; shift < 48; shift += 7) {
		shuffle(to, PAIRS, &seed);
		shuffle(order, PAIRS * 2, &seed);
		arrows_of(UINT64_C(1) << shift, to, order);
	}
}

/* One start, finishes everywhere: all arrows begin in one row. */
static void a_start_with_thousands_of_finishes_keeps_them_in_order(void **state)
{
	(void)state;
	static struct world w;
	static uint32_t order[PAIRS];
	world_begin(&w, 5);
	shuffle(order, PAIRS, &w.seed);
	for (uint32_t i = 0; i < PAIRS; i++) {
		ingest_notes(w.in)->entries += 2;
		ingest_event(w.in,
			     &(struct event_in){
				     .start_ns = 10 + i * 10, .dur_ns = 8, .track = w.track[1 + i % 2], .group = -1});
		ingest_flow(w.in, 'f', w.track[1 + order[i] % 2], 0, 7, 10 + order[i] * 10, true, i);
	}
	ingest_notes(w.in)->entries += 2;
	ingest_event(w.in, &(struct event_in){.start_ns = 0, .dur_ns = 8, .track = w.track[1], .group = -1});
	ingest_flow(w.in, 's', w.track[1], 0, 7, 0, true, PAIRS);
	struct trace *t = world_seal(&w);
	const struct flow *f;
	assert_int_equal(trace_flows(t, &f), PAIRS);
	for (uint32_t i = 0; i < PAIRS; i++) {
		assert_int_equal(f[i].from, 0);
		assert_int_equal(f[i].to, i + 1);
	}
	trace_free(t);
}

/* Event k of DEEP, each in the one before, is over at: most of them soon, the rest much later. */
static int64_t deep_end_ns(int64_t k)
{
	return (k < DEEP / 4 ? 20 : 10) * DEEP - 3 * k;
}

static void deep_arrow(struct ingest *in, const uint32_t *track, uint64_t id, int64_t at_ns)
{
	ingest_notes(in)->entries += 2;
	ingest_flow(in, 's', track[1], 0, id, at_ns, true, 0);
	ingest_flow(in, 'f', track[2], 0, id, at_ns, true, 0);
}

static row_id deep_holder(int64_t at_ns)
{
	row_id k = DEEP - 1;
	while (deep_end_ns(k) <= at_ns)
		k--;
	return k;
}

static void an_arrow_begins_in_the_innermost_event_however_many_ended_before(void **state)
{
	(void)state;
	static struct world w;
	world_begin(&w, 1);
	for (int64_t k = 0; k < DEEP; k++)
		ingest_event(w.in,
			     &(struct event_in){
				     .start_ns = k, .dur_ns = deep_end_ns(k) - k, .track = w.track[1], .group = -1});
	ingest_event(w.in, &(struct event_in){.dur_ns = deep_end_ns(0), .track = w.track[2], .group = -1});
	for (int64_t at_ns = DEEP; at_ns < deep_end_ns(0); at_ns++)
		deep_arrow(w.in, w.track, (uint64_t)at_ns, at_ns);
	ingest_notes(w.in)->entries += DEEP + 1;
	struct trace *t = world_seal(&w);
	const struct flow *f;
	assert_int_equal(trace_flows(t, &f), deep_end_ns(0) - DEEP);
	for (uint64_t i = 0; i < trace_flows(t, &f); i++)
		assert_int_equal(f[i].from, deep_holder((int64_t)f[i].id));
	trace_free(t);
}

/* The wall clock at 0 of a trace that one event starts, `start_ns` after the 0 of the source's clock. */
static int64_t epoch_of(int64_t source_epoch_ns, int64_t start_ns)
{
	static struct world w;
	world_begin(&w, 1);
	ingest_epoch(w.in, source_epoch_ns);
	ingest_notes(w.in)->entries++;
	ingest_event(w.in, &(struct event_in){.start_ns = start_ns, .dur_ns = 1, .track = w.track[1], .group = -1});
	struct trace *t = world_seal(&w);
	int64_t epoch_ns = trace_epoch_ns(t);
	trace_free(t);
	return epoch_ns;
}

static void an_epoch_that_no_clock_can_tell_is_unknown(void **state)
{
	(void)state;
	assert_int_equal(epoch_of(INT64_MAX - 10, 10), INT64_MAX);
	assert_int_equal(epoch_of(INT64_MAX - 10, 11), UNKNOWN_I64);
	assert_int_equal(epoch_of(INT64_MIN + 10, -11), UNKNOWN_I64);
	assert_int_equal(epoch_of(UNKNOWN_I64, 11), UNKNOWN_I64);
}

/* ---- numbers that few events have --------------------------------------------------------------------------------- */

enum { FEW_EVENTS = 200000, FEW_FROM = 150000 };

/* Every 1000th event from FEW_FROM on has a number of that size, the last one a kernel that is looked up after it. */
static struct ingest *few_of_many(uint64_t corr)
{
	struct ingest *in = ingest_new();
	struct kernel_info k;
	kernel_info_init(&k);
	k.registers = 40;
	ingest_source(in, "made-up", "test");
	uint32_t device = ingest_device(in, ingest_host(in, "demo", -1), 0);
	uint32_t stream = ingest_track(in, TRACK_STREAM, device, 7, 0);
	for (uint32_t i = 0; i < FEW_EVENTS; i++) {
		struct event_in e = {
			.start_ns = i * 10, .dur_ns = 5, .track = stream, .kind = KIND_KERNEL, .group = -1};
		e.corr = corr && i >= FEW_FROM && i % 1000 == 0 ? corr + i : 0;
		e.kernel = corr && i == FEW_EVENTS - 1 ? &k : NULL;
		ingest_notes(in)->entries++;
		ingest_event(in, &e);
	}
	return in;
}

static void numbers_that_few_events_have_are_theirs_alone(void **state)
{
	(void)state;
	struct err e;
	const uint64_t of[] = {0, 1, UINT64_C(1) << 40};
	for (int k = 0; k < 3; k++) {
		struct ingest *in = few_of_many(of[k]);
		assert_int_equal(in->raw.corr.p != NULL, of[k] != 0); /* no memory where nobody has one */
		struct trace *t = ingest_seal(in, &e);
		const struct columns *c = trace_columns(t);
		assert_int_equal(c->n, FEW_EVENTS);
		for (row_id r = 0; r < c->n; r++) {
			bool has = of[k] && r >= FEW_FROM && r % 1000 == 0;
			assert_int_equal(number_at(c->corr, r), has ? of[k] + r : 0);
			assert_int_equal(c->detail[r] != 0, of[k] && r == FEW_EVENTS - 1);
		}
		assert_true(!of[k] || trace_kernel(t, FEW_EVENTS - 1)->registers == 40);
		trace_free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_in_a_row_find_their_slots_at_once),
		cmocka_unit_test(no_pattern_of_ids_crowds_the_table),
		cmocka_unit_test(ids_made_to_crowd_a_table_do_so_without_a_seed_only),
		cmocka_unit_test(random_events_come_out_in_order_and_linked),
		cmocka_unit_test(two_threads_seal_as_one_does),
		cmocka_unit_test(arrows_join_what_the_ids_say),
		cmocka_unit_test(a_start_with_thousands_of_finishes_keeps_them_in_order),
		cmocka_unit_test(an_arrow_begins_in_the_innermost_event_however_many_ended_before),
		cmocka_unit_test(an_epoch_that_no_clock_can_tell_is_unknown),
		cmocka_unit_test(numbers_that_few_events_have_are_theirs_alone),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
