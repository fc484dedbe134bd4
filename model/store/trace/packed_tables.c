#include "packed_tables.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

void packed_tables_take(struct trace *t, struct ingest *in)
{
	struct packed_tables *p = must(calloc(1, sizeof *p));
	p->t = t;
	t->packed = p;
	pthread_mutex_init(&p->lock, NULL);
	for (enum side_table i = 0; i < SIDE_TABLE_COUNT; i++) {
		p->at[i] = in->packed[i];
		in->packed[i] = (struct side_packed){0};
		atomic_init(&p->done[i], p->at[i].n == 0);
		if (p->at[i].n == 0)
			continue;
		column_free(&t->side[i]);
		t->side[i].n = p->at[i].n;
	}
}

void packed_tables_free(struct packed_tables *p)
{
	if (!p)
		return;
	for (enum side_table i = 0; i < SIDE_TABLE_COUNT; i++)
		side_packed_free(&p->at[i]);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

/* packed_tables_need has looked without the lock; another thread may have unpacked the table since, so look again under it. */
void packed_tables_unpack(struct packed_tables *p, enum side_table table)
{
	pthread_mutex_lock(&p->lock);
	if (!atomic_load(&p->done[table])) {
		struct column rows = {.size = side_tables[table].row_bytes};
		if (!side_packed_rows(&p->at[table], &side_tables[table], &rows))
			memory_exhausted();
		/* not n, which is right already: who only asks how many there are may be reading it */
		p->t->side[table].p = rows.p;
		p->t->side[table].cap = rows.cap;
		side_packed_free(&p->at[table]);
	}
	atomic_store(&p->done[table], true);
	pthread_mutex_unlock(&p->lock);
}
