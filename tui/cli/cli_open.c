#include "cli_open.h"
#include "ticker.h"
#include "model/analysis/comms/clocks.h"
#include "model/analysis/kernels/filter_said.h"
#include "model/store/base/memory.h"
#include "model/store/base/units.h"
#include "tui/text/config.h"
#include "tui/text/open_named.h"
#include "tui/text/put.h"
#include "tui/text/words.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- options ---------------------------------------------------------------------------------------------------- */

static enum semantics semantics_of(const char *word)
{
	static const char *const words[] = {
		[SEM_STEPSCOPE] = "stepscope", [SEM_XPROF] = "xprof", [SEM_HTA] = "hta", [SEM_KINETO] = "kineto"};
	for (unsigned i = 0; word && i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i], word) == 0)
			return (enum semantics)i;
	return SEM_STEPSCOPE;
}

/* Rules of the user's own, where there are any: they stand before the built-in ones. Lives as long as the program. */
static const char *own_file(const char *name, char *path, size_t size)
{
	return config_file(name, path, size) ? path : NULL;
}

struct derived_opts cli_derived_opts(const struct cli *c)
{
	static char rules[4096], families[4096];
	struct derived_opts o = {.own_rules = own_file("kernels.rules", rules, sizeof rules),
				 .own_families = own_file("families.rules", families, sizeof families),
				 .semantics = semantics_of(c->value[OPT_SEMANTICS]),
				 .tc_rules = c->value[OPT_TC_RULES],
				 .steps_by = c->value[OPT_STEPS_BY]};
	/* checked when they were read; 0 where they were not given */
	if (cli_has(c, OPT_PARAMETERS))
		parse_amount(c->value[OPT_PARAMETERS], &o.parameters);
	if (cli_has(c, OPT_LINK_BANDWIDTH))
		parse_rate(c->value[OPT_LINK_BANDWIDTH], &o.link_bytes_per_s);
	if (cli_has(c, OPT_PARAMETER_BYTES))
		parse_amount(c->value[OPT_PARAMETER_BYTES], &o.parameter_bytes);
	if (cli_has(c, OPT_KV_BYTES))
		parse_amount(c->value[OPT_KV_BYTES], &o.kv_bytes_per_token);
	o.shift = c->value[OPT_SHIFT];
	return o;
}

const char *cli_window_word(const struct cli *c, char *buf, size_t size)
{
	if (cli_has(c, OPT_STEP))
		snprintf(buf, size, "step:%s", c->value[OPT_STEP]);
	else if (cli_has(c, OPT_GAP))
		snprintf(buf, size, "gap:%s", c->value[OPT_GAP]);
	else if (cli_has(c, OPT_WINDOW))
		snprintf(buf, size, "%s", c->value[OPT_WINDOW]);
	else
		return NULL;
	return buf;
}

