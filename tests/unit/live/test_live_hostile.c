/* Nothing that a target can write harms the viewer. */
#include "live_stand.h"

static void refuses(struct stand *s, const char *why)
{
	listen_to(s);
	assert_int_equal(s->target.client.state, CLIENT_OVER);
	assert_non_null(strstr(s->target.client.why, why));
	stand_down(s);
}

static void rings_that_are_none(void **state)
{
	(void)state;
	struct stand s;
	struct wire_msg m;
	memset(&s, 0, sizeof s);
	int sock = fake_open(&s.fake, WIRE_RING_MIN_BYTES, false, 1); /* could be cut while we read: SIGBUS */
	client_take(&s.target.client, sock, NULL);
	names_init(&s.names);
	kept_init(&s.kept, 0, 0);
	pthread_mutex_init(&s.lock, NULL);
	fake_say_hello(&s.fake);
	refuses(&s, "no usable ring");

	static const uint64_t sizes[] = {0,          4096,      WIRE_RING_MIN_BYTES + 8, WIRE_RING_MIN_BYTES * 2,
					 1ull << 40, UINT64_MAX};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		stand_up(&s, 0, 0);
		m = fake_hello(&s.fake);
		m.ring_bytes = sizes[i];
		fake_send(&s.fake, &m, sizeof m, 2);
		refuses(&s, "no usable ring");
	}
	stand_up(&s, 0, 0);
	m = fake_hello(&s.fake);
	fake_send(&s.fake, &m, sizeof m, 1);
	refuses(&s, "no usable ring");
	stand_up(&s, 0, 0);
	s.fake.ring->magic[0] = 'X';
	fake_say_hello(&s.fake);
	refuses(&s, "damaged");
}

static void messages_that_are_none(void **state)
{
	(void)state;
	struct stand s;
	struct wire_msg m;
	stand_up(&s, 0, 0);
	fake_send(&s.fake, "hello", 5, 0);
	refuses(&s, "another size");
	stand_up(&s, 0, 0);
	m = fake_hello(&s.fake);
	m.abi = WIRE_ABI + 1;
	fake_send(&s.fake, &m, sizeof m, 2);
	refuses(&s, "from one ");
	stand_up(&s, 0, 0);
	m = (struct wire_msg){.verb = WIRE_BUSY, .pid = 17};
	fake_send(&s.fake, &m, sizeof m, 0);
	refuses(&s, "process 17");
	stand_up(&s, 0, 0);
	m = (struct wire_msg){.verb = 4711};
	fake_send(&s.fake, &m, sizeof m, 0);
	refuses(&s, "no target sends");
	stand_up(&s, 0, 0);
	close(s.fake.sock);
	s.fake.sock = -1;
	refuses(&s, "before it said who it is");
}

static void positions_and_lengths_that_lie(void **state)
{
	(void)state;
	static const uint32_t lengths[] = {0, 4, 12, 1 << 20, UINT32_MAX, 65528};
	struct stand s;
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		stand_up(&s, 0, 0);
		small_world(&s.fake);
		listen_to(&s);
		uint64_t head = atomic_load(&s.fake.ring->head);
		struct wire_frame f = {lengths[i], WIRE_STRING, 0};
		memcpy(fake_data(&s.fake) + head, &f, sizeof f);
		atomic_store(&s.fake.ring->head, head + 8);
		listen_to(&s);
		assert_int_equal(s.kept.records, 2); /* what came before stands */
		refuses(&s, "damaged");
	}
	stand_up(&s, 0, 0);
	small_world(&s.fake);
	atomic_store(&s.fake.ring->head, 1ull << 50);
	refuses(&s, "positions");
}

/* Every byte of a sound stream is changed, one after the other; whatever comes of it, the trace is sound. */
static void any_byte_may_be_wrong(void **state)
{
	(void)state;
	struct stand s;
	stand_up(&s, 0, 0);
	small_world(&s.fake);
	fake_mark(&s.fake, T0, 3, 2, 77, WIRE_MARK_START);
	uint64_t end = atomic_load(&s.fake.ring->head);
	unsigned char sound[4096];
	assert_true(end <= sizeof sound);
	memcpy(sound, fake_data(&s.fake), end);
	stand_down(&s);
	for (uint64_t i = 0; i < end * 2; i++) {
		stand_up(&s, 0, 0);
		fake_say_hello(&s.fake);
		memcpy(fake_data(&s.fake), sound, end);
		fake_data(&s.fake)[i / 2] = i % 2 ? 0xff : (unsigned char)(sound[i / 2] ^ 1);
		atomic_store(&s.fake.ring->head, end);
		trace_free(trace_of(&s));
		stand_down(&s);
	}
}

static void ids_beyond_all_bounds(void **state)
{
	(void)state;
	struct stand s;
	stand_up(&s, 0, 0);
	small_world(&s.fake);
	fake_string(&s.fake, UINT32_MAX, "far");
	fake_shape(&s.fake, 0, 1);
	fake_place(&s.fake, POOL_MAX + 1, 0, 1);
	fake_kernel(&s.fake, T0 + 20000, T0 + 20001, 3, UINT32_MAX, UINT32_MAX);
	fake_kernel(&s.fake, T0 + 30000, T0 + 20001, 3, 1, 1); /* ends before it starts */
	struct trace *t = trace_of(&s);
	assert_int_equal(s.target.facts.damaged, 4);
	assert_int_equal(note(t, NOTE_BAD_RECORD), 4);
	assert_int_equal(trace_columns(t)->n, 3);
	trace_free(t);
	stand_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rings_that_are_none),
		cmocka_unit_test(messages_that_are_none),
		cmocka_unit_test(positions_and_lengths_that_lie),
		cmocka_unit_test(any_byte_may_be_wrong),
		cmocka_unit_test(ids_beyond_all_bounds),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
