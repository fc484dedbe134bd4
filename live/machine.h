/* live/machine.h - what live mode meets on this machine: the driver, CUPTI, permissions. Only looks, changes nothing.
 * Foreign libraries are loaded in a child process: whatever they do when they are loaded stays there. */
#ifndef STEPSCOPE_LIVE_MACHINE_H
#define STEPSCOPE_LIVE_MACHINE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine_library {
	bool found;
	char path[256];
	uint32_t version;   /* cuDriverGetVersion, cuptiGetVersion; 0 = it did not say */
	bool was_not_asked; /* it does not survive being asked without a working driver, and there is none */
};
bool machine_driver_text(char *buf, size_t size); /* first line of the kernel driver's own version file */
/* False: this program is a static one and loads no libraries, so none is found by the next two. */
bool machine_loads_libraries(void);
struct machine_library machine_libcuda(void);
struct machine_library machine_libcupti(void); /* where the target's library would find one by itself */
int machine_devices(int *readable);            /* GPU device files, and how many of them this user may use */
int machine_ptrace_scope(void);                /* of the Yama security module; -1 = not there */
bool machine_counters_restricted(void);        /* performance counters only for admins: no matter to tracing */
/* What is known of a CUPTI version, one thing after the other from i = 0 on; NULL after the last. */
const char *machine_cupti_remark(uint32_t version, unsigned i);
#endif
