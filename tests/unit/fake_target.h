/* tests/unit/fake_target.h - a target made up: the producer's end of a ring and of a socket, as wire.h says, written by hand
 * so that tests can also write what no honest target would. It is no CUPTI and measures nothing. */
#ifndef FAKE_TARGET_H
#define FAKE_TARGET_H
#include "live/wire.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct fake {
	int sock; /* ours; the viewer has the other end */
	int memfd, bell;
	struct wire_header *ring;
	uint64_t bytes;
};

static inline void fake_header(struct fake *f, int pid)
{
	struct wire_header *h = f->ring;
	memcpy(h->magic, WIRE_MAGIC, sizeof h->magic);
	h->abi = WIRE_ABI;
	h->header_bytes = WIRE_HEADER_BYTES;
	h->ring_bytes = f->bytes;
	h->pid = pid;
	h->rank = h->local_rank = -1;
	h->cupti_version = 130001;
	snprintf(h->command, sizeof h->command, "python train.py");
	snprintf(h->host, sizeof h->host, "node7");
	atomic_store(&h->state, WIRE_STATE_RECORDING);
}

/* A ring, sealed or not, and a pair of sockets; the viewer's end is returned. */
static inline int fake_open(struct fake *f, uint64_t bytes, bool sealed, int pid)
{
	int pair[2] = {-1, -1};
	f->bytes = bytes;
	f->memfd = memfd_create("fake ring", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	f->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (f->memfd < 0 || ftruncate(f->memfd, (off_t)(WIRE_HEADER_BYTES + bytes)) != 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		abort();
	if (sealed)
		fcntl(f->memfd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	f->ring = mmap(NULL, WIRE_HEADER_BYTES + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, f->memfd, 0);
	f->sock = pair[0];
	fake_header(f, pid);
	return pair[1];
}

static inline void fake_close(struct fake *f)
{
	munmap(f->ring, WIRE_HEADER_BYTES + f->bytes);
	close(f->memfd);
	close(f->bell);
	if (f->sock >= 0)
		close(f->sock);
}

/* Any message, of any size, with n descriptors. */
static inline void fake_send(struct fake *f, const void *msg, size_t size, int n)
{
	int fds[2] = {f->memfd, f->bell};
	union {
		char bytes[CMSG_SPACE(sizeof fds)];
		struct cmsghdr align;
	} room;
	struct iovec part = {(void *)msg, size};
	struct msghdr h = {.msg_iov = &part, .msg_iovlen = 1};
	memset(&room, 0, sizeof room);
	if (n > 0) {
		h.msg_control = room.bytes;
		h.msg_controllen = CMSG_SPACE((size_t)n * sizeof(int));
		struct cmsghdr *c = CMSG_FIRSTHDR(&h);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN((size_t)n * sizeof(int));
		memcpy(CMSG_DATA(c), fds, (size_t)n * sizeof(int));
	}
	sendmsg(f->sock, &h, MSG_NOSIGNAL | MSG_DONTWAIT); /* the reader may be this very thread */
}

static inline struct wire_msg fake_hello(const struct fake *f)
{
	return (struct wire_msg){.verb = WIRE_HELLO,
				 .abi = WIRE_ABI,
				 .state = WIRE_STATE_RECORDING,
				 .pid = f->ring->pid,
				 .ring_bytes = f->bytes,
				 .cupti_version = 130001};
}

static inline void fake_say_hello(struct fake *f)
{
	struct wire_msg m = fake_hello(f);
	fake_send(f, &m, sizeof m, 2);
}

static inline unsigned char *fake_data(struct fake *f)
{
	return (unsigned char *)f->ring + WIRE_HEADER_BYTES;
}

/* Waits for room: the test's reader is alive. */
static inline void fake_put(struct fake *f, void *frame, uint32_t bytes, unsigned type, unsigned flags)
{
	struct wire_frame *w = frame;
	*w = (struct wire_frame){bytes, (uint16_t)type, (uint16_t)flags};
	uint64_t head = atomic_load(&f->ring->head), at = head & (f->bytes - 1), pad = 0;
	if (f->bytes - at < bytes)
		pad = f->bytes - at;
	while (head + pad + bytes - atomic_load(&f->ring->tail) > f->bytes)
		usleep(200);
	if (pad) {
		struct wire_frame p = {(uint32_t)pad, WIRE_PAD, 0};
		memcpy(fake_data(f) + at, &p, sizeof p);
		head += pad;
		at = 0;
	}
	memcpy(fake_data(f) + at, frame, bytes);
	atomic_store(&f->ring->head, head + bytes);
}

static inline void fake_string(struct fake *f, uint32_t id, const char *text)
{
	_Alignas(8) unsigned char room[sizeof(struct wire_string) + WIRE_STRING_MAX + 8] = {0};
	struct wire_string *s = (struct wire_string *)(void *)room;
	s->id = id;
	s->n = (uint32_t)strlen(text);
	memcpy(s->text, text, s->n);
	fake_put(f, s, (uint32_t)((sizeof *s + s->n + 7) / 8 * 8), WIRE_STRING, 0);
}

static inline void fake_shape(struct fake *f, uint32_t id, uint32_t name)
{
	struct wire_shape s = {.id = id,
			       .name = name,
			       .grid = {7, 1, 1},
			       .block = {128, 1, 1},
			       .registers = 32,
			       .dynamic_smem_bytes = 3072};
	fake_put(f, &s, sizeof s, WIRE_SHAPE, 0);
}

static inline void fake_place(struct fake *f, uint32_t id, uint32_t device, uint32_t stream)
{
	struct wire_place p = {.id = id, .device = device, .context = 1, .stream = stream};
	fake_put(f, &p, sizeof p, WIRE_PLACE, 0);
}

static inline void fake_kernel(struct fake *f, int64_t start_ns, int64_t end_ns, uint32_t corr, uint32_t shape,
			       uint32_t place)
{
	struct wire_kernel k = {.start_ns = (uint64_t)start_ns,
				.end_ns = (uint64_t)end_ns,
				.corr = corr,
				.shape = shape,
				.place = place};
	fake_put(f, &k, WIRE_KERNEL_SHORT, WIRE_RECORD + WIRE_KERNEL, 0);
	atomic_fetch_add(&f->ring->counters[WIRE_KERNEL].seen, 1);
	atomic_fetch_add(&f->ring->counters[WIRE_KERNEL].sent, 1);
}

static inline void fake_call(struct fake *f, int64_t start_ns, int64_t end_ns, uint32_t corr, uint32_t name,
			     uint32_t tid)
{
	struct wire_api a = {
		.start_ns = (uint64_t)start_ns, .end_ns = (uint64_t)end_ns, .corr = corr, .name = name, .tid = tid};
	fake_put(f, &a, sizeof a, WIRE_RECORD + WIRE_RUNTIME, 0);
}

static inline void fake_mark(struct fake *f, int64_t at_ns, uint32_t id, uint32_t name, uint32_t tid, unsigned flags)
{
	struct wire_marker m = {.at_ns = (uint64_t)at_ns, .id = id, .name = name, .tid = tid};
	fake_put(f, &m, sizeof m, WIRE_RECORD + WIRE_MARKER, flags);
}
#endif
