#include "lazy_sections.h"
#include <stdlib.h>

void late_free(struct late *l)
{
	if (!l)
		return;
	if (l->has_ahead)
		pthread_join(l->ahead, NULL);
	l->forget(l->r);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

void late_unpack(struct late *l, enum late_part part)
{
	pthread_mutex_lock(&l->lock);
	if (!atomic_load(&l->done[part]))
		l->unpack(l, part);
	atomic_store(&l->done[part], true);
	pthread_mutex_unlock(&l->lock);
}

uint64_t late_number(const struct late_numbers *x, row_id r)
{
	late_need(x->late->t, x->part);
	const uint64_t *values = *x->values;
	return values ? values[r] : 0;
}

void trace_check_rest(const struct trace *t)
{
	for (enum late_part part = 0; part < LATER_PARTS; part++)
		late_need(t, part);
	attrs_check(t->attrs);
}
