#include "launch_names.h"
#include <string.h>

bool launch_is_graph(const char *call)
{
	return strstr(call, "GraphLaunch") != NULL;
}
