/* tui/report/section_list.c - which tables a report carries, as data, and which of their rows. */
#include "section_list.h"
#include "cut.h"
#include "report.h"
#include "model/store/base/nearest.h"
#include "model/store/base/spans.h"
#include "model/analysis/derived/gap_place.h"
#include "model/analysis/analysis.h"
#include "model/analysis/gaps/gap_groups_columns.h"
#include "model/analysis/gaps/gaps_columns.h"
#include "model/analysis/comms/replicas_columns.h"
#include "model/analysis/kernels/fusion.h"
#include "model/analysis/kernels/kernel_stats.h"
#include "model/analysis/kernels/kernels_columns.h"
#include "model/analysis/launches/launch_order_columns.h"
#include "model/analysis/launches/queue_columns.h"
#include "model/analysis/memory/memory_peak_columns.h"
#include "model/analysis/memory/memory_steps_columns.h"
#include "model/analysis/memory/xla_memory_columns.h"
#include "model/analysis/ops/op_tree_columns.h"
#include "model/analysis/ops/roofline_columns.h"
#include "model/analysis/recorded/notes_columns.h"
#include "model/analysis/steps/phases_columns.h"
#include "model/analysis/kernels/kernel_names.h"
#include <stdio.h>
#include <string.h>

enum { FOR_ALL = 1 << WINDOW_ALL, FOR_TIME = 1 << WINDOW_TIME, FOR_STEP = 1 << WINDOW_STEP, FOR_GAP = 1 << WINDOW_GAP };
enum { NOT_GAP = FOR_ALL | FOR_TIME | FOR_STEP, ANY = NOT_GAP | FOR_GAP };

static bool text_is(const struct table *t, uint32_t row, uint32_t column, const char *word)
{
	const char *text = column_text(t, row, column);
	return text && strcmp(text, word) == 0;
}

/* Idle time in a gap between steps is that gap once more. */
bool keep_gap(const struct table *t, uint32_t row, const char *scope)
{
	if (strcmp(scope, "stream") == 0)
		return text_is(t, row, COL_GAPS_SCOPE, scope);
	return text_is(t, row, COL_GAPS_SCOPE, "step") || (text_is(t, row, COL_GAPS_SCOPE, "device") &&
							   !text_is(t, row, COL_GAPS_KIND, gap_kind_word(GAP_BETWEEN)));
}

/* What a producer recorded about its environment stays at home: published traces have carried live tokens. */
bool keep_fact(const struct table *t, uint32_t row, const char *word)
{
	if (strcmp(word, SECTION_REDACTING) == 0 && text_is(t, row, KEYED_KEY, "device"))
		return false; /* with several hosts it begins with a host's name; the table of devices has the rest */
	static const char *const allowed[] = {
		"format",       "producer", "producer_version", "devices",      "hosts",
		"processes",    "tracks",   "streams",          "threads",      "events",
		"steps",        "sources",  "entries_in_file",  "events_shown", "events_merged",
		"events_noted", "span_ns",  "device",           "device_name"};
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
		if (text_is(t, row, KEYED_KEY, allowed[i]))
			return true;
	return false;
}

static bool keep_met(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	const struct cell *count = column_cell(t, row, COL_NOTES_COUNT);
	return count->null || count->i > 0;
}

/* Inside steps there are hundreds of groups; those that cost next to nothing would only fill the page. */
static bool keep_group(const struct table *t, uint32_t row, const char *word)
{
	enum { WORTH_PCT = 1 };
	(void)word;
	const struct cell *saved = column_cell(t, row, COL_GAP_GROUPS_SAVED_PCT);
	return text_is(t, row, COL_GAP_GROUPS_SCOPE, "step") || (!saved->null && saved->r >= WORTH_PCT);
}

/* Where nothing tells forward from backward there is nothing to say. */
static bool keep_phases(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return column_text(t, row, COL_PHASES_BY) != NULL;
}

/* Where it is known what fits. */
static bool keep_shape(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return !column_cell(t, row, COL_KERNELS_WAVES)->null;
}

/* Hundreds of calls start next to nothing. Where none starts device work, the host's time is the story. */
static bool keep_worth(const struct table *t, uint32_t row, const char *word)
{
	enum { WORTH_PCT = 1 };
	const struct cell *c = column_cell(t, row, COL_OP_TREE_DEVICE_PCT);
	(void)word;
	return c->null || c->r >= WORTH_PCT;
}

/* What neither the roof nor a rate is known of tells nothing here. */
static bool keep_limited(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return !column_cell(t, row, COL_ROOFLINE_SHARE)->null || !column_cell(t, row, COL_ROOFLINE_RATE)->null;
}

