/* model/store/saved/load_check.c - every id of a loaded file must stay inside the trace, and the order of rows must be the one
 * that queries rely on. */
#include "load_private.h"

static bool text_ok(const struct trace *t, str_id id)
{
	return id < strings_count(t->strings);
}

static bool processes_ok(const struct trace *t)
{
	uint32_t texts = strings_count(t->strings);
	bool ok = true;
	for (uint32_t i = 0; i < t->n_processes; i++) {
		const struct process *x = &t->processes[i];
		ok &= x->host < t->n_hosts && x->name < texts && x->labels < texts;
	}
	return ok;
}

/* Time 0 on the source's clock and on the wall, far enough from the ends of what 64 bits hold. */
static bool times_ok(const struct trace *t)
{
	int64_t end_ns;
	return t->span_ns >= 0 && !__builtin_add_overflow(t->base_ns, t->span_ns, &end_ns) &&
	       (t->epoch_ns == UNKNOWN_I64 || !__builtin_add_overflow(t->epoch_ns, t->span_ns, &end_ns));
}

static bool owners_ok(const struct trace *t)
{
	bool ok = processes_ok(t);
	for (uint32_t i = 0; i < t->n_hosts; i++)
		ok &= text_ok(t, t->hosts[i].name);
	for (uint32_t i = 0; i < t->n_devices; i++)
		ok &= t->devices[i].host < t->n_hosts && text_ok(t, t->devices[i].name) &&
		      text_ok(t, t->devices[i].vendor);
	return ok;
}

static bool track_ok(const struct trace *t, const struct trace_track *k, uint32_t texts)
{
	const struct track_info *x = &k->info;
	bool device = x->kind == TRACK_STREAM || x->kind == TRACK_STREAM_LANE;
	bool owner = device ? x->device < t->n_devices && x->process == NONE_ID
			    : x->process < t->n_processes && x->device == NONE_ID;
	return (unsigned)x->kind < TRACK_KINDS && x->host < t->n_hosts && owner && x->name < texts && x->lane < texts &&
	       x->n_rows <= 65535 && x->n_rows <= x->n + 1 && k->lane0_rows <= x->n_rows;
}

static bool tracks_ok(const struct trace *t)
{
	uint32_t texts = strings_count(t->strings);
	bool ok = true;
	for (uint32_t i = 0; i < t->n_tracks; i++)
		ok &= track_ok(t, &t->tracks[i], texts);
	return ok;
}

static bool hlo_ok(const struct trace *t, uint32_t row)
{
	return !row || row < t->hlos.n;
}

static bool side_columns_ok(const struct trace *t, enum side_table i, const void *rows, uint64_t n)
{
	const struct side_table_info *x = &side_tables[i];
	bool ok = true;
	for (uint32_t k = 0; k < x->n_columns; k++) {
		uint32_t below = x->columns[k].below == SIDE_TEXT ? strings_count(t->strings) : x->columns[k].below;
		ok &= below == SIDE_ANY || side_column_below(x, &x->columns[k], rows, n, below);
	}
	return ok;
}

/* Rows of events are looked up by halving, so their events must ascend. */
static bool side_events_ok(const struct trace *t, enum side_table i)
{
	const struct column *c = &t->side[i];
	uint64_t next = 0;
	for (size_t k = 0; k < c->n; k++) {
		const uint64_t *event = (const void *)((const char *)c->p + k * c->size);
		if (*event < next || *event >= t->c.n)
			return false;
		next = *event + 1;
	}
	return true;
}

static bool side_tables_ok(const struct trace *t)
{
	bool ok = true;
	for (enum side_table i = 0; i < SIDE_TABLE_COUNT; i++)
		ok &= side_tables[i].saved == SIDE_BY_HAND ||
		      (side_columns_ok(t, i, t->side[i].p, t->side[i].n) &&
		       (side_tables[i].rows != SIDE_OF_EVENTS || side_events_ok(t, i)));
	const struct copy_info *c = t->copies.p;
	for (size_t i = 0; i < t->copies.n; i++)
		ok &= hlo_ok(t, c[i].hlo);
	return ok;
}

