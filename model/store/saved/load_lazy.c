/* model/store/saved/load_lazy.c - parts of a saved file that are unpacked when somebody asks for them. */
#include "load_private.h"
#include "model/store/base/memory.h"
#include "model/store/base/thread.h"
#include "model/store/trace/lazy_sections.h"
#include <stdlib.h>

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
	l->unpack = unpack;
	l->forget = load_reader_free;
	l->corrs = (struct late_numbers){l, LATER_CORRS, &t->corr};
	l->attrs = (struct late_numbers){l, LATER_ATTRS, &t->attrs_at};
	t->late = l;
	t->c.corr = (struct numbers){.late = &l->corrs};
	t->c.attrs = (struct numbers){.late = &l->attrs};
	l->has_ahead = r->threads > 1 && thread_start(&l->ahead, unpack_ahead, l);
	return true;
}
