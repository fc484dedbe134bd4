/* importers/inflate.h - the members of a gzip stream, one at a time, by ISA-L or by zlib. ISA-L is several times as fast; zlib
 * is there as a static library, too (`make static`), and STEPSCOPE_INFLATE=zlib chooses it where both are.
 * Threads: one thread per state. */
#ifndef STEPSCOPE_INFLATE_H
#define STEPSCOPE_INFLATE_H
#include <stddef.h>

/* What is left of the packed bytes and of the room for plain ones; both move on as they are used. */
struct inflate_buffers {
	const unsigned char *in;
	size_t in_n; /* bytes */
	unsigned char *out;
	size_t room; /* bytes */
};

enum inflate_result { INFLATE_MORE, INFLATE_END, INFLATE_DAMAGED };

struct inflate_way {
	void *(*open)(void);          /* a state at the start of a member; NULL: out of memory. The caller closes it */
	void (*close)(void *state);   /* NULL is fine */
	void (*restart)(void *state); /* at the start of another member */
	/* Goes on as far as input and room reach, to the end of the member at most. Damaged: *why says how; what came out
	 * before stands. */
	enum inflate_result (*some)(void *state, struct inflate_buffers *b, const char **why);
};

extern const struct inflate_way inflate_by_zlib;
#ifndef STEPSCOPE_NO_ISAL
extern const struct inflate_way inflate_by_isal;
#endif

const struct inflate_way *inflate_way(void); /* the one that this program uses */
#endif
