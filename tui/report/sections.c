/* tui/report/sections.c - which tables a report carries, as data. */
#include "content.h"
#include "cut.h"
#include "model/analysis/overview/top.h"
#include "tui/tables/human_table.h"
#include "tui/tables/kernel_names.h"
#include "tui/text/labels.h"
#include <string.h>

enum { FOR_ALL = 1 << WINDOW_ALL, FOR_TIME = 1 << WINDOW_TIME, FOR_STEP = 1 << WINDOW_STEP, FOR_GAP = 1 << WINDOW_GAP };
enum { NOT_GAP = FOR_ALL | FOR_TIME | FOR_STEP, ANY = NOT_GAP | FOR_GAP, NAME_COLS = 56 };

struct spec {
	const char *analysis, *title, *intro;
	const char *brief, *wide; /* columns; wide NULL = all, brief NULL = all */
	const char *sort;         /* when rows must go */
	unsigned kinds;
	bool whole; /* about the whole trace, whatever the window */
	bool (*keep)(const struct table *t, uint32_t row, const char *word);
};

static bool text_is(const struct table *t, uint32_t row, const char *column, const char *word)
{
	int col = table_column(t, column);
	const struct cell *c = col < 0 ? NULL : table_cell(t, row, (uint32_t)col);
	return c && !c->null && c->type == CELL_TEXT && strcmp(c->s, word) == 0;
}

static bool has_scope(const struct table *t, const char *word)
{
	for (uint32_t r = 0; r < t->n_rows; r++)
		if (text_is(t, r, "scope", word))
			return true;
	return false;
}

/* Gaps between steps are the story; without steps the devices' idle times are, then those of the streams. */
static const char *story(const struct table *t)
{
	return has_scope(t, "step") ? "step" : has_scope(t, "device") ? "device" : "stream";
}

static bool keep_gap(const struct table *t, uint32_t row, const char *scope)
{
	return text_is(t, row, "scope", scope);
}

static const char redacting[] = "redacting";

/* What a producer recorded about its environment stays at home: published traces have carried live tokens. */
static bool keep_fact(const struct table *t, uint32_t row, const char *word)
{
	if (strcmp(word, redacting) == 0 && text_is(t, row, "key", "device"))
		return false; /* with several hosts it begins with a host's name; the table of devices has the rest */
	static const char *const allowed[] = {
		"format",       "producer", "producer_version", "devices",      "hosts",
		"processes",    "tracks",   "streams",          "threads",      "events",
		"steps",        "sources",  "entries_in_file",  "events_shown", "events_merged",
		"events_noted", "span_ns",  "device",           "device_name"};
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
		if (text_is(t, row, "key", allowed[i]))
			return true;
	return false;
}

static bool keep_met(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	int col = table_column(t, "count");
	return col < 0 || table_cell(t, row, (uint32_t)col)->null || table_cell(t, row, (uint32_t)col)->i > 0;
}

/* Inside steps there are hundreds of groups; those that cost next to nothing would only fill the page. */
static bool keep_group(const struct table *t, uint32_t row, const char *word)
{
	enum { WORTH_PCT = 1 };
	(void)word;
	int col = table_column(t, "saved_pct");
	const struct cell *saved = col < 0 ? NULL : table_cell(t, row, (uint32_t)col);
	return text_is(t, row, "scope", "step") || (saved && !saved->null && saved->r >= WORTH_PCT);
}

/* Where nothing tells forward from backward there is nothing to say. */
static bool keep_phases(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	int by = table_column(t, "by");
	return by >= 0 && !table_cell(t, row, (uint32_t)by)->null;
}

/* Where it is known what fits. */
static bool keep_shape(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	int col = table_column(t, "waves");
	return col >= 0 && !table_cell(t, row, (uint32_t)col)->null;
}

/* Hundreds of calls start next to nothing. Where none starts device work, the host's time is the story. */
static bool keep_worth(const struct table *t, uint32_t row, const char *word)
{
	enum { WORTH_PCT = 1 };
	int share = table_column(t, "device_pct");
	const struct cell *c = table_cell(t, row, (uint32_t)share);
	(void)word;
	return c->null || c->r >= WORTH_PCT;
}

