#include "kernel_details.h"
#include "model/analysis/kernels/occupancy.h"
#include "model/analysis/names/kernel_name.h"
#include "model/store/base/units.h"
#include "tui/explorer/reader.h"
#include <math.h>
#include <stdio.h>

void kernel_details_name(const struct state *st, struct reader *out, row_id r)
{
	struct arena mem = {0};
	const char *name = trace_str(st->t, trace_columns(st->t)->name[r]), *full = kernel_name_full(&mem, name);
	if (full != name)
		reader_add(out, INK_TEXT, "readable", full);
	arena_free(&mem);
}

/* Dimensions left out by the producer are 1. */
static void add_dims(struct reader *out, const char *key, const uint32_t dims[3])
{
	if (dims[0] != UNKNOWN_U32)
		reader_addf(out, key, "%u,%u,%u", dims[0], dims[1] == UNKNOWN_U32 ? 1 : dims[1],
			    dims[2] == UNKNOWN_U32 ? 1 : dims[2]);
}

static void add_bytes(struct reader *out, const char *key, uint32_t bytes)
{
	char buf[UNITS_BUF];
	if (bytes != UNKNOWN_U32)
		reader_add(out, INK_TEXT, key, fmt_bytes(buf, bytes));
}

static void add_waves(struct reader *out, const struct waves *w)
{
	char empty[UNITS_BUF];
	reader_addf(out, "blocks per SM", "%.4g", w->blocks_per_sm);
	if (!isnan(w->waves))
		reader_addf(out, "waves",
			    w->waves > 1 ? "%.4g; %s of the last one's places stay empty"
					 : "%.4g; %s of the places stay empty",
			    w->waves, fmt_pct(empty, w->tail_pct));
}

/* What the producer says may be an estimate, rounded, or 0 where it could not tell. */
static void add_fit(const struct state *st, struct reader *out, row_id r, const struct kernel_info *k)
{
	const struct track_info *track = trace_track(st->t, trace_columns(st->t)->track[r]);
	const struct device *d = track->device == NONE_ID ? NULL : trace_device(st->t, track->device);
	struct occupancy o;
	struct waves w;
	char buf[UNITS_BUF];
	if (!isnan(k->occupancy_pct))
		reader_addf(out, "occupancy", "%s as recorded", fmt_pct(buf, k->occupancy_pct));
	bool fits = d && occupancy_of(st->t, d, k, &o);
	if (fits)
		reader_addf(out, "fit", "%s with %u %s at a time%s%s", fmt_pct(buf, o.pct), o.blocks_per_sm,
			    o.blocks_per_sm == 1 ? "block" : "blocks", o.full ? "" : ", limited by ",
			    o.full ? "" : occupancy_limit_word(o.limit));
	if (d && waves_of(d, k, fits ? &o : NULL, &w))
		add_waves(out, &w);
}

void kernel_details(const struct state *st, struct reader *out, row_id r, const struct kernel_info *k)
{
	char buf[UNITS_BUF];
	add_dims(out, "grid", k->grid);
	add_dims(out, "block", k->block);
	if (k->registers != UNKNOWN_U32)
		reader_add(out, INK_TEXT, "registers", fmt_count(buf, k->registers));
	bool parts = k->static_smem_bytes != UNKNOWN_U32 && k->dynamic_smem_bytes != UNKNOWN_U32;
	add_bytes(out, parts ? "shared static" : "shared memory", k->static_smem_bytes);
	add_bytes(out, parts ? "shared dynamic" : "shared memory", k->dynamic_smem_bytes);
	add_fit(st, out, r, k);
	const char *module = trace_str(st->t, k->module), *shape = trace_str(st->t, k->shape);
	if (*module)
		reader_add(out, INK_TEXT, "module", module);
	if (*shape)
		reader_add(out, INK_TEXT, "shape", shape);
}
