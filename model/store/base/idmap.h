/* model/store/base/idmap.h - 64-bit key -> 32-bit number, for the small joins of the overlay.
 * Life: zero-initialise -> idmap_put / idmap_get -> idmap_free. Out of memory ends the program (memory.h). */
#ifndef STEPSCOPE_IDMAP_H
#define STEPSCOPE_IDMAP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idmap_slot {
	uint64_t key;
	uint32_t value;
	bool used;
};
struct idmap {
	struct idmap_slot *slots;
	uint32_t n, cap; /* cap: a power of two */
};
/* Finds the key or adds it with `fresh`; the pointer is valid until the next put. */
uint32_t *idmap_put(struct idmap *m, uint64_t key, uint32_t fresh);
/* UINT32_MAX when absent */
uint32_t idmap_get(const struct idmap *m, uint64_t key);
/* Removes the key and gives its number; UINT32_MAX when absent. */
uint32_t idmap_take(struct idmap *m, uint64_t key);
void idmap_clear(struct idmap *m); /* no keys; the memory stays */
void idmap_free(struct idmap *m);

/* FNV-1a: a key for what is longer than a key; `with` 0, or what tells equal bytes apart. Different bytes may have one. */
static inline uint64_t idmap_hash(const void *bytes, size_t n, uint64_t with)
{
	const unsigned char *p = bytes;
	uint64_t h = UINT64_C(14695981039346656037) ^ with;
	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * UINT64_C(1099511628211);
	return h;
}
#endif
