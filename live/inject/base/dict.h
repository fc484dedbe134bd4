/* live/inject/base/dict.h - byte keys to small numbers, and to whom each was told.
 * One list of the dictionary of ../wire.h. Ids count from 1. An entry is "sent" in one epoch (= one ring). */
#ifndef STEPSCOPE_INJECT_DICT_H
#define STEPSCOPE_INJECT_DICT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dict_entry {
	uint64_t hash;
	size_t at; /* of the key in bytes */
	uint32_t n;
	uint32_t sent;  /* epoch; 0 = never sent */
	uint32_t value; /* the owner's */
};
struct dict {
	struct dict_entry *entries; /* [0] is unused */
	char *bytes;
	uint32_t *slots; /* power of two, 0 = empty */
	uint32_t n_entries, n_slots;
	size_t cap_entries, n_bytes, cap_bytes;
};

uint64_t dict_hash(const void *key, size_t n);
uint32_t dict_find(const struct dict *d, const void *key, size_t n, uint64_t hash); /* 0 = not there */
uint32_t dict_intern(struct dict *d, const void *key, size_t n);                    /* 0 = no memory */
struct dict_entry *dict_at(const struct dict *d, uint32_t id);                      /* valid until the next intern */
const void *dict_key(const struct dict *d, uint32_t id);                            /* likewise */
void dict_clear(struct dict *d);                                                    /* gives the memory back */
#endif
