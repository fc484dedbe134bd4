/* Paths and Python frames in a finished report: what a program's files and functions are called tells of its author. Names stand in
 * sentences, tables, pictures and data alike, so the text is looked through as a whole. */
#include "content.h"
#include "tui/text/words.h"
#include <ctype.h>
#include <string.h>

static bool is_path_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_./~+@%-", c));
}

static size_t path_length(const char *at)
{
	size_t n = 0;
	while (is_path_char(at[n]))
		n++;
	return n;
}

static bool begins(const char *at, size_t n, const char *with)
{
	return n >= strlen(with) && !strncmp(at, with, strlen(with));
}

/* Where people keep what is theirs, and where systems keep it for them: on workstations, in containers, on clusters. */
static const char *const private_roots[] = {
	"~/",    "/home/",  "/root/", "/Users/",    "/private/", "/tmp/",    "/var/",  "/opt/",     "/srv/",
	"/usr/", "/app/",   "/code/", "/workspace", "/local",    "/scratch", "/data",  "/datasets", "/storage/",
	"/mnt/", "/media/", "/nfs/",  "/gpfs/",     "/lustre/",  "/fsx/",    "/dbfs/", "/shared/",  "/projects/",
};

static bool is_private(const char *at, size_t n)
{
	for (size_t i = 0; i < sizeof private_roots / sizeof *private_roots; i++)
		if (begins(at, n, private_roots[i]))
			return true;
	return false;
}

/* "train.py(12): step" of PyTorch, "train.py:12 step" of JAX: what stands after the path, up to the function; 0: no frame. */
static size_t line_length(const char *behind)
{
	size_t n = 1, digits = *behind == '(' || *behind == ':' ? strspn(behind + 1, "0123456789") : 0;
	if (!digits)
		return 0;
	n += digits;
	if (*behind == ':')
		return behind[n] == ' ' ? n + 1 : n;
	return strncmp(behind + n, "): ", 3) ? 0 : n + 3;
}

static size_t name_length(const char *at)
{
	size_t n = 0;
	while (isalnum((unsigned char)at[n]) || at[n] == '_')
		n++;
	return n;
}

static void put_hashed(FILE *out, const char *kind, const char *at, size_t n)
{
	struct arena mem = {0};
	fputs(words_hash(&mem, kind, arena_strndup(&mem, at, n)), out);
	arena_free(&mem);
}

/* Writes the path at `at`, or what stands for it; gives how much of the text that was. PyTorch's own frames stay. */
static size_t put_path(FILE *out, const char *at, size_t n)
{
	bool python = memmem(at, n, ".py", 3) != NULL, own = !begins(at, n, "torch/");
	size_t line = python && !strncmp(at + n - 3, ".py", 3) ? line_length(at + n) : 0,
	       name = line ? name_length(at + n + line) : 0;
	if ((python && own) || is_private(at, n))
		put_hashed(out, "file", at, n);
	else
		fwrite(at, 1, n, out);
	fwrite(at + n, 1, line, out);
	if (own && name)
		put_hashed(out, "function", at + n + line, name);
	else
		fwrite(at + n + line, 1, name, out);
	return n + line + name;
}

void put_without_paths(const char *text, FILE *out)
{
	while (*text) {
		size_t n = path_length(text);
		if (n) {
			text += put_path(out, text, n);
			continue;
		}
		fputc(*text++, out);
	}
}
