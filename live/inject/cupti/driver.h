/* live/inject/cupti/driver.h - the driver as this process has it. It is asked, never initialised, by us.
 * Threads: any. */
#ifndef STEPSCOPE_INJECT_DRIVER_H
#define STEPSCOPE_INJECT_DRIVER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* cuDriverGetVersion of the copy that is mapped; 0 = none is, or it does not say. Loads nothing. */
uint32_t driver_version(void);
/* cuInit is over. Asks for the number of devices, which starts nothing up; may wait for a cuInit that is under way. */
bool driver_is_initialised(void);
/* Whether a CUPTI that crashes without a driver may be called. is_up: the driver runs already, or it is the one that
 * called us; otherwise it is loaded to be asked, and its kernel side must be there, too. False: `why` says what is missing. */
bool driver_works(bool is_up, char *why, size_t size);
#endif
