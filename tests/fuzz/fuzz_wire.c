/* A target that lies about everything but the frames (fuzz_live has those): messages of any verb and size with any number of
 * descriptors, a ring whose header and positions change while it is read, one that hangs up in between. The reading side must
 * end with a reason or go on; facts it hands out are clean text. The first byte chooses: this, or a message to the daemon of
 * PyTorch's profiler.
 * The input is a script of steps, see `steps`. */
#include "feed.h"
#include "live/intake.h"
#include "live/kineto.h"
#include "tests/unit/fake_target.h"
#include <stdbool.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct meeting {
	struct feed in;
	struct fake fake;
	struct target target;
	struct names names;
	struct kept kept;
};

/* ---- steps of a script ---------------------------------------------------------------------------------------------- */

static void say_hello(struct meeting *m)
{
	fake_say_hello(&m->fake);
}

static void say_anything(struct meeting *m)
{
	static const size_t sizes[] = {sizeof(struct wire_msg),     sizeof(struct wire_msg),    0, 1,
				       sizeof(struct wire_msg) - 1, sizeof(struct wire_msg) + 1};
	unsigned char room[sizeof(struct wire_msg) + 1] = {0};
	struct wire_msg hello = fake_hello(&m->fake);
	unsigned how = feed_byte(&m->in);
	memcpy(room, &hello, sizeof hello);
	size_t at = feed_byte(&m->in) % sizeof hello;
	feed_bytes(&m->in, room + at, feed_byte(&m->in) % (sizeof hello - at));
	((struct wire_msg *)(void *)room)->verb = how >> 4;
	fake_send(&m->fake, room, sizes[how % 6], how % 3);
}

static void change_header(struct meeting *m)
{
	size_t at = (feed_byte(&m->in) << 8 | feed_byte(&m->in)) % WIRE_HEADER_BYTES;
	size_t n = feed_byte(&m->in);
	n = n < WIRE_HEADER_BYTES - at ? n : WIRE_HEADER_BYTES - at;
	feed_bytes(&m->in, (unsigned char *)m->fake.ring + at, n);
}

static void move_head(struct meeting *m)
{
	atomic_fetch_add(&m->fake.ring->head, feed_u64(&m->in));
}

/* Sound frames up to the end of the ring and over it. */
static void write_frames(struct meeting *m)
{
	unsigned n = feed_byte(&m->in);
	uint64_t head = atomic_load(&m->fake.ring->head);
	if (head % 8 || head - atomic_load(&m->fake.ring->tail) > m->fake.bytes / 2)
		return; /* an earlier step moved it: fake_put would wait for ever */
	for (unsigned i = 0; i < n; i++) {
		struct wire_kernel k = {.start_ns = feed_u64(&m->in), .end_ns = i, .corr = i};
		fake_put(&m->fake, &k, WIRE_KERNEL_SHORT, WIRE_RECORD + feed_byte(&m->in) % WIRE_KIND_COUNT, 0);
	}
}

/* What the viewer does when its descriptors are readable. */
static void read_some(struct meeting *m)
{
	client_hear(&m->target.client);
	while (target_take(&m->target, 0, &m->names, &m->kept, 4096))
		;
	target_settle(&m->target);
}

static void ask(struct meeting *m)
{
	client_say(&m->target.client, (enum wire_verb)(feed_byte(&m->in) % 10), feed_byte(&m->in));
}

static void hang_up(struct meeting *m)
{
	if (m->fake.sock >= 0)
		close(m->fake.sock);
	m->fake.sock = -1;
}

static void (*const steps[])(struct meeting *) = {say_hello,    say_anything, change_header, move_head,
						  write_frames, read_some,    ask,           hang_up};

/* ---- what must hold ------------------------------------------------------------------------------------------------- */

static void check_text(const char *s, size_t room)
{
	if (strnlen(s, room) == room)
		abort();
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			abort();
}

static void check(const struct meeting *m)
{
	const struct client *c = &m->target.client;
	check_text(c->facts.command, sizeof c->facts.command);
	check_text(c->facts.host, sizeof c->facts.host);
	check_text(c->facts.cupti_path, sizeof c->facts.cupti_path);
	check_text(c->text, sizeof c->text);
	check_text(c->why, sizeof c->why);
	if (c->target_state >= WIRE_STATE_COUNT || (c->state == CLIENT_CALLING && c->ring))
		abort();
	client_counts(c, -1);
}

static void meet(struct feed in)
{
	struct meeting m = {.in = in};
	int sock = fake_open(&m.fake, WIRE_RING_MIN_BYTES, !(feed_byte(&m.in) & 1), 1);
	if (!client_take(&m.target.client, sock, NULL) || !names_init(&m.names))
		abort();
	kept_init(&m.kept, 1 << 20, 0);
	while (m.in.n) {
		steps[feed_byte(&m.in) % (sizeof steps / sizeof *steps)](&m);
		check(&m);
	}
	read_some(&m);
	check(&m);
	target_free(&m.target);
	names_free(&m.names);
	kept_free(&m.kept);
	fake_close(&m.fake);
}

/* ---- PyTorch's daemon ----------------------------------------------------------------------------------------------- */

static bool wants(void *ctx, const int *pids, int n)
{
	int64_t *sum = ctx;
	for (int i = 0; i < n; i++)
		*sum += pids[i];
	return n > 0 && pids[0] % 2 == 0;
}

static void ask_daemon(const uint8_t *data, size_t size)
{
	int pair[2], on = 1;
	int64_t sum = 0;
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) ||
	    setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on))
		abort();
	struct kineto_daemon d = {.fd = pair[0]};
	if (send(pair[1], data, size, 0) == (ssize_t)size)
		kineto_serve(&d, "ACTIVITIES_LOG_FILE=/tmp/x.json", wants, &sum, 0);
	close(pair[1]);
	kineto_close(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed in = {data, size};
	if (feed_byte(&in) & 1)
		ask_daemon(in.p, in.n);
	else
		meet(in);
	return 0;
}
