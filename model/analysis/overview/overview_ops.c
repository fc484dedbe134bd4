/* Where ops run, how many of them eagerly, and which take the time. */
#include "overview_parts.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/names/op_names.h"
#include "model/analysis/ops/op_index.h"
#include "model/analysis/query/keyed.h"

enum { TOP_OPS = 10 };

struct placed {
	int64_t count[OP_PLACES], self_ns[OP_PLACES], eager_ns[OP_PLACES], known_ns[OP_PLACES];
};

static struct placed add_up(const struct op_stats *s)
{
	struct placed p = {0};
	for (uint32_t i = 0; i < s->n; i++)
		for (int k = OP_DEVICE; k < OP_PLACES; k++) {
			const struct op_side *side = &s->at[i].side[k];
			p.eager_ns[k] += side->eager_ns;
			p.known_ns[k] += side->known_ns;
			if (s->at[i].lack)
				continue;
			p.count[k] += side->placed;
			p.self_ns[k] += side->leaf_ns;
		}
	return p;
}

/* Device work of no op, as a share of the self time of all device work: what goes by its place in a graph, or what has no name. */
static double lacking_pct(const struct op_stats *s, bool placed)
{
	int64_t lacking_ns = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->at[i].lack && (s->at[i].lack == OP_LACKS_PLACED) == placed)
			lacking_ns += s->at[i].side[OP_DEVICE].self_ns;
	return keyed_pct((double)lacking_ns, (double)s->self_ns[OP_DEVICE]);
}

/* A program of which no device, or none of the host's ops were recorded, tells nothing about placement. */
static bool tells_placement(const struct derived *d, const struct op_stats *s)
{
	if (derived_options(d)->semantics == SEM_XPROF)
		return true;
	bool host_ops = s->self_ns[OP_HOST] > 0 || (s->tracks[OP_HOST] && !ops_are_torch(d));
	return s->tracks[OP_DEVICE] && host_ops;
}

static void add_placement(struct table *t, const struct placed *p, bool known)
{
	double n = known ? (double)(p->count[OP_DEVICE] + p->count[OP_HOST]) : 0;
	double ns = known ? (double)(p->self_ns[OP_DEVICE] + p->self_ns[OP_HOST]) : 0;
	keyed_real(t, "device_ops_count_pct", UNIT_PERCENT, keyed_pct((double)p->count[OP_DEVICE], n),
		   "Share of the ops, by count, that run on devices, not on the host.");
	keyed_real(t, "host_ops_count_pct", UNIT_PERCENT, keyed_pct((double)p->count[OP_HOST], n),
		   "Share of the ops that run on the host, by count. Ops that call others or start device work do not "
		   "count here.");
	keyed_real(t, "device_ops_time_pct", UNIT_PERCENT, keyed_pct((double)p->self_ns[OP_DEVICE], ns),
		   "Share of the self time of all ops that is spent on devices.");
	keyed_real(t, "host_ops_time_pct", UNIT_PERCENT, keyed_pct((double)p->self_ns[OP_HOST], ns),
		   "Share of the self time of all ops that is spent on the host.");
	keyed_int(t, "device_ops", UNIT_COUNT, p->count[OP_DEVICE], "Runs of ops on devices.");
	keyed_int(t, "host_ops", UNIT_COUNT, p->count[OP_HOST], "Runs of ops on the host.");
}

static void add_eager(struct table *t, const struct placed *p)
{
	static const char *const keys[] = {[OP_DEVICE] = "eager_device_pct", [OP_HOST] = "eager_host_pct"};
	for (int k = OP_DEVICE; k < OP_PLACES; k++)
		keyed_real(t, keys[k], UNIT_PERCENT, keyed_pct((double)p->eager_ns[k], (double)p->known_ns[k]),
			   k == OP_DEVICE ? "Share of device ops' self time that no function or graph launched."
					  : "Share of the host ops' self time that ran op by op, not as part of a "
					    "function or graph.");
}

static void add_op(struct table *t, const struct derived *d, const struct op_stats *s, enum op_place place, uint32_t op,
		   unsigned rank)
{
	const struct op_stat *x = &s->at[op];
	const struct op_side *side = &x->side[place];
	row_id r = side->longest;
	int64_t a_ns = r == NONE_ID ? 0 : derived_columns(d)->start_ns[r],
		b_ns = r == NONE_ID ? 0 : row_end(derived_columns(d), r);
	const char *type = arena_strndup(t->mem, x->type.p, x->type.n);
	keyed_text(t, arena_printf(t->mem, "top_op_%u", rank), arena_strndup(t->mem, x->name.p, x->name.n),
		   arena_printf(t->mem, "%s on %s", *type ? type : "op", place == OP_DEVICE ? "devices" : "the host"));
	table_evidence(t, a_ns, b_ns, &r, r != NONE_ID);
	keyed_int(t, arena_printf(t->mem, "top_op_%u_ns", rank), UNIT_NS, side->self_ns,
		  rank == 1 ? "Self time of this op." : NULL);
	table_evidence(t, a_ns, b_ns, &r, r != NONE_ID);
	keyed_real(t, arena_printf(t->mem, "top_op_%u_pct", rank), UNIT_PERCENT,
		   keyed_pct((double)side->self_ns, (double)s->self_ns[place]),
		   rank == 1 ? "Share of the self time of all ops of that side." : NULL);
	table_evidence(t, a_ns, b_ns, &r, r != NONE_ID);
}

/* Of devices; of the host where no device did anything. */
static void add_top(struct table *t, const struct derived *d, const struct op_stats *s)
{
	uint32_t n, *order = op_stats_order(s, OP_DEVICE, t->mem, &n), shown = 0;
	enum op_place place = OP_DEVICE;
	if (!n && derived_options(d)->semantics != SEM_XPROF) {
		place = OP_HOST;
		order = op_stats_order(s, place, t->mem, &n);
	}
	for (uint32_t i = 0; i < n && shown < TOP_OPS; i++)
		if (!s->at[order[i]].lack || s->at[order[i]].lack == OP_LACKS_PLACED)
			add_op(t, d, s, place, order[i], ++shown);
}

void overview_ops(struct table *t, const struct derived *d, const struct op_stats *s)
{
	struct placed p = add_up(s);
	add_placement(t, &p, tells_placement(d, s));
	keyed_real(t, "no_op_time_pct", UNIT_PERCENT, lacking_pct(s, false),
		   "Share of the device work's self time that belongs to no op; the table ops says why.");
	if (lacking_pct(s, true) > 0)
		keyed_real(t, "graph_place_time_pct", UNIT_PERCENT, lacking_pct(s, true),
			   "Share of the device work's self time that replayed graphs launched and that goes by its "
			   "place in them, "
			   "as no op is recorded.");
	add_eager(t, &p);
	add_top(t, d, s);
}
