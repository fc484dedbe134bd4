#include "capture_names.h"
#include "model/store/base/grow.h"
#include <stdlib.h>
#include <string.h>

bool names_init(struct names *n)
{
	*n = (struct names){.strings = strings_new(),
			    .shapes = {.row_bytes = sizeof(struct wire_shape)},
			    .places = {.row_bytes = sizeof(struct wire_place)}};
	return n->strings != NULL;
}

void names_free(struct names *n)
{
	strings_free(n->strings);
	pool_free(&n->shapes);
	pool_free(&n->places);
	n->strings = NULL;
}

void names_map_free(struct names_map *m)
{
	free(m->string);
	free(m->shape);
	free(m->place);
	*m = (struct names_map){0};
}

static bool enter(uint32_t **map, uint32_t *n, uint32_t id, uint32_t ours)
{
	if (id == 0 || id > POOL_MAX)
		return false;
	uint32_t had = *n;
	if (!TRY_GROW_ARRAY(*map, id, *n))
		return false;
	memset(*map + had, 0, (*n - had) * sizeof **map);
	(*map)[id] = ours;
	return true;
}

static uint32_t look_up(const uint32_t *map, uint32_t n, uint32_t id)
{
	return id < n ? map[id] : 0;
}

str_id names_string(const struct names_map *m, uint32_t id)
{
	return look_up(m->string, m->n_string, id);
}

uint32_t names_shape(const struct names_map *m, uint32_t id)
{
	return look_up(m->shape, m->n_shape, id);
}

uint32_t names_place(const struct names_map *m, uint32_t id)
{
	return look_up(m->place, m->n_place, id);
}

/* ---- definitions --------------------------------------------------------------------------------------------------- */

static bool define_string(struct names *n, struct names_map *m, const struct wire_frame *f)
{
	struct wire_string s;
	if (f->bytes < sizeof s)
		return false;
	memcpy(&s, f, sizeof s);
	if (s.n > f->bytes - sizeof s || s.n > WIRE_STRING_MAX)
		return false;
	bool room = strings_bytes(n->strings) < NAMES_MAX_BYTES;
	str_id ours = room ? strings_add(n->strings, (const char *)f + sizeof s, s.n) : 0;
	return enter(&m->string, &m->n_string, s.id, ours);
}

static bool define_shape(struct names *n, struct names_map *m, const struct wire_frame *f)
{
	struct wire_shape s;
	if (f->bytes != sizeof s)
		return false;
	memcpy(&s, f, sizeof s);
	uint32_t id = s.id;
	s.id = 0;
	s.f = (struct wire_frame){0};
	s.name = names_string(m, s.name);
	return enter(&m->shape, &m->n_shape, id, pool_add(&n->shapes, &s));
}

static bool define_place(struct names *n, struct names_map *m, const struct wire_frame *f)
{
	struct wire_place p;
	if (f->bytes != sizeof p)
		return false;
	memcpy(&p, f, sizeof p);
	uint32_t id = p.id;
	p.id = 0;
	p.f = (struct wire_frame){0};
	return enter(&m->place, &m->n_place, id, pool_add(&n->places, &p));
}

bool names_define(struct names *n, struct names_map *m, const struct wire_frame *f)
{
	switch (f->type) {
	case WIRE_STRING:
		return define_string(n, m, f);
	case WIRE_SHAPE:
		return define_shape(n, m, f);
	case WIRE_PLACE:
		return define_place(n, m, f);
	case WIRE_FORGET:
		names_map_free(m);
		return true;
	default:
		return false;
	}
}
