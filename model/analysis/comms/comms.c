#include "comms.h"
#include <stdlib.h>
#include "model/store/base/memory.h"

struct kept {
	struct comms comms; /* first: comms_of gives it out */
	struct arena mem;
};

static void free_kept(void *made)
{
	struct kept *k = made;
	computing_free(&k->comms.computing);
	arena_free(&k->mem);
	free(k);
}

static void *make(const struct derived *d, struct progress *p, struct err *e)
{
	struct kept *k = must(calloc(1, sizeof *k));
	struct comms *c = &k->comms;
	if (!collectives_find(d, &k->mem, p, &c->x, e) || !computing_find(d, p, &c->computing, e)) {
		free_kept(k);
		return NULL;
	}
	struct exposure *exposed = arena_alloc(&k->mem, (c->x.n + 1) * sizeof *exposed);
	for (uint32_t i = 0; i < c->x.n; i++)
		exposed[i] = exposure_of(d, &c->x, &c->computing, &c->x.at[i]);
	c->exposed = exposed;
	return k;
}

const struct comms *comms_of(const struct derived *d, struct progress *p, struct err *e)
{
	static const struct kept_maker maker = {make, free_kept};
	const struct kept *k = derived_kept(d, &maker, p, e);
	return k ? &k->comms : NULL;
}
