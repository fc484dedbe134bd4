/* Where the program ran: hosts, tasks, devices, replicas, framework. */
#include "overview_parts.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/gaps/idle_advice.h"
#include "model/analysis/names/framework.h"
#include "model/analysis/query/keyed.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *nvidia_architecture(int64_t major, int64_t minor)
{
	switch (major) {
	case 2:
		return "Fermi";
	case 3:
		return "Kepler";
	case 5:
		return "Maxwell";
	case 6:
		return "Pascal";
	case 7:
		return minor < 5 ? "Volta" : "Turing";
	case 8:
		return minor < 9 ? "Ampere" : "Ada Lovelace";
	case 9:
		return "Hopper";
	default:
		return major >= 10 ? "Blackwell" : NULL;
	}
}

/* What the producer calls the device; without a name what its vendor and numbers say. */
static const char *device_type(const struct trace *t, const struct device *x, struct arena *mem)
{
	const char *name = trace_str(t, x->name), *vendor = trace_str(t, x->vendor);
	const char *architecture = nvidia_architecture(x->cc_major, x->cc_minor);
	if (*name)
		return name;
	if (!strcasecmp(vendor, "nvidia"))
		return architecture ? arena_printf(mem, "Nvidia GPU (%s)", architecture) : "Nvidia GPU";
	if (!strcasecmp(vendor, "amd") && x->cc_major != UNKNOWN_I64)
		return arena_printf(mem, "AMD GPU - gfx-%lldXX series", (long long)x->cc_major);
	return *vendor ? arena_printf(mem, "%s GPU", vendor) : "GPU";
}

static const char *device_types(const struct trace *t, struct arena *mem)
{
	const char *all = NULL;
	for (uint32_t i = 0; i < trace_devices(t); i++) {
		const char *one = device_type(t, trace_device(t, i), mem);
		if (!all)
			all = one;
		else if (!strstr(all, one))
			all = arena_printf(mem, "%s, %s", all, one);
	}
	return all ? all : "CPU";
}

static uint32_t working_devices(const struct derived *d)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++)
		n += derived_busy_device(d, i)->n > 0;
	return n;
}

static int compare_ranks(const void *x, const void *y)
{
	int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
	return (a > b) - (a < b);
}

static int64_t ranks(const struct trace *t, struct arena *mem)
{
	uint32_t n = 0, distinct = 0;
	int32_t *at = arena_alloc(mem, (trace_hosts(t) + 1u) * sizeof *at);
	for (uint32_t i = 0; i < trace_hosts(t); i++)
		if (trace_host(t, i)->rank >= 0)
			at[n++] = trace_host(t, i)->rank;
	qsort(at, n, sizeof *at, compare_ranks);
	for (uint32_t i = 0; i < n; i++)
		distinct += !i || at[i] != at[i - 1];
	return distinct ? (int64_t)distinct : UNKNOWN_I64;
}

void overview_environment(struct table *t, const struct derived *d)
{
	uint32_t working = working_devices(d);
	int64_t n_ranks = ranks(derived_trace(d), t->mem);
	keyed_text(t, "framework", framework_name(idle_facts(d)->framework), "By names that only its runtime uses.");
	keyed_int(t, "hosts", UNIT_COUNT, trace_hosts(derived_trace(d)), "Hosts, or ranks that were recorded apart.");
	keyed_int(t, "tasks", UNIT_COUNT, trace_sources(derived_trace(d)),
		  "Recordings: one for each process that was profiled.");
	keyed_text(t, "device_type", device_types(derived_trace(d), t->mem), "What the producer calls the devices.");
	keyed_int(t, "device_count", UNIT_COUNT, trace_devices(derived_trace(d)), "Devices that the trace names.");
	keyed_int(t, "devices_working", UNIT_COUNT, working, "Devices that did anything.");
	char again[96];
	if (trace_recorded_again(derived_trace(d), again, sizeof again))
		keyed_text(t, "recorded_again", arena_strdup(t->mem, again),
			   "What the devices are recordings of, where some were recorded more than once: sums and "
			   "means mix the recordings.");
	keyed_int(t, "ranks", UNIT_COUNT, n_ranks, "Different ranks, as the producer numbers them.");
	keyed_int(t, "replicas", UNIT_COUNT, n_ranks != UNKNOWN_I64 && n_ranks > working ? n_ranks : working,
		  "Devices that did anything, or ranks, whichever are more.");
}
