/* model/analysis/query/shared.h - what several answers to one question are made of, each made once. Who asks more than one table of a
 * window (findings, overview, reports) makes one of these and hands it on in the query; analyses look there before they compute.
 * Life:    shared_new -> `kept` of the query -> shared_free or shared_adopt, when nothing is asked with that query any more.
 * Threads: any. Who asks first makes it, the others wait; what is made may ask for other parts, never in a circle.
 * Without: a query whose `kept` is NULL, or that asks another question than the one it was made for, makes everything for itself. */
#ifndef STEPSCOPE_SHARED_H
#define STEPSCOPE_SHARED_H
#include "model/query.h"
#include "model/store/base/err.h"
#include "model/table.h"

struct derived;
struct progress;
/* A part of answers: the same for the same question. It lives in `mem` as a whole. */
struct shared_part {
	size_t bytes; /* of what `make` fills, which begins as zeroes */
	bool (*make)(const struct derived *d, const struct query *q, void *out, struct arena *mem, struct progress *p,
		     struct err *e);
};

struct shared *shared_new(const struct query *q); /* the question whose answers are kept: copied */
bool shared_fits(const struct query *q);          /* it carries what is kept of its own question */
void shared_free(struct shared *k);               /* NULL is fine */
/* The same, but what was made lives on in `mem`. */
void shared_adopt(struct shared *k, struct arena *mem);

/* The part as it is kept, else made in `mem`. NULL with `e` on failure, which is kept, too. */
const void *shared_part(const struct shared_part *part, const struct derived *d, const struct query *q,
			struct arena *mem, struct progress *p, struct err *e);
/* That part where somebody has asked for it already; NULL where nobody has, or nothing is kept. */
const void *shared_part_if_asked(const struct shared_part *part, const struct query *q);
/* As shared_part, of a table; of a small one that is kept nothing but its rows stays in memory. */
struct table *shared_table(const struct table_desc *desc, const struct derived *d, const struct query *q,
			   struct arena *mem, struct progress *p, struct err *e);
/* Gives the memory of a table, by its descriptor, or of a part back; nobody may be reading it. It is made anew when it is asked for
 * again. */
void shared_drop(struct shared *k, const void *what);
#endif
