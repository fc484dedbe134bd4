/* importers/rocpd/rocpd.h - what the files that read a database of rocprofv3 share. Its tables carry a suffix, the same for all that one
 * process wrote; a file that was merged holds several such sets, each a host of its own. Numbers of one table name rows of another. */
#ifndef STEPSCOPE_ROCPD_H
#define STEPSCOPE_ROCPD_H
#include "importers/database/walk.h"
#include "model/store/base/idmap.h"
#include "model/store/ingest/ingest.h"

struct rocpd_agent {
	int64_t id, number; /* row; of the GPU */
	bool is_gpu, described;
	str_id name, vendor;
	int64_t compute_units;
};
struct rocpd {
	struct ingest *in;
	struct notes *notes;
	struct strings *strings;
	struct attrs *attrs;
	struct progress *progress;
	struct database *db;
	const char *suffix; /* of the set being read */
	uint32_t host;
	/* of the set: texts, and what rows of other tables say */
	struct lookup *texts, *stacks, *correlations, *categories, *symbols, *plain_symbols, *registers;
	struct idmap text_of, kernel_of; /* row -> str_id */
	struct idmap process_of;         /* row -> process of the ingest */
	struct idmap thread_of;          /* row -> track */
	struct idmap stream_name;        /* row -> str_id */
	struct rocpd_agent *agents;
	uint32_t n_agents, cap_agents;
	str_id memory_lane, hip;
};

/* Names without the suffix; the reader is a struct rocpd. */
extern const struct row_table rocpd_tables[];      /* rows.c: what happened; up to a row without a name */
extern const struct row_table rocpd_info_tables[]; /* info.c: who is who */

/* ---- info.c ---- */
str_id rocpd_text(struct rocpd *x, int64_t row);
uint32_t rocpd_process(struct rocpd *x, int64_t row);
uint32_t rocpd_thread(struct rocpd *x, int64_t row, int64_t process);
/* The GPU's device of the ingest; NONE_ID: no GPU. */
uint32_t rocpd_device(struct rocpd *x, int64_t agent);
uint32_t rocpd_stream(struct rocpd *x, uint32_t device, int64_t row);
void rocpd_set_begin(struct rocpd *x);
void rocpd_set_end(struct rocpd *x);
#endif