/* What neither the roof nor a rate is known of tells nothing here. */
static bool keep_limited(const struct table *t, uint32_t row, const char *word)
{
	int share = table_column(t, "share_pct"), rate = table_column(t, "flop_rate");
	(void)word;
	return !table_cell(t, row, (uint32_t)share)->null || !table_cell(t, row, (uint32_t)rate)->null;
}

/* Streams, not their buckets of time. */
static bool keep_whole_queue(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	int bucket = table_column(t, "bucket");
	return bucket < 0 || table_cell(t, row, (uint32_t)bucket)->null;
}

static bool keep_known(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return !table_cell(t, row, 1)->null;
}

static bool no_kernels(const struct table *overview)
{
	const struct cell *n = cut_value(overview, "kernels");
	return !n || n->i == 0;
}

/* What the cards, the gaps and the kernels do not say already. */
static bool keep_headline(const struct table *t, uint32_t row, const char *word)
{
	static const char *const elsewhere[] = {
		"gap_", "top_kernel_", "notes_", "device_busy_pct:", "busy_ns", "idle_", "span_ns"};
	const struct cell *key = table_cell(t, row, 0);
	(void)word;
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
		if (key->null || strncmp(key->s, elsewhere[i], strlen(elsewhere[i])) == 0)
			return false;
	if (no_kernels(t) && (strncmp(key->s, "kernel", 6) == 0 || strncmp(key->s, "tensor_core", 11) == 0))
		return false;
	return !table_cell(t, row, 1)->null;
}

#define GAP_COLS "gap before after dur_ns share_pct verdict confidence cause cause_ns"
#define GAP_WIDE                                                                                                   \
	"gap device stream before after start_ns dur_ns share_pct marker_gap_ns verdict confidence lost_ns cause " \
	"cause_ns"
#define GROUP_COLS "place verdict count mean_ns per_step every_k period_ns period_every_k_ns saved_pct"
#define GROUP_WIDE                                                                                              \
	"group scope device place count of mean_ns total_ns verdict confidence cause lost_ns per_step every_k " \
	"period_ns "                                                                                            \
	"period_every_k_ns saved_pct advice longest_gap"
#define ITERATOR_COLS "pipeline iterator parent calls total_ns self_ns bottleneck"
#define ITERATOR_WIDE "pipeline depth iterator parent calls total_ns self_ns blocking bottleneck parameters"
#define KERNEL_WIDE   "name count total_ns share_pct avg_ns min_ns max_ns uses_tc precision op family forms"
#define STEP_WIDE                                                                                                    \
	"step cut rank device start_ns dur_ns device_compute_ns device_to_device_ns collectives_ns host_compute_ns " \
	"kernel_launch_ns input_ns output_ns compilation_ns other_ns"
#define DEVICE_COLS "device name kernels kernel_ns busy_ns idle_ns span_ns"
#define DEVICE_WIDE "rank device name kernels kernel_ns busy_ns idle_ns span_ns"
#define STREAM_WIDE                                                                                                    \
	"rank device stream name role events kernels kernel_ns copies copy_bytes memsets busy_ns compute_pct h2d_pct " \
	"d2h_pct d2d_pct collective_pct"
#define PHASE_COLS "step device forward_ns loss_ns backward_ns optimizer_ns other_ns by"
#define PHASE_WIDE                                                                                           \
	"step device work_ns forward_ns forward_pct loss_ns loss_pct backward_ns backward_pct optimizer_ns " \
	"optimizer_pct "                                                                                     \
	"other_ns other_pct by"
#define FUSION_COLS "ops scope kernels count in_ns between_ns saved_ns saved_pct"
#define COPY_COLS   "kind size count bytes bytes_per_s op expected blocked_ns"
#define COPY_WIDE                                                                                             \
	"kind from to size count bytes total_ns bytes_per_s peak_pct memory op op_by caller per_step places " \
	"in_steps expected blocked_ns"
#define STEP_COLS  "step cut device dur_ns device_compute_ns kernel_launch_ns input_ns host_compute_ns other_ns"
#define SHAPE_COLS "name grid block count total_ns occupancy_pct limited_by waves tail_loss_pct"
#define SHAPE_WIDE                                                                                                  \
	"name op grid block registers smem_bytes count total_ns avg_ns p50_ns p99_ns per_step blocks_per_sm waves " \
	"tail_pct tail_loss_pct "                                                                                   \
	"occupancy_pct theoretical_pct occupancy_by limited_by stream graph_pct"
