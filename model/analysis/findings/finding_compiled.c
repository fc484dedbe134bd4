/* Rules about what torch.compile compiled, from the table 'compiled_regions': where its graphs break, and graphs too small to pay. */
#include "finding_ctx.h"
#include "model/analysis/compiled/regions_columns.h"
#include <math.h>

enum { EAGER_WARN_PCT = 10, SMALL_CALLS = 20, SMALL_TIMES = 2 };

static const char one_graph[] =
	"TORCH_LOGS=graph_breaks names the reason. Keep logging, .item() and print out of compiled code, or compile "
	"with fullgraph=True, which raises an error where a graph would break.";
static const char larger_regions[] =
	"Compile a larger part of the model as one graph, or let CUDA graphs launch the parts: "
	"torch.compile(mode=\"reduce-overhead\").";

/* Only where a graph breaks: a copy of an argument beside the one graph is no island. */
static void say_breaks(struct finding_ctx *c, const struct table *t, double breaks)
{
	static const char outer[] = "called_by_region=null";
	uint32_t row = row_of_most(t, COL_COMPILED_REGIONS_EAGER_NS);
	double eager_ns = from_rows(c, "eager_ns", t, COL_COMPILED_REGIONS_EAGER_NS, NULL),
	       all_ns = from_rows(c, "region_ns", t, COL_COMPILED_REGIONS_TIME, outer);
	double pct = made_of(c, "eager_pct", all_ns > 0 ? 100 * eager_ns / all_ns : 0, UNIT_PERCENT,
			     "100 * eager_ns / region_ns");
	const char *op = from_text(c, "longest_eager", t, row, COL_COMPILED_REGIONS_EAGER);
	enum finding_state state = pct >= EAGER_WARN_PCT ? FINDING_WARN : FINDING_INFO;
	struct finding *x = say(
		c, state,
		"Compiled graphs break %s %s: %s of %s in compiled regions (%s) run op by op between the graphs%s%s.",
		count_text(c, breaks), breaks == 1 ? "time" : "times", ns_text(c, eager_ns), ns_text(c, all_ns),
		pct_text(c, pct), op ? ", the longest op of it " : "", op ? op : "");
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->threshold = EAGER_WARN_PCT;
	x->lost_ns = llround(eager_ns);
	x->formula = "time of the host in ops inside compiled regions that no compiled graph runs / time of the "
		     "outermost regions; "
		     "moderate from 10 %";
	x->advice = one_graph;
	show_row(c, x, t, row);
}

void finding_graph_breaks(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "compiled_regions");
	double graphs = t && t->n_rows ? from_rows(c, "graph_calls", t, COL_COMPILED_REGIONS_GRAPHS, NULL) : 0;
	if (!graphs) {
		say_nothing(c, "no compiled graph is called inside a compiled region");
		return;
	}
	double breaks = from_rows(c, "graph_breaks", t, COL_COMPILED_REGIONS_BREAKS, NULL);
	if (breaks > 0) {
		say_breaks(c, t, breaks);
		return;
	}
	say(c, FINDING_PASS, "No compiled graph breaks: %s %s run whole.", count_text(c, graphs),
	    graphs == 1 ? "call" : "calls")
		->formula = "regions that other regions call";
}

void finding_small_graphs(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "compiled_regions");
	double calls = column_sum(t, COL_COMPILED_REGIONS_GRAPHS), work = column_sum(t, COL_COMPILED_REGIONS_WORK);
	if (calls < SMALL_CALLS || work <= 0) {
		say_nothing(c, "fewer than 20 calls of compiled graphs, or none with work on a device");
		return;
	}
	double host_ns = from_rows(c, "graph_ns", t, COL_COMPILED_REGIONS_GRAPH_NS, NULL),
	       device_ns = from_rows(c, "graph_device_ns", t, COL_COMPILED_REGIONS_DEVICE, NULL);
	from_known(c, "graph_calls", calls, t, COL_COMPILED_REGIONS_GRAPHS, NULL);
	from_known(c, "graph_device_work", work, t, COL_COMPILED_REGIONS_WORK, NULL);
	double times = made_of(c, "host_times", device_ns > 0 ? host_ns / device_ns : INFINITY, UNIT_NONE,
			       "graph_ns / graph_device_ns");
	bool small = times >= SMALL_TIMES;
	struct finding *x = say(c, small ? FINDING_WARN : FINDING_PASS,
				"%.0f calls of compiled graphs launch %.1f kernels or copies each, which take %s on "
				"the device; the call itself takes %s on the host.",
				calls, work / calls, ns_text(c, device_ns / calls), ns_text(c, host_ns / calls));
	x->value = times;
	x->unit = UNIT_NONE;
	x->threshold = SMALL_TIMES;
	x->formula = "time of the host in calls of compiled graphs / time of their work on the device; small from 2";
	x->advice = small ? larger_regions : NULL;
	show_row(c, x, t, row_of_most(t, COL_COMPILED_REGIONS_GRAPHS));
}
