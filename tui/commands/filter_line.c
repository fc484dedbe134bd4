/* tui/commands/filter_line.c - the filter line: what completes it, and filters that are kept under a name. */
#include "commands.h"
#include "model/store/base/nearest.h"
#include "tui/text/state_file.h"
#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* ---- kept filters ------------------------------------------------------------------------------------------------------ */

#define KEPT "filters"
enum { MOST_KEPT = 64, MOST_BYTES = MOST_KEPT * (PROMPT_SIZE + 40), NAME_MOST = 32 };

/* Lines "NAME FILTER"; of this sitting alone where nothing may be remembered. */
static size_t read_kept(const struct state *st, const char **lines, struct arena *mem)
{
	size_t n = 0;
	if (st->opts->remember)
		return state_file_read(KEPT, MOST_BYTES, lines, MOST_KEPT, mem);
	for (; n < st->n_kept; n++)
		lines[n] = st->kept[n];
	return n;
}

static bool has_name(const char *line, const char *name, size_t n)
{
	return strcspn(line, " ") == n && !memcmp(line, name, n);
}

/* The filter that is kept under a name; NULL = none. The text is of mem. */
static const char *kept_filter(const struct state *st, const char *name, size_t n, struct arena *mem)
{
	const char *lines[MOST_KEPT];
	size_t count = read_kept(st, lines, mem);
	for (size_t i = 0; i < count; i++)
		if (has_name(lines[i], name, n))
			return lines[i] + n + (lines[i][n] == ' ');
	return NULL;
}

static void write_kept(struct state *st, const char *const *lines, size_t n)
{
	if (st->opts->remember) {
		state_file_write(KEPT, lines, n);
		return;
	}
	struct arena old = st->kept_mem;
	st->kept_mem = (struct arena){0};
	st->n_kept = 0;
	st->kept = arena_alloc(&st->kept_mem, (n + 1) * sizeof *st->kept);
	for (size_t i = 0; i < n; i++)
		st->kept[st->n_kept++] = arena_strdup(&st->kept_mem, lines[i]);
	arena_free(&old);
}

bool kept_filters_add(struct state *st, const char *name, struct err *e)
{
	struct arena mem = {0};
	const char *before[MOST_KEPT], *lines[MOST_KEPT + 1];
	size_t len = strlen(name), n = 0, count;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("-_.", name[i]))
			return err_usage(e, "a name is made of letters, digits, - _ and .");
	if (len > NAME_MOST)
		return err_usage(e, "a name has at most %d letters", NAME_MOST);
	count = read_kept(st, before, &mem);
	if (st->filter)
		lines[n++] = arena_printf(&mem, "%s %s", name, filter_text(st->filter));
	for (size_t i = 0; i < count && n < MOST_KEPT; i++)
		if (!has_name(before[i], name, len))
			lines[n++] = before[i];
	write_kept(st, lines, n);
	arena_free(&mem);
	state_say(st, INK_STATUS,
		  st->filter ? "kept: & and @%s mean this filter" : "no filter is set: @%s is forgotten", name);
	return true;
}

const char *filter_line_expand(struct state *st, const char *line, struct arena *mem, struct err *e)
{
	const char *out = "";
	for (const char *p = line; *p;) {
		size_t n = strcspn(p, " ");
		const char *kept = *p == '@' ? kept_filter(st, p + 1, n - 1, mem) : NULL;
		if (*p == '@' && !kept) {
			err_usage(e, "no filter is kept as %.*s; :keep NAME keeps the current one",
				  (int)(n < 40 ? n : 40), p);
			return NULL;
		}
		out = kept ? arena_printf(mem, "%s%s", out, kept) : arena_printf(mem, "%s%.*s", out, (int)n, p);
		p += n;
		n = strspn(p, " ");
		out = arena_printf(mem, "%s%.*s", out, (int)n, p);
		p += n;
	}
	return out;
}

/* ---- completion -------------------------------------------------------------------------------------------------------- */

struct offers {
	const struct state *st;
	const char **out;
	size_t n, max;
	const char *head;  /* the line up to what is completed */
	const char *typed; /* that */
	struct arena *mem;
};

static bool begins(const char *text, const char *typed)
{
	return strncasecmp(text, typed, strlen(typed)) == 0;
}

static bool there(const struct offers *o, const char *line)
{
	for (size_t i = 0; i < o->n; i++)
		if (strcmp(o->out[i], line) == 0)
			return true;
	return false;
}

