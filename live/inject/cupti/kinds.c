#include "kinds.h"
#include "calls.h"
#include "live/inject/base/log.h"
#include "live/wire.h"

/* Which of CUPTI's kinds make up one of ours; calls of the two APIs are chosen one by one instead. */
static const struct {
	enum wire_kind kind;
	enum cupti_kind cupti;
} parts[] = {
	{WIRE_KERNEL, CUPTI_KIND_KERNEL}, {WIRE_COPY, CUPTI_KIND_MEMCPY},       {WIRE_COPY, CUPTI_KIND_MEMCPY_PEER},
	{WIRE_MEMSET, CUPTI_KIND_MEMSET}, {WIRE_SYNC, CUPTI_KIND_SYNC},         {WIRE_OVERHEAD, CUPTI_KIND_OVERHEAD},
	{WIRE_MARKER, CUPTI_KIND_MARKER}, {WIRE_MARKER, CUPTI_KIND_NAME},       {WIRE_MEMORY, CUPTI_KIND_MEMORY},
	{WIRE_GRAPH, CUPTI_KIND_GRAPH},   {WIRE_EXTERNAL, CUPTI_KIND_EXTERNAL}, {WIRE_EVENT, CUPTI_KIND_CUDA_EVENT},
	{WIRE_JIT, CUPTI_KIND_JIT},
};
enum { N_PARTS = sizeof parts / sizeof *parts };
static const enum cupti_kind dumped[] = {CUPTI_KIND_DEVICE, CUPTI_KIND_CONTEXT, CUPTI_KIND_STREAM};
enum { N_DUMPED = sizeof dumped / sizeof *dumped };

static bool is_api(int kind)
{
	return kind == WIRE_RUNTIME || kind == WIRE_DRIVER;
}

static int domain_of(int kind)
{
	return kind == WIRE_DRIVER ? CUPTI_DOMAIN_DRIVER : CUPTI_DOMAIN_RUNTIME;
}

/* A kind works when one of its parts does. */
static cupti_result enable_one(const struct cupti *c, int kind)
{
	cupti_result first = CUPTI_OK;
	bool worked = false;
	if (is_api(kind))
		return calls_enable(c, domain_of(kind));
	for (size_t i = 0; i < N_PARTS; i++) {
		cupti_result code = (int)parts[i].kind == kind ? c->enable(parts[i].cupti) : CUPTI_OK;
		worked = worked || ((int)parts[i].kind == kind && !code);
		first = first ? first : code;
	}
	return worked ? CUPTI_OK : first;
}

static void disable_one(const struct cupti *c, int kind)
{
	if (is_api(kind))
		calls_disable(c, domain_of(kind));
	for (size_t i = 0; i < N_PARTS; i++)
		if ((int)parts[i].kind == kind)
			c->disable(parts[i].cupti);
}

uint32_t kinds_enable(const struct cupti *c, uint32_t kinds, bool is_late, cupti_result *first)
{
	uint32_t enabled = 0;
	*first = CUPTI_OK;
	for (size_t i = 0; i < N_DUMPED; i++)
		if (!is_late || !c->enable_and_dump || c->enable_and_dump(dumped[i]))
			c->enable(dumped[i]);
	for (int kind = 0; kind < WIRE_KIND_COUNT; kind++) {
		cupti_result code = kinds & 1u << kind ? enable_one(c, kind) : CUPTI_OK;
		if (code)
			log_line("kind %d: %s", kind, cupti_text(c, code));
		else
			enabled |= kinds & 1u << kind;
		*first = *first ? *first : code;
	}
	return enabled;
}

void kinds_disable(const struct cupti *c, uint32_t kinds)
{
	for (int kind = 0; kind < WIRE_KIND_COUNT; kind++)
		if (kinds & 1u << kind)
			disable_one(c, kind);
	for (size_t i = 0; i < N_DUMPED; i++)
		c->disable(dumped[i]);
}