bool load_check_kernels(const struct trace *t, const struct kernel_info *rows, uint64_t n)
{
	bool ok = side_columns_ok(t, SIDE_KERNELS, rows, n);
	for (uint64_t i = 0; i < n; i++)
		ok &= hlo_ok(t, rows[i].hlo);
	return ok;
}

bool load_check_flows(const struct trace *t)
{
	bool ok = true;
	for (uint64_t i = 0; i < t->n_flows; i++)
		ok &= t->flows[i].from < t->c.n && t->flows[i].to < t->c.n && text_ok(t, t->flows[i].category);
	return ok;
}

bool load_check_owners(const struct trace *t)
{
	return times_ok(t) && owners_ok(t) && tracks_ok(t) && side_tables_ok(t);
}

/* ---- rows ----------------------------------------------------------------------------------------------------------- */

/* What numbers of a row must stay below. */
struct bounds {
	uint64_t detail[UINT8_MAX + 1]; /* by kind; 0 for a kind that is none */
	uint32_t texts;
	uint64_t span_ns;
};

static void set_bounds(const struct trace *t, struct bounds *b)
{
	*b = (struct bounds){.texts = strings_count(t->strings), .span_ns = (uint64_t)t->span_ns};
	for (int kind = 0; kind < KIND_COUNT; kind++) {
		bool kernel = kind == KIND_KERNEL || kind == KIND_DEVICE_OTHER;
		bool copy = kind == KIND_COPY || kind == KIND_MEMSET;
		uint64_t n = kernel ? t->kernels.n : copy ? t->copies.n : t->host_details.n;
		b->detail[kind] = n ? n : 1; /* 0 = none is always right */
	}
}

static bool row_ok(const struct trace *t, const struct bounds *b, uint32_t n_rows, uint64_t r)
{
	uint64_t start_ns = (uint64_t)t->start_ns[r], dur_ns = (uint64_t)t->dur_ns[r]; /* negative: beyond any span */
	/* one test without a branch per row: all of them pass, and there are millions */
	return (start_ns <= b->span_ns) & (dur_ns <= b->span_ns - start_ns) & (t->name[r] < b->texts) &
	       (t->disp[r] < n_rows) & (t->detail[r] < b->detail[t->kind[r]]);
}

static bool in_order(const struct trace *t, uint64_t r)
{
	return t->start_ns[r] > t->start_ns[r - 1] ||
	       (t->start_ns[r] == t->start_ns[r - 1] && t->dur_ns[r] <= t->dur_ns[r - 1]);
}

enum { SUM_BITS = 62 }; /* of all durations, see survey */

bool load_check_sum(uint64_t a_ns, uint64_t b_ns)
{
	const uint64_t most_ns = UINT64_C(1) << SUM_BITS;
	return a_ns <= most_ns && b_ns <= most_ns - a_ns;
}

uint64_t load_check_rows(const struct trace *t, uint64_t from, uint64_t to, uint64_t *sum_ns)
{
	struct bounds b;
	*sum_ns = 0;
	set_bounds(t, &b);
	for (uint32_t i = 0; i < t->n_tracks; i++) {
		const struct track_info *x = &t->tracks[i].info;
		uint64_t r = x->first > from ? x->first : from, end = x->first + x->n < to ? x->first + x->n : to;
		for (; r < end; r++) {
			/* a sum that could wrap with the next row is beyond all bounds already */
			if (!row_ok(t, &b, x->n_rows, r) || (r > x->first && !in_order(t, r)) ||
			    *sum_ns >> SUM_BITS > 1)
				return r;
			*sum_ns += (uint64_t)t->dur_ns[r];
		}
	}
	return UINT64_MAX;
}
