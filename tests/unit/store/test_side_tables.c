/* Typed rows beside the events: they follow their event through the seal and the saved file, and a file that points outside is
 * refused. */
#include "model/store/saved/save_private.h"
#include "model/store/trace/packed_tables.h"
#include "tests/unit/unit.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVENTS = 500 };
static char path[64];

struct odd {
	int64_t wide;
	int16_t small;
	uint8_t byte;
	bool flag;
	uint32_t number;
};
#define ODD_COLUMNS(_) _(wide, 0) _(small, 0) _(byte, 0) _(flag, SIDE_FLAG) _(number, 0)
#define ODD_COLUMN(member, limit)                                                  \
	{#member, offsetof(struct odd, member), sizeof(((struct odd *)0)->member), \
	 (__typeof__(((struct odd *)0)->member))-1 < 1, limit},

static void test_columns_as_numbers(void **state)
{
	(void)state;
	static const struct side_column columns[] = {ODD_COLUMNS(ODD_COLUMN)};
	const struct side_table_info x = {"odd", columns, 5, sizeof(struct odd), SIDE_NUMBERED, SIDE_ALWAYS};
	const struct odd rows[] = {{INT64_MIN, -7, 255, true, UINT32_MAX}, {5, INT16_MAX, 0, false, 9}};
	struct odd back[2] = {0};
	for (uint32_t k = 0; k < 5; k++) {
		int64_t numbers[2];
		side_column_get(&x, &columns[k], rows, 2, numbers);
		side_column_set(&x, &columns[k], back, 2, numbers);
	}
	for (int i = 0; i < 2; i++) {
		assert_true(back[i].wide == rows[i].wide && back[i].small == rows[i].small &&
			    back[i].byte == rows[i].byte);
		assert_true(back[i].flag == rows[i].flag && back[i].number == rows[i].number);
	}
	assert_true(side_column_below(&x, &columns[2], rows, 2, 256));
	assert_false(side_column_below(&x, &columns[2], rows, 2, 255));
	assert_false(side_column_below(&x, &columns[1], rows, 2, UINT32_MAX)); /* a negative number is below nothing */
}

/* Events of two threads from the last to the first, every third with a row that says its time, one of them with an absurd time. */
static struct trace *made_up(void)
{
	struct ingest *in = ingest_new();
	ingest_source(in, "made.trace", "chrome");
	uint32_t process = ingest_process(in, ingest_host(in, "h", -1), 1);
	uint32_t tracks[] = {ingest_track(in, TRACK_THREAD, process, 1, 0),
			     ingest_track(in, TRACK_THREAD, process, 2, 0)};
	struct copy_info copy;
	copy_info_init(&copy);
	copy.op_type = strings_addz(ingest_strings(in), "Copy");
	uint32_t detail = ingest_copy(in, &copy);
	for (int i = EVENTS - 1; i >= 0; i--) {
		struct event_in e = {
			.start_ns = i * 10, .dur_ns = 4, .track = tracks[i % 2], .group = -1, .detail = detail};
		e.kind = KIND_COPY;
		if (i % 3 == 0)
			e.side = ingest_side(in, SIDE_ENDS, &(struct end_attrs){.attrs = (attr_at)i + 1});
		ingest_event(in, &e);
	}
	struct event_in absurd = {.start_ns = INT64_MAX - 1, .dur_ns = 9, .track = tracks[0], .group = -1};
	absurd.side = ingest_side(in, SIDE_ENDS, &(struct end_attrs){.attrs = 99999});
	ingest_event(in, &absurd);
	return ingest_seal(in, NULL);
}

static void expect_rows(const struct trace *t)
{
	const struct columns *c = trace_columns(t);
	const void *all;
	uint64_t with = 0, first_ns = c->start_ns[0];
	assert_int_equal(c->n, EVENTS);
	for (row_id r = 0; r < c->n; r++) {
		const struct end_attrs *row = trace_side(t, SIDE_ENDS, r);
		int64_t i = (c->start_ns[r] - (int64_t)first_ns) / 10;
		assert_int_equal(row != NULL, i % 3 == 0);
		if (row)
			assert_int_equal(row->attrs, i + 1);
		with += row != NULL;
	}
	assert_int_equal(trace_side_rows(t, SIDE_ENDS, &all), with);
	assert_int_equal(trace_side_rows(t, SIDE_COPIES, &all), 2);
}

static void test_rows_follow_their_events(void **state)
{
	(void)state;
	struct trace *t = made_up();
	expect_rows(t);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	struct trace *again = trace_load(path, 1, NULL, NULL);
	assert_non_null(again);
	expect_rows(again);
	trace_free(again);
	trace_free(t);
}

/* More allocations than a block of packed rows holds, of events from the last to the first, every second of which has one. */
enum { ALLOCATIONS = 70000 };

static struct allocator_state state_of(int i)
{
	return (struct allocator_state){.stack_bytes = UNKNOWN_I64,
					.available_bytes = INT64_MAX - i,
					.peak_bytes = i / 1000,
					.fragmentation = i % 7 ? i : UNKNOWN_I64,
					.requested_bytes = -i * (INT64_C(1) << 40),
					.type = 0,
					.data_type = i % 3};
}

static struct allocation allocation_of(int i)
{
	return (struct allocation){.addr = i % 5 ? UINT64_MAX - (uint64_t)i : 0,
				   .bytes = i % 2 ? -i : i,
				   .allocated_bytes = i % 9 ? INT64_MAX : INT64_MIN,
				   .reserved_bytes = UNKNOWN_I64};
}

