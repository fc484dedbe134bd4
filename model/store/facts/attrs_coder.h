/* model/store/facts/attrs_coder.h - codes a block of the attribute log by what its records have in common.
 * Why:     a producer's records are of few shapes (which keys, of which types), and most numbers are those of the shape's record
 *          before, or one step further. Knowing that is faster than looking for repeated bytes, and finds more of them.
 * Form:    varint: bytes before the first record that begins in the block; these bytes as they are; records; CODED_END; what
 *          is left of the block, as it is. A record: its token, then the numbers that are not as expected, each as the
 *          zigzag varint of its difference to the last one (doubles: 8 bytes), in their order. A token says which shape and
 *          which of its numbers come (a mask). CODED_TOKEN announces one: varint shape, for a new one followed by its
 *          number of members and their heads; varint mask. The first CODED_TOKENS of them are known by one byte from then on.
 *          Expected: the last number of the shape's member, plus the step that was met twice in a row most recently.
 *          A text is the number of an earlier one of the block, or of a new one: then its length and bytes follow.
 * Bounds:  both sides may touch CODED_SLACK bytes after what they read, which must exist. Decoding trusts nothing.
 * Threads: one coder for each. */
#ifndef STEPSCOPE_ATTRS_CODER_H
#define STEPSCOPE_ATTRS_CODER_H
#include <stdbool.h>
#include <stddef.h>

enum { CODED_SLACK = 16 };

struct attrs_coder;
struct attrs_coder *attrs_coder_new(void); /* NULL: no memory */
void attrs_coder_free(struct attrs_coder *k);
/* Codes n bytes of the log whose first whole record begins at `first` (n or more: none does). Returns how many bytes they are, 0
 * when they do not fit into `room`. The same from the same, whatever was coded before. */
size_t attrs_code(struct attrs_coder *k, const unsigned char *from, size_t n, size_t first, unsigned char *to,
		  size_t room);
/* Exactly n bytes of the log; false when these are not they. */
bool attrs_decode(struct attrs_coder *k, const unsigned char *from, size_t bytes, unsigned char *to, size_t n);
#endif
