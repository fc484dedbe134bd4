/* model/store/files/spill.h - temporary files for what memory shall not hold. They have no name: nothing is left behind, however
 * the program ends. Under $TMPDIR; where there is none, under /var/tmp, else /tmp. */
#ifndef STEPSCOPE_SPILL_H
#define STEPSCOPE_SPILL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int spill_open(void); /* a fresh file, to be closed; -1 when none can be had */
bool spill_write(int fd, const void *bytes, size_t n, int64_t at); /* all of them; false when the disk is full */
size_t spill_read(int fd, void *to, size_t n, int64_t at);         /* how many; fewer where the file ends */
#endif
