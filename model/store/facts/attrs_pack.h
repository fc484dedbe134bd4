/* model/store/facts/attrs_pack.h - packs full blocks of the log beside the thread that writes it.
 * Why:     what does not stay in memory as it was written takes a quarter of the room so, or less: in memory, and on the disk.
 * Order:   any; a block is known by its index.
 * Threads: one at a time hands blocks over and takes them back. Others pack them meanwhile: those that help (packer_help), else one of
 *          its own, where more than one is allowed. */
#ifndef STEPSCOPE_ATTRS_PACK_H
#define STEPSCOPE_ATTRS_PACK_H
#include <stdbool.h>
#include <stddef.h>

struct packer;
/* keep: takes a packed block back, on the thread that hands them over; the bytes are valid during the call. NULL when memory
 * is out. */
struct packer *packer_new(unsigned threads, void (*keep)(void *ctx, size_t index, const void *packed, size_t n),
			  void *ctx);
/* Hands over a block of n bytes, which are copied, and where its first record begins (attrs_packed.h); earlier ones may come back. */
void packer_add(struct packer *k, size_t index, const unsigned char *plain, size_t n, size_t first);
/* From now on threads of the caller's help: none of its own is started. The same thread as packer_add. */
void packer_helped(struct packer *k, bool helped);
/* Packs what waits. Any thread. */
void packer_help(struct packer *k);
/* All that is still on its way comes back; then the packer is freed. */
void packer_finish(struct packer *k);
void packer_free(struct packer *k); /* what is on its way is lost; NULL is fine */
#endif
