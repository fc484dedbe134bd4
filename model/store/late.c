#include "late.h"
#include "load_private.h"
#include "memory.h"
#include "thread.h"
#include <stdlib.h>

static void *unpack_ahead(void *ctx)
{
	late_unpack(ctx, LATER_FLOWS);
	return NULL;
}

bool late_new(struct trace *t, struct reader *r)
{
	struct late *l = calloc(1, sizeof *l);
	if (!l)
		return false;
	pthread_mutex_init(&l->lock, NULL);
	l->t = t;
	l->r = r;
	r->fd = -1;
	r->path = NULL;
	l->corrs = (struct late_numbers){l, LATER_CORRS, &t->corr};
	l->attrs = (struct late_numbers){l, LATER_ATTRS, &t->attrs_at};
	t->late = l;
	t->c.corr = (struct numbers){.late = &l->corrs};
	t->c.attrs = (struct numbers){.late = &l->attrs};
	l->has_ahead = r->threads > 1 && thread_start(&l->ahead, unpack_ahead, l);
	return true;
}

void late_free(struct late *l)
{
	if (!l)
		return;
	if (l->has_ahead)
		pthread_join(l->ahead, NULL);
	load_reader_free(l->r);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

static void unpack(struct late *l, enum late_part part)
{
	struct lane lane = {.r = l->r, .room = must(codec_room_new())};
	if (!load_late[part](&lane, l->t)) {
		if (lane.no_memory)
			memory_exhausted(); /* whoever asked cannot be told, and without the part would say what is not so */
		notes_add_late(&l->t->notes, NOTE_PART_DAMAGED, 1);
	}
	codec_room_free(lane.room);
	column_free(&lane.packed);
}

void late_unpack(struct late *l, enum late_part part)
{
	pthread_mutex_lock(&l->lock);
	if (!atomic_load(&l->done[part]))
		unpack(l, part);
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
