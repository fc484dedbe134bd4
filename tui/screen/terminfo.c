#include "terminfo.h"
#include <stdlib.h>
#include <string.h>
#include "model/store/base/embed.h"

/* A line for each type: its name, a blank, the compiled description as $TERMINFO may hold it ("b64:..."). Made at build time from
 * that machine's database: TERMS in the Makefile. */
EMBED(terminfo_entries, "terminfo.txt");

static bool lent;
static char *own; /* what the user had set, NULL = nothing */

static const char *find(const char *type)
{
	size_t n = strlen(type);
	for (const char *line = terminfo_entries; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, type, n) == 0 && line[n] == ' ')
			return line + n + 1;
	}
	return NULL;
}

bool terminfo_lend(const char *type)
{
	const char *entry = find(type), *before = getenv("TERMINFO");
	char *text = entry ? strndup(entry, strcspn(entry, "\n")) : NULL;
	if (!text)
		return false;
	own = before ? strdup(before) : NULL;
	lent = setenv("TERMINFO", text, 1) == 0;
	free(text);
	return lent;
}

void terminfo_take_back(void)
{
	if (lent && own)
		setenv("TERMINFO", own, 1);
	else if (lent)
		unsetenv("TERMINFO");
	free(own);
	own = NULL;
	lent = false;
}