#define FAMILY_COLS "family share_pct total_ns count kernels avg_ns tc_pct top_kernel"
#define FAMILY_WIDE "family what share_pct total_ns count kernels avg_ns per_step tc_pct tc_unknown_pct top_kernel"
#define TOTAL_COLS  "device calls latency_p50_ns latency_p99_ns launch_bound_ns launch_bound_pct graph_pct queue_max"
#define TOTAL_WIDE                                                                                     \
	"rank device count calls call_ns latency_p50_ns latency_p95_ns latency_p99_ns latency_max_ns " \
	"launch_bound_ns launch_bound_pct not_launched_ns short_pct graph_pct queue_max blocked_ns no_launch"
#define LAUNCH_COLS "op kernel count latency_p50_ns latency_p99_ns queue_max launch_bound_ns call_ns"
#define LAUNCH_WIDE                                                                               \
	"op kernel count calls call_ns call_p50_ns latency_p50_ns latency_p95_ns latency_p99_ns " \
	"queue_max launch_bound_ns not_launched_ns short graph_pct"
#define TINY_COLS        "type op kernel runs total_ns avg_ns verdict idle_ns"
#define PRECISION_COLS   "precision count total_ns share_pct tc_ns no_tc_ns tc_unknown_ns unused_ns"
#define TENSOR_CORE_COLS "kernel op kind reason detail count total_ns stake_ns"
#define TENSOR_CORE_WIDE "kernel op kind precision reason detail count total_ns stake_ns share_pct m n k"
#define QUEUE_COLS       "device stream calls depth_mean depth_max waiting_ns full_ns blocked_ns"
#define SYNC_COLS        "name op device count total_ns drained idle_ns"
#define OP_COLS          "host_or_device operation share_pct total_self_time occurrences avg_time bound_by placement"
#define OP_WIDE                                                                                                       \
	"host_or_device type operation occurrences total_time avg_time total_self_time share_pct measured_flop_rate " \
	"measured_memory_bw operational_intensity roofline_pct bound_by gpu_tensorcore_utilization eager placement "  \
	"shape"
#define TREE_COLS     "tree calls device_total_ns device_pct host_total_ns host_self_ns"
#define TREE_WIDE     "tree calls launches device_total_ns device_self_ns device_pct host_total_ns host_self_ns"
#define ROOFLINE_COLS "op bound_by share_pct time_ns lost_ns flop_rate byte_rate intensity"
#define ROOFLINE_WIDE                                                                                           \
	"op bound_by share_pct time_ns lost_ns flop_rate roof_flops peak_flops byte_rate peak_bytes intensity " \
	"ridge flops bytes runs"
