#include "client.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { FRAME_MAX_BYTES = sizeof(struct wire_string) + WIRE_STRING_MAX + 8, RING_MAX_BYTES = 1 << 30 };

static void over(struct client *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void over(struct client *c, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	if (!*c->why)
		vsnprintf(c->why, sizeof c->why, fmt, ap);
	va_end(ap);
	c->state = CLIENT_OVER;
}

/* ---- meeting ------------------------------------------------------------------------------------------------------ */

static bool ours(int sock, struct err *e)
{
	struct ucred peer;
	socklen_t n = sizeof peer;
	if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &n) != 0)
		return err_usage(e, "cannot tell whose process answers: %s", strerror(errno));
	if (peer.uid != geteuid() && peer.uid != 0)
		return err_usage(e, "the process that answers belongs to user %u, not to you: refused",
				 (unsigned)peer.uid);
	return true;
}

bool client_take(struct client *c, int sock, struct err *e)
{
	*c = (struct client){.sock = sock, .wake = -1, .target_state = WIRE_STATE_STARTING};
	if (ours(sock, e) && fcntl(sock, F_SETFL, O_NONBLOCK) == 0)
		return true;
	close(sock);
	c->sock = -1;
	return false;
}

bool client_dial(struct client *c, const char *path, struct err *e)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	*c = (struct client){.sock = -1, .wake = -1};
	if (strlen(path) >= sizeof a.sun_path)
		return err_usage(e, "the path of the socket is too long: %.200s", path);
	memcpy(a.sun_path, path, strlen(path));
	int sock = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (sock < 0)
		return err_usage(e, "cannot make a socket: %s", strerror(errno));
	if (connect(sock, (struct sockaddr *)&a, sizeof a) != 0) {
		int why = errno;
		close(sock);
		return err_usage(e, "%.200s does not answer: %s", path, strerror(why));
	}
	return client_take(c, sock, e);
}

void client_close(struct client *c)
{
	if (c->ring)
		munmap(c->ring, WIRE_HEADER_BYTES + c->ring_bytes);
	if (c->sock >= 0)
		close(c->sock);
	if (c->wake >= 0)
		close(c->wake);
	c->ring = NULL;
	c->sock = c->wake = -1;
	c->state = CLIENT_OVER;
}

/* ---- the ring comes ------------------------------------------------------------------------------------------------ */

static void copy_text(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);
	memcpy(to, from, n);
	to[n] = 0;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)to[i] < ' ' || to[i] == 0x7f)
			to[i] = '?';
}

