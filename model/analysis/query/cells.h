/* model/analysis/query/cells.h - cells that several tables share: who a row is about. Unknown gives null. */
#ifndef STEPSCOPE_CELLS_H
#define STEPSCOPE_CELLS_H
#include "model/analysis/derived/derived.h"
#include "model/table.h"

/* What these three cells say: NULL or UNKNOWN_I64 = unknown. */
const char *host_known(const struct trace *t, uint32_t host);
int64_t rank_known(const struct trace *t, uint32_t host);
int64_t device_known(const struct trace *t, uint32_t device);
void cell_host(struct cell *c, const struct trace *t, uint32_t host);     /* name */
void cell_rank(struct cell *c, const struct trace *t, uint32_t host);     /* number */
void cell_device(struct cell *c, const struct trace *t, uint32_t device); /* ordinal; NONE_ID gives null */
void cell_pct(struct cell *c, int64_t part, int64_t whole);               /* 0-100; null when whole <= 0 */
/* The filter's verdict on an event, with its step's label. No filter: everything is wanted. */
struct query;
bool event_wanted(const struct derived *d, const struct query *q, row_id r);
#endif
