#include "lazy_sections.h"
#include <stdlib.h>

void lazy_free(struct lazy *l)
{
	if (!l)
		return;
	if (l->has_ahead)
		pthread_join(l->ahead, NULL);
	l->forget(l->r);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

/* lazy_need has looked without the lock; another thread may have unpacked the section since, so look again under it. */
void lazy_unpack(struct lazy *l, enum lazy_section part)
{
	pthread_mutex_lock(&l->lock);
	if (!atomic_load(&l->done[part]))
		l->unpack(l, part);
	atomic_store(&l->done[part], true);
	pthread_mutex_unlock(&l->lock);
}

uint64_t lazy_number(const struct lazy_numbers *x, row_id r)
{
	lazy_need(x->lazy->t, x->part);
	const uint64_t *values = *x->values;
	return values ? values[r] : 0;
}

void trace_check_rest(const struct trace *t)
{
	for (enum lazy_section part = 0; part < LAZY_SECTIONS; part++)
		lazy_need(t, part);
	attrs_check(t->attrs);
}
