/* Any bytes as a saved file: refused with a reason, or a trace in which everything can be looked at. Tried twice, as they
 * are and with checksums made right: else hardly a change would come past them.
 * Seeds: `stepscope pack tests/golden/X.json -o tests/fuzz/corpus/saved/X.stepscope`, again after a change of the format. */
#include "../../model/store/save_private.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at_rows(const struct trace *t)
{
	struct arena mem = {0};
	const row_id *work;
	for (row_id r = 0; r < trace_columns(t)->n; r++) {
		struct attr *list;
		size_t n;
		attrs_read(trace_attrs(t), number_at(trace_columns(t)->attrs, r), &mem, &list, &n);
		trace_str(t, trace_columns(t)->name[r]);
		trace_kernel(t, r);
		trace_copy(t, r);
		trace_host_detail(t, r);
		trace_end_attrs(t, r);
		trace_parent(t, r);
		trace_launched(t, r, &work);
	}
	arena_free(&mem);
}

static void look_at_tracks(const struct trace *t)
{
	enum { COLS = 7, ROWS = 3 };
	struct bin bins[COLS];
	char label[128];
	int64_t span_ns = trace_span_ns(t);
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct sample *samples;
		struct event_iter it = event_iter(t, i, span_ns / 3, span_ns, KINDS_ALL);
		while (event_next(&it))
			;
		for (uint32_t row = 0; row < ROWS && row < trace_track(t, i)->n_rows; row++)
			trace_bins(t, i, row, 0, span_ns + 1, COLS, bins);
		trace_innermost(t, i, span_ns / 2);
		trace_track_label(t, i, label, sizeof label);
		trace_samples(t, i, &samples);
	}
}

static void try_bytes(const uint8_t *data, size_t size)
{
	char path[64];
	struct err e = {.at = -1};
	int fd = memfd_create("saved", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	struct trace *t = trace_load(path, NULL, &e);
	if (!t && !e.msg[0])
		abort(); /* refused without a reason */
	if (t) {
		look_at_rows(t);
		look_at_tracks(t);
	}
	trace_free(t);
	close(fd);
}

/* True when the table of sections lies inside; then its checksums and those of its sections are right. */
static bool repair(uint8_t *data, size_t size)
{
	struct save_header h;
	struct save_section s;
	if (size < sizeof h)
		return false;
	memcpy(&h, data, sizeof h);
	size_t bytes = h.sections * sizeof s;
	if (h.sections > SAVE_MAX_SECTIONS || h.table_at > size || bytes > size - h.table_at)
		return false;
	for (size_t i = 0; i < h.sections; i++) {
		uint8_t *at = data + h.table_at + i * sizeof s;
		memcpy(&s, at, sizeof s);
		if (s.offset > size || s.stored > size - s.offset)
			continue;
		s.hash = codec_hash(data + s.offset, s.stored, 0);
		memcpy(at, &s, sizeof s);
	}
	h.table_hash = codec_hash(data + h.table_at, bytes, 0);
	memcpy(data, &h, sizeof h);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);
	if (!copy)
		abort();
	memcpy(copy, data, size);
	try_bytes(data, size);
	if (repair(copy, size))
		try_bytes(copy, size);
	free(copy);
	return 0;
}
