/* tui/cli/capture_feed.h - a live capture as the explorer's feed, and as a file. */
#ifndef STEPSCOPE_CAPTURE_FEED_H
#define STEPSCOPE_CAPTURE_FEED_H
#include "cli.h"
#include "launch.h"
#include "live/capture.h"
#include "tui/explorer/feed.h"

struct capture_feed {
	struct capture *capture;
	const struct launched *command; /* NULL: attached */
	char title[128];
	char lines[3][320]; /* what the screen says until something comes; "" = no line */
};
/* The feed that app_opts wants; f must outlive it. */
struct feed_source capture_feed_source(struct capture_feed *f);

/* --keep and --kinds. With everything: what is not bounded by --keep goes to a temporary file, all of it. */
bool capture_options(const struct cli *c, bool everything, struct capture_opts *o, struct err *e);
/* Everything into -o OUT; says on stderr what was written, or why there is nothing to write (*wrote is false then). False
 * with e. */
bool capture_save(const struct cli *c, struct capture *capture, bool *wrote, struct err *e);
#endif
