#include "breakdown_class.h"
#include "derived_data.h"
#include "intervals.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct classes {
	const struct derived *d;
	uint8_t *names; /* per text: class of a host event by its name + 1; 0 = not looked at */
};

enum { BY_OTHER_MEANS = TIME_COUNT + 1, MARKER_NAME }; /* what a name alone cannot tell; a name only markers have */

/* Host events by the beginning of their name, compared without case. */
static const struct {
	const char *prefix;
	uint8_t class;
} host_prefixes[] = {
	{"IteratorGetNext", TIME_INPUT_WAIT},
	{"enumerate(DataLoader)#", TIME_INPUT_WAIT},
	{"enumerate(DataPipe)#", TIME_INPUT_WAIT},
	{"InfeedEnqueue", TIME_INPUT_COPY},
	{"EagerExecute", TIME_NONE}, /* dispatch that encloses the op it runs */
	{"EagerLocalExecute", TIME_NONE},
	{"EagerKernelExecute", TIME_NONE},
	{"FunctionRun", TIME_NONE},
	{"MemcpyHToH", TIME_NONE},
};
/* Compilers, anywhere in the name, compared without case. */
static const char *const compilers[] = {"xlacompil",       "xla compil",   "xla_compil",  "::compile",
					"backend_compile", "nvrtccompile", "cumoduleload"};

static uint8_t class_of_name(const char *name)
{
	for (size_t i = 0; i < sizeof host_prefixes / sizeof *host_prefixes; i++)
		if (!strncasecmp(name, host_prefixes[i].prefix, strlen(host_prefixes[i].prefix)))
			return host_prefixes[i].class;
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
		if (strcasestr(name, compilers[i]))
			return TIME_COMPILE;
	bool marker = !strncmp(name, "train", 5) || !strncmp(name, "test", 4) || !strncmp(name, "TraceContext", 12);
	return marker && !strchr(name, '/') ? MARKER_NAME : BY_OTHER_MEANS;
}

static bool is_launch(const struct derived *d, row_id r)
{
	if (d->c->link[r] != NONE_ID)
		return true;
	const struct host_info *h = d->c->detail[r] ? trace_host_detail(d->t, r) : NULL;
	if (!h || h->device_ordinal == UNKNOWN_I64)
		return false;
	return number_at(d->c->corr, r) || !strncmp(trace_str(d->t, d->c->name[r]), "ExecutorState::Process", 22);
}

static uint8_t name_class(struct classes *x, row_id r)
{
	str_id name = x->d->c->name[r];
	if (!x->names[name])
		x->names[name] = (uint8_t)(class_of_name(trace_str(x->d->t, name)) + 1);
	return (uint8_t)(x->names[name] - 1);
}

enum time_class host_class(struct classes *x, row_id r, bool by_time)
{
	const struct derived *d = x->d;
	uint8_t class = name_class(x, r);
	if (class == TIME_INPUT_WAIT || class == TIME_NONE)
		return class;
	if (is_launch(d, r))
		return TIME_LAUNCH;
	if (class < TIME_COUNT)
		return class;
	return class == MARKER_NAME && !by_time ? TIME_NONE : TIME_HOST;
}

enum time_class device_class(const struct classes *x, row_id r)
{
	const struct derived *d = x->d;
	static const uint8_t of_copy[COPY_KINDS] = {
		[COPY_H2D] = TIME_INPUT_COPY, [COPY_D2H] = TIME_OUTPUT, [COPY_D2D] = TIME_D2D,
		[COPY_P2P] = TIME_D2D,        [COPY_H2H] = TIME_NONE,   [COPY_UNKNOWN] = TIME_COMPUTE,
		[COPY_MEMSET] = TIME_COMPUTE,
	};
	return derived_is_collective(d, r) ? TIME_COLLECTIVES : of_copy[derived_copy_kind(d, r)];
}

/* ---- as the reference tool classifies ---------------------------------------------------------------------------------- */

enum time_class host_class_xprof(struct classes *x, row_id r)
{
	static const char to_device[] = "MemcpyHToD";
	uint8_t class = name_class(x, r);
	if (!strncasecmp(trace_str(x->d->t, x->d->c->name[r]), to_device, sizeof to_device - 1))
		return TIME_INPUT_COPY;
	if (class == MARKER_NAME)
		return TIME_NONE;
	return class == BY_OTHER_MEANS || class == TIME_COMPILE ? TIME_HOST : class;
}

enum time_class device_class_xprof(const struct classes *x, row_id r)
{
	static const struct {
		const char *prefix;
		enum time_class class;
	} spelled[] = {
		{"MemcpyHToD", TIME_INPUT_COPY}, {"MemcpyDToH", TIME_OUTPUT}, {"MemcpyDToD", TIME_D2D},
		{"MemcpyHToH", TIME_NONE},       {"nccl", TIME_COLLECTIVES},
	};
	const char *name = trace_str(x->d->t, x->d->c->name[r]);
	for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++)
		if (!strncasecmp(name, spelled[i].prefix, strlen(spelled[i].prefix)))
			return spelled[i].class;
	return TIME_COMPUTE;
}

struct classes *classes_new(const struct derived *d)
{
	size_t texts = strings_count(trace_strings(d->t)) + (size_t)1;
	struct classes *x = grow_or_abort(NULL, sizeof *x);
	*x = (struct classes){d, grow_or_abort(NULL, texts)};
	memset(x->names, 0, texts);
	return x;
}

void classes_free(struct classes *x)
{
	free(x->names);
	free(x);
}
