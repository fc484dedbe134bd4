/* model/store/facts/attrs_packed.h - the forms in which a block of the attribute log is packed.
 * Forms:   a zstd frame of the block; PACKED_CODED and what attrs_coder.h makes of it; PACKED_SQUEEZED and a zstd frame of that.
 *          The first byte tells them apart.
 * Which:   coded, while that takes a third of the room at most: it costs half the time of zstd. Else, and always in a saved file,
 *          the smaller of the others.
 * Bounds:  CODED_SLACK bytes after what is read may be touched, and must exist.
 * Threads: one packing or unpacking for each. */
#ifndef STEPSCOPE_ATTRS_PACKED_H
#define STEPSCOPE_ATTRS_PACKED_H
#include "attrs_coder.h"
#include "attrs_private.h"

enum { PACKED_CODED = 1, PACKED_SQUEEZED = 2 }; /* a zstd frame begins with 0x28 */

struct packing;
struct packing *packing_new(void); /* NULL: no memory */
void packing_free(struct packing *k);
/* Packs n bytes of the log, whose first record begins at `first`, into PACKED_MAX bytes, which is room for what cannot be packed,
 * too: always the same from the same. Returns how many they are, 0 when zstd fails or memory is out. */
size_t attrs_pack(struct packing *k, unsigned char *to, const unsigned char *from, size_t n, size_t first);
/* The same block as it is saved, from its packed form; 0 when memory is out. */
size_t attrs_pack_saved(struct packing *k, unsigned char *to, const unsigned char *packed, size_t n);

struct unpacking;
struct unpacking *unpacking_new(void); /* NULL: no memory */
void unpacking_free(struct unpacking *k);
/* Exactly n bytes of the log; false when these are not they. Nothing is trusted. */
bool attrs_unpack(struct unpacking *k, const unsigned char *from, size_t bytes, unsigned char *to, size_t n);
#endif
