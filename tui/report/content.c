/* tui/report/content.c - the first five lines, then everything else. */
#include "content.h"
#include "importers/importer.h"
#include "model/store/base/units.h"
#include "tui/text/words.h"
#include <inttypes.h>
#include <string.h>

/* The ending tells the format and no secret; it stays. */
static const char *hashed_path(struct arena *mem, const char *path)
{
	const char *base = words_base(path), *dot = strchr(base + (*base == '.'), '.');
	/* the same path gives the same word: two reports of one trace can still be told to be of one */
	const char *hash = words_hash(mem, "file", path);
	bool told = dot && (importer_is_ending(dot) || strcmp(dot, ".stepscope") == 0);
	return told ? arena_printf(mem, "%s%s", hash, dot) : hash;
}

static void set_sources(struct content *c)
{
	c->sources = arena_alloc(&c->mem, ((size_t)c->req->n_paths + 1) * sizeof *c->sources);
	for (int i = 0; i < c->req->n_paths; i++) {
		const char *path = c->req->paths[i];
		c->sources[i] = c->req->redact && strcmp(path, "-") != 0 ? hashed_path(&c->mem, path) : path;
	}
}

static const char *source_words(struct content *c)
{
	if (c->req->n_paths == 0)
		return "a trace";
	const char *first = c->sources[0];
	first = strcmp(first, "-") == 0 ? "stdin" : words_clean(&c->mem, words_base(first));
	if (c->req->n_paths == 1)
		return first;
	return arena_printf(&c->mem, "%s and %d more", first, c->req->n_paths - 1);
}

/* The name of the window without the times after it. A gap's place can name a host or a thread. */
static const char *short_title(struct content *c)
{
	char title[320];
	const struct window *w = &c->req->window;
	window_title(c->req->d, w, title, sizeof title);
	char *comma = strrchr(title, ',');
	if (comma)
		*comma = '\0';
	if (!c->req->redact || w->kind != WINDOW_GAP)
		return words_clean(&c->mem, title);
	const struct gap *g = w->gap;
	if (g->scope != GAP_STEP)
		return arena_printf(&c->mem, "gap %" PRIu32, g->id);
	return arena_printf(&c->mem, "gap %" PRIu32 ": step %s -> %s", g->id,
			    words_clean(&c->mem, derived_step(c->req->d, g->step_before)->label),
			    words_clean(&c->mem, derived_step(c->req->d, g->step_after)->label));
}

static const char *looked_at(struct content *c)
{
	const struct trace *t = derived_trace(c->req->d);
	const struct window *w = &c->req->window;
	struct arena *mem = &c->mem;
	const char *whole = verdict_time(mem, trace_span_ns(t));
	const char *filter =
		c->req->filter ? arena_printf(mem, ", only events that match: %s", filter_text(c->req->filter)) : "";
	if (w->kind == WINDOW_ALL)
		return arena_printf(mem, "%s: %s, %s%s", source_words(c), c->title, whole, filter);
	return arena_printf(mem, "%s: %s, %s from %s to %s of %s%s", source_words(c), c->title,
			    verdict_time(mem, w->b_ns - w->a_ns), verdict_time(mem, w->a_ns),
			    verdict_time(mem, w->b_ns), whole, filter);
}

static const char *lost_words(struct content *c, const struct notes *n)
{
	const char *line = "";
	for (int i = 0; i < NOTE_COUNT; i++) {
		char count[UNITS_BUF];
		if (n->at[i].count == 0 || note_info((enum note_id)i)->severity != NOTE_LOST)
			continue;
		line = arena_printf(&c->mem, "%s%s%s %s", line, *line ? ", " : "", note_info((enum note_id)i)->name,
				    fmt_count(count, (int64_t)n->at[i].count));
	}
	return *line ? arena_printf(&c->mem, "read only in part: %s", line) : "nothing lost";
}

static const char *ledger(struct content *c)
{
	const struct notes *n = trace_notes(derived_trace(c->req->d));
	char entries[UNITS_BUF], shown[UNITS_BUF], merged[UNITS_BUF], noted[UNITS_BUF], warned[UNITS_BUF];
	uint64_t warnings = notes_of(n, NOTE_WARN);
	const char *warn = warnings ? arena_printf(&c->mem, ", %s warnings", fmt_count(warned, (int64_t)warnings)) : "";
	return arena_printf(&c->mem, "%s entries in the file = %s shown + %s merged + %s noted; %s%s",
			    fmt_count(entries, (int64_t)n->entries), fmt_count(shown, (int64_t)n->shown),
			    fmt_count(merged, (int64_t)n->merged), fmt_count(noted, (int64_t)notes_noted(n)),
			    lost_words(c, n), warn);
}

static const char *with_option(struct arena *mem, const char *line, const char *option, const char *value)
{
	return arena_printf(mem, "%s --%s %s", line, option, words_quote(mem, value));
}

