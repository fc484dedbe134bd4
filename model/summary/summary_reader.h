/* model/summary/summary_reader.h - a summary while tables are worked out of it (summary_tables.c, summary_calls.c). */
#ifndef STEPSCOPE_SUMMARY_READER_H
#define STEPSCOPE_SUMMARY_READER_H
#include "summary.h"
#include "model/analysis/comms/comm_steps.h"
#include "model/analysis/comms/lateness.h"
#include "model/analysis/steps/step_phase.h"
#include "model/store/base/idmap.h"
#include <string.h>

struct recording_sums {
	uint32_t steps, calls;
	double step_ns, compute_ns, kernels, wait_ns;
	int64_t exposed_wait_ns; /* of wait_ns, what no compute hides; UNKNOWN_I64 */
	bool together;
};
/* What version 2 tells of the steps. */
struct summary_steps {
	uint32_t *of;          /* per row of the steps: which step it is, on all devices of its host */
	struct phase_step *at; /* those steps */
	struct job_steps *job; /* which of them are one on all ranks */
	uint8_t *phases;       /* of each, an enum step_phase */
	bool steady_only;      /* there are steady ones, which alone carry means */
	uint32_t n;
};
struct reader {
	const struct summary *s;
	struct arena *mem;
	struct idmap recordings, steps; /* texts, and (recording, start), by hash */
	struct collectives x;
	struct comm_step *of_step; /* per row of the steps */
	struct recording_sums *of; /* per recording */
	struct summary_steps steps_told;
	struct exposure *exposed; /* by place in x.at; ns UNKNOWN_I64 where it is not told */
	uint32_t *before;         /* by place: the call before it on its device; NONE_ID: it is the first there */
	struct lateness *late;    /* per recording */
	const char **names;       /* of main events; struct lateness.main are places here */
	uint32_t n_names;
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

static inline uint64_t summary_key(const char *id, int64_t with)
{
	return idmap_hash(id, strlen(id), (uint64_t)with);
}

/* What the step of this row of the steps is called, in r's memory: "8", "r3:8" where several ranks have such a step. */
const char *summary_step_label(const struct reader *r, uint32_t step);
/* Recordings by rank, host, device and time, as traces have them. */
const uint32_t *summary_order(const struct reader *r);

/* The step of a row carries means. */
bool summary_counts(const struct reader *r, uint32_t step);
enum step_phase summary_phase(const struct reader *r, uint32_t step);

/* ---- summary_facts.c: what version 2 tells ---- */
void summary_find_steps(struct reader *r); /* once times are on one axis */
void summary_free_steps(struct reader *r);
void summary_find_exposed(struct reader *r);
void summary_find_late(struct reader *r);
/* The call before it on its device, in the same step; NONE_ID: it is the first one there. */
uint32_t summary_before_in_step(const struct reader *r, uint32_t i);

/* ---- summary_calls.c ---- */
void summary_collectives_rows(struct reader *r, struct table *out);
void summary_hosts_rows(struct reader *r, struct table *out);
#endif
