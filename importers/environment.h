/* importers/environment.h - numbers that the user gives through environment variables. */
#ifndef STEPSCOPE_ENVIRONMENT_H
#define STEPSCOPE_ENVIRONMENT_H
#include <stdint.h>

/* The whole number that the variable holds, brought between `least` and `most`; `otherwise` when it is unset or holds
 * anything but one number that is not negative. */
int64_t environment_number(const char *name, int64_t least, int64_t most, int64_t otherwise);
#endif
