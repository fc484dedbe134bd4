/* live/inject/base/settings.h - what the environment asks of the library; read once, while the driver starts up. */
#ifndef STEPSCOPE_INJECT_SETTINGS_H
#define STEPSCOPE_INJECT_SETTINGS_H
#include "live/wire.h"

struct settings {
	bool disabled, yield, whole_graphs, latency;
	uint32_t start_kinds; /* 0: wait for a viewer's START */
	uint32_t flush_ms;
	uint64_t ring_bytes;
	uint64_t window_records;                /* device records between two rests of CUPTI, 0 = by its version */
	const char *viewer, *cupti, *raw, *log; /* NULL = unset; point into the environment as it was: copied */
	const char *runtime_dir;                /* XDG_RUNTIME_DIR */
};
/* Fills s from the environment; what is unset or wrong gets its default. */
void settings_read(struct settings *s);
#endif