static const char *path_argument(struct arena *mem, const char *path)
{
	/* "-" alone is standard input */
	bool dashed = path[0] == '-' && path[1] != '\0';
	return words_quote(mem, dashed ? arena_printf(mem, "./%s", path) : path);
}

/* A file named like a command must not be taken for one. */
static const char *command(struct content *c)
{
	static const char *const sem[] = {"stepscope", "xprof", "hta", "kineto"};
	struct arena *mem = &c->mem;
	const struct derived_opts *o = derived_options(c->req->d);
	const char *line =
		arena_printf(mem, "%s report", words_quote(mem, c->req->program ? c->req->program : "stepscope"));
	for (int i = 0; i < c->req->n_paths; i++)
		line = arena_printf(mem, "%s %s", line, path_argument(mem, c->sources[i]));
	if (c->req->window.kind != WINDOW_ALL)
		line = with_option(mem, line, "window", c->req->window.text);
	if (c->req->filter)
		line = with_option(mem, line, "filter", filter_text(c->req->filter));
	if (o && o->steps_by)
		line = with_option(mem, line, "steps-by", o->steps_by);
	if (o && o->semantics != SEM_STEPSCOPE && (unsigned)o->semantics < 4)
		line = with_option(mem, line, "semantics", sem[o->semantics]);
	if (o && o->tc_rules && strcmp(o->tc_rules, derived_default_rules(o->semantics)) != 0)
		line = with_option(mem, line, "tc-rules", o->tc_rules);
	if (c->req->all_steps)
		line = arena_printf(mem, "%s --all-steps", line);
	if (c->req->every_k)
		line = arena_printf(mem, "%s --every-k %u", line, c->req->every_k);
	if (c->req->redact)
		line = arena_printf(mem, "%s --redact", line);
	if (c->req->sections)
		line = with_option(mem, line, "sections", c->req->sections);
	if (c->req->title)
		line = with_option(mem, line, "title", c->req->title);
	if (c->req->note)
		line = with_option(mem, line, "note", c->req->note);
	if (c->req->brief)
		line = arena_printf(mem, "%s --brief", line);
	return with_option(mem, line, "format", report_format_ending(c->req->format));
}

static void set_focus(struct content *c)
{
	const struct window *w = &c->req->window;
	c->focus = w->kind == WINDOW_GAP ? w->gap : derived_gap_ranked(c->req->d, 0, w->a_ns, w->b_ns);
}

static void set_picture(struct content *c)
{
	struct picture_req r = {.d = c->req->d,
				.window = &c->req->window,
				.focus = c->focus,
				.mark = {verdict_mark(c, 0), verdict_mark(c, 1)},
				.scrub = c->scrub,
				.zooms = c->req->format == REPORT_HTML};
	c->picture = picture_new(&r, &c->mem);
}

/* In the lines above the sections, and what is drawn beside the picture. */
static void hide_names(struct content *c)
{
	const char **lines[] = {&c->title,   &c->heading, &c->advice,  &c->looked_at,
				&c->verdict, &c->numbers, &c->command, &c->facts};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		*lines[i] = scrub_sentence(c->scrub, *lines[i], &c->mem);
	for (uint32_t i = 0; i < c->n_cards; i++) {
		c->cards[i].value = scrub_sentence(c->scrub, c->cards[i].value, &c->mem);
		c->cards[i].sub = scrub_sentence(c->scrub, c->cards[i].sub, &c->mem);
	}
	for (int i = 0; c->picture && i < 2; i++)
		c->picture->mark[i] = scrub_sentence(c->scrub, c->picture->mark[i], &c->mem);
}

bool content_new(struct content *c, const struct report_req *r, struct err *e)
{
	memset(c, 0, sizeof *c);
	c->req = r;
	c->scrub = r->redact ? scrub_new(r->d) : NULL;
	c->runs = runs_new(c);
	/* in this order: titles name sources, the verdict is about the focus, the picture marks what both say */
	c->own_title = r->title ? words_clean(&c->mem, r->title) : NULL;
	c->note = r->note ? words_clean(&c->mem, r->note) : NULL;
	set_sources(c);
	set_focus(c);
	c->title = short_title(c);
	c->looked_at = looked_at(c);
	c->verdict = verdict_sentence(c);
	cards_fill(c);
	c->ledger = ledger(c);
	c->command = command(c);
	bool alone = r->format == REPORT_SVG || r->brief; /* a picture has no tables */
	if (!alone)
		sections_plan(c);
	if (!r->brief)
		set_picture(c);
	if (!alone && !sections_fill(c, e)) {
		content_free(c);
		return false;
	}
	verdict_lead(c); /* of the findings, which are there by now */
	hide_names(c);
	return true;
}

void content_free(struct content *c)
{
	runs_free(c->runs);
	scrub_free(c->scrub);
	arena_free(&c->mem);
}
