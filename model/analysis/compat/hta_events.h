/* model/analysis/compat/hta_events.h - the events that HolisticTraceAnalysis looks at, in its whole us; the rules stand in hta.h.
 * Life: hta_reader_open -> hta_reader_host for any host, in any order -> hta_reader_close. */
#ifndef STEPSCOPE_HTA_EVENTS_H
#define STEPSCOPE_HTA_EVENTS_H
#include "model/analysis/derived/derived.h"
#include "model/store/base/idmap.h"

struct hta_event {
	int64_t a_us, b_us, stream, launch_us;
	row_id row;
	bool compute;
};
struct hta_reader {
	const struct derived *d;
	uint32_t host;
	int64_t base_ns; /* the file's own time at 0 */
	bool fractional;
	int64_t first_us;   /* the start of the file's first event */
	int64_t until_ns;   /* the last ProfilerStep's start; INT64_MAX: no window */
	struct idmap calls; /* correlation -> row of the call; of a trace with a window */
	str_id stream_key;
	struct hta_event *at; /* of the host */
	size_t n, cap;
	struct arena scratch;
};
void hta_reader_open(struct hta_reader *x, const struct derived *d);
void hta_reader_host(struct hta_reader *x, uint32_t host);
void hta_reader_close(struct hta_reader *x);
/* Start and end of the event in whole us of the file's own time, rounded as hta.h says. */
int64_t hta_start_us(const struct hta_reader *x, row_id r);
int64_t hta_end_us(const struct hta_reader *x, row_id r);
#endif
