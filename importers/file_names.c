#include "file_names.h"
#include "model/store/base/paths.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void host_in_name(const char *path, char *out, size_t room)
{
	static const char *const endings[] = {".gz",     ".zst", ".json", ".trace", ".pt",
					      ".sqlite", ".db",  ".csv",  ".pb",    ".xplane"};
	const char *file = path_last(path);
	size_t n = strlen(file);
	n = n < room ? n : room - 1;
	memcpy(out, file, n);
	out[n] = 0;
	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
		size_t k = strlen(endings[i]);
		if (n > k && strcmp(out + n - k, endings[i]) == 0)
			out[n -= k] = 0;
	}
	char *stamp = strrchr(out, '.');
	if (stamp && stamp > out && strlen(stamp + 1) > 9 && strspn(stamp + 1, "0123456789") == strlen(stamp + 1))
		*stamp = 0;
	if (strcmp(out, "-") == 0)
		*out = 0;
}

/* In the `n` bytes of one part of a path; -1: it does not tell. */
static int32_t rank_in_part(const char *part, size_t n)
{
	static const char *const words[] = {"rank", "worker"};
	char text[256];
	snprintf(text, sizeof text, "%.*s", (int)n, part);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		const char *p = strcasestr(text, words[i]);
		/* not the end of another word */
		if (!p || (p > text && isalnum((unsigned char)p[-1])))
			continue;
		p += strlen(words[i]);
		p += *p == '_' || *p == '-';
		size_t digits = strspn(p, "0123456789");
		if (digits > 0 && digits < 7)
			return (int32_t)strtol(p, NULL, 10);
	}
	return -1;
}

int32_t rank_in_name(const char *path)
{
	const char *file = path_last(path), *end = file > path ? file - 1 : path, *folder = end;
	int32_t rank = rank_in_part(file, strlen(file));
	while (folder > path && folder[-1] != '/')
		folder--;
	return rank >= 0 ? rank : rank_in_part(folder, (size_t)(end - folder));
}
