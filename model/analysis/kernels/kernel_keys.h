/* model/analysis/kernels/kernel_keys.h - what kernels are grouped by, as small numbers: every key once.
 * Life: zero-initialise -> kernel_keys_put... -> kernel_keys_settle -> kernel_keys_free. Out of memory ends the program (memory.h). */
#ifndef STEPSCOPE_KERNEL_KEYS_H
#define STEPSCOPE_KERNEL_KEYS_H
#include "model/store/base/row_index.h"

struct kernel_key {
	uint32_t kind, shape;
};
struct kernel_keys {
	struct kernel_key *at; /* in the order met */
	uint32_t n, cap;
	struct row_index index;
};
/* Number of the key: the next one when it was not met before. */
uint32_t kernel_keys_put(struct kernel_keys *k, struct kernel_key x);
/* Many keys lie anywhere in memory: ask well before a key is put, and again somewhat before. */
void kernel_keys_ahead(const struct kernel_keys *k, struct kernel_key x);
void kernel_keys_near(const struct kernel_keys *k, struct kernel_key x);
/* No more keys come: gives back what only finding them needs. */
void kernel_keys_settle(struct kernel_keys *k);
void kernel_keys_free(struct kernel_keys *k);
#endif
