#include "nvtx_name.h"
#include <string.h>

const char *nvtx_name(const char *name)
{
	if (strncmp(name, "NVTX:", 5))
		return name;
	name += 5;
	const char *colon = strchr(name, ':');
	return colon && colon[1] && !strchr("[ ", colon[1]) ? colon + 1 : name;
}