bool cli_number(const struct cli *c, enum cli_option o, uint32_t *out, struct err *e)
{
	const char *text = c->value[o];
	if (!text)
		return true;
	char *end;
	errno = 0;
	unsigned long long v = strtoull(text, &end, 10);
	bool all = o == OPT_TOP; /* 0 */
	if (*text < '0' || *text > '9' || *end || errno || (v < 1 && !all) || v > UINT32_MAX)
		return err_usage(e, "--%s wants a whole number%s, not '%.40s'", cli_option(o)->word,
				 all ? ", 0 for all" : " from 1 on", text);
	*out = (uint32_t)v;
	return true;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static void warn_of_cache(const struct cli *c)
{
	char dir[4096];
	if (cli_has(c, OPT_QUIET) || cli_has(c, OPT_NO_CACHE) || !open_cache_refused(dir, sizeof dir))
		return;
	fputs("stepscope: the cache is not used: ", stderr);
	put_plain(stderr, dir);
	fputs(" must be a folder of yours that others cannot enter (mode 0700), and not a link\n", stderr);
}

static struct trace *open_ticking(const struct cli *c, struct ticker *ticker, struct err *e)
{
	struct open_opts o = {.progress = &ticker->progress, .cache = !cli_has(c, OPT_NO_CACHE)};
	if (!cli_number(c, OPT_THREADS, &o.threads, e))
		return NULL;
	warn_of_cache(c);
	return open_named(c->paths, c->n_paths, c->value[OPT_CAPTURE], &o, e);
}

struct trace *cli_open_trace(const struct cli *c, struct err *e)
{
	struct ticker ticker;
	ticker_start(&ticker, c, TICKER_IMPORT_MS);
	struct trace *t = open_ticking(c, &ticker, e);
	ticker_stop(&ticker);
	return t;
}

static void warn_of_recordings(const struct cli *c, const struct trace *t)
{
	char text[512];
	if (!cli_has(c, OPT_QUIET) && *recordings_say(t, text, sizeof text))
		fprintf(stderr, "stepscope: %s\n", text);
}

static void tell_capture(const struct cli *c, const struct trace *t)
{
	char text[256];
	if (!cli_has(c, OPT_QUIET) && *open_named_say(t, text, sizeof text))
		fprintf(stderr, "stepscope: %s\n", text);
}

static struct derived *open_and_derive(const struct cli *c, struct err *e)
{
	struct ticker ticker;
	struct derived_opts opts = cli_derived_opts(c);
	ticker_start(&ticker, c, TICKER_IMPORT_MS);
	struct trace *t = open_ticking(c, &ticker, e);
	struct derived *d = t ? clocks_derive(t, &opts, open_settle, &ticker.progress, e) : NULL;
	trace_free(t); /* the overlay holds its own reference */
	ticker_stop(&ticker);
	if (d && trace_hosts(derived_trace(d)) > 1)
		warn_of_recordings(c, derived_trace(d));
	if (d)
		tell_capture(c, derived_trace(d));
	return d;
}

static bool make_filter(struct opened *o, const struct cli *c, struct err *e)
{
	memset(o, 0, sizeof *o);
	return !cli_has(c, OPT_FILTER) || (o->filter = filter_new(c->value[OPT_FILTER], e));
}

/* One rank, where one is asked for; window and filter are of that. */
static bool choose_part(struct opened *o, const struct cli *c, struct err *e)
{
	const char *word = cli_window_word(c, o->window_word, sizeof o->window_word);
	if (o->whole) {
		TRY(job_rank_find(derived_trace(o->whole), c->value[OPT_RANK], &o->rank, e));
		o->d = job_rank_derive(o->whole, &o->rank, NULL, e);
	}
	TRY(o->d != NULL);
	if (!word)
		o->window = window_all(o->d);
	return (!word || window_parse(o->d, word, &o->window, e)) &&
	       (!o->filter || filter_bind_derived(o->filter, o->d, NULL, e));
}

static bool kept(struct opened *o, bool sound)
{
	if (!sound)
		opened_free(o);
	return sound;
}

bool opened_new(struct opened *o, const struct cli *c, struct err *e)
{
	/* before the import: a wrong filter is told at once */
	TRY(make_filter(o, c, e));
	struct derived **to = cli_has(c, OPT_RANK) ? &o->whole : &o->d;
	*to = open_and_derive(c, e);
	if (*to)
		memory_use(MEMORY_WRITES);
	return kept(o, *to && choose_part(o, c, e));
}

bool cli_has_after(const struct cli *c)
{
	return cli_has(c, OPT_VS) || cli_has(c, OPT_VS_RANK) || cli_has(c, OPT_VS_STEP) || cli_has(c, OPT_VS_WINDOW);
}

struct cli cli_for_after(const struct cli *c, const char *const *path)
{
	struct cli after = *c;
	after.paths = path;
	after.n_paths = 1;
	if (cli_has(c, OPT_VS_RANK))
		after.value[OPT_RANK] = c->value[OPT_VS_RANK];
	if (cli_has(c, OPT_VS_STEP) || cli_has(c, OPT_VS_WINDOW)) {
		after.value[OPT_STEP] = c->value[OPT_VS_STEP];
		after.value[OPT_WINDOW] = c->value[OPT_VS_WINDOW];
		after.value[OPT_GAP] = NULL;
	}
	return after;
}

bool cli_same_trace(const struct cli *c)
{
	return cli_has_after(c) && !cli_has(c, OPT_VS);
}

bool cli_after_fits(const struct cli *c, struct err *e)
{
	if (cli_has(c, OPT_VS_RANK) && !cli_has(c, OPT_RANK))
		return err_usage(e, "--vs-rank wants --rank, the rank before: --rank 0 --vs-rank 7");
	return true;
}

const char *opened_label(const struct opened *o, const char *path, struct arena *mem)
{
	const char *base = words_base(path);
	if (o->whole)
		base = arena_printf(mem, "%s rank %" PRId64, base, o->rank.rank);
	return o->window.kind == WINDOW_ALL ? base : arena_printf(mem, "%s %s", base, o->window.text);
}

bool opened_after(struct opened *o, const struct opened *before, const struct cli *c, struct err *e)
{
	struct cli after = cli_for_after(c, cli_same_trace(c) ? c->paths : &c->value[OPT_VS]);
	if (!cli_same_trace(c))
		return opened_new(o, &after, e);
	TRY(make_filter(o, &after, e));
	o->shares = true;
	o->whole = cli_has(c, OPT_VS_RANK) ? before->whole : NULL;
	o->d = o->whole ? NULL : before->d;
	return kept(o, choose_part(o, &after, e));
}

void opened_free(struct opened *o)
{
	bool own = !o->shares || o->whole; /* a rank that is looked at by itself is its own */
	if (o->d && own)
		derived_free(o->d);
	if (o->whole && !o->shares)
		derived_free(o->whole);
	if (o->filter)
		filter_free(o->filter);
	memset(o, 0, sizeof *o);
}
