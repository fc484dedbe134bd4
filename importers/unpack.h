/* importers/unpack.h - gzip (inflate.h) and zstd as one push interface: packed bytes in, plain bytes out.
 * Gzip may have several members, zstd several frames. Zero bytes after the last member are padding; other bytes there
 * are damage. Damage ends the stream: what was unpacked before it stands.
 * Threads: one thread per unpacker. */
#ifndef STEPSCOPE_UNPACK_H
#define STEPSCOPE_UNPACK_H
#include <stdbool.h>
#include <stddef.h>

enum packing { PACKING_NONE, PACKING_GZIP, PACKING_ZSTD };
enum { UNPACK_MAGIC_BYTES = 4 };
enum packing packing_of(const unsigned char *head, size_t n); /* by magic bytes */

struct unpack;
struct unpack *unpack_new(enum packing packing); /* NULL: out of memory */
void unpack_free(struct unpack *u);              /* NULL is fine */

/* Unpacks from in[0..in_n) into out[0..room): returns how many bytes came out, *used how many went in. */
size_t unpack_some(struct unpack *u, const unsigned char *in, size_t in_n, size_t *used, unsigned char *out,
		   size_t room);
void unpack_end_of_input(struct unpack *u);        /* nothing more will come: in mid-stream that is damage */
bool unpack_done(const struct unpack *u);          /* damaged or ended: no byte will follow */
const char *unpack_damage(const struct unpack *u); /* NULL = sound so far */
#endif
