/* tui/generate/main.c - `generate TEMPLATE`: the template on stdout with its marks replaced. Exit code 1: it could not be. */
#include "generate.h"
#include <string.h>

enum { MARK_BYTES = 64 };

static const struct mark *find(const char *name)
{
	static const struct mark *const lists[] = {manual_marks, shell_marks, bash_marks, zsh_marks, fish_marks};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (const struct mark *m = lists[i]; m->name; m++)
			if (strcmp(m->name, name) == 0)
				return m;
	return NULL;
}

/* A mark that begins at `at`: writes what it stands for and gives what follows it; NULL when it is none. */
static const char *put_mark(struct page *p, const char *at)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz- ";
	char text[MARK_BYTES];
	size_t n = strspn(at + 1, letters);
	if (at[1 + n] != '@' || n >= sizeof text)
		return NULL;
	snprintf(text, sizeof text, "%.*s", (int)n, at + 1);
	char *word = strchr(text, ' ');
	if (word)
		*word++ = '\0';
	const struct mark *m = find(text);
	if (!m)
		return NULL;
	m->write(p, word ? word : "");
	at += n + 2;
	return at + (m->lines && *at == '\n');
}

static void put_line(struct page *p, const char *line)
{
	while (*line) {
		const char *after = *line == '@' ? put_mark(p, line) : NULL;
		if (!after)
			fputc(*line++, p->out);
		else
			line = after;
	}
}

static bool put_page(struct page *p, FILE *template)
{
	char line[4096];
	unsigned number = 0;
	while (fgets(line, sizeof line, template) && !*p->why) {
		number++;
		put_line(p, line);
	}
	if (*p->why)
		fprintf(stderr, "line %u: %s\n", number, p->why);
	return !*p->why && !ferror(template) && fflush(p->out) == 0;
}

int main(int argc, char **argv)
{
	struct page p = {.out = stdout};
	FILE *template = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!template) {
		fputs("usage: generate TEMPLATE\n", stderr);
		return 2;
	}
	bool fine = put_page(&p, template);
	fclose(template);
	return fine ? 0 : 1;
}
