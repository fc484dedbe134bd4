#include "metamap.h"
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

void metamap_set(struct metamap *m, int64_t id, uint32_t row)
{
	if (id >= 0 && id < METAMAP_DENSE) {
		set_dense(m, (size_t)id, row);
		return;
	}
	*idmap_put(&m->sparse, (uint64_t)id, row) = row;
}

int64_t metamap_sparse(const struct metamap *m, int64_t id)
{
	uint32_t row = idmap_get(&m->sparse, (uint64_t)id);
	return row == UINT32_MAX ? METAMAP_ABSENT : (int64_t)row;
}

void metamap_clear(struct metamap *m)
{
	m->n_dense = 0;
	idmap_clear(&m->sparse);
}

void metamap_free(struct metamap *m)
{
	free(m->dense);
	idmap_free(&m->sparse);
	*m = (struct metamap){0};
}
