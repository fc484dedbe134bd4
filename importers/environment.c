#include "environment.h"
#include <errno.h>
#include <stdlib.h>

int64_t environment_number(const char *name, int64_t least, int64_t most, int64_t otherwise)
{
	const char *text = getenv(name);
	char *end;
	errno = 0;
	long long v = text ? strtoll(text, &end, 10) : 0;
	if (!text || !*text || *end || errno || v < 0)
		return otherwise;
	return v < least ? least : v > most ? most : v;
}
