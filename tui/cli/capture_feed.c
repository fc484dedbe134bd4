#include "capture_feed.h"
#include "cli_open.h"
#include "model/store/base/units.h"
#include "model/store/saved/save.h"
#include "model/store/trace/trace.h"
#include "tui/text/put.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ------------------------------------------------------------------------------------------------------- */

static bool parse_bytes(const char *text, uint64_t *bytes)
{
	static const struct {
		const char *word;
		int shift;
	} units[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"K", 10}, {"M", 20}, {"G", 30}};
	char *end;
	errno = 0;
	unsigned long long n = strtoull(text, &end, 10);
	for (size_t i = 0; *text >= '0' && *text <= '9' && i < sizeof units / sizeof *units; i++)
		/* a unit is wanted: 60 alone could be seconds or bytes */
		if (strcmp(end, units[i].word) == 0 && errno == 0 && n > 0 && n < UINT64_MAX >> 40) {
			*bytes = n << units[i].shift;
			return true;
		}
	return false;
}

static bool parse_keep(const char *text, struct capture_opts *o, struct err *e)
{
	const char *end;
	int64_t ns;
	if (strcmp(text, "all") == 0) {
		o->keep_bytes = 0;
		return true;
	}
	if (parse_bytes(text, &o->keep_bytes)) {
		if (o->keep_bytes < CAPTURE_KEEP_LEAST_BYTES)
			o->keep_bytes = CAPTURE_KEEP_LEAST_BYTES;
		return true;
	}
	if (!parse_ns(text, &end, &ns) || *end || ns < 1000000)
		return err_usage(e, "--keep wants an amount (512MiB), a time (60s) or all, not '%.40s'", text);
	o->keep_ns = ns;
	return true;
}

static bool parse_kinds(const char *text, uint32_t *kinds, struct err *e)
{
#define KIND_BIT_(name, word, on, what) {word, 1u << WIRE_##name},
	static const struct {
		const char *word;
		uint32_t bits;
	} words[] = {{"default", WIRE_DEFAULT_KINDS}, {"all", (1u << WIRE_KIND_COUNT) - 1}, WIRE_KINDS(KIND_BIT_)};
#undef KIND_BIT_
	for (size_t n; *text; text += n + (text[n] == ',')) {
		bool known = false;
		n = strcspn(text, ",");
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (strlen(words[i].word) == n && strncmp(words[i].word, text, n) == 0) {
				*kinds |= words[i].bits;
				known = true;
			}
		if (!known)
			return err_usage(e, "--kinds knows no '%.*s'; 'stepscope doctor' lists the words", (int)n,
					 text);
	}
	return true;
}

bool capture_options(const struct cli *c, bool everything, struct capture_opts *o, struct err *e)
{
	*o = (struct capture_opts){.keep_bytes = everything ? 0 : CAPTURE_KEEP_BYTES};
	if (cli_has(c, OPT_KEEP))
		TRY(parse_keep(c->value[OPT_KEEP], o, e));
	if (cli_has(c, OPT_KINDS))
		TRY(parse_kinds(c->value[OPT_KINDS], &o->kinds, e));
	o->spill = o->keep_bytes == 0; /* what is kept whole goes to disk: it may be larger than memory */
	return true;
}

/* ---- what is told --------------------------------------------------------------------------------------------------- */

static const char *const state_words[] = {
#define STATE_HELP(name, word, what) what,
	WIRE_STATES(STATE_HELP)
#undef STATE_HELP
};

/* One line about losses and trouble; "" = none. */
static const char *capture_trouble(const struct capture_status *s, char *buf, unsigned long size)
{
	buf[0] = 0;
	if (s->state > WIRE_STATE_RECORDING && s->state < WIRE_STATE_ENDED && s->state < WIRE_STATE_COUNT)
		snprintf(buf, size, "%.*s%s%s", (int)strcspn(state_words[s->state], ";"), state_words[s->state],
			 *s->text ? ": " : "", s->text);
	else if (*s->text)
		snprintf(buf, size, "%s", s->text);
	return buf;
}

