/* live/address.h - where armed processes are found: their sockets in the folders of wire.h.
 * Trust:  a folder counts only when it is ours, no link, and closed to others. Sockets whose process is gone are removed. */
#ifndef STEPSCOPE_LIVE_ADDRESS_H
#define STEPSCOPE_LIVE_ADDRESS_H
#include "wire.h"
#include "model/store/base/err.h"

struct armed {
	int pid;
	uint64_t start_ticks;
	char path[WIRE_PATH_BYTES];
	char command[256]; /* words separated by blanks */
};
/* All armed processes, by pid; at most max. Returns how many. */
unsigned address_armed(struct armed *out, unsigned max);
/* The socket of one process; false when it is not armed, or not there. */
bool address_of(int pid, struct armed *out);
/* A path for the socket of this viewer, in a folder that is made if need be. */
bool address_viewer(char path[WIRE_PATH_BYTES], struct err *e);
/* The folders looked at: i = 0, 1; false after the last one. *sound says whether it may be used; *there whether it is
 * there. For `doctor`. */
bool address_folder(unsigned i, char path[WIRE_PATH_BYTES], bool *there, bool *sound);
uint64_t address_start_ticks(int pid); /* field 22 of /proc/PID/stat, 0 = no such process */
#endif