/* before: what stands before the word in the line; after: a blank where the condition is complete. */
static void offer(struct offers *o, const char *before, const char *word, const char *behind)
{
	if (o->n >= o->max || !begins(word, o->typed))
		return;
	const char *line = arena_printf(o->mem, "%s%s%s%s", o->head, before, word, behind);
	if (!there(o, line))
		o->out[o->n++] = line;
}

static void offer_number(struct offers *o, int64_t number)
{
	char text[24];
	snprintf(text, sizeof text, "%" PRId64, number);
	offer(o, "", text, " ");
}

/* A text with blanks is quoted. */
static void offer_text(struct offers *o, const char *text)
{
	if (*text && !strpbrk(text, "\"\\"))
		offer(o, "", strchr(text, ' ') ? arena_printf(o->mem, "\"%s\"", text) : text, " ");
}

static void offer_of_track(struct offers *o, const char *field, const struct track_info *k)
{
	const struct trace *t = o->st->t;
	bool thread = k->kind == TRACK_THREAD;
	if (!strcmp(field, "stream") && k->kind == TRACK_STREAM)
		offer_number(o, k->key);
	if (!strcmp(field, "device") && k->device != NONE_ID)
		offer_number(o, trace_device(t, k->device)->ordinal);
	if (!strcmp(field, "rank") && trace_host(t, k->host)->rank >= 0)
		offer_number(o, trace_host(t, k->host)->rank);
	if (thread && (!strcmp(field, "thread") || !strcmp(field, "tid")))
		offer_number(o, k->key);
	if (thread && !strcmp(field, "thread"))
		offer_text(o, trace_str(t, k->name));
	if (k->process != NONE_ID && !strcmp(field, "pid"))
		offer_number(o, trace_process(t, k->process)->pid);
	if (k->process != NONE_ID && !strcmp(field, "process"))
		offer_text(o, trace_str(t, trace_process(t, k->process)->name));
	if (!strcmp(field, "host"))
		offer_text(o, trace_str(t, trace_host(t, k->host)->name));
}

static void offer_of_trace(struct offers *o, const char *field)
{
	char label[160];
	for (uint32_t i = 0; i < trace_tracks(o->st->t); i++) {
		offer_of_track(o, field, trace_track(o->st->t, i));
		if (!strcmp(field, "track"))
			offer_text(o, trace_track_label(o->st->t, i, label, sizeof label));
	}
	for (uint32_t i = 0; !strcmp(field, "step") && i < derived_steps(o->st->d); i++)
		offer(o, "", derived_step(o->st->d, i)->label, " ");
}

/* Names of fields; those of amounts with the sign that is mostly wanted. Words of kinds without their field. */
static void offer_fields(struct offers *o)
{
	uint32_t n;
	const struct filter_field *f = filter_fields(&n);
	for (uint32_t i = 0; i < n; i++)
		offer(o, "", arena_printf(o->mem, "%s%c", f[i].name, strchr("<>", *f[i].values) ? *f[i].values : '='),
		      "");
	const char *word;
	for (uint32_t k = 0; *o->typed && strcmp(f[1].name, "kind") == 0 && (word = filter_value(1, k)); k++)
		offer(o, "kind=", word, " ");
}

static void offer_kept(struct offers *o)
{
	const char *lines[MOST_KEPT];
	size_t n = read_kept(o->st, lines, o->mem);
	for (size_t i = 0; i < n; i++)
		offer(o, "", arena_printf(o->mem, "@%.*s", (int)strcspn(lines[i], " "), lines[i]), " ");
}

static void offer_values(struct offers *o, const char *field)
{
	uint32_t n;
	const struct filter_field *f = filter_fields(&n);
	const char *word;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; !strcmp(f[i].name, field) && (word = filter_value(i, k)); k++)
			offer(o, "", word, " ");
	offer_of_trace(o, field);
}

size_t filter_candidates(const struct state *st, const char *line, const char **out, size_t max, struct arena *mem)
{
	const char *word = line + strlen(line);
	while (word > line && word[-1] != ' ')
		word--;
	word += strspn(word, "!");
	size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyz_");
	const char *value = word + n + strspn(word + n, "!=<>"), *comma = strrchr(value, ',');
	bool has_sign = n && value > word + n;
	struct offers o = {.st = st, .out = out, .max = max, .mem = mem};
	o.typed = !has_sign ? word : comma ? comma + 1 : value;
	o.head = arena_printf(mem, "%.*s", (int)(o.typed - line), line);
	if (has_sign) {
		offer_values(&o, arena_printf(mem, "%.*s", (int)n, word));
	} else {
		offer_kept(&o);
		offer_fields(&o);
	}
	return o.n;
}
