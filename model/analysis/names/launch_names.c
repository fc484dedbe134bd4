#include "launch_names.h"
#include <string.h>

bool launch_is_graph(const char *call)
{
	return strstr(call, "GraphLaunch") != NULL;
}

enum launch_sort launch_starts(const char *call)
{
	bool copy = strstr(call, "Memcpy") != NULL, set = strstr(call, "Memset") != NULL;
	if (launch_is_graph(call) || strstr(call, "HostFunc"))
		return LAUNCHES_NOTHING;
	return copy ? LAUNCHES_COPY : set ? LAUNCHES_SET : strstr(call, "Launch") ? LAUNCHES_KERNEL : LAUNCHES_NOTHING;
}

bool launch_divides_captures(const char *call)
{
	return strstr(call, "BeginCapture") || strstr(call, "EndCapture") || strstr(call, "GraphInstantiate");
}
