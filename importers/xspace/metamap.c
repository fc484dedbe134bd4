#include "metamap.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"
#include <string.h>

static void set_dense(struct metamap *m, size_t id, uint32_t row)
{
	GROW_ARRAY(m->dense, id, m->dense_cap);
	if (id >= m->n_dense) {
		memset(m->dense + m->n_dense, 0, (id + 1 - m->n_dense) * sizeof *m->dense);
		m->n_dense = id + 1;
	}
	m->dense[id] = row + 1;
}

/* The slot of id, or the empty one where it belongs. */
static struct metamap_slot *slot_of(struct metamap_slot *slots, size_t n, int64_t id)
{
	size_t i = (size_t)(((uint64_t)id * 0x9e3779b97f4a7c15u) >> 20) & (n - 1);
	while (slots[i].row_1 && slots[i].id != id)
		i = (i + 1) & (n - 1);
	return &slots[i];
}

static void widen(struct metamap *m)
{
	size_t n = m->n_slots ? m->n_slots * 2 : 64;
	struct metamap_slot *slots = must(calloc(n, sizeof *slots));
	for (size_t i = 0; i < m->n_slots; i++)
		if (m->slots[i].row_1)
			*slot_of(slots, n, m->slots[i].id) = m->slots[i];
	free(m->slots);
	m->slots = slots;
	m->n_slots = n;
}

void metamap_set(struct metamap *m, int64_t id, uint32_t row)
{
	if (id >= 0 && id < METAMAP_DENSE) {
		set_dense(m, (size_t)id, row);
		return;
	}
	if (m->n_sparse * 2 >= m->n_slots)
		widen(m);
	struct metamap_slot *s = slot_of(m->slots, m->n_slots, id);
	m->n_sparse += !s->row_1;
	*s = (struct metamap_slot){id, row + 1};
}

int64_t metamap_sparse(const struct metamap *m, int64_t id)
{
	return m->n_slots ? (int64_t)slot_of(m->slots, m->n_slots, id)->row_1 - 1 : METAMAP_ABSENT;
}

void metamap_clear(struct metamap *m)
{
	m->n_dense = 0;
	m->n_sparse = 0;
	if (m->n_slots)
		memset(m->slots, 0, m->n_slots * sizeof *m->slots);
}

void metamap_free(struct metamap *m)
{
	free(m->dense);
	free(m->slots);
	*m = (struct metamap){0};
}