/* Rows of this section are kernels by name; elsewhere they are launch shapes. */
static const char kernel_cols[] = "name count total_ns share_pct avg_ns uses_tc precision family forms";
static const struct spec specs[] = {
	{"findings", "Findings", "", NULL, NULL, NULL, NOT_GAP, false, NULL},
	{"steps", "Where the step time goes", "", NULL, NULL, NULL, NOT_GAP, false, NULL},
	{"overview", "Overview", "", "key value help", "key value help", NULL, NOT_GAP, false, keep_headline},
	{"gaps", "Gaps in this window", "idle time, longest first", GAP_COLS, GAP_WIDE, "dur_ns", NOT_GAP, false,
	 keep_gap},
	{"gaps", "All gaps of this kind", "whether it is every step or only this one", GAP_COLS, GAP_WIDE, "dur_ns",
	 FOR_GAP, true, keep_gap},
	{"gap_groups", "Recurring gaps",
	 "what if that work ran every k steps: period, and how much shorter; the most time lost first", GROUP_COLS,
	 GROUP_WIDE, NULL, NOT_GAP, false, keep_group},
	{"input", "Input pipeline", "", "key value help", "key value help", NULL, NOT_GAP, false, keep_known},
	{"iterators", "Input iterators", "tf.data, callers first", ITERATOR_COLS, ITERATOR_WIDE, NULL, NOT_GAP, false,
	 NULL},
	{"input_ops", "Input ops", "by their own time", NULL, NULL, NULL, NOT_GAP, false, NULL},
	{"compiles", "Compilations", "", "kind name step start_ns dur_ns after_warmup",
	 "kind name step start_ns dur_ns after_warmup shape previous_shape", NULL, NOT_GAP, false, NULL},
	{"steps", "Steps", "", STEP_COLS, STEP_WIDE, "dur_ns", NOT_GAP, false, NULL},
	{"devices", "Devices", "", DEVICE_COLS, DEVICE_WIDE, NULL, NOT_GAP, false, NULL},
	{"gpu_metrics", "Use of the GPUs", "by kernels: of the time, of the multiprocessors, of their warps",
	 "device utilization_pct sm_efficiency_pct occupancy_pct range_ns kernel_ns kernels", NULL, NULL, NOT_GAP,
	 false, NULL},
	{"devices", "Devices over the whole trace", "", DEVICE_COLS, DEVICE_WIDE, NULL, FOR_GAP, true, NULL},
	{"streams", "Streams", "", "device stream role events kernel_ns copies copy_bytes busy_ns", STREAM_WIDE,
	 "busy_ns", NOT_GAP, false, NULL},
	{"ops", "Ops",
	 "self time on devices, then on the host; the table 'ops' groups them by type, scope, module, shape or stack",
	 OP_COLS, OP_WIDE, NULL, NOT_GAP, false, NULL},
	{"op_tree", "Calls of ops", "which op calls which; device time: of what it and the ops in it launch", TREE_COLS,
	 TREE_WIDE, NULL, NOT_GAP, false, keep_worth},
	{"roofline", "Roofline",
	 "ops of known arithmetic or traffic against what the device can do, most time to win first", ROOFLINE_COLS,
	 ROOFLINE_WIDE, NULL, NOT_GAP, false, keep_limited},
	{"kernel_families", "Kernel families", "kernels summed up by what they do", FAMILY_COLS, FAMILY_WIDE,
	 "total_ns", NOT_GAP, false, NULL},
	{"kernels", "Kernels",
	 "one row per name, longest first; the table 'kernels' tells their launch shapes and ops (forms) apart",
	 kernel_cols, KERNEL_WIDE, "total_ns", NOT_GAP, false, NULL},
	{"kernels", "Launch shapes",
	 "how launches fill the device: blocks that fit at once, waves of them, places that the last wave leaves empty",
	 SHAPE_COLS, SHAPE_WIDE, "total_ns", NOT_GAP, false, keep_shape},
	{"precisions", "Precisions", "of the kernels' inputs, by their names", PRECISION_COLS, NULL, NULL, NOT_GAP,
	 false, NULL},
	{"tensor_cores", "Tensor Cores",
	 "products on ordinary units (unused), held back by a dimension (inefficient), and fp32 kernels that 16 bit "
	 "would "
	 "halve (bytes)",
	 TENSOR_CORE_COLS, TENSOR_CORE_WIDE, NULL, NOT_GAP, false, NULL},
	{"phases", "Phases", "device time by part of the training step, all in all and per step", PHASE_COLS,
	 PHASE_WIDE, "work_ns", NOT_GAP, false, keep_phases},
	{"fusion", "Fusion", "runs of element-wise kernels; saved: upper bound of what one kernel instead would save",
	 FUSION_COLS, FUSION_COLS, "saved_ns", NOT_GAP, false, NULL},
	{"copies", "Copies", "between host and devices, on and between devices; blocked: time in which a kernel waited",
	 COPY_COLS, COPY_WIDE, "total_ns", NOT_GAP, false, NULL},
	{"launch_totals", "Launches per device",
	 "how long work waits for its launch, and what the device idled for launches", TOTAL_COLS, TOTAL_WIDE, NULL,
	 NOT_GAP, false, NULL},
	{"launches", "Launches", "by op, most idle time for launches first", LAUNCH_COLS, LAUNCH_WIDE, NULL, NOT_GAP,
	 false, NULL},
	{"tiny_ops", "Tiny ops", "kernels that take less time than the 20-40 us of a launch", TINY_COLS, NULL, NULL,
	 NOT_GAP, false, NULL},
	{"queue", "Launch queues", "how many launch calls wait, per stream, over the whole window", QUEUE_COLS, NULL,
	 NULL, NOT_GAP, false, keep_whole_queue},
	{"syncs", "Synchronisation", "calls in which the host waits for a device", SYNC_COLS, NULL, NULL, NOT_GAP,
	 false, NULL},
	{"notes", "Notes", "the ledger: what the import met that it could not simply show", "note severity count help",
	 NULL, NULL, ANY, true, keep_met},
	{"trace", "Recording", "", "key value", "key value", NULL, ANY, true, keep_fact},
};

