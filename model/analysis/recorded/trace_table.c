/* What was recorded: format, producer, counts, ledger, span. */
#include "steps_source.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/keyed.h"
#include "model/analysis/rules/kernel_rules.h"
#include "model/store/base/units.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

TABLE_DECL(trace);

/* Recorded environments hold live credentials now and then: such values are not shown. */
static const char *const private_words[] = {"token",  "secret", "passw",       "credential", "api_key", "apikey",
					    "access", "env",    "private_key", "authoriz",   "cookie",  "session"};

static bool is_private(const char *key)
{
	for (size_t i = 0; i < sizeof private_words / sizeof *private_words; i++)
		if (strcasestr(key, private_words[i]))
			return true;
	return false;
}

static const char *fact(const struct trace *t, const char *wanted)
{
	for (uint32_t i = 0; i < trace_facts(t); i++) {
		const char *key, *value;
		trace_fact(t, i, &key, &value);
		if (!strcmp(key, wanted))
			return value;
	}
	return NULL;
}

/* ---- the producer in one sentence ------------------------------------------------------------------------------- */

/* "12040" -> "12.4" */
static const char *cuda_version(const char *number, struct arena *mem)
{
	long v = number ? strtol(number, NULL, 10) : 0;
	return v > 0 ? arena_printf(mem, "%ld.%ld", v / 1000, v % 1000 / 10) : NULL;
}

/* "60443483" -> "6.4.43483": HIP counts major * 10^7 + minor * 10^5 + patch. */
static const char *hip_version(const char *number, struct arena *mem)
{
	long v = number ? strtol(number, NULL, 10) : 0;
	return v > 0 ? arena_printf(mem, "%ld.%ld.%ld", v / 10000000, v / 100000 % 100, v % 100000) : NULL;
}

static const char *kineto_sentence(const struct trace *t, struct arena *mem)
{
	const char *cuda = cuda_version(fact(t, "cuda_runtime_version"), mem);
	const char *hip = hip_version(fact(t, "hip_runtime_version"), mem);
	if (cuda)
		return arena_printf(mem, "PyTorch profiler (Kineto), CUDA runtime %s", cuda);
	if (hip)
		return arena_printf(mem, "PyTorch profiler (Kineto), HIP runtime %s", hip);
	return "PyTorch profiler (Kineto)";
}

static bool has_step_marker(const struct derived *d, const char *name)
{
	for (uint32_t i = 0; i < derived_steps(d); i++)
		if (!derived_step(d, i)->inferred && strstr(derived_step_name(d, derived_step(d, i)), name))
			return true;
	return false;
}

/* What the importers say of their formats: a profiler's word before that of any program's. */
static const char *usual_producer(const struct trace *t)
{
	const char *found = NULL;
	for (uint32_t i = trace_sources(t); i-- > 0;) {
		struct source_info s = trace_source(t, i);
		if (s.producer && (!found || s.traits & SOURCE_PROFILER))
			found = s.producer;
	}
	return found;
}

