/* model/store/trace/packed_tables.h - side tables of an imported trace that stay packed (facts/side_packed.h) until first use: the
 *          first screens and most questions need none of their rows.
 * While one is packed its column has the number of rows, and no rows.
 * Threads: any thread may ask; the first one unpacks, the others wait. When memory runs out the program ends as memory.h says. */
#ifndef STEPSCOPE_PACKED_TABLES_H
#define STEPSCOPE_PACKED_TABLES_H
#include "trace_private.h"
#include <pthread.h>

struct packed_tables {
	struct trace *t;
	pthread_mutex_t lock;
	atomic_bool done[SIDE_TABLE_COUNT];
	struct side_packed at[SIDE_TABLE_COUNT];
};

/* Takes those of the ingest, which are finished. The trace has its other side tables already. */
void packed_tables_take(struct trace *t, struct ingest *in);
void packed_tables_free(struct packed_tables *p); /* NULL is fine */
void packed_tables_unpack(struct packed_tables *p, enum side_table table);

/* The table's rows are in the trace when this returns. */
static inline void packed_tables_need(const struct trace *t, enum side_table table)
{
	if (t->packed && !atomic_load_explicit(&t->packed->done[table], memory_order_acquire))
		packed_tables_unpack(t->packed, table);
}
#endif