/* Streams, not their buckets of time. */
static bool keep_whole_queue(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return column_cell(t, row, COL_QUEUE_BUCKET)->null;
}

/* One device alone is beside nobody. */
static bool keep_several(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return !column_cell(t, row, COL_REPLICAS_OVERLAP)->null;
}

/* What is worth a hundredth of the peak. */
static bool keep_large(const struct table *t, uint32_t row, const char *word)
{
	enum { WORTH_PCT = 1 };
	const struct cell *c = column_cell(t, row, COL_MEMORY_PEAK_SHARE);
	(void)word;
	return !c->null && c->r >= WORTH_PCT;
}

/* Steps that leave something behind. */
static bool keep_keeping(const struct table *t, uint32_t row, const char *word)
{
	const struct cell *c = column_cell(t, row, COL_MEMORY_STEPS_KEPT);
	(void)word;
	return !c->null && c->i > 0;
}

/* The only device of its host that is launched. */
static bool keep_beside(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return !column_cell(t, row, COL_LAUNCH_ORDER_LATE)->null;
}

static bool keep_known(const struct table *t, uint32_t row, const char *word)
{
	(void)word;
	return !table_cell(t, row, 1)->null;
}

/* Not where nothing of an input pipeline, no step and no device is there to tell anything. */
static bool keep_input(const struct table *t, uint32_t row, const char *word)
{
	const struct cell *verdict = cut_value(t, "verdict"), *replicas = cut_value(t, "replicas");
	bool untold = verdict && strcmp(verdict->s, "unknown") == 0 && replicas && replicas->i == 0;
	return !untold && keep_known(t, row, word);
}

static bool no_kernels(const struct table *overview)
{
	const struct cell *n = cut_value(overview, "kernels");
	return !n || n->i == 0;
}

static bool keep_at_peak(const struct table *t, uint32_t row, const char *word)
{
	const struct cell *at_peak = column_cell(t, row, COL_XLA_BUFFERS_AT_PEAK);
	(void)word;
	return !at_peak->null && at_peak->b;
}

/* What the cards, the gaps and the kernels do not say already. */
bool keep_headline(const struct table *t, uint32_t row, const char *word)
{
	static const char *const elsewhere[] = {
		"gap_", "top_kernel_", "notes_", "device_busy_pct:", "busy_ns", "idle_", "span_ns"};
	const struct cell *key = table_cell(t, row, 0);
	(void)word;
	if (key->null || TEXT_STARTS_WITH_ONE_OF(key->s, elsewhere))
		return false;
	/* a trace of hosts alone, without steps */
	if (cut_value(t, "top_event_1") && !cut_value(t, "steps_text") && strncmp(key->s, "top_event_", 10) != 0)
		return false;
	if (no_kernels(t) && (strncmp(key->s, "kernel", 6) == 0 || strncmp(key->s, "tensor_core", 11) == 0))
		return false;
	return !table_cell(t, row, 1)->null;
}

