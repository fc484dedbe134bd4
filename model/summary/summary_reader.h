/* model/summary/summary_reader.h - a summary while tables are worked out of it (summary_tables.c, summary_calls.c). */
#ifndef STEPSCOPE_SUMMARY_READER_H
#define STEPSCOPE_SUMMARY_READER_H
#include "summary.h"
#include "model/analysis/comms/collectives.h"
#include "model/store/base/idmap.h"

struct step_sums {
	uint32_t row; /* of the steps */
	int64_t calls, bytes, smallest, largest, sum_ns, exposed_ns, wait_ns, transfer_ns, late_ns;
};
struct recording_sums {
	uint32_t steps, calls, matched, last;
	double step_ns, compute_ns, kernels, wait_ns;
	int64_t all_wait_ns, waited_for_ns, by_ns, alone_ns;
	bool together;
};
struct reader {
	const struct summary *s;
	struct arena *mem;
	struct idmap recordings, steps; /* texts, and (recording, start), by hash */
	struct collectives x;
	struct step_sums *of_step;         /* per row of the steps */
	struct recording_sums *of;         /* per recording */
	const uint32_t *host_of_recording; /* hosts in order of rank */
	uint32_t hosts;
	bool ranked;      /* step numbers are those of several hosts: labels name the rank, as those of traces do */
	int64_t begin_ns; /* the first moment that a row tells */
};

static inline const struct table *part(const struct reader *r, enum summary_part p)
{
	return r->s->parts[p];
}

static inline int64_t number(const struct table *t, uint32_t row, uint32_t c)
{
	const struct cell *cell = table_cell(t, row, c);
	return cell->null ? UNKNOWN_I64 : cell->i;
}

static inline const char *text(const struct table *t, uint32_t row, uint32_t c)
{
	const struct cell *cell = table_cell(t, row, c);
	return cell->null ? NULL : cell->s;
}

/* What the step of this row of the steps is called, in r's memory: "8", "r3:8" where several ranks have such a step. */
const char *summary_step_label(const struct reader *r, uint32_t step);
/* Recordings by rank, host, device and time, as traces have them. */
const uint32_t *summary_order(const struct reader *r);

/* ---- summary_calls.c ---- */
void summary_collectives_rows(struct reader *r, struct table *out);
void summary_hosts_rows(struct reader *r, struct table *out);
#endif