static const char *producer(const struct derived *d, struct arena *mem)
{
	const struct trace *t = derived_trace(d);
	const char *said = fact(t, "producer");
	bool kineto = said && strstr(said, "Kineto");
	if (said && !kineto)
		return said;
	if (kineto || fact(t, "schemaVersion") || has_step_marker(d, "ProfilerStep"))
		return kineto_sentence(t, mem);
	return usual_producer(t);
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static const char *formats(const struct trace *t, struct arena *mem)
{
	const char *all = NULL;
	for (uint32_t i = 0; i < trace_sources(t); i++) {
		const char *format = trace_source(t, i).format;
		if (!all)
			all = format;
		else if (!strstr(all, format))
			all = arena_printf(mem, "%s, %s", all, format);
	}
	return all;
}

static void add_counts(struct table *out, const struct trace *t)
{
	const struct notes *n = trace_notes(t);
	const struct flow *flows;
	keyed_int(out, "hosts", UNIT_COUNT, trace_hosts(t), NULL);
	keyed_int(out, "processes", UNIT_COUNT, trace_processes(t), NULL);
	keyed_int(out, "devices", UNIT_COUNT, trace_devices(t), NULL);
	keyed_int(out, "tracks", UNIT_COUNT, trace_tracks(t), NULL);
	keyed_int(out, "entries_in_file", UNIT_COUNT, (int64_t)n->entries,
		  "records met in the file(s) = shown + merged + noted");
	keyed_int(out, "events_shown", UNIT_COUNT, (int64_t)n->shown, "events of the trace");
	keyed_int(out, "events_merged", UNIT_COUNT, (int64_t)n->merged,
		  "merged into another one: pair ends, metadata, flow points, counter samples");
	keyed_int(out, "events_noted", UNIT_COUNT, (int64_t)notes_noted(n),
		  "left out, for a reason given in the table notes");
	keyed_int(out, "flows", UNIT_COUNT, (int64_t)trace_flows(t, &flows), "arrows with both ends recorded");
}

static void add_times(struct table *out, const struct trace *t)
{
	keyed_int(out, "span_ns", UNIT_NS, trace_span_ns(t), "first start to last end");
	keyed_int(out, "base_ns", UNIT_ID, trace_base_ns(t), "time 0 on the source's own clock");
	keyed_int(out, "epoch_ns", UNIT_ID, trace_epoch_ns(t), "wall clock at time 0, ns since 1970");
}

static const char *device_text(const struct device *d, const char *name, struct arena *mem)
{
	char bytes[UNITS_BUF];
	const char *text = *name ? arena_strdup(mem, name) : "name unknown";
	if (d->cc_major != UNKNOWN_I64 && d->cc_minor != UNKNOWN_I64)
		text = arena_printf(mem, "%s, compute capability %lld.%lld", text, (long long)d->cc_major,
				    (long long)d->cc_minor);
	if (d->sms != UNKNOWN_I64)
		text = arena_printf(mem, "%s, %lld SMs", text, (long long)d->sms);
	if (d->memory_bytes != UNKNOWN_I64)
		text = arena_printf(mem, "%s, %s", text, fmt_bytes(bytes, d->memory_bytes));
	return text;
}

static void add_devices(struct table *out, const struct trace *t)
{
	char label[128];
	for (uint32_t i = 0; i < trace_devices(t); i++) {
		const struct device *d = trace_device(t, i);
		const char *text = device_text(d, trace_str(t, d->name), out->mem);
		trace_device_label(t, i, label, sizeof label);
		keyed_text(out, "device", arena_printf(out->mem, "%s: %s", label, text), NULL);
	}
}

static void add_sources(struct table *out, const struct trace *t)
{
	keyed_int(out, "sources", UNIT_COUNT, trace_sources(t), "files that were read");
	for (uint32_t i = 0; i < trace_sources(t); i++)
		keyed_text(out, "source", trace_source(t, i).path, NULL);
}

static void add_facts(struct table *out, const struct trace *t)
{
	for (uint32_t i = 0; i < trace_facts(t); i++) {
		const char *key, *value;
		trace_fact(t, i, &key, &value);
		if (strcmp(key, "producer"))
			keyed_text(out, arena_printf(out->mem, "fact:%s", key), is_private(key) ? "(not shown)" : value,
				   NULL);
	}
}

static struct table *run_trace(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			       struct err *e)
{
	(void)q, (void)p, (void)e;
	const struct trace *t = derived_trace(d);
	struct table *out = table_new(mem, &trace_desc);
	out->window_b_ns = trace_span_ns(t);
	keyed_text(out, "format", formats(t, mem), NULL);
	keyed_text(out, "producer", producer(d, mem), "who recorded it, as far as the file says");
	add_counts(out, t);
	const struct job_steps *job = derived_job_steps(d);
	keyed_int(out, "steps", UNIT_COUNT, job->n,
		  "steps found by markers or inferred; one number on several ranks is one step");
	keyed_int(out, "step_ranks", UNIT_COUNT, job->n ? job->most : UNKNOWN_I64, "ranks that a step runs on");
	steps_source_rows(out, d);
	add_times(out, t);
	keyed_text(out, "tc_rules", derived_rules_label(d), "rules for Tensor Cores and precision");
	add_devices(out, t);
	add_sources(out, t);
	add_facts(out, t);
	return out;
}

const struct table_desc trace_desc = {
	.name = "trace",
	.title = "Trace",
	.help = "what was recorded: format, producer, counts, ledger, span",
	KEYED_TABLE,
	.run = run_trace,
	.report = {.brief = COLUMN_LIST(KEYED_KEY, KEYED_VALUE),
		   .wide = COLUMN_LIST(KEYED_KEY, KEYED_VALUE),
		   .all_rows = true},
};
