#include "device_vendor.h"
#include <string.h>

bool device_is_amd(const struct trace *t, const struct device *d)
{
	return strcasestr(trace_str(t, d->vendor), "AMD") || strcasestr(trace_str(t, d->name), "AMD");
}
