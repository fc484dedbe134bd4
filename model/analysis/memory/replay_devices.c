/* The device of the trace that each pool's memory is of; told once, since every row of memory asks. */
#include "replay_making.h"
#include <stdlib.h>
#include "model/store/base/memory.h"

/* Devices of a host. */
struct of_host {
	uint32_t n, only; /* only: the last of them */
};
/* Devices on which a process allocates. */
struct of_process {
	bool any, several;
	int32_t device;
};
struct devices {
	const struct trace *t;
	struct idmap by; /* host and ordinal -> the first such device */
	struct of_host *hosts;
	struct of_process *processes;
};

static uint64_t device_key(uint32_t host, int64_t ordinal)
{
	return (uint64_t)host << 32 | (uint32_t)ordinal;
}

static void list_devices(struct devices *v)
{
	v->hosts = must(calloc(trace_hosts(v->t) + (size_t)1, sizeof *v->hosts));
	for (uint32_t i = 0; i < trace_devices(v->t); i++) {
		const struct device *k = trace_device(v->t, i);
		v->hosts[k->host].n++;
		v->hosts[k->host].only = i;
		if (k->ordinal >= 0 && k->ordinal <= INT32_MAX)
			idmap_put(&v->by, device_key(k->host, k->ordinal), i);
	}
}

static void list_processes(struct devices *v, const struct replay *x)
{
	v->processes = must(calloc(trace_processes(v->t) + (size_t)1, sizeof *v->processes));
	for (uint32_t i = 0; i < x->n_pools; i++) {
		struct of_process *k = &v->processes[x->pools[i].process];
		int32_t device = replay_pool_info(x, &x->pools[i])->device;
		if (device < 0)
			continue;
		k->several |= k->any && device != k->device;
		k->any = true;
		k->device = device;
	}
}

static uint32_t device_of(const struct devices *v, const struct replay *x, const struct replay_pool *p)
{
	int32_t ordinal = replay_pool_info(x, p)->device;
	uint32_t host = replay_host(x, p);
	if (ordinal < 0)
		return NONE_ID;
	uint32_t same = idmap_get(&v->by, device_key(host, ordinal));
	if (same != UINT32_MAX)
		return same;
	return v->hosts[host].n == 1 && !v->processes[p->process].several ? v->hosts[host].only : NONE_ID;
}

void replay_find_devices(struct making *m)
{
	struct devices v = {.t = m->pub.t};
	list_devices(&v);
	list_processes(&v, &m->pub);
	for (uint32_t i = 0; i < m->found.n; i++)
		m->found.at[i].device = device_of(&v, &m->pub, &m->found.at[i]);
	idmap_free(&v.by);
	free(v.hosts);
	free(v.processes);
}
