/* live/inject/cupti/raw.h - activity buffers as CUPTI gave them, kept for replay on a machine without a GPU.
 * File RAW/PID.cupti: "stepraw1", u32 cuptiGetVersion, u32 0; then blocks {u32 type, u32 bytes, u64 value} + bytes, padded
 * to 8: type 1 a buffer (value: its address then), type 2 a text that records point to (value: the address). Texts come
 * before the first buffer that needs them. Writing stops for good at 64 MiB or at the first error. */
#ifndef STEPSCOPE_INJECT_RAW_H
#define STEPSCOPE_INJECT_RAW_H
#include "cupti.h"
enum { RAW_BUFFER = 1, RAW_TEXT = 2 };
void raw_write(const char *folder, const struct cupti *c, uint8_t *buffer,
	       size_t valid_bytes); /* folder NULL: nothing */
#endif