/* A ring that cannot shrink cannot kill us with SIGBUS. */
static bool map_ring(struct client *c, int fd, uint64_t bytes)
{
	struct stat st;
	int seals = fcntl(fd, F_GET_SEALS);
	bool sane = bytes >= WIRE_RING_MIN_BYTES && bytes <= RING_MAX_BYTES && (bytes & (bytes - 1)) == 0;
	if (!sane || seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(fd, &st) != 0 ||
	    (uint64_t)st.st_size < WIRE_HEADER_BYTES + bytes)
		return false;
	void *p = mmap(NULL, WIRE_HEADER_BYTES + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return false;
	c->ring = p;
	c->ring_bytes = bytes;
	return true;
}

static void copy_facts(struct client *c, const struct wire_msg *m)
{
	const struct wire_header *h = c->ring;
	struct client_facts *f = &c->facts;
	f->pid = m->pid;
	f->start_ticks = m->start_ticks;
	f->cupti_version = m->cupti_version;
	f->cuda_version = m->cuda_version;
	f->rank = h->rank < 0 ? -1 : h->rank;
	f->local_rank = h->local_rank < 0 ? -1 : h->local_rank;
	copy_text(f->cupti_path, sizeof f->cupti_path, h->cupti_path);
	copy_text(f->command, sizeof f->command, h->command);
	copy_text(f->host, sizeof f->host, h->host);
}

static void hello(struct client *c, const struct wire_msg *m, const int fds[2])
{
	if (m->abi != WIRE_ABI) {
		over(c,
		     "the library in process %d has protocol version %u, this program %d: use both from one "
		     "installation",
		     m->pid, m->abi, WIRE_ABI);
		return;
	}
	if (c->ring || fds[0] < 0 || fds[1] < 0 || !map_ring(c, fds[0], m->ring_bytes)) {
		over(c, "process %d sent no usable ring", m->pid);
		return;
	}
	if (memcmp(c->ring->magic, WIRE_MAGIC, sizeof c->ring->magic) != 0 || c->ring->abi != WIRE_ABI ||
	    c->ring->header_bytes != WIRE_HEADER_BYTES || c->ring->ring_bytes != m->ring_bytes) {
		over(c, "the ring of process %d is damaged", m->pid);
		return;
	}
	c->wake = dup(fds[1]);
	fcntl(c->wake, F_SETFD, FD_CLOEXEC);
	fcntl(c->wake, F_SETFL, O_NONBLOCK);
	copy_facts(c, m);
	c->tail = atomic_load(&c->ring->tail);
	c->state = CLIENT_LIVE;
}

/* ---- messages ------------------------------------------------------------------------------------------------------ */

static void remember(struct client *c, const struct wire_msg *m)
{
	c->target_state = m->state < WIRE_STATE_COUNT ? m->state : WIRE_STATE_FAILED;
	c->code = m->code;
	copy_text(c->text, sizeof c->text, m->text);
}

static void on_message(struct client *c, const struct wire_msg *m, const int fds[2])
{
	switch (m->verb) {
	case WIRE_HELLO:
		hello(c, m, fds);
		remember(c, m);
		break;
	case WIRE_BUSY:
		over(c, "another viewer watches this process already (process %d)", m->pid);
		break;
	case WIRE_STATE:
	case WIRE_REPLY:
		if (c->state == CLIENT_LIVE)
			remember(c, m);
		break;
	default:
		over(c, "the target sent message %u, which no target sends", m->verb);
	}
}

/* Takes the descriptors that came along; all beyond the two that may come are closed. */
static void take_fds(struct msghdr *h, int fds[2])
{
	int n = 0;
	for (struct cmsghdr *m = CMSG_FIRSTHDR(h); m; m = CMSG_NXTHDR(h, m)) {
		if (m->cmsg_level != SOL_SOCKET || m->cmsg_type != SCM_RIGHTS)
			continue;
		size_t count = (m->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < count; i++) {
			int fd;
			memcpy(&fd, CMSG_DATA(m) + i * sizeof fd, sizeof fd);
			if (n < 2)
				fds[n++] = fd;
			else
				close(fd);
		}
	}
}

/* False when nothing waits any more. */
static bool hear_one(struct client *c)
{
	struct wire_msg m;
	union {
		char bytes[CMSG_SPACE(8 * sizeof(int))];
		struct cmsghdr align;
	} room;
	struct iovec part = {&m, sizeof m};
	struct msghdr h = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
	int fds[2] = {-1, -1};
	ssize_t n = recvmsg(c->sock, &h, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return errno == EINTR;
	if (n >= 0) /* an empty message can carry descriptors too */
		take_fds(&h, fds);
	if (n == (ssize_t)sizeof m && !(h.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
		on_message(c, &m, fds);
	else if (n > 0)
		over(c, "the target sent a message of another size");
	else
		c->gone = true;
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return n > 0 && c->state != CLIENT_OVER;
}

void client_hear(struct client *c)
{
	uint64_t bumps;
	if (c->wake >= 0 && read(c->wake, &bumps, sizeof bumps) < 0 && errno != EAGAIN)
		c->gone = true;
	while (c->sock >= 0 && c->state != CLIENT_OVER && !c->gone && hear_one(c))
		;
	if (!c->gone || c->state == CLIENT_OVER)
		return;
	if (c->state == CLIENT_CALLING)
		over(c, "the process ended or hung up before it said who it is");
	c->state = CLIENT_OVER;
}

void client_say(struct client *c, enum wire_verb verb, uint32_t kinds)
{
	struct wire_msg m = {.verb = verb, .kinds = kinds};
	if (c->sock >= 0 && c->state == CLIENT_LIVE && send(c->sock, &m, sizeof m, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 &&
	    errno == EPIPE)
		c->gone = true;
}

/* ---- frames -------------------------------------------------------------------------------------------------------- */

struct reading {
	struct client *c;
	const unsigned char *data;
	uint64_t head;
	_Alignas(8) unsigned char copy[FRAME_MAX_BYTES];
};

/* The next frame, copied; NULL when the ring is empty or damaged (then the client is over). */
static const struct wire_frame *next_frame(struct reading *r)
{
	struct client *c = r->c;
	uint64_t left = r->head - c->tail, at = c->tail & (c->ring_bytes - 1), to_end = c->ring_bytes - at;
	struct wire_frame f;
	if (left < sizeof f || to_end < sizeof f)
		return NULL;
	memcpy(&f, r->data + at, sizeof f);
	bool sound = f.bytes >= sizeof f && f.bytes % 8 == 0 && f.bytes <= left && f.bytes <= to_end;
	if (!sound || (f.type != WIRE_PAD && f.bytes > FRAME_MAX_BYTES)) {
		over(c, "the ring of process %d is damaged: a frame of %u bytes", c->facts.pid, f.bytes);
		return NULL;
	}
	c->tail += f.bytes;
	memcpy(r->copy, &f, sizeof f); /* the length that was checked, whatever stands there by now */
	if (f.type != WIRE_PAD)
		memcpy(r->copy + sizeof f, r->data + at + sizeof f, f.bytes - sizeof f);
	return (const struct wire_frame *)(const void *)r->copy;
}

static bool see_head(struct reading *r)
{
	struct client *c = r->c;
	r->head = atomic_load_explicit(&c->ring->head, memory_order_acquire);
	if (r->head >= c->tail && r->head - c->tail <= c->ring_bytes && r->head % 8 == 0)
		return true;
	over(c, "the ring of process %d is damaged: its positions make no sense", c->facts.pid);
	return false;
}

size_t client_frames(struct client *c, void (*frame)(void *ctx, const struct wire_frame *f), void *ctx, size_t most)
{
	struct reading r;
	const struct wire_frame *f;
	r.c = c;
	if (!c->ring || *c->why || !see_head(&r))
		return 0;
	r.data = (const unsigned char *)c->ring + WIRE_HEADER_BYTES;
	uint64_t from = c->tail;
	while (!c->ended && c->tail - from < most && (f = next_frame(&r))) {
		if (f->type == WIRE_END)
			c->ended = true;
		else if (f->type != WIRE_PAD)
			frame(ctx, f);
		c->frames++;
	}
	atomic_store_explicit(&c->ring->tail, c->tail, memory_order_release);
	c->bytes += c->tail - from;
	return (size_t)(c->tail - from);
}

static void add_counts(struct client_counts *to, const struct wire_counters *from)
{
	to->seen += atomic_load_explicit(&from->seen, memory_order_relaxed);
	to->sent += atomic_load_explicit(&from->sent, memory_order_relaxed);
	to->dropped += atomic_load_explicit(&from->dropped, memory_order_relaxed);
	to->bad_time += atomic_load_explicit(&from->bad_time, memory_order_relaxed);
}

struct client_counts client_counts(const struct client *c, int kind)
{
	struct client_counts all = {0};
	for (int k = 0; c->ring && k < WIRE_KIND_COUNT; k++)
		if (kind < 0 || kind == k)
			add_counts(&all, &c->ring->counters[k]);
	return all;
}