static const struct section_spec specs[] = {
	{&findings_desc, .kinds = NOT_GAP, .face = FACE_FINDINGS},
	{&steps_desc, .title = "Where the step time goes", .served = "Where the time of iterations goes",
	 .kinds = NOT_GAP, .face = FACE_STEP_BARS},
	{&overview_desc, .kinds = NOT_GAP, .keep = keep_headline},
	{&gaps_desc, .title = "Gaps in this window", .kinds = NOT_GAP, .keep = keep_gap},
	{&gaps_desc, .title = "All gaps", .intro = "whether it is every step or only this one", .kinds = FOR_GAP,
	 .whole = true, .keep = keep_gap},
	{&gap_groups_desc, .kinds = NOT_GAP, .keep = keep_group},
	{&input_desc, .title = "Input pipeline", .kinds = NOT_GAP, .keep = keep_input},
	{&iterators_desc, .title = "Input iterators", .kinds = NOT_GAP},
	{&input_ops_desc, .kinds = NOT_GAP},
	{&compiles_desc, .kinds = NOT_GAP},
	{&compiled_regions_desc, .kinds = NOT_GAP},
	{&program_ops_desc, .kinds = NOT_GAP},
	{&iterations_desc, .kinds = NOT_GAP},
	{&graphs_desc, .kinds = NOT_GAP},
	{&attention_context_desc, .kinds = NOT_GAP},
	{&steps_desc, .served = "Iterations by their markers", .kinds = NOT_GAP},
	{&devices_desc, .kinds = NOT_GAP},
	{&gpu_metrics_desc, .title = "Use of the GPUs", .kinds = NOT_GAP},
	{&devices_desc, .title = "Devices over the whole trace", .kinds = FOR_GAP, .whole = true},
	{&replicas_desc, .title = "Devices side by side", .kinds = NOT_GAP, .keep = keep_several},
	{&collective_steps_desc, .kinds = NOT_GAP},
	{&collective_sizes_desc, .kinds = NOT_GAP},
	{&comm_groups_desc, .kinds = NOT_GAP},
	{&all_to_all_desc, .kinds = NOT_GAP},
	{&pipeline_stages_desc, .kinds = NOT_GAP},
	{&device_pairs_desc, .kinds = NOT_GAP},
	{&memory_desc, .title = "Memory", .kinds = NOT_GAP, .drawn = &memory_curve_desc},
	{&memory_peak_desc, .kinds = NOT_GAP, .keep = keep_large},
	{&memory_steps_desc, .title = "Steps that keep memory", .kinds = NOT_GAP, .keep = keep_keeping},
	{&xla_memory_desc, .kinds = NOT_GAP},
	{&xla_buffers_desc, .kinds = NOT_GAP, .keep = keep_at_peak},
	{&launch_order_desc, .kinds = NOT_GAP, .keep = keep_beside},
	{&streams_desc, .kinds = NOT_GAP},
	{&ops_desc, .kinds = NOT_GAP, .drawn = &op_types_desc},
	{&op_tree_desc, .title = "Calls of ops", .kinds = NOT_GAP, .keep = keep_worth},
	{&roofline_desc, .kinds = NOT_GAP, .keep = keep_limited},
	{&kernel_families_desc, .kinds = NOT_GAP},
	{&kernel_names_desc, .title = "Kernels", .kinds = NOT_GAP},
	{&kernels_desc, .title = "Launch shapes", .kinds = NOT_GAP, .keep = keep_shape, .last = &kernel_groups_part},
	{&precisions_desc, .kinds = NOT_GAP},
	{&tensor_cores_desc, .kinds = NOT_GAP, .last = &kernel_stats_part},
	{&phases_desc, .kinds = NOT_GAP, .keep = keep_phases},
	{&fusion_desc, .kinds = NOT_GAP, .last = &fusion_stats_part},
	{&copies_desc, .kinds = NOT_GAP},
	{&launch_totals_desc, .kinds = NOT_GAP},
	{&launches_desc, .kinds = NOT_GAP, .drawn = &latency_histogram_desc},
	{&tiny_ops_desc, .kinds = NOT_GAP},
	{&queue_desc, .kinds = NOT_GAP, .keep = keep_whole_queue},
	{&syncs_desc, .kinds = NOT_GAP},
	{&notes_desc, .kinds = ANY, .whole = true, .keep = keep_met},
	{&trace_desc, .title = "Recording", .kinds = ANY, .whole = true, .keep = keep_fact},
};

const struct section_spec *section_specs(uint32_t *n)
{
	*n = sizeof specs / sizeof *specs;
	return specs;
}

/* ---- --sections ------------------------------------------------------------------------------------------------------ */

/* Tables that only a report makes: evidence.c, top.h. */
static const char *const own_words[] = {"self_times", "threads_in_gap", "edges_of_gap",   "longest_device_events",
					"top_ops",    "tracks",         "longest_events", "none"};

bool section_chosen(const char *list, const char *word)
{
	size_t n = strlen(word);
	for (const char *p = list; p && *p; p += strcspn(p, ","), p += *p == ',')
		if (strcspn(p, ",") == n && strncmp(p, word, n) == 0)
			return true;
	return !list;
}

_Static_assert(sizeof specs / sizeof *specs + sizeof own_words / sizeof *own_words <= SECTION_WORDS,
	       "--sections knows all");

static uint32_t all_words(const char *words[static SECTION_WORDS])
{
	uint32_t n = 0;
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
		words[n++] = specs[i].table->name;
	for (size_t i = 0; i < sizeof own_words / sizeof *own_words; i++)
		words[n++] = own_words[i];
	return n;
}

bool sections_known(const char *list, struct err *e)
{
	const char *words[SECTION_WORDS];
	uint32_t n = all_words(words);
	for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
		char word[48];
		bool known = false;
		snprintf(word, sizeof word, "%.*s", (int)strcspn(p, ","), p);
		for (uint32_t i = 0; i < n; i++)
			known = known || strcmp(words[i], word) == 0;
		if (known)
			continue;
		const char *near = nearest_word(word, words, n);
		return err_usage(e, "--sections: no section '%s'; %s%s%s", word,
				 near ? "did you mean '" : "they are named like their tables: ",
				 near ? near : "findings,steps,gaps,kernels; 'none' leaves the first lines alone",
				 near ? "'?" : "");
	}
	return true;
}