static struct section *next_section(struct content *c, const char *title, const char *intro)
{
	if (c->n_sections == SECTIONS_MAX)
		return NULL;
	struct section *s = &c->sections[c->n_sections++];
	*s = (struct section){.title = title, .intro = intro};
	return s;
}

static const char *word_for(const struct content *c, const struct spec *p, const struct table *t)
{
	return p->keep == keep_gap ? story(t) : c->req->redact ? redacting : "";
}

static const char *unknown_columns(struct content *c, const struct table *t, const struct spec *p)
{
	return cut_unknown(cut_table(t, &(struct cut){.columns = p->wide, .keep = p->keep, .word = word_for(c, p, t)},
				     &c->mem, NULL),
			   &c->mem);
}

static struct table *run_over(struct content *c, const struct analysis *a, const struct window *w, struct err *e)
{
	struct query q = window_query(w, c->req->filter);
	q.every_k = c->req->every_k;
	return a->run(c->req->d, &q, &c->mem, NULL, e);
}

/* Sections that are more than a table. True when this was one. */
static bool add_picture(struct content *c, const struct spec *p, struct table *t)
{
	bool guide = strcmp(p->analysis, "findings") == 0, bars = p->brief == NULL && strcmp(p->analysis, "steps") == 0;
	if (!guide && !bars)
		return false;
	struct table *human = human_table(t, c->req->d, c->req->redact, &c->mem);
	const struct table *numbers = guide ? t : bars_parts(human, &c->mem);
	struct section *s = numbers->n_rows ? next_section(c, p->title, p->intro) : NULL;
	if (!s)
		return true;
	struct table *parts = guide ? NULL : run_over(c, analysis_find("step_parts"), &c->req->window, NULL);
	s->look = guide ? LOOK_GUIDE : LOOK_BARS;
	s->source = guide ? t : human;
	s->brief = s->wide = s->full = numbers;
	s->brief_total = s->wide_total = s->full_total = numbers->n_rows;
	s->unknown = "";
	if (parts && parts->n_rows) {
		s->full = parts;
		s->full_total = parts->n_rows;
	}
	return true;
}

static bool is_keys(const struct spec *p)
{
	static const char *const names[] = {"notes", "trace", "overview", "input"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(p->analysis, names[i]) == 0)
			return true;
	return false;
}

static void add_histograms(struct content *c, struct section *s)
{
	s->source = run_over(c, analysis_find("latency_histogram"), &c->req->window, NULL);
	s->look = s->source && s->source->n_rows ? LOOK_HISTOGRAMS : LOOK_TABLE;
}

static void put_charts_above(struct content *c, struct section *s, const struct table *ops)
{
	struct op_chart *charts = arena_alloc(&c->mem, OP_CHARTS * sizeof *charts);
	op_bars_collect(ops, run_over(c, analysis_find("op_types"), &c->req->window, NULL), charts);
	s->charts = charts;
	s->look = LOOK_OPS;
}

static void add_table(struct content *c, const struct spec *p, struct table *t)
{
	if (add_picture(c, p, t))
		return;
	const struct table *human = p->brief == kernel_cols ? kernels_by_name(t, &c->mem)
							    : human_table(t, c->req->d, c->req->redact, &c->mem);
	struct section *s = t->n_rows ? next_section(c, p->title, p->intro) : NULL;
	if (!s)
		return;
	struct cut cut = {.columns = p->brief,
			  .sort = p->sort,
			  .rows = ROWS_BRIEF,
			  .text_cols = NAME_COLS,
			  .redact = c->req->redact,
			  .drop_unknown = true,
			  .keep = p->keep,
			  .word = word_for(c, p, t)};
	if (is_keys(p))
		cut.rows = cut.text_cols = 0;
	s->brief = cut_table(human, &cut, &c->mem, &s->brief_total);
	cut.columns = p->wide;
	cut.rows = ROWS_WIDE;
	cut.text_cols = 0;
	s->wide = cut_table(human, &cut, &c->mem, &s->wide_total);
	s->unknown = unknown_columns(c, human, p);
	cut.columns = c->req->redact && p->keep == keep_group ? p->wide : NULL; /* sentences name threads */
	cut.drop_unknown = false;
	cut.rows = ROWS_FULL;
	bool private = p->keep == keep_fact || (c->req->redact && p->keep == keep_headline);
	cut.keep = private ? p->keep : NULL;
	s->full = cut_table(t, &cut, &c->mem, &s->full_total);
	if (s->brief->n_rows == 0)
		c->n_sections--;
	else if (strcmp(p->analysis, "launches") == 0)
		add_histograms(c, s);
	else if (strcmp(p->analysis, "ops") == 0)
		put_charts_above(c, s, t);
}

