/* model/store/saved/load_private.h - the pieces that reading a saved file is made of. Each section is read by one thread, several
 * sections at once; what they share is only read. */
#ifndef STEPSCOPE_LOAD_PRIVATE_H
#define STEPSCOPE_LOAD_PRIVATE_H
#include "save_private.h"

/* The open file and its table of sections. */
struct reader {
	int fd;
	const char *path;
	uint64_t size;
	struct save_section *table;
	unsigned char **kept; /* per section: its stored bytes, checked; NULL = still to be read */
	uint32_t n;
	unsigned threads;
};
/* What one thread reads with. */
struct lane {
	const struct reader *r;
	struct codec_scratch *scratch;
	struct column packed; /* bytes of the section being read */
	struct err e;
	bool no_memory; /* why something could not be read, with e; not that it is damaged */
};

/* load_section.c */
void load_reader_free(struct reader *r); /* from malloc, with its table and what it keeps; NULL is fine */
/* Reads a section to be taken later, of elements of that size, and as many as recorded (UINT64_MAX: any number). */
bool keep_section(struct lane *l, const char *name, size_t size, uint64_t count);
bool read_at(int fd, void *to, uint64_t n, uint64_t at);
bool damaged(struct lane *l, uint64_t at, const char *what); /* false, with the reason in l->e */
bool out_of_memory(struct lane *l);                          /* likewise */
const struct save_section *find_section(const struct reader *r, const char *name);
bool section_inside(const struct reader *r, const struct save_section *s);
/* Elements of a section in fresh memory, to be freed; *n receives how many. `size` is what this version expects.
 * kinds: of n_kinds rows, for sections packed by kind. NULL on damage. */
void *take(struct lane *l, const char *name, size_t size, uint64_t *n);
void *take_rows(struct lane *l, const char *name, size_t size, const uint8_t *kinds, uint64_t n_kinds);
/* The bytes of a section of CODEC_ZSTD from front to back, of which only a piece is unpacked at a time. Life: section_bytes_open ->
 * section_bytes_next any number of times -> section_bytes_close. The first two fail with a reason in l->e. */
struct section_bytes {
	struct lane *l;
	const struct save_section *section;
	struct codec_rest packed; /* lies in the lane, which reads no other section meanwhile */
	uint64_t left;            /* bytes in them */
	struct column room;       /* unpacked: those from `at` on are still to be handed out */
	size_t at;
	bool failed;
};
bool section_bytes_open(struct section_bytes *in, struct lane *l, const char *name);
/* The next n bytes, until it is asked again; NULL when it fails. */
const char *section_bytes_next(struct section_bytes *in, size_t n);
bool section_bytes_close(struct section_bytes *in); /* whether all were handed out */

/* load_parts.c: each fills its part of the trace; false with a reason in l->e. */
typedef bool load_part(struct lane *l, struct trace *t);
load_part load_first;                /* words, owners, tracks, kinds */
extern load_part *const load_lazy[]; /* by enum lazy_section; NULL where it is unpacked by chunks */
/* All the rest, which needs only that; in any order, side by side. */
enum { LOAD_PARTS_MOST = 32 };
extern load_part *const load_parts[];
extern const unsigned load_parts_n;
/* For checked rows: gives host rows no link. False when a link is none. */
bool load_links(struct trace *t);

/* One word for each of n rows; NULL with *ok true where the file has none. */
uint32_t *take_optional_rows(struct lane *l, const char *section, uint64_t n, bool *ok);

/* load_kernels.c: facts of kernels, by pieces of 1 << LAZY_KERNELS_SHIFT rows. The caller holds the lock of the section; what is damaged is 0 and
 * noted once. */
struct lazy;
void lazy_kernels_make(struct lazy *l, uint64_t piece);
void lazy_kernels_make_wanted(struct lazy *l, const unsigned char *wanted); /* pieces that have a 1 there */
void lazy_kernels_make_all(struct lazy *l);
bool lazy_kernels_tell(struct lazy *l, size_t member); /* that word of any row is not 0, or damaged */
void lazy_kernels_check(struct lazy *l);               /* all pieces; those that are sound are not kept */
void lazy_kernels_free(struct lazy *l);                /* what is kept while some are still packed; nothing is fine */

/* load_numbers.c: correlations and attributes of events, by chunks. The caller holds the lock of the section; what is damaged is 0 and
 * noted. */
struct lazy_numbers;
void lazy_numbers_make(struct lazy_numbers *x, uint64_t chunk);
void lazy_numbers_make_all(struct lazy_numbers *x);
void lazy_numbers_check(struct lazy_numbers *x); /* all chunks; those that are sound are not kept */

/* load_lazy.c: hands the reader, with the sections it keeps, to the trace. With more than one thread the arrows are unpacked
 * beside what comes next. False, and the reader stays the caller's, when memory is out. */
bool lazy_new(struct trace *t, struct reader *r);

/* load_check.c */
/* Every number of times, hosts, devices, tracks, details inside the trace; those of the lazy sections apart. */
bool load_check_owners(const struct trace *t);
bool load_check_kernels(const struct trace *t, const struct kernel_info *rows, uint64_t n);
bool load_check_flows(const struct trace *t);
/* First of the rows [from, to) that points outside of the trace or is out of order, UINT64_MAX: all are sound; then their
 * durations are in *sum_ns. */
uint64_t load_check_rows(const struct trace *t, uint64_t from, uint64_t to, uint64_t *sum_ns);
/* Both sums together are what survey (seal.c) lets pass. */
bool load_check_sum(uint64_t a_ns, uint64_t b_ns);
#endif
