/* live/inject/base/log.h - lines for STEPSCOPE_LOG. The target's own output stays untouched; without that variable nothing is
 * ever written. Not for callbacks of CUPTI. */
#ifndef STEPSCOPE_INJECT_LOG_H
#define STEPSCOPE_INJECT_LOG_H
void log_open(const char *path); /* NULL = no log */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
#endif
