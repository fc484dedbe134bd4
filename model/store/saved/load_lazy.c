/* model/store/saved/load_lazy.c - sections of a saved file that are unpacked on first use. */
#include "load_private.h"
#include "model/store/base/memory.h"
#include "model/store/trace/lazy_sections.h"
#include <stdlib.h>

static void unpack(struct lazy *l, enum lazy_section part)
{
	if (part == LAZY_CORRS || part == LAZY_ATTRS) {
		lazy_numbers_make_all(part == LAZY_CORRS ? &l->corrs : &l->attrs);
		return;
	}
	if (part == LAZY_KERNELS) {
		lazy_kernels_make_all(l);
		return;
	}
	struct lane lane = {.r = l->r, .scratch = must(codec_scratch_new())};
	if (!load_lazy[part](&lane, l->t)) {
		if (lane.no_memory)
			memory_exhausted(); /* the caller has no error path, and without the section its answer would be wrong */
		notes_add_sealed(&l->t->notes, NOTE_PART_DAMAGED, 1);
	}
	codec_scratch_free(lane.scratch);
	column_free(&lane.packed);
}

bool lazy_new(struct trace *t, struct reader *r)
{
	struct lazy *l = calloc(1, sizeof *l);
	if (!l)
		return false;
	for (int part = 0; part < LAZY_SECTIONS; part++)
		pthread_mutex_init(&l->lock[part], NULL);
	l->t = t;
	l->r = r;
	/* both are the caller's; what is unpacked later was read by keep_section */
	r->fd = -1;
	r->path = NULL;
	l->unpack = unpack;
	l->check_numbers = lazy_numbers_check;
	l->make_chunk = lazy_numbers_make;
	l->make_kernels = lazy_kernels_make;
	l->make_wanted = lazy_kernels_make_wanted;
	l->check_kernels = lazy_kernels_check;
	l->kernels_tell = lazy_kernels_tell;
	l->forget_kernels = lazy_kernels_free;
	l->forget = load_reader_free;
	l->corrs = (struct lazy_numbers){.lazy = l, .part = LAZY_CORRS, .values = &t->corr};
	l->attrs = (struct lazy_numbers){.lazy = l, .part = LAZY_ATTRS, .values = &t->attrs_at};
	t->lazy = l;
	t->c.corr = (struct numbers){.lazy = &l->corrs};
	t->c.attrs = (struct numbers){.lazy = &l->attrs};
	return true;
}
