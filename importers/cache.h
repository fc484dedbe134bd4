/* importers/cache.h - traces that took long to import, kept as saved files and found again.
 * Place:   $XDG_CACHE_HOME/stepscope, else ~/.cache/stepscope; one file per import, named by its key.
 * Key:     of every source: path as named, device, inode, size, time of change, a hash of sampled blocks; and which build
 *          of stepscope imported it. A changed source or another build never finds an old entry.
 * Size:    at most 2 GiB ($STEPSCOPE_CACHE_MIB; 0 = keep nothing); what was used longest ago goes first.
 * Safety:  a folder that another user owns or may enter, or a link, is not used (trusted.h). Entries appear whole or
 *          not at all, so several processes may write at once; a damaged one is removed.
 *          Nothing here is an error: without a usable cache, traces are imported.
 * Threads: the job functions may be called from any thread; the others hold no state. */
#ifndef STEPSCOPE_CACHE_H
#define STEPSCOPE_CACHE_H
#include "model/store/base/progress.h"
#include "model/store/trace/trace.h"

struct cache_key {
	uint64_t high, low;
};
/* False when these sources cannot be found again: stdin, pipes, what cannot be read. */
bool cache_key(struct cache_key *k, const char *const *paths, size_t n);

/* A folder stands at the place that may not be used; dir receives its path. */
bool cache_refused(char *dir, size_t size);

/* The folder of entries, made if need be. False when there is no place for one or what stands there may not be used. */
bool cache_folder(char *dir, size_t size);

struct trace *cache_load(const struct cache_key *k, unsigned threads, struct progress *p); /* NULL: no sound entry */

bool cache_worth(int64_t import_ms); /* long enough to keep: from 500 ms on ($STEPSCOPE_CACHE_AFTER_MS) */

/* Writes an entry behind the caller's back; takes its own reference. One at a time: waits for the one before. */
void cache_begin(const struct cache_key *k, struct trace *t);
void cache_end(bool wait); /* waits until the entry is written, or gives it up. Without an entry under way: returns */

void cache_trim(const char *dir, int64_t most_bytes); /* removes what was used longest ago */
#endif
