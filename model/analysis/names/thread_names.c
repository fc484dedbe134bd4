#include "thread_names.h"
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* The first part that a name holds, in any case. Names are cut to 15 bytes where the kernel keeps them. */
static const struct {
	const char *part, *role;
} roles[] = {
	{"nccl_watchd", "NCCL watchdog"},
	{"nccl_heartb", "NCCL heartbeat"},
	{"ncclProxy", "NCCL proxy"},
	{"NCCL Service", "NCCL proxy"},
	{"NCCL Progress", "NCCL proxy"},
	{"NCCL UDS", "NCCL proxy"},
	{"nccl", "NCCL"},
	{"pt_autograd", "autograd"},
	{"collective_ops", "collectives"},
	{"CUPTI worker", "profiler"},
	{"[NSys", "profiler"},
};

const char *thread_name_role(const char *name)
{
	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
		if (strcasestr(name, roles[i].part))
			return roles[i].role;
	return NULL;
}

bool lane_name_on_cpu(const char *name)
{
	return !strcmp(name, "on a CPU");
}
