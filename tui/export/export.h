/* tui/export/export.h - a trace, or a window of it, as a file for other programs. The ending of its name says which.
 * Times:   nanoseconds, exact, in every format. Unknown stays unknown.
 * Privacy: what a producer recorded of its environment leaves by allow-lists only (arg_list.h); `redact` hashes names, too. Recordings,
 *          .stepscope and .xplane.pb, are as they were recorded and cannot be redacted.
 * Memory:  the database is made in memory, of an XSpace a plane at a time; all others are written as they are read.
 * Threads: one for each call; the trace is only read. */
#ifndef STEPSCOPE_EXPORT_H
#define STEPSCOPE_EXPORT_H
#include "tui/tables/table_write.h"
#include "tui/text/window.h"

enum export_format {
	EXPORT_CHROME,
	EXPORT_CHROME_GZ,
	EXPORT_SAVED,
	EXPORT_XPLANE, /* of an XSpace */
	EXPORT_XPLANE_GZ,
	EXPORT_SQLITE,
	EXPORT_FOLDED, /* stacks for flame graphs */
	EXPORT_FOLDER  /* "out/": every table as a file */
};
/* What a file's name ends in, and what `--format` calls it for a stream. */
/* clang-format off */
#define EXPORT_ENDINGS(_) \
	_("json",         CHROME) \
	_("json.gz",      CHROME_GZ) \
	_("xplane.pb",    XPLANE) \
	_("xplane.pb.gz", XPLANE_GZ) \
	_("sqlite",       SQLITE) \
	_("stepscope",    SAVED) \
	_("folded",       FOLDED)
/* clang-format on */
struct export_req {
	const struct derived *d;
	struct window window;
	const char *const *paths;
	int n_paths;
	bool redact, all_args, all_steps; /* all_args: every recorded argument of events, whatever it says */
	enum table_format tables;         /* EXPORT_FOLDER: what its files are */
	struct progress *progress;        /* NULL = nobody looks */
};
/* By the ending of `path`; false with a usage error that lists what there is. */
bool export_format_of(const char *path, enum export_format *out, struct err *e);
/* Of a target without an ending, as "-": by `word`, which is an ending without its dot, "json.gz"; NULL: none was given. */
bool export_format_named(const char *path, const char *word, enum export_format *out, struct err *e);
/* "-", a descriptor, a FIFO or a device: written through, and its name tells no format. */
bool export_is_stream(const char *path);
/* Before the work: whether it can be written so. flags: of output.h. */
bool export_check(enum export_format f, const char *path, bool windowed, bool redact, unsigned flags, struct err *e);
/* Of a folder of tables of that format: whether all can be written; it need not be there yet. spares: asked of each file whether it may
 * be written at all, NULL = any; ctx is handed to it. */
typedef bool export_spares(const void *ctx, const char *file, struct err *e);
bool export_folder_check(const char *path, enum table_format format, unsigned flags, export_spares *spares,
			 const void *ctx, struct err *e);
bool export_save(const struct export_req *r, enum export_format f, const char *path, unsigned flags, struct err *e);
#endif
