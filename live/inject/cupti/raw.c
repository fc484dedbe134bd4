#include "raw.h"
#include "live/inject/base/dict.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { RAW_MAX_BYTES = 64 << 20 };
static int raw_fd = -2; /* -2 = not opened yet, -1 = over */
static size_t raw_bytes;
static struct dict raw_texts; /* (address, text) written so far */

static void put(const void *bytes, size_t n)
{
	if (raw_fd < 0)
		return;
	raw_bytes += n;
	if (raw_bytes <= RAW_MAX_BYTES && write(raw_fd, bytes, n) == (ssize_t)n)
		return;
	close(raw_fd);
	raw_fd = -1;
}

static void put_block(uint32_t type, uint64_t value, const void *bytes, size_t n)
{
	struct {
		uint32_t type, bytes;
		uint64_t value;
	} head = {type, (uint32_t)n, value};
	put(&head, sizeof head);
	put(bytes, n);
	put("\0\0\0\0\0\0\0", (8 - n % 8) % 8);
}

static void open_file(const char *folder, const struct cupti *c)
{
	char path[1024];
	uint32_t head[2] = {c->number, 0};
	snprintf(path, sizeof path, "%s/%d.cupti", folder, (int)getpid());
	raw_fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	put("stepraw1", 8);
	put(head, sizeof head);
}

static void put_text(uint64_t address)
{
	char key[8 + 1024];
	const char *text = (const char *)(uintptr_t)address;
	size_t n = text ? strnlen(text, 1023) : 0;
	uint32_t before = raw_texts.n_entries;
	if (!text)
		return;
	memcpy(key, &address, 8);
	memcpy(key + 8, text, n);
	if (dict_intern(&raw_texts, key, 8 + n) && raw_texts.n_entries > before)
		put_block(RAW_TEXT, address, text, n);
}

static void put_texts(const struct cupti *c, const void *r)
{
	switch (cupti_kind_of(r)) {
	case CUPTI_KIND_KERNEL:
		put_text(kernel_name(r, c->layout));
		break;
	case CUPTI_KIND_MARKER:
		put_text(marker_name(r, c->layout));
		put_text(marker_domain(r, c->layout));
		break;
	case CUPTI_KIND_MEMORY:
		put_text(memory_name(r, c->layout));
		break;
	case CUPTI_KIND_NAME:
		put_text(name_name(r, c->layout));
		break;
	case CUPTI_KIND_DEVICE:
		put_text(device_name(r, c->layout));
	}
}

void raw_write(const char *folder, const struct cupti *c, uint8_t *buffer, size_t valid_bytes)
{
	void *record = NULL;
	if (!folder || raw_fd == -1)
		return;
	if (raw_fd == -2)
		open_file(folder, c);
	while (!c->next_record(buffer, valid_bytes, &record))
		put_texts(c, record);
	put_block(RAW_BUFFER, (uintptr_t)buffer, buffer, valid_bytes);
}
