#include "device_vendor.h"
#include <string.h>

bool device_is_amd(const struct trace *t, const struct device *d)
{
	return strcasestr(trace_str(t, d->vendor), "AMD") || strcasestr(trace_str(t, d->name), "AMD");
}

bool device_is_other(const struct trace *t, const struct device *d)
{
	static const char *const vendors[] = {"Meta MTIA", "Intel XPU", "Intel Gaudi", "Enflame", "Huawei Ascend"};
	for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++)
		if (strcmp(trace_str(t, d->vendor), vendors[i]) == 0)
			return true;
	return false;
}
