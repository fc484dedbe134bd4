#include "ring.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int sealed_memory(uint64_t size)
{
	int fd = memfd_create("stepscope-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd >= 0 && !ftruncate(fd, (off_t)size) &&
	    !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return fd;
	int saved = errno;
	if (fd >= 0)
		close(fd);
	errno = saved;
	return -1;
}

bool ring_open(struct ring *r, uint64_t bytes)
{
	*r = (struct ring){.fd = -1};
	int fd = sealed_memory(WIRE_HEADER_BYTES + bytes);
	if (fd < 0)
		return false;
	void *memory = mmap(NULL, WIRE_HEADER_BYTES + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED) {
		close(fd);
		return false;
	}
	madvise(memory, WIRE_HEADER_BYTES + bytes, MADV_DONTFORK); /* a forked child must not write here */
	madvise(memory, WIRE_HEADER_BYTES + bytes, MADV_DONTDUMP);
	*r = (struct ring){.header = memory, .data = (uint8_t *)memory + WIRE_HEADER_BYTES, .bytes = bytes, .fd = fd};
	return true;
}

void ring_close(struct ring *r)
{
	if (!r->header)
		return;
	munmap(r->header, WIRE_HEADER_BYTES + r->bytes);
	close(r->fd);
	*r = (struct ring){.fd = -1};
}

uint64_t ring_free_bytes(struct ring *r)
{
	uint64_t tail = atomic_load_explicit(&r->header->tail, memory_order_acquire);
	if (tail >= r->tail && tail <= r->head)
		r->tail = tail; /* anything else is nonsense: keep what we knew */
	return r->bytes - (r->head - r->tail);
}

static void pad(struct ring *r, uint64_t n)
{
	struct wire_frame *f = (struct wire_frame *)(r->data + (r->head & (r->bytes - 1)));
	*f = (struct wire_frame){.bytes = (uint32_t)n, .type = WIRE_PAD};
	r->head += n;
}

void *ring_reserve(struct ring *r, size_t n, size_t spare)
{
	uint64_t to_end = r->bytes - (r->head & (r->bytes - 1)), need = to_end < n ? to_end + n : n;
	/* the tail is the viewer's cache line: look only when what we know does not suffice */
	if (r->bytes - (r->head - r->tail) < need + spare && ring_free_bytes(r) < need + spare)
		return NULL;
	if (to_end < n)
		pad(r, to_end);
	return r->data + (r->head & (r->bytes - 1));
}

void ring_publish(struct ring *r, size_t n)
{
	r->head += n;
	atomic_store_explicit(&r->header->frame_bytes, r->head, memory_order_relaxed);
	atomic_store_explicit(&r->header->head, r->head, memory_order_release);
}
