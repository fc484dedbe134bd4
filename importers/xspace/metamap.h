/* importers/xspace/metamap.h - from a metadata id of the file (any int64) to a row of ours.
 * Shape:  writers count ids up from 1, so small ids index an array; the others (hashes, program ids) sit in a table. */
#ifndef STEPSCOPE_XSPACE_METAMAP_H
#define STEPSCOPE_XSPACE_METAMAP_H
#include "model/store/base/idmap.h"
#include <stddef.h>
#include <stdint.h>

enum { METAMAP_ABSENT = -1, METAMAP_DENSE = 1 << 20 };
struct metamap {
	uint32_t *dense; /* row + 1 by id */
	size_t n_dense, dense_cap;
	struct idmap sparse;
};

/* The last row set for an id wins. */
void metamap_set(struct metamap *m, int64_t id, uint32_t row);
int64_t metamap_sparse(const struct metamap *m, int64_t id);
void metamap_clear(struct metamap *m);
void metamap_free(struct metamap *m);

static inline int64_t metamap_get(const struct metamap *m, int64_t id)
{
	if ((uint64_t)id < m->n_dense)
		return (int64_t)m->dense[id] - 1;
	return metamap_sparse(m, id);
}
#endif