static void status(void *ctx, struct feed_status *out)
{
	struct capture_feed *f = ctx;
	struct capture_status s;
	char rate[UNITS_BUF], lost[UNITS_BUF], kept[UNITS_BUF], trouble[WIRE_TEXT_BYTES + 120], ended[64] = "";
	capture_status(f->capture, &s);
	bool over = f->command ? launch_peek(f->command, ended, sizeof ended) : s.over;
	capture_trouble(&s, trouble, sizeof trouble);
	out->mood = s.lost || s.bad || *trouble ? FEED_WARNS : FEED_FINE;
	if (*trouble && !over) {
		snprintf(out->text, sizeof out->text, "%.*s", (int)sizeof out->text - 1, trouble);
		return;
	}
	size_t n =
		(size_t)(over ? snprintf(out->text, sizeof out->text, "ENDED%s%s", *ended ? " " : "", ended)
			      : snprintf(out->text, sizeof out->text, "LIVE %s/s", fmt_count(rate, (int64_t)s.per_s)));
	if (n < sizeof out->text)
		n += (size_t)snprintf(out->text + n, sizeof out->text - n, " lost %s",
				      fmt_count(lost, (int64_t)s.lost));
	if (s.let_go && n < sizeof out->text)
		snprintf(out->text + n, sizeof out->text - n, " kept %s", fmt_ns_fixed(kept, s.kept_ns, 100000000));
}

static bool waiting(void *ctx, unsigned i, char *buf, size_t size)
{
	struct capture_feed *f = ctx;
	if (i >= sizeof f->lines / sizeof *f->lines || !*f->lines[i])
		return false;
	snprintf(buf, size, "%s", f->lines[i]);
	return true;
}

/* ---- traces ---------------------------------------------------------------------------------------------------------- */

static struct trace *next(void *ctx, struct progress *p, struct err *e)
{
	struct capture_feed *f = ctx;
	/* NULL without an error: nothing new, the picture stays */
	return capture_grew(f->capture) ? capture_trace(f->capture, p, e) : NULL;
}

struct feed_source capture_feed_source(struct capture_feed *f)
{
	return (struct feed_source){
		.ctx = f, .next = next, .status = status, .waiting = waiting, .grows = true, .title = f->title};
}

static void say_nothing_came(const struct cli *c, const struct capture_status *s)
{
	char trouble[WIRE_TEXT_BYTES + 120];
	if (cli_has(c, OPT_QUIET))
		return;
	fprintf(stderr, "stepscope: nothing was recorded, no file is written: ");
	if (*capture_trouble(s, trouble, sizeof trouble))
		put_plain(stderr, trouble);
	else
		fputs(s->targets ? "no GPU work was done" : "no process used CUDA; 'stepscope doctor' says more",
		      stderr);
	fputc('\n', stderr);
}

static void say_written(const struct cli *c, const struct trace *t, const struct capture_status *s)
{
	char events[UNITS_BUF], lost[UNITS_BUF];
	if (cli_has(c, OPT_QUIET))
		return;
	fputs("stepscope: wrote ", stderr);
	put_plain(stderr, c->value[OPT_OUTPUT]);
	fprintf(stderr, ": %s events of %u process%s", fmt_count(events, (int64_t)trace_columns(t)->n), s->targets,
		s->targets == 1 ? "" : "es");
	if (s->lost)
		fprintf(stderr, "; at least %s records were lost", fmt_count(lost, (int64_t)s->lost));
	fputc('\n', stderr);
}

bool capture_save(const struct cli *c, struct capture *capture, bool *wrote, struct err *e)
{
	struct capture_status s;
	struct trace *t = capture_trace(capture, NULL, e);
	capture_status(capture, &s);
	*wrote = t != NULL;
	if (!t && *e->msg) {
		e->unwritten = true; /* whatever the reason, it was to be written */
		return false;
	}
	if (!t) {
		say_nothing_came(c, &s);
		return true;
	}
	bool ok = trace_save_recorded(t, c->value[OPT_OUTPUT], cli_output_flags(c), e);
	if (ok)
		say_written(c, t, &s);
	trace_free(t);
	return ok;
}
