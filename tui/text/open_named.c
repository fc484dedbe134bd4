#include "open_named.h"
#include "words.h"
#include "model/analysis/serving/captured.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char fact_key[] = "capture";

static void tell(struct trace *t, const char *capture, const struct captured_counts *n)
{
	char text[256];
	snprintf(text, sizeof text,
		 "%.100s names %" PRIu32 " of %" PRIu32 " kernels and copies of graphs (%" PRIu32 " by place)",
		 words_base(capture), n->by_name + n->by_place, n->work, n->by_place);
	trace_set_fact(t, fact_key, text);
}

const char *open_named_say(const struct trace *t, char *buf, size_t size)
{
	const char *key, *value;
	*buf = '\0';
	for (uint32_t i = 0; i < trace_facts(t); i++) {
		trace_fact(t, i, &key, &value);
		if (!strcmp(key, fact_key))
			snprintf(buf, size, "%s", value);
	}
	return buf;
}

/* Takes the trace; NULL with `e` where it was not named. */
static struct trace *named(struct trace *t, const char *capture, const struct open_opts *o, struct err *e)
{
	struct open_opts quiet = *o;
	quiet.on_ingest = NULL;
	struct trace *from = t ? open_trace(&capture, 1, &quiet, e) : NULL;
	struct captured_counts counts;
	open_settle(); /* both may still be on their way to the cache */
	bool ok = from && captured_name(t, from, &counts, e);
	if (ok)
		tell(t, capture, &counts);
	trace_free(from);
	if (ok)
		return t;
	trace_free(t);
	return NULL;
}

/* A saved file tells where its sources were once; what was opened just now is there. */
static bool sources_are_there(const char *const *paths, int n_paths)
{
	struct stat st;
	return n_paths == 2 || (n_paths == 1 && stat(paths[0], &st) == 0 && S_ISDIR(st.st_mode));
}

/* Takes the trace of both files. */
static struct trace *told_apart(struct trace *both, const struct captured_pair *pair, const struct open_opts *o,
				struct err *e)
{
	char *capture = strdup(trace_source(both, pair->capture).path),
	     *execution = strdup(trace_source(both, pair->execution).path);
	struct trace *t = NULL;
	if (capture && execution) {
		open_settle();
		trace_free(both);
		t = named(open_trace((const char *const *)&execution, 1, o, e), capture, o, e);
	} else {
		trace_free(both);
		err_memory(e, NULL);
	}
	free(capture);
	free(execution);
	return t;
}

struct trace *open_named(const char *const *paths, int n_paths, const char *capture, const struct open_opts *o,
			 struct err *e)
{
	struct captured_pair pair;
	struct trace *t = open_trace(paths, n_paths, o, e);
	if (t && capture)
		return named(t, capture, o, e);
	if (t && sources_are_there(paths, n_paths) && captured_pair_find(t, &pair))
		return told_apart(t, &pair, o, e);
	if (t && captured_tells_nodes(t)) {
		open_settle(); /* it may still be on its way to the cache */
		captured_name_by_nodes(t);
	}
	return t;
}