static struct trace *with_allocations(unsigned threads)
{
	struct ingest *in = ingest_new();
	ingest_threads(in, threads);
	ingest_source(in, "made.trace", "chrome");
	uint32_t process = ingest_process(in, ingest_host(in, "h", -1), 1);
	uint32_t track = ingest_track(in, TRACK_THREAD, process, 1, 0);
	for (int i = 2 * ALLOCATIONS - 1; i >= 0; i--) {
		struct event_in e = {.start_ns = i * 10, .track = track, .group = -1, .kind = KIND_MEMORY};
		struct allocator_state state = state_of(i);
		struct allocation a = allocation_of(i);
		a.state = i % 2 ? 0 : ingest_allocator_state(in, &state);
		if (i % 2 == 0)
			e.side = ingest_side(in, SIDE_ALLOCATIONS, &a);
		ingest_event(in, &e);
	}
	return ingest_seal(in, NULL);
}

static void expect_allocations(const struct trace *t)
{
	const void *rows, *states;
	assert_int_equal(trace_side_rows(t, SIDE_ALLOCATIONS, NULL), ALLOCATIONS);
	assert_int_equal(trace_side_rows(t, SIDE_ALLOCATIONS, &rows), ALLOCATIONS);
	assert_int_equal(trace_side_rows(t, SIDE_ALLOCATOR_STATES, &states), ALLOCATIONS + 1);
	for (int i = 0; i < ALLOCATIONS; i++) {
		const struct allocation *a = (const struct allocation *)rows + i;
		struct allocation want = allocation_of(2 * i);
		struct allocator_state state = state_of(2 * i);
		want.event = 2 * (uint64_t)i;
		want.state = (uint32_t)(ALLOCATIONS - i);
		assert_memory_equal(a, &want, sizeof want);
		assert_memory_equal((const struct allocator_state *)states + a->state, &state, sizeof state);
		assert_ptr_equal(trace_side(t, SIDE_ALLOCATIONS, (row_id)(2 * i)), a);
		assert_null(trace_side(t, SIDE_ALLOCATIONS, (row_id)(2 * i + 1)));
	}
}

static void test_packed_rows(void **state)
{
	(void)state;
	struct trace *t = with_allocations(1);
	size_t bytes = 0;
	const struct side_packed *p = &t->packed->at[SIDE_ALLOCATIONS];
	for (size_t i = 0; i < p->blocks.n; i++)
		bytes += ((const struct side_block *)p->blocks.p)[i].n;
	assert_null(t->allocations.p); /* until someone asks */
	assert_in_range(bytes, 1, ALLOCATIONS * sizeof(struct allocation) / 4);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	expect_allocations(t);
	trace_free(t);
	t = with_allocations(2);
	expect_allocations(t);
	trace_free(t);
	assert_non_null(t = trace_load(path, 1, NULL, NULL));
	expect_allocations(t);
	trace_free(t);
	trace_free(with_allocations(1)); /* packed to the end */
}

static void two_threads_pack_what_one_does(void **state)
{
	(void)state;
	static const enum side_table tables[] = {SIDE_ALLOCATIONS, SIDE_ALLOCATOR_STATES};
	struct trace *t = with_allocations(1), *u = with_allocations(2);
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		const struct side_packed *p = &t->packed->at[tables[i]], *q = &u->packed->at[tables[i]];
		const struct side_block *x = p->blocks.p, *y = q->blocks.p;
		assert_in_range(p->blocks.n, 2, q->blocks.n);
		assert_int_equal(p->n, q->n);
		for (size_t k = 0; k < p->blocks.n; k++) {
			assert_true(x[k].n == y[k].n && x[k].rows == y[k].rows);
			assert_memory_equal(x[k].bytes, y[k].bytes, x[k].n);
		}
	}
	trace_free(t);
	trace_free(u);
}

/* Saved with right checksums, so that only what it says is wrong. */
static void expect_refused(struct trace *t)
{
	struct err e = {0};
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	struct trace *again = trace_load(path, 1, NULL, &e);
	assert_null(again);
	assert_true(*e.msg);
	trace_free(t);
}

static void test_events_out_of_order(void **state)
{
	(void)state;
	struct trace *t = made_up();
	struct end_attrs *rows = t->ends.p, first = rows[0];
	rows[0] = rows[1];
	rows[1] = first;
	expect_refused(t);
	t = made_up();
	((struct end_attrs *)t->ends.p)[t->ends.n - 1].event = EVENTS;
	expect_refused(t);
}

static void test_a_text_that_is_none(void **state)
{
	(void)state;
	struct trace *t = made_up();
	((struct copy_info *)t->copies.p)[1].op_type = 1u << 30;
	expect_refused(t);
}

static int make_path(void **state)
{
	(void)state;
	snprintf(path, sizeof path, "/tmp/stepscope-side-%d", (int)getpid());
	return 0;
}

static int drop_path(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_columns_as_numbers),  cmocka_unit_test(test_rows_follow_their_events),
		cmocka_unit_test(test_packed_rows),         cmocka_unit_test(two_threads_pack_what_one_does),
		cmocka_unit_test(test_events_out_of_order), cmocka_unit_test(test_a_text_that_is_none),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_path, drop_path);
}
