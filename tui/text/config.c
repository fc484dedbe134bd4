#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool config_path(const char *name, char *buf, size_t size)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n = -1;
	if (xdg && *xdg)
		n = snprintf(buf, size, "%s/stepscope/%s", xdg, name);
	else if (home && *home)
		n = snprintf(buf, size, "%s/.config/stepscope/%s", home, name);
	return n > 0 && (size_t)n < size;
}

bool config_file(const char *name, char *buf, size_t size)
{
	return config_path(name, buf, size) && access(buf, R_OK) == 0;
}
