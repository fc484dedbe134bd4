/* importers/file_names.h - what the name of a file tells of what is in it: recorders name files after host and rank. */
#ifndef STEPSCOPE_FILE_NAMES_H
#define STEPSCOPE_FILE_NAMES_H
#include <stddef.h>
#include <stdint.h>

/* "/tmp/worker0_step_12.1694128201545.pt.trace.json.gz" -> "worker0_step_12"; "host-0.xplane.pb" ->
 * "host-0"; "-" -> "". out: the caller's, cut at room - 1 bytes. */
void host_in_name(const char *path, char *out, size_t room);
/* Number after "rank" or "worker" in the file's name, else in that of its folder ("rank_3/trace.json"), or -1. */
int32_t rank_in_name(const char *path);
#endif