/* A table of our own: already small and redacted. */
static void add_own(struct content *c, const char *title, const char *intro, const struct table *t)
{
	struct section *s = t->n_rows ? next_section(c, title, intro) : NULL;
	if (!s)
		return;
	s->full = t;
	s->unknown = cut_unknown(t, &c->mem);
	s->wide = cut_table(t, &(struct cut){.drop_unknown = true}, &c->mem, NULL);
	s->full_total = s->wide_total = t->n_rows;
	s->brief = cut_table(t, &(struct cut){.rows = ROWS_BRIEF, .text_cols = NAME_COLS, .drop_unknown = true},
			     &c->mem, &s->brief_total);
}

struct table *content_findings(struct content *c, struct err *e)
{
	if (!c->findings)
		c->findings = run_over(c, analysis_find("findings"), &c->req->window, e);
	return c->findings;
}

static bool run_spec(struct content *c, const struct spec *p, struct err *e)
{
	const struct analysis *a = analysis_find(p->analysis);
	if (!a)
		return true;
	struct window whole = window_all(c->req->d);
	bool guide = strcmp(p->analysis, "findings") == 0;
	struct table *t = guide ? content_findings(c, e) : run_over(c, a, p->whole ? &whole : &c->req->window, e);
	if (!t)
		return false;
	if (c->req->redact && (guide || p->keep == keep_group))
		t = hide_hosts(t, c->req->d, &c->mem);
	add_table(c, p, t);
	return true;
}

static void add_gap_evidence(struct content *c, const struct gap *g)
{
	uint32_t launching = g->device == NONE_ID ? NONE_ID : derived_launch_track(c->req->d, g->device);
	add_own(c, "What the launching thread did in the gap", "self time, largest first",
		evidence_self(c, launching, g->start_ns, g->start_ns + g->dur_ns));
	add_own(c, "Threads that were busy in the gap", "the largest event of each", evidence_threads(c, g));
	add_own(c, "What stands at its edges", "", evidence_edges(c, g));
}

/* Where no kernels are, ops or threads tell the story. They know no filter. */
static void add_top(struct content *c)
{
	const struct window *w = &c->req->window;
	struct top_req r = {c->req->d, w->a_ns, w->b_ns, c->req->redact, track_label};
	if (c->req->filter || top_has_kernels(r.d))
		return;
	if (trace_devices(derived_trace(r.d))) {
		add_own(c, "Ops", "device work by its own time, largest first", top_ops(&r, &c->mem));
		return;
	}
	add_own(c, "Busiest threads", "time in which any of their events runs", top_threads(&r, &c->mem));
	add_own(c, "Longest events", "single host events, longest first", top_events(&r, &c->mem));
}

static void add_window_evidence(struct content *c)
{
	add_top(c);
	const struct window *w = &c->req->window;
	const struct derived *d = c->req->d;
	add_own(c, "Longest device events", "single events, longest first", evidence_longest(c, w->a_ns, w->b_ns));
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++) {
		uint32_t track = derived_launch_track(d, i);
		if (track == NONE_ID)
			continue;
		add_own(c, "What the launching thread did", "self time, largest first",
			evidence_self(c, track, w->a_ns, w->b_ns));
		return;
	}
}

bool sections_fill(struct content *c, struct err *e)
{
	bool gap = c->req->window.kind == WINDOW_GAP;
	if (gap)
		add_gap_evidence(c, c->req->window.gap);
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		if (strcmp(specs[i].analysis, "notes") == 0 && !gap)
			add_window_evidence(c);
		if (specs[i].kinds & 1u << c->req->window.kind)
			TRY(run_spec(c, &specs[i], e));
	}
	return true;
}
