#include "group_kind.h"
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* Words of descriptions; between two of them stands what is neither letter nor digit. "model" and "parallel" say nothing by themselves. */
static const char *const words[][2] = {
	{"dp", "DP"},     {"ddp", "DP"},     {"data", "DP"},      {"replicate", "DP"}, {"fsdp", "FSDP"},
	{"hsdp", "FSDP"}, {"shard", "FSDP"}, {"sharded", "FSDP"}, {"tp", "TP"},        {"tensor", "TP"},
	{"mp", "TP"},     {"pp", "PP"},      {"pipe", "PP"},      {"pipeline", "PP"},  {"ep", "EP"},
	{"expert", "EP"}, {"moe", "EP"},     {"cp", "CP"},        {"context", "CP"},
};

static const char *kind_of_word(const char *p, size_t n)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i][0]) == n && !strncasecmp(words[i][0], p, n))
			return words[i][1];
	return NULL;
}

const char *group_kind(const char *description)
{
	const char *kind = NULL;
	for (const char *p = description; *p;) {
		size_t n = 0;
		while (isalnum((unsigned char)p[n]))
			n++;
		const char *one = n ? kind_of_word(p, n) : NULL;
		/* "dp_shard": shards among data parallel ranks */
		bool narrows = kind && one && !strcmp(kind, "DP") && !strcmp(one, "FSDP");
		if (kind && one && strcmp(kind, one) != 0 && !narrows)
			return NULL;
		kind = one ? one : kind;
		p += n ? n : 1;
	}
	return kind;
}
